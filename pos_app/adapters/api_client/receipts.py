"""The till's client of the local API: receipts, look-ups, doubts, and proof of the server.

Every failure becomes exactly one of refused, not delivered and unknown; no network error is raised
past this file. Source: platform-contract.md 3, exactly-once.md.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from urllib.parse import quote

from pos_app import __version__, errors, log, wire
from pos_app.adapters.api_client.exchange import LocalApi, Reply
from pos_app.adapters.api_client.status import status_from_json
from pos_app.domain.receipt.operations import OperationRequest
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.domain.receipt.request import IssueRequest
from pos_app.domain.receipt.server_status import JournalCompared, JournalMark, ServerStatus
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.selling.sale.sale import PendingReason, RememberedJournal
from pos_app.selling.server import answers
from pos_app.selling.server.ports import OutgoingSale
from pos_app.wire import problem
from pos_app.wire.problem import Problem, problem_from_json
from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.strict_json import loads

_log = log.get(__name__)

ISSUE_SECONDS = 25.0
"""The server answers within 20 s (platform-contract.md 2.9)."""
ASK_SECONDS = 5.0
PROVE_SECONDS = 3.0
_NONCE_BYTES = 16

_AT_THE_DOOR = frozenset(
    case.code for case in (problem.UNAUTHORIZED, problem.FORBIDDEN, problem.WRONG_HOST)
)
"""Refusals by the guard, which does not look at the sale, so they say nothing about it."""


_LATER = frozenset({AnswerClass.WAIT, AnswerClass.CURE})


Names = Callable[[int], str]
"""Returns the id of a receipt by its position among those of a key, as till and server derive
it."""


class WireCodec:
    """The port Codec: a request in the JSON of the local API."""

    def encode(self, request: OperationRequest) -> bytes:
        return wire.operations.operation_to_json(request)

    def decode(self, body: bytes) -> IssueRequest:
        """The request of a frozen body. Raises Invalid."""
        return wire.fiscal.issue_request_from_json(loads(body))


class FiscalHttp:
    """The port FiscalServer over HTTP."""

    def __init__(self, api: LocalApi, *, version: str = __version__) -> None:
        self._api = api
        self._version = version

    async def prove(self) -> answers.ProofAnswer:
        """Ask who answers; the token is sent only to a server that proved to know it."""
        nonce = secrets.token_hex(_NONCE_BYTES)
        try:
            reply = await self._api.ask(
                f"/health?nonce={nonce}", seconds=PROVE_SECONDS, introduce=False
            )
        except errors.RemoteError as error:
            return answers.NoAnswer(_reason(error))
        try:
            health = wire.reading.read(wire.server.Health, reply.body)
        except errors.Invalid:
            return _stranger("foreign", f"another program answered with status {reply.status}")
        return self._judge(health, nonce)

    def _judge(self, health: wire.server.Health, nonce: str) -> answers.ProofAnswer:
        install = self._api.install
        if health.service != wire.server.SERVICE:
            return _stranger("foreign", f"another program answers: {health.service[:60]}")
        if health.install_id != install.install_id:
            return _stranger("other_install", "another installation's server answers")
        if health.environment != install.environment:
            return _stranger("other_environment", f"its environment is {health.environment[:20]}")
        proof = install.proof(nonce=nonce, version=health.version, journal_id=health.journal.id)
        if not hmac.compare_digest(proof.encode(), (health.proof or "").encode()):
            return _stranger("foreign", "it does not know this installation's token")
        if _line_of(health.version) != _line_of(self._version):
            words = f"its version is {health.version[:20]}"
            return answers.ForeignServer(
                PendingReason(AnswerClass.WAIT, "other_version", words), health.version
            )
        return answers.ServerFacts(health.version, health.environment, health.journal)

    async def status(self) -> ServerStatus | answers.NoAnswer:
        try:
            reply = await self._api.ask("/till/status", seconds=ASK_SECONDS)
            return status_from_json(reply.body) if reply.status == 200 else _no_answer(reply)
        except errors.RemoteError as error:
            return answers.NoAnswer(_reason(error))
        except errors.Invalid as error:
            return answers.NoAnswer(_unreadable(error))

    async def witness(self, remembered: RememberedJournal) -> JournalCompared | answers.NoAnswer:
        mark = remembered.journal
        journal = None if mark is None else wire.records.to_json(JournalMark, mark)
        values = {"journal": journal, "epoch": remembered.epoch}
        try:
            reply = await self._api.send("/till/witness", values, seconds=ASK_SECONDS)
            if reply.status != 200:
                return _no_answer(reply)
            return wire.records.from_json(JournalCompared, reply.body)
        except errors.RemoteError as error:
            return answers.NoAnswer(_reason(error))
        except errors.Invalid as error:
            return answers.NoAnswer(_unreadable(error))

    async def issue(self, sale: OutgoingSale) -> answers.IssueAnswer:
        headers = {
            "Idempotency-Key": sale.key,
            "X-Till-Sequence": str(sale.sequence),
            "X-Cashier": quote(sale.cashier, safe=""),
            "X-Without-Code": "true",
        }
        headers |= _newer_than(sale.epoch)
        if sale.is_from_before_restore:
            headers["X-Before-Restore"] = "provable" if sale.is_provable else "true"
        if sale.has_waited:
            headers["X-Has-Waited"] = "true"
        if sale.corrects_after is not None:
            headers["X-Corrects-After"] = sale.corrects_after
        path = RECEIPTS
        if sale.target is not None:
            path = f"{RECEIPTS}/{quote(sale.target, safe='')}/{sale.operation}"
        return await issued_by(self._api, sale.body, headers, path=path)

    async def look_up(self, key: str, *, epoch: str | None = None) -> answers.LookUpAnswer:
        path = f"{RECEIPTS}/key:{quote(key, safe='')}"
        try:
            reply = await self._api.ask(path, seconds=ASK_SECONDS, headers=_newer_than(epoch))
            return _looked_up(reply, _names(self._api, key))
        except errors.RemoteError as error:
            return answers.NoAnswer(_reason(error))
        except errors.Invalid as error:
            return answers.NoAnswer(_unreadable(error))

    async def remembers(self, sale: OutgoingSale, number: str) -> bool | answers.NoAnswer:
        values = {"key": sale.key, "number": number, "body": sale.body.decode()}
        try:
            reply = await self._api.send("/till/remembers", values, seconds=ASK_SECONDS)
        except errors.RemoteError as error:
            return answers.NoAnswer(_reason(error))
        value = reply.body.get("remembers") if isinstance(reply.body, dict) else None
        return value if isinstance(value, bool) else _no_answer(reply)

    async def cancel(self, key: str, *, epoch: str | None = None) -> answers.CancelAnswer:
        values, headers = {"key": key}, _newer_than(epoch)
        try:
            reply = await self._api.send(
                "/till/cancel", values, seconds=ASK_SECONDS, headers=headers
            )
        except errors.RemoteError as error:
            return answers.NoAnswer(_reason(error))
        refusal = problem_from_json(reply.status, reply.body)
        if refusal is not None and refusal.code == problem.RECEIPT_UNREADABLE.code:
            return answers.NotCancelled(
                RequestState.SIGNED
            )  # the look-up after it returns the number
        if refusal is not None and refusal.answer_class in _LATER:
            return answers.RefusedByServer(_reason_of(refusal))
        if reply.status not in {200, 409} or reply.state is None:
            return _no_answer(reply)
        cancelled = reply.status == 200 and reply.state == RequestState.CANCELLED
        return answers.Cancelled() if cancelled else answers.NotCancelled(reply.state)


# --- answers -------------------------------------------------------------------------------------


def _receipt(body: object) -> answers.Issued:
    """The receipts of an answer; their warnings are logged. Raises Invalid."""
    first, *further = body if isinstance(body, list) and body else [body]
    read, warnings = wire.receipt.receipt_from_json, wire.receipt.warnings_from_json
    issued = answers.Issued(*read(first), tuple(map(read, further)))
    for one in (warning for each in (first, *further) for warning in warnings(each)):
        fields = {"code": one.code, "field": one.field, "receipt": issued.receipt_id}
        _log.warning("a receipt has a warning: %s", one.message, extra={"fields": fields})
    return issued


async def issued_by(
    api: LocalApi, body: bytes, headers: Mapping[str, str], *, path: str = RECEIPTS
) -> answers.IssueAnswer:
    """Hand one receipt over and wait for its outcome, at most 25 s."""
    try:
        reply = await api.send(path, body, seconds=ISSUE_SECONDS, headers=headers)
        return _issued(reply, _names(api, headers["Idempotency-Key"]))
    except errors.NotDelivered as error:
        return answers.Undelivered(_reason(error))
    except errors.OutcomeUnknown as error:
        return answers.Unclear(_reason(error))


def _names(api: LocalApi, key: str) -> Names:
    origin = till_origin(api.install.till_id)
    return lambda child: receipt_id(origin=origin, key=key, child=child)


def _issued(reply: Reply, names: Names) -> answers.IssueAnswer:
    if reply.status == 200:
        try:
            return _receipt(reply.body)
        except errors.Invalid as error:
            return answers.Unclear(_unreadable(error))
    problem = problem_from_json(reply.status, reply.body)
    if problem is None:
        return answers.Unclear(_no_answer(reply).reason)
    if (issued := _unreadable_receipt(problem, names)) is not None:
        return issued
    reason = _reason_of(problem)
    if problem.code in _AT_THE_DOOR:
        return answers.Undelivered(reason)
    if problem.answer_class is AnswerClass.UNKNOWN:
        return answers.Unclear(reason, problem.receipt_id, answered=True)
    return answers.RefusedByServer(reason)


def _looked_up(reply: Reply, names: Names) -> answers.LookUpAnswer:
    if reply.status == 200:
        return _receipt(reply.body)
    if reply.status == 202:
        waiting = wire.reading.read(wire.server.Waiting, reply.body)
        return answers.StillOpen(waiting.receipt_id, waiting.state)
    refusal = problem_from_json(reply.status, reply.body)
    if refusal is not None and refusal.code == problem.NOT_FOUND.code:
        return answers.NotIssued()
    return _unreadable_receipt(refusal, names) or _no_answer(reply)


def _unreadable_receipt(refusal: Problem | None, names: Names) -> answers.IssuedUnreadable | None:
    """Signed receipts of which only the numbers are left."""
    if (
        refusal is None
        or refusal.code != problem.RECEIPT_UNREADABLE.code
        or refusal.receipt_id is None
    ):
        return None
    if not refusal.signed:
        return None
    first, *further = refusal.signed
    named = tuple((names(child), number) for child, number in enumerate(further, start=1))
    return answers.IssuedUnreadable(refusal.receipt_id, first, named)


def _no_answer(reply: Reply) -> answers.NoAnswer:
    problem = problem_from_json(reply.status, reply.body)
    if problem is not None:
        return answers.NoAnswer(_reason_of(problem))
    return answers.NoAnswer(
        PendingReason(AnswerClass.UNKNOWN, "no_sense", f"an answer with status {reply.status}")
    )


def _newer_than(epoch: str | None) -> dict[str, str]:
    """Return the header that names the journal's last restore before a sale, if there was one."""
    return {} if epoch is None else {"X-Journal-Epoch": epoch}


def _reason_of(problem: Problem) -> PendingReason:
    return PendingReason(
        problem.answer_class,
        str(problem.code),
        problem.message,
        problem.pfr_code or "",
        field=problem.keys[0] if problem.keys else "",
    )


def _reason(error: errors.RemoteError) -> PendingReason:
    surely_not = isinstance(error, errors.NotDelivered)
    answer_class = AnswerClass.WAIT if surely_not else AnswerClass.UNKNOWN
    return PendingReason(answer_class, error.code, error.what)


def _unreadable(error: errors.Invalid) -> PendingReason:
    return PendingReason(AnswerClass.UNKNOWN, "unreadable", error.what)


def _stranger(code: str, text: str) -> answers.ForeignServer:
    return answers.ForeignServer(PendingReason(AnswerClass.WAIT, code, text))


def _line_of(version: str) -> tuple[str, ...]:
    """The series of a version: versions of one series (3.2.x) fit together."""
    return tuple(version.split(".")[:2])
