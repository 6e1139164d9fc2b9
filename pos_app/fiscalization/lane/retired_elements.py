"""Secure elements no longer in use: their doubts are looked up at their own processor.

Another processor never proves absence; if their own processor can no longer be asked, a person is
asked. Source: exactly-once.md, "A lane is an element".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from pos_app import log
from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.fiscalization.lane.lane_monitor import LaneMonitor
from pos_app.fiscalization.lane.lane_queue import LaneQueue
from pos_app.fiscalization.lane.probe import Probe
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter
from pos_app.fiscalization.ports import LaneJournal

TICK_SECONDS = 1.0
ASK_AGAIN_SECONDS = 30.0
"""Seconds between two look-ups of a request about which a person was asked."""

_log = log.get(__name__)


class RetiredElements:
    """A monitor for each retired element that has a doubt.

    is_here: whether doubts of a lane are looked up at the processor in use. probe_at: the probe of
    the processor at an address; the processor may no longer answer.
    """

    def __init__(
        self,
        *,
        journal: LaneJournal,
        clock: Clock,
        rule: DoubtRule,
        outcomes: OutcomeWriter,
        is_here: Callable[[str], bool],
        probe_at: Callable[[str], Probe],
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._rule = rule
        self._outcomes = outcomes
        self._is_here = is_here
        self._probe_at = probe_at
        self._monitors: dict[str, LaneMonitor] = {}

    async def run(self) -> None:
        """Look up the doubts of retired elements for ever. Each element has a task of its own, so a
        silent processor does not delay the others."""
        looking: dict[str, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as group:
            while True:
                for name in self._in_doubt():
                    if name not in looking or looking[name].done():
                        task = group.create_task(self._look_after(name), name=f"element {name}")
                        looking[name] = task
                await asyncio.sleep(TICK_SECONDS)

    def _in_doubt(self) -> list[str]:
        try:
            lanes = self._journal.lanes_in_doubt()
            return [name for name in lanes if not self._is_here(name)]
        except MachineError as error:
            _log.error("doubts of an earlier element can't be read now: %s", error.what)
            return []

    async def _look_after(self, name: str) -> None:
        """Look the element's doubt up at each tick, as long as there is one. Requests about which a
        person was asked are looked up every ASK_AGAIN_SECONDS."""
        monitor, ask_at_seconds = self.monitor_of(name), self._clock.seconds()
        while name in self._in_doubt():
            try:
                await monitor.look_up_doubt()
                if self._clock.seconds() >= ask_at_seconds:
                    for request in self._journal.asked_of_person(name):
                        await monitor.look_again(request.id)
                    ask_at_seconds = self._clock.seconds() + ASK_AGAIN_SECONDS
            except MachineError as error:
                _log.error("a doubt of an earlier element can't be read now: %s", error.what)
            await asyncio.sleep(TICK_SECONDS)

    def monitor_of(self, name: str) -> LaneMonitor:
        if name not in self._monitors:
            self._monitors[name] = LaneMonitor(
                name=partial(str, name),
                journal=self._journal,
                clock=self._clock,
                rule=self._rule,
                probe=self._probe_at(self._journal.lane(name).address or ""),
                outcomes=self._outcomes,
                queue=LaneQueue(),
            )
        return self._monitors[name]
