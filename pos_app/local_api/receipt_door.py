"""Takes an operation or a look-up of receipts, and returns its whole answer.

The routes of the local API, the connection to the platform and a signer's door use it. Source:
platform-contract.md 2.10; exactly-once.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from pos_app import errors, log
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.states import REVERSED, AnswerClass
from pos_app.fiscalization import refusals
from pos_app.fiscalization.issuing import results
from pos_app.fiscalization.issuing.after_restore import not_deniable, refusal_or_doubt
from pos_app.fiscalization.issuing.execute import execute, kept_id
from pos_app.fiscalization.outcomes.busy_retry import retry_while_busy
from pos_app.fiscalization.outcomes.outcome_writer import PERHAPS_SIGNED_BEFORE
from pos_app.fiscalization.ports import Command
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest, body_hash
from pos_app.http_front.errors import BodyTooLarge
from pos_app.http_front.requests import read_list_query
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.access_rules import MOST_BYTES
from pos_app.local_api.context import ApiContext
from pos_app.local_api.error_responses import bug_problem, problem_of
from pos_app.local_api.receipt_response import WHOLE_WAY, AnswerFiles, ReceiptResponses
from pos_app.wire.misspelt_members import noticed
from pos_app.wire.operations import READERS
from pos_app.wire.problem import NOT_COMPARED_YET, STORAGE_AWAY, Problem, problem_to_json
from pos_app.wire.receipt_list import page_to_json
from pos_app.wire.receipt_paths import is_reference
from pos_app.wire.request_content import content_of
from pos_app.wire.server import Waiting, written
from pos_app.wire.strict_json import canonical, dumps, loads

MAY_LACK = "This journal may lack receipts, so their list can't be told now: ask again"
LIST_IN_THE_MAKING = "The list of receipts is being made, {made} are in it: ask again"

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class ReceiptAnswer:
    """Status and JSON body of the contract.

    on_delivered: to be called once a caller without a key surely has the answer, because from then
    on the same body is a new sale. It is never called if the delivery is uncertain. command: the id
    of the delivered command.
    """

    status: int
    body: bytes
    on_delivered: Callable[[], None] | None = None
    command: str = ""

    def delivered(self) -> None:
        if self.on_delivered is not None:
            self.on_delivered()


@dataclass(frozen=True, slots=True)
class Asker:
    """The author of a look-up. origin: of the keys that the author may ask for. epoch: as in
    `Caller`."""

    origin: str
    is_till: bool = False
    epoch: str | None = None


class ReceiptDoor:
    """Answers requests, and raises nothing: refusals and bugs are answers too, because not every
    caller has a server around it that would report them."""

    def __init__(self, *, service: FiscalService, context: ApiContext) -> None:
        self.answers = ReceiptResponses(context, now=service.clock.now)
        self.cashier = context.cashier
        """The cashier's name on a receipt whose request has none."""
        self._service = service
        self._receipt_list = context.receipt_list
        self.heard = context.heard
        """To be called for each request that came by no route of HTTP."""

    async def operate(
        self,
        operation: Operation,
        target: str | None,
        body: bytes,
        caller: Caller,
        files: AnswerFiles,
    ) -> ReceiptAnswer:
        """Answer 200 with the receipt, or with an array of receipts. target: the receipt that the
        operation acts on, by any of its names, or None to issue one."""
        return await _always_answered(
            self._operated(operation, target, body, caller, files), caller.receipt_id
        )

    async def look_up(self, reference: str, asker: Asker, files: AnswerFiles) -> ReceiptAnswer:
        """Answer 200 with the receipt; 202 while it is open, for an undone pair, and where it can't
        be denied yet, as after a restore; 404 where it was surely not issued."""
        return await _always_answered(self._looked_up(reference, asker, files), None)

    async def page(self, members: Mapping[str, str], asker: Asker) -> ReceiptAnswer:
        """Answer 200 with a page of the receipts that a query finds, the newest first; 400 to be
        asked again where the list lacks receipts now, or the journal may. members: of the query."""
        return await _always_answered(self._paged(members, asker), None)

    async def _operated(
        self,
        operation: Operation,
        target: str | None,
        body: bytes,
        caller: Caller,
        files: AnswerFiles,
    ) -> ReceiptAnswer:
        service = self._service
        began = service.clock.seconds()
        if len(body) > MOST_BYTES:
            raise BodyTooLarge("most", most_bytes=MOST_BYTES)
        target_id = None if target is None else self._target_id(target, caller)
        document = loads(body)
        content = canonical(content_of(document))
        received = IncomingRequest(
            body=body,
            body_hash=body_hash(content, operation=operation, target=target_id),
            read=lambda: READERS[operation](document),
            operation=operation,
            target=target_id,
            notice=lambda: noticed(operation, document),
        )
        issued = await self._issued(caller, received)
        whole_way = WHOLE_WAY if caller.left_seconds is None else caller.left_seconds
        left = began + min(WHOLE_WAY, whole_way) - service.clock.seconds()
        answer = await self.answers.body(issued, files, seconds_left=left)
        if not caller.keyless:
            return ReceiptAnswer(200, answer)
        return ReceiptAnswer(
            200, answer, lambda: self._mark_delivered(issued.command), issued.command.id
        )

    def _target_id(self, target: str, caller: Caller) -> str:
        """Return the target's id, or the given name if a till reports an act from before a restore.
        Raises ReceiptNotFound, OutcomeNotKnown where the journal may lack receipts."""
        found = results.find(self._service.journal, _checked(target))
        if found is not None:
            return found.id
        if caller.is_from_before_restore:
            return target
        if not_deniable(self._service, (), is_till=caller.is_till) is None:
            raise refusals.ReceiptNotFound()
        raise refusals.OutcomeNotKnown(
            what=PERHAPS_SIGNED_BEFORE.words, receipt_id=caller.receipt_id
        )

    async def _issued(self, caller: Caller, incoming: IncomingRequest) -> results.IssuedReceipts:
        service = self._service
        began = service.clock.seconds()
        try:
            return await retry_while_busy(
                lambda: execute(
                    service=service, caller=caller, incoming=incoming, began_seconds=began
                ),
                clock=service.clock,
            )
        except refusals.KeyBound:
            raise
        except (errors.MachineError, errors.NotAllowed, errors.AlreadyStored) as error:
            raise await after_failure(self._service, caller, incoming, error) from error

    def _mark_delivered(self, command: Command) -> None:
        try:
            self._service.journal.mark_delivered(command.id, now=self._service.clock.now())
        except errors.MachineError as error:
            _log.error("a delivery could not be noted: %s", error.what)

    async def _looked_up(self, reference: str, asker: Asker, files: AnswerFiles) -> ReceiptAnswer:
        journal, origin = self._service.journal, asker.origin
        reference = _checked(reference)
        try:
            with results.never_denied(journal, reference, origin=origin):
                found = results.look_up(journal=journal, origin=origin, reference=reference)
        except refusals.PairReversed as error:
            undone = results.ReversedPair(results.id_of(reference, origin=origin), error.signed)
            return ReceiptAnswer(202, written(_waiting(undone)))
        except refusals.ReceiptNotFound:
            known = results.known_of(journal, reference, origin=origin)
            why_not = not_deniable(self._service, known, is_till=asker.is_till, epoch=asker.epoch)
            if why_not is None:
                raise
            waiting = Waiting(receipt_id=results.id_of(reference, origin=origin), state=why_not)
            return ReceiptAnswer(202, written(waiting))
        if not isinstance(found, results.IssuedReceipts):
            return ReceiptAnswer(202, written(_waiting(found)))
        return ReceiptAnswer(200, await self.answers.body(found, files))

    async def _paged(self, members: Mapping[str, str], asker: Asker) -> ReceiptAnswer:
        asked = read_list_query(members)
        if self._receipt_list is None:
            raise errors.NotFound("no_receipt_list")
        why_not = not_deniable(self._service, (), is_till=asker.is_till, epoch=asker.epoch)
        if why_not is not None:
            return answer_with(Problem.of(NOT_COMPARED_YET, MAY_LACK, state=why_not))
        page = await self._receipt_list.page(
            asked.query, after=asked.after, most=asked.most, figures=True
        )
        if page.state.trouble is not None:
            return answer_with(Problem.of(STORAGE_AWAY, page.state.trouble.what))
        if not page.state.is_whole:
            made = f"{page.state.done} of {page.state.of}"
            return answer_with(Problem.of(STORAGE_AWAY, LIST_IN_THE_MAKING.format(made=made)))
        return ReceiptAnswer(200, dumps(page_to_json(page, members)))

    def knows(self, reference: str, *, origin: str) -> bool:
        """Tell whether the journal has anything of that name."""
        return bool(results.known_of(self._service.journal, reference, origin=origin))


async def _always_answered(
    answer: Awaitable[ReceiptAnswer], receipt_id: str | None
) -> ReceiptAnswer:
    """Return the answer, also if the operation failed. receipt_id: the id by which the caller can
    look the receipt up after a bug."""
    try:
        return await answer
    except errors.PosError as error:
        if isinstance(error, errors.MachineError):
            _log.error("a request failed: %s", error.what)
        return answer_with(problem_of(error))
    except Exception:  # noqa: BLE001 - whoever asked hears that the outcome is unknown
        _log.exception("a request failed by a bug")
        return answer_with(bug_problem(receipt_id))


def answer_with(problem: Problem) -> ReceiptAnswer:
    return ReceiptAnswer(problem.status, dumps(problem_to_json(problem)))


def _waiting(pending: results.PendingCommand | results.ReversedPair) -> Waiting:
    state = pending.state.value if isinstance(pending, results.PendingCommand) else REVERSED
    waiting = Waiting(receipt_id=pending.receipt_id, state=state)
    return (
        waiting.model_copy(update={"signed": list(pending.signed)}) if pending.signed else waiting
    )


def _checked(reference: str) -> str:
    """Check a reference. Raises ReceiptNotFound for one that can't name a receipt."""
    if not is_reference(reference):
        raise refusals.ReceiptNotFound()
    return reference


async def after_failure(
    service: FiscalService, caller: Caller, incoming: IncomingRequest, error: errors.PosError
) -> errors.PosError:
    """Return the error after a failure of this machine: "surely not sent" only where that is
    certain."""
    if isinstance(error, errors.AlreadyStored):  # no look-up could be trusted after this
        return refusals.OutcomeNotKnown(what=error.what, receipt_id=caller.receipt_id)
    try:
        known = await kept_id(service, caller, incoming)
        found = () if known is None else service.journal.statuses_of(known)
    except errors.MachineError:
        return refusals.OutcomeNotKnown(what=error.what, receipt_id=caller.receipt_id)
    instead = results.error_instead(found, error, receipt_id=known or caller.receipt_id)
    if instead is not None:
        return instead
    is_full = isinstance(error, errors.DiskFull)
    answer_class, reason = (
        (AnswerClass.CURE, refusals.NO_ROOM) if is_full else (AnswerClass.WAIT, refusals.STORAGE)
    )
    refusal = refusals.NotSigned(what=error.what, answer_class=answer_class, reason=reason)
    return refusal_or_doubt(service, caller, found, refusal)
