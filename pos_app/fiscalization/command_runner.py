"""The receipts of one command, one after the other: the next is sent once the last is signed.

A pair (closing an advance; a cash refund and its copy) that is half done is finished by the server
itself, whoever waits: what is signed can't be taken back by forgetting the rest.
Source: exactly-once.md, step 9.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import MachineError, NotAllowed
from pos_app.fiscalization.lane_queue import Rank
from pos_app.fiscalization.outcome_writer import PERHAPS_SIGNED_BEFORE, OutcomeWriter
from pos_app.fiscalization.ports import Journal, Request, StateReason
from pos_app.fiscalization.refusals import STORAGE
from pos_app.fiscalization.sending import CallerWaits

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
ASK_FIRST_SECONDS = 8.0
"""How long the processor may take to tell of a receipt from before a restore."""

_MAY_BE_TAKEN_UP = frozenset({RequestState.QUEUED, RequestState.RELEASED})
_NOT_ITS_TURN = StateReason(AnswerClass.WAIT, "pair", "The receipt before it is not signed.")


@dataclass(frozen=True, slots=True)
class SendingTerms:
    """How a request goes to the processor: by when (monotonic), for whom, and before whom."""

    start_by_seconds: float
    caller_waits: CallerWaits
    rank: Rank


AskProcessor = Callable[[str], Awaitable[SignedReceipt | None]]
"""Asks the processor once for the receipt of a doubt, which is signed then."""
SendRequest = Callable[[str, SendingTerms], Awaitable[None]]
"""Takes one QUEUED request to the processor, if that may be in time."""


@dataclass(frozen=True, slots=True)
class _Pause:
    """Of a half-done pair: when it is tried again, and how long the pause after that will be."""

    until_seconds: float
    next_seconds: float


_log = log.get(__name__)


async def nobody_needs_to_wait() -> bool:
    """Of a receipt that is sent for its own sake."""
    return True


_BY_ITSELF = SendingTerms(math.inf, nobody_needs_to_wait, Rank.HALF_DONE)


def _told(error: MachineError | NotAllowed) -> None:
    _log.error("a pair can't be gone on with now: %s", error.what)


class CommandRunner:
    """Carries the commands of one lane."""

    def __init__(
        self,
        *,
        journal: Journal,
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

    async def carry(self, command_id: str, going: SendingTerms) -> None:
        """Take what is not signed yet to the processor, as far as one after the other is signed.

        Where something can't be read now, what is still QUEUED of it is released: a half-done pair
        is gone on with when it can, and a caller may repeat its key.
        """
        try:
            await self._carry(command_id, going)
        except MachineError as error:
            _told(error)
            reason = StateReason(AnswerClass.WAIT, STORAGE, error.what)
            await self._outcomes.release_all(command_id, reason)

    async def _carry(self, command_id: str, going: SendingTerms) -> None:
        requests = self._journal.requests_of(command_id)
        for request in requests:
            if request.state is RequestState.SIGNED:
                continue
            if request.child == 0:
                await self._take(request.id, going)
            elif self._is_from_before(request):
                await self._ask_first(request)
            elif self._take_up(request, requests):
                await self._take(request.id, _BY_ITSELF)
            if self._journal.reference(request.id) is None:
                break
        for request in requests[1:]:
            await self._outcomes.release(request.id, _NOT_ITS_TURN)

    def _is_from_before(self, request: Request) -> bool:
        """Whether it may have been signed since the copy was made that this journal is."""
        is_to_be_sent = request.state in _MAY_BE_TAKEN_UP
        return is_to_be_sent and self._journal.restores.is_from_before(request.id)

    async def _ask_first(self, request: Request) -> None:
        """It is sent by nobody but a person's word, unless the processor tells of it now."""
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
            self._journal.take_up(request.id, planned, now=self._clock.now())
        except (MachineError, NotAllowed) as error:
            _told(error)
            return False
        return True

    # --- half-done ones ------------------------------------------------------------------------

    def due(self) -> list[str]:
        """The half-done commands whose turn it is to be tried again; each time a longer pause."""
        now = self._clock.seconds()
        half_done = self._journal.half_done()
        self._pauses = {name: self._pauses[name] for name in half_done if name in self._pauses}
        due = []
        for name in half_done:
            pause = self._pauses.get(name, _Pause(now, FIRST_PAUSE_SECONDS))
            if pause.until_seconds <= now:
                longer_seconds = min(2 * pause.next_seconds, LONGEST_PAUSE_SECONDS)
                self._pauses[name] = _Pause(now + pause.next_seconds, longer_seconds)
                due.append(name)
        return due
