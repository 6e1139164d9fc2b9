"""Secure elements that are in use no more: what is in doubt there is asked of their own processor.

"It does not exist" is never proven by another processor; where its own can't be asked any more, a
person is. Source: exactly-once.md, "A lane is an element".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from pos_app import log
from pos_app.errors import MachineError
from pos_app.fiscalization.doubt import Rule
from pos_app.fiscalization.lane_queue import LaneQueue
from pos_app.fiscalization.outcome import Outcomes
from pos_app.fiscalization.ports import Clock, Journal
from pos_app.fiscalization.probe import Probe
from pos_app.fiscalization.watch import Watch

TICK_SECONDS = 1.0
ASK_AGAIN_SECONDS = 30.0
"""Between two look-ups of what a person was asked about."""

_log = log.get(__name__)


class OldElements:
    """A watch for each of them that has a doubt. is_here: whether a lane is that of the processor
    in use. probe_at: asks the one at an address, which may not be there any more.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        clock: Clock,
        rule: Rule,
        outcomes: Outcomes,
        is_here: Callable[[str], bool],
        probe_at: Callable[[str], Probe],
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._rule = rule
        self._outcomes = outcomes
        self._is_here = is_here
        self._probe_at = probe_at
        self._watches: dict[str, Watch] = {}
        self._ask_at_seconds = clock.seconds()

    async def run(self) -> None:
        """For ever: look up what is in doubt on them."""
        while True:
            try:
                await self._look_up()
            except MachineError as error:
                _log.error("doubts of an earlier element can't be read now: %s", error.what)
            await asyncio.sleep(TICK_SECONDS)

    async def _look_up(self) -> None:
        lanes = [name for name in self._journal.lanes_in_doubt() if not self._is_here(name)]
        for name in lanes:
            await self.watch_of(name).look_up_doubt()
        if self._clock.seconds() < self._ask_at_seconds:
            return
        for name in lanes:
            for request in self._journal.asked_of_person(name):
                await self.watch_of(name).look_again(request.id)
        self._ask_at_seconds = self._clock.seconds() + ASK_AGAIN_SECONDS

    def watch_of(self, name: str) -> Watch:
        """The one that asks the processor of that lane."""
        if name not in self._watches:
            self._watches[name] = Watch(
                name=partial(str, name),
                journal=self._journal,
                clock=self._clock,
                rule=self._rule,
                probe=self._probe_at(self._journal.lane(name).place or ""),
                outcomes=self._outcomes,
                queue=LaneQueue(),
            )
        return self._watches[name]
