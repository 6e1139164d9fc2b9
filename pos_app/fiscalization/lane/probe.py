"""Asks the processor for its status, and decides whether a receipt may be sent.

Source: exactly-once.md, step 3, and "A counter that steps back".
"""

from __future__ import annotations

from dataclasses import replace

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt_number import same_number
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup import processor as pfr
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import RemoteError
from pos_app.fiscalization import ports
from pos_app.fiscalization.outcomes import doubt
from pos_app.fiscalization.outcomes.answer_check import certificate_refused, is_of_element
from pos_app.fiscalization.outcomes.lookup_log import LookupLog
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter
from pos_app.fiscalization.outcomes.unknown_receipts import UnknownReceipts
from pos_app.fiscalization.refusals import NO_ROOM
from pos_app.fiscalization.state_changes import StateChanges

LEAST_ROOM = 64 * 1024 * 1024
"""Bytes that must be free before a receipt is sent (step 3)."""
OTHER_ELEMENT = "other_element"
"""The code of a refusal: the processor has another secure element than the one in use."""

_log = log.get(__name__)


class Probe:
    """Questions to one processor. status: the last status; away: the reason why the processor can't
    be asked now. lookup_log: the look-ups, for people to see. is_compared: the processor's counter
    was compared with the journal since this server started. set_back: the reason why nothing is
    sent to the processor because it lost receipts, or None.
    """

    def __init__(
        self,
        *,
        journal: ports.LaneJournal,
        processor: ports.Processor,
        clock: Clock,
        disk: ports.Disk,
        changes: StateChanges,
        outcomes: OutcomeWriter,
    ) -> None:
        self.status: PfrStatus | None = None
        self.away: ports.StateReason | None = None
        self.is_compared = False
        self.set_back: ports.StateReason | None = None
        self.lookup_log = LookupLog(journal.findings, clock)
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._disk = disk
        self._late = UnknownReceipts(
            journal=journal,
            processor=processor,
            clock=clock,
            changes=changes,
            lookup_log=self.lookup_log,
            outcomes=outcomes,
        )

    async def ask(self) -> PfrStatus:
        """Read the status. Raises RemoteError, and sets `away`."""
        try:
            status = await self._processor.status()
        except RemoteError as error:
            if self.away is None:
                _log.warning("the processor is away: %s", error.what)
            self.away = why_away(error)
            raise
        if self.away is not None:
            _log.info("the processor is back")
            self._late.processor_is_back()
        self.away, self.status = None, status
        return status

    @property
    def forgets(self) -> bool:
        return self._late.proves_absence is False

    def ask_all_again(self) -> None:
        self._late.ask_all_again()

    def no_room(self) -> ports.StateReason | None:
        if self._disk.free_bytes() >= LEAST_ROOM:
            return None
        message = f"The disk is nearly full: {LEAST_ROOM >> 20} MB must be free."
        return ports.StateReason(AnswerClass.CURE, NO_ROOM, message)

    async def may_send(
        self, request_id: str, *, until_seconds: float
    ) -> PfrStatus | ports.StateReason:
        """Step 3: the status if this receipt may be sent now, else the reason why not.
        until_seconds: monotonic; later nothing more is asked."""
        if no_room := self.no_room():
            return no_room
        try:
            status = await self.ask()
        except RemoteError as error:
            return why_away(error)
        known = self._lane(status)
        if refusal := self._refusal(status, known):
            return refusal
        sale = self._journal.request(request_id)
        refusal = await self._late.settle(status, known, sale=sale, until_seconds=until_seconds)
        self.is_compared = self.is_compared or refusal is None
        return refusal or status

    async def refresh(self, *, until_seconds: float) -> None:
        """Read the status and look up receipts that may exist; do nothing where the processor is
        away. until_seconds: monotonic; later nothing more is asked."""
        try:
            status = await self.ask()
        except RemoteError:
            return
        known = self._lane(status)
        if self._refusal(status, known) is None:
            refusal = await self._late.settle(status, known, sale=None, until_seconds=until_seconds)
            self.is_compared = self.is_compared or refusal is None

    async def remembers(self, pfr_request_id: str, *, number: str) -> bool:
        """Whether the element in use finds that receipt. Raises RemoteError."""
        receipt = await self._processor.find(pfr_request_id)
        if receipt is None or not is_of_element(receipt, self._journal.element()):
            return False
        return same_number(receipt.invoice_number, number)

    async def look_up_receipt(self, request: ports.Request) -> doubt.Look:
        look = await self._look(request)
        self.lookup_log.note(request.id, look)
        return look

    async def _look(self, request: ports.Request) -> doubt.Look:
        """Look once. The counter is read first, so that a receipt signed meanwhile is found."""
        try:
            status = await self.ask()
            receipt = await self._processor.find(request.pfr_request_id)
        except RemoteError:
            return doubt.ProcessorUnreachable()
        if receipt is None:
            return doubt.NoReceiptFound(status.uid, status.total_counter)
        return doubt.FoundReceipt(receipt, status.clock)

    def _refusal(self, status: PfrStatus, known: ports.LaneState) -> ports.StateReason | None:
        if status.uid == known.uid and known.explains(status.total_counter):
            self.is_compared = True  # nothing was signed without us, even if it is not ready
        refusal = not_ready(status, known)
        if refusal is None:
            refusal = self.set_back = self._fell_behind(status, known)
        return refusal

    def _fell_behind(self, status: PfrStatus, known: ports.LaneState) -> ports.StateReason | None:
        """The reason why the processor is not used because it lost receipts, or None. Such a
        processor would give the numbers of the lost receipts to others."""
        counter = status.total_counter
        if counter is None:
            return None
        is_behind = known.counter is not None and counter < known.counter
        uid, next_number = status.uid, f"{status.uid}-{status.uid}-{counter + 1}"
        if not is_behind and (uid is None or not self._journal.has_number(next_number)):
            return None
        message = (
            f"The processor was set back: its counter is {counter}, but later receipts of it are"
            " known. Put its own data back, or use another one."
        )
        return ports.StateReason(AnswerClass.CURE, "set_back", message)

    def _lane(self, status: PfrStatus) -> ports.LaneState:
        name, uid = self._journal.element(), status.uid
        if uid not in (None, name) and (name == ports.UNNAMED or not self._journal.was_sent()):
            self._journal.name_element(uid)
            name = uid
        known = self._journal.lane(name)
        return replace(known, uid=known.uid or status.uid)


def why_away(error: RemoteError) -> ports.StateReason:
    if isinstance(error, ports.CertificateRefused):
        return certificate_refused(error.what, error.fault)
    return ports.StateReason(AnswerClass.WAIT, "away", error.what)


def not_ready(status: PfrStatus, known: ports.LaneState) -> ports.StateReason | None:
    """The reason why nothing may be sent, judged by the status only."""
    if None not in (known.uid, status.uid) and known.uid != status.uid:
        message = f"The processor's secure element is {status.uid}, not {known.uid}."
        return ports.StateReason(AnswerClass.CURE, OTHER_ELEMENT, message)
    if code := status.blocking_code:
        return ports.StateReason(AnswerClass.CURE, "not_ready", f"{code} {pfr.meaning(code)}", code)
    # Without its UID or counter, a lost answer could not be looked up.
    if status.is_bare or (known.uid is not None and status.uid is None):
        return _unstated(status, "no_element", "which secure element it has")
    if known.is_counted and status.total_counter is None:
        return _unstated(status, "no_counter", "its counter")
    return None


def _unstated(status: PfrStatus, code: str, what: str) -> ports.StateReason:
    trouble = status.trouble_code
    why = f": {trouble} {pfr.meaning(trouble)}" if trouble else ""
    return ports.StateReason(
        AnswerClass.CURE, code, f"The processor does not tell {what}{why}.", trouble
    )
