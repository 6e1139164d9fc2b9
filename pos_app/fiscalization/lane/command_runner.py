"""Sends the receipts of one command in order, each after the one before it is signed.

The server finishes a half-done pair (closing an advance; a cash refund and its copy) also when no
caller waits: its first receipt is signed, so the second must follow.
Source: exactly-once.md, step 9.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import MachineError, NotAllowed
from pos_app.fiscalization.lane.lane_queue import Rank
from pos_app.fiscalization.lane.sending import CallerWaits
from pos_app.fiscalization.outcomes.outcome_writer import PERHAPS_SIGNED_BEFORE, OutcomeWriter
from pos_app.fiscalization.ports import LaneJournal, Request, StateReason
from pos_app.fiscalization.refusals import STORAGE
from pos_app.lazy_dataclass import dataclass

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
ASK_FIRST_SECONDS = 8.0
"""The most seconds to ask the processor for a receipt from before a restore."""

_MAY_BE_TAKEN_UP = frozenset({RequestState.QUEUED, RequestState.RELEASED})
_NOT_ITS_TURN = StateReason(AnswerClass.WAIT, "pair", "The receipt before it is not signed.")


@dataclass(frozen=True, slots=True)
class SendingTerms:
    """start_by_seconds: the deadline of sending, monotonic."""

    start_by_seconds: float
    caller_waits: CallerWaits
    rank: Rank


AskProcessor = Callable[[str], Awaitable[SignedReceipt | None]]
"""Asks the processor once for the receipt of a doubt; if found, the request is SIGNED."""
SendRequest = Callable[[str, SendingTerms], Awaitable[None]]
"""Sends one QUEUED request to the processor, if there is time left."""


@dataclass(frozen=True, slots=True)
class _Pause:
    """The time of a half-done pair's next retry, and the pause after that."""

    until_seconds: float
    next_seconds: float


_log = log.get(__name__)


async def nobody_needs_to_wait() -> bool:
    return True


_WITHOUT_CALLER = SendingTerms(math.inf, nobody_needs_to_wait, Rank.HALF_DONE)


def _log_error(error: MachineError | NotAllowed) -> None:
    _log.error("a pair can't be continued now: %s", error.what)


class CommandRunner:
    def __init__(
        self,
        *,
        journal: LaneJournal,
        clock: Clock,
        outcomes: OutcomeWriter,
        take: SendRequest,
        ask: AskProcessor,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._outcomes = outcomes
        self._take = take
        self._ask = ask
        self._pauses: dict[str, _Pause] = {}

    async def carry(self, command_id: str, terms: SendingTerms) -> None:
        """Send the unsigned receipts in order, until one of them does not get signed.

        If the journal can't be read now, requests still QUEUED are released: a half-done pair is
        retried later, and a caller may repeat its key.
        """
        try:
            await self._carry(command_id, terms)
        except MachineError as error:
            _log_error(error)
            reason = StateReason(AnswerClass.WAIT, STORAGE, error.what)
            await self._outcomes.release_all(command_id, reason)

    async def _carry(self, command_id: str, terms: SendingTerms) -> None:
        requests = self._journal.requests_of(command_id)
        for request in requests:
            if request.state is RequestState.SIGNED:
                continue
            if request.child == 0:
                await self._take(request.id, terms)
            elif self._is_only_looked_up(request):
                await self._ask_first(request)
            elif self._take_up(request, requests):
                await self._take(request.id, _WITHOUT_CALLER)
            if request is not requests[-1] and self._journal.reference(request.id) is None:
                break
        for request in requests[1:]:
            await self._outcomes.release(request.id, _NOT_ITS_TURN)

    def _is_only_looked_up(self, request: Request) -> bool:
        """Whether the receipt may have been signed since a restore, or can't be sent because the
        journal lacks its lines."""
        is_old = self._journal.restores.is_from_before(request.id) or not request.document.is_known
        return request.state in _MAY_BE_TAKEN_UP and is_old

    async def _ask_first(self, request: Request) -> None:
        await self._outcomes.ask_person(request.id, PERHAPS_SIGNED_BEFORE)
        await self._ask(request.id)

    def _take_up(self, request: Request, requests: tuple[Request, ...]) -> bool:
        """Queue a later receipt, with the number and time of the one it refers to."""
        if request.state not in _MAY_BE_TAKEN_UP:
            return False
        planned = request.planned
        try:
            if planned.follows is not None:
                signed = self._journal.reference(requests[planned.follows].id)
                assert signed is not None
                planned = planned.after(signed)
            self._journal.queue_next(request.id, planned, now=self._clock.now())
        except (MachineError, NotAllowed) as error:
            _log_error(error)
            return False
        return True

    # --- half-done ones ------------------------------------------------------------------------

    def due(self) -> list[str]:
        """The half-done commands to be retried now; the pause grows each time."""
        now = self._clock.seconds()
        half_done = self._journal.half_done()
        self._pauses = {
            command_id: self._pauses[command_id]
            for command_id in half_done
            if command_id in self._pauses
        }
        due = []
        for command_id in half_done:
            pause = self._pauses.get(command_id, _Pause(now, FIRST_PAUSE_SECONDS))
            if pause.until_seconds <= now:
                longer_seconds = min(2 * pause.next_seconds, LONGEST_PAUSE_SECONDS)
                self._pauses[command_id] = _Pause(now + pause.next_seconds, longer_seconds)
                due.append(command_id)
        return due
