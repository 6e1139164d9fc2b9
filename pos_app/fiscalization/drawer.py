"""The cash drawer: a delivery job that is done within seconds or not at all.

It goes through the receipt printer's own queue, so nothing is written to that printer by two at
once, and before all papers that wait there. A drawer that opens minutes later opens unwatched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pos_app.clock import Clock
from pos_app.domain.states import JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.ports import Journal
from pos_app.fiscalization.state_changes import StateChanges

PULSE_SECONDS = 6.0
"""How long the printer has for a pulse; what it took in by then may still open the drawer."""
ANSWER_SECONDS = 8.0
"""How long the till waits to be told; longer than a pulse that began at once may take."""
_NOT_OVER = frozenset({JobState.WAITING, JobState.RUNNING})


@dataclass(frozen=True, slots=True)
class Drawer:
    """The drawer at the receipt printer. ended: tells when a job of that printer has ended."""

    journal: Journal
    clock: Clock
    wake: Callable[[], None]
    ended: StateChanges

    async def open(self, *, key: str, by: str) -> QueuedJob:
        """Have it opened now; the job as it is then. A key that was told before gives no pulse
        again: its job is waited for, where that is not over.

        DONE, FAILED (surely not opened) or UNPROVEN; RUNNING where the printer does not tell yet;
        DROPPED is a FAILED, and a DONE with a trouble an UNPROVEN one, after a later pulse.
        Raises MachineError when the journal can't be written, NotAllowed for a key that stands for
        something else.
        """
        job = self.journal.jobs.add_drawer(key=key, by=by, now=self.clock.now())
        if job.state in _NOT_OVER:
            self.wake()
            await self.ended.wait(str(job.id), ANSWER_SECONDS)
        return self._given_up(job)

    def _given_up(self, job: QueuedJob) -> QueuedJob:
        """A pulse that has still not begun, because a long paper is being printed, never will."""
        jobs = self.journal.jobs
        now_there = jobs.job(job.id)
        assert now_there is not None
        if now_there.state is not JobState.WAITING:
            return now_there
        words = "The printer was busy for too long."
        now = self.clock.now()
        jobs.end(job.id, JobState.FAILED, now=now, trouble=DeviceTrouble.BUSY, words=words)
        ended = jobs.job(job.id)
        assert ended is not None
        return ended
