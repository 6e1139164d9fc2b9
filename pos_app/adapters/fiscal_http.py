"""The till's client of the local API: receipts, look-ups, doubts, and who answers there.

Every failure becomes exactly one of refused, not delivered and unknown; nothing of the network
is raised past this file. Source: platform-contract.md 3, exactly-once.md.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pos_app import __version__, log
from pos_app.adapters.fiscal_exchange import LocalApi, Reply, no_sense, refused
from pos_app.adapters.fiscal_shapes import (
    doubts_from_json,
    health_from_json,
    refused_callers_from_json,
    status_from_json,
    still_open_from_json,
)
from pos_app.domain.request import IssueRequest
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown, RemoteError
from pos_app.selling.answers import (
    Absent,
    CancelAnswer,
    Cancelled,
    Declined,
    Doubt,
    IssueAnswer,
    Issued,
    IssuedUnreadable,
    LookUpAnswer,
    NotCancelled,
    NotTold,
    ProofAnswer,
    RefusedCaller,
    ServerFacts,
    ServerStatus,
    Stranger,
    Unclear,
    Undelivered,
)
from pos_app.selling.ports import Parcel
from pos_app.selling.sale import JournalMark, Reason
from pos_app.wire import problem
from pos_app.wire.fiscal import issue_request_from_json, issue_request_to_json
from pos_app.wire.problem import Problem, problem_from_json
from pos_app.wire.receipt import receipt_from_json, warnings_from_json
from pos_app.wire.server import SERVICE, Health, found_said
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
"""Refused by the guard before the sale was looked at: it says nothing about the sale."""


class WireCodec:
    """The port Codec: a request in the JSON of the local API."""

    def encode(self, request: IssueRequest) -> bytes:
        """The body that is frozen."""
        return issue_request_to_json(request)

    def decode(self, body: bytes) -> IssueRequest:
        """What a frozen body asks for. Raises Invalid."""
        return issue_request_from_json(loads(body))


class FiscalHttp:
    """The port FiscalServer over HTTP."""

    def __init__(self, api: LocalApi, *, version: str = __version__) -> None:
        self._api = api
        self._version = version

    async def prove(self) -> ProofAnswer:
        """Ask who answers; the token itself is not told to whom has not proved to know it."""
        nonce = secrets.token_hex(_NONCE_BYTES)
        try:
            reply = await self._api.ask(
                f"/health?nonce={nonce}", seconds=PROVE_SECONDS, introduce=False
            )
        except RemoteError as error:
            return NotTold(_reason(error))
        try:
            health = health_from_json(reply.body)
        except Invalid:
            return _stranger("foreign", f"another program answered with status {reply.status}")
        return self._judge(health, nonce)

    def _judge(self, health: Health, nonce: str) -> ProofAnswer:
        install = self._api.install
        if health.service != SERVICE:
            return _stranger("foreign", f"another program answers: {health.service[:60]}")
        if health.install_id != install.install_id:
            return _stranger("other_install", "another installation's server answers")
        if health.environment != install.environment:
            return _stranger("other_environment", f"its environment is {health.environment[:20]}")
        proof = install.proof(nonce=nonce, version=health.version, journal_id=health.journal.id)
        if not hmac.compare_digest(proof.encode(), (health.proof or "").encode()):
            return _stranger("foreign", "it does not know this installation's token")
        if _line_of(health.version) != _line_of(self._version):
            told = f"its version is {health.version[:20]}"
            return Stranger(Reason(AnswerClass.WAIT, "other_version", told), health.version)
        mark = JournalMark(health.journal.id, int(health.journal.rows))
        return ServerFacts(health.version, health.environment, mark)

    async def status(self) -> ServerStatus | NotTold:
        """What works now."""
        try:
            reply = await self._api.ask("/till/status", seconds=ASK_SECONDS)
            return status_from_json(reply.body) if reply.status == 200 else _untold(reply)
        except RemoteError as error:
            return NotTold(_reason(error))
        except Invalid as error:
            return NotTold(_unreadable(error))

    async def issue(self, parcel: Parcel) -> IssueAnswer:
        """Hand one sale over and wait for its outcome, at most 25 s."""
        headers = {
            "Idempotency-Key": parcel.key,
            "X-Till-Sequence": str(parcel.sequence),
            "X-Cashier": quote(parcel.cashier, safe=""),
        }
        try:
            reply = await self._api.tell(
                "/fiscalization/receipts", parcel.body, seconds=ISSUE_SECONDS, headers=headers
            )
            return _issued(reply)
        except NotDelivered as error:
            return Undelivered(_reason(error))
        except OutcomeUnknown as error:
            return Unclear(_reason(error))

    async def look_up(self, key: str) -> LookUpAnswer:
        """Ask for the receipt of a key."""
        try:
            reply = await self._api.ask(
                f"/fiscalization/receipts/key:{quote(key, safe='')}", seconds=ASK_SECONDS
            )
            return _looked_up(reply)
        except RemoteError as error:
            return NotTold(_reason(error))
        except Invalid as error:
            return NotTold(_unreadable(error))

    async def cancel(self, key: str) -> CancelAnswer:
        """Ask for the word that nothing was and nothing will be signed for a key."""
        try:
            reply = await self._api.tell("/till/cancel", {"key": key}, seconds=ASK_SECONDS)
        except RemoteError as error:
            return NotTold(_reason(error))
        told = problem_from_json(reply.status, reply.body)
        if told is not None and told.code == problem.RECEIPT_UNREADABLE.code:
            return NotCancelled(RequestState.SIGNED)  # the look-up after it tells the number
        if reply.status not in {200, 409} or reply.state is None:
            return _untold(reply)
        cancelled = reply.status == 200 and reply.state == RequestState.CANCELLED
        return Cancelled() if cancelled else NotCancelled(reply.state)


class DoubtHttp:
    """The port DoubtDesk over HTTP, and stopping a server that was left over."""

    def __init__(self, api: LocalApi) -> None:
        self._api = api

    async def doubts(self) -> Sequence[Doubt]:
        """All doubts of the server. Raises Refused, NotDelivered, OutcomeUnknown."""
        reply = await self._api.ask("/till/doubts", seconds=ASK_SECONDS)
        if reply.status != 200:
            raise refused(reply)
        try:
            return doubts_from_json(reply.body)
        except Invalid as error:
            raise no_sense(error) from error

    async def look_again(self, receipt_id: str) -> Issued | str:
        """Have the processor asked once more. Raises Refused, NotDelivered, OutcomeUnknown."""
        return await self._act(receipt_id, "lookup", {})

    async def declare_absent(self, receipt_id: str, *, by: str) -> Issued | str:
        """A manager's word. Raises Refused, NotDelivered, OutcomeUnknown."""
        return await self._act(receipt_id, "absent", {"by": by})

    async def declare_found(
        self, receipt_id: str, *, verification_url: str, by: str
    ) -> Issued | str:
        """The receipt by its address. Raises Refused, NotDelivered, OutcomeUnknown."""
        body = found_said(verification_url=verification_url, by=by)
        return await self._act(receipt_id, "found", body)

    async def pair_again(self, receipt_id: str, *, by: str) -> Issued | str:
        """The refused receipt once more. Raises Refused, NotDelivered, OutcomeUnknown."""
        return await self._act(receipt_id, "again", {"by": by})

    async def reverse_pair(self, receipt_id: str, *, by: str) -> Issued | str:
        """What is signed is undone. Raises Refused, NotDelivered, OutcomeUnknown."""
        return await self._act(receipt_id, "reverse", {"by": by})

    async def see_alarm(self, alarm_id: int, *, by: str) -> None:
        """A manager has seen an alarm. Raises Refused, NotDelivered, OutcomeUnknown."""
        await self._say(f"/till/alarms/{alarm_id}/seen", by)

    async def job_again(self, job_id: int, *, by: str) -> None:
        """Print or send it once more. Raises Refused, NotDelivered, OutcomeUnknown."""
        await self._say(f"/till/jobs/{job_id}/again", by)

    async def job_seen(self, job_id: int, *, by: str) -> None:
        """It is there, or not wanted. Raises Refused, NotDelivered, OutcomeUnknown."""
        await self._say(f"/till/jobs/{job_id}/seen", by)

    async def refused_callers(self) -> Sequence[RefusedCaller]:
        """The last refusals of the guard. Raises Refused, NotDelivered, OutcomeUnknown."""
        reply = await self._api.ask("/till/refusals", seconds=ASK_SECONDS)
        if reply.status != 200:
            raise refused(reply)
        try:
            return refused_callers_from_json(reply.body)
        except Invalid as error:
            raise no_sense(error) from error

    async def stop(self) -> None:
        """Ask the server to stop. Raises Refused, NotDelivered, OutcomeUnknown."""
        reply = await self._api.tell("/till/stop", {}, seconds=ASK_SECONDS)
        if reply.status != 200:
            raise refused(reply)

    async def _say(self, path: str, by: str) -> None:
        reply = await self._api.tell(path, {"by": by}, seconds=ASK_SECONDS)
        if reply.status != 200:
            raise refused(reply)

    async def _act(self, receipt_id: str, act: str, body: Mapping[str, object]) -> Issued | str:
        path = f"/till/doubts/{quote(receipt_id, safe='')}/{act}"
        reply = await self._api.tell(path, body, seconds=ISSUE_SECONDS)
        if reply.status != 200:
            raise refused(reply)
        if reply.state is not None:
            return reply.state
        try:
            return _receipt(reply.body)
        except Invalid as error:
            raise no_sense(error) from error


# --- answers -------------------------------------------------------------------------------------


def _receipt(body: object) -> Issued:
    """The receipt of an answer; what is told beside it is logged. Raises Invalid."""
    issued = Issued(*receipt_from_json(body))
    for one in warnings_from_json(body):
        fields = {"code": one.code, "field": one.field, "receipt": issued.receipt_id}
        _log.warning("a receipt has a warning: %s", one.message, extra={"fields": fields})
    return issued


def _issued(reply: Reply) -> IssueAnswer:
    if reply.status == 200:
        try:
            return _receipt(reply.body)
        except Invalid as error:
            return Unclear(_unreadable(error))
    told = problem_from_json(reply.status, reply.body)
    if told is None:
        return Unclear(_untold(reply).reason)
    if (issued := _unreadable_receipt(told)) is not None:
        return issued
    reason = _reason_of(told)
    if told.code in _AT_THE_DOOR:
        return Undelivered(reason)
    if told.answer_class is AnswerClass.UNKNOWN:
        return Unclear(reason, told.receipt_id)
    return Declined(reason)


def _looked_up(reply: Reply) -> LookUpAnswer:
    if reply.status == 200:
        return _receipt(reply.body)
    if reply.status == 202:
        return still_open_from_json(reply.body)
    told = problem_from_json(reply.status, reply.body)
    if told is not None and told.code == problem.NOT_FOUND.code:
        return Absent()
    return _unreadable_receipt(told) or _untold(reply)


def _unreadable_receipt(told: Problem | None) -> IssuedUnreadable | None:
    """It is signed, and its number is all that is left; None where not one number is told."""
    if told is None or told.code != problem.RECEIPT_UNREADABLE.code or told.receipt_id is None:
        return None
    return IssuedUnreadable(told.receipt_id, told.signed[0]) if len(told.signed) == 1 else None


def _untold(reply: Reply) -> NotTold:
    told = problem_from_json(reply.status, reply.body)
    if told is not None:
        return NotTold(_reason_of(told))
    return NotTold(Reason(AnswerClass.UNKNOWN, "no_sense", f"an answer with status {reply.status}"))


def _reason_of(told: Problem) -> Reason:
    return Reason(told.answer_class, str(told.code), told.message, told.pfr_code or "")


def _reason(error: RemoteError) -> Reason:
    surely_not = isinstance(error, NotDelivered)
    answer_class = AnswerClass.WAIT if surely_not else AnswerClass.UNKNOWN
    return Reason(answer_class, error.code, error.what)


def _unreadable(error: Invalid) -> Reason:
    return Reason(AnswerClass.UNKNOWN, "unreadable", error.what)


def _stranger(code: str, text: str) -> Stranger:
    return Stranger(Reason(AnswerClass.WAIT, code, text))


def _line_of(version: str) -> tuple[str, ...]:
    """Versions of one line (3.2.x) fit together."""
    return tuple(version.split(".")[:2])
