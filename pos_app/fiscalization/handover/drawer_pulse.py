"""The cash drawer: a delivery job that is done within seconds or not at all.

The job goes through the receipt printer's queue, because only one job may write to the printer at a
time. It goes ahead of all papers, because a drawer that opened minutes later would be unattended.
"""

from __future__ import annotations

from collections.abc import Callable

from pos_app.clock import Clock
from pos_app.domain.receipt.states import JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import DeliveryJobs, QueuedJob
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.lazy_dataclass import dataclass

PULSE_SECONDS = 6.0
"""The printer's time for a pulse; bytes written by then may still open the drawer."""
ANSWER_SECONDS = 8.0
"""The till waits so long for the answer, which is longer than a pulse takes if it begins at
once."""
_NOT_OVER = frozenset({JobState.WAITING, JobState.RUNNING})


@dataclass(frozen=True, slots=True)
class Drawer:
    """The drawer at the receipt printer. ended: signals when a job of that printer has ended."""

    jobs: DeliveryJobs
    clock: Clock
    wake: Callable[[], None]
    ended: StateChanges

    async def open(self, *, key: str, by: str) -> QueuedJob:
        """Open the drawer now, and return the job. If the key was used before, only wait for its
        job.

        The job is DONE, FAILED (surely not opened) or UNPROVEN, or RUNNING if the printer has not
        finished. A later pulse makes a FAILED job DROPPED, and an UNPROVEN one DONE with a trouble.
        Raises MachineError when the journal can't be written, NotAllowed for another job's key.
        """
        job = self.jobs.add_drawer(key=key, by=by, now=self.clock.now())
        if job.state in _NOT_OVER:
            self.wake()
            await self.ended.wait(str(job.id), ANSWER_SECONDS)
        return self._given_up(job)

    def _given_up(self, job: QueuedJob) -> QueuedJob:
        """Fail a pulse that has not begun by now, because a long paper is being printed."""
        current = self.jobs.job(job.id)
        assert current is not None
        if current.state is not JobState.WAITING:
            return current
        message = "The printer was busy for too long."
        now = self.clock.now()
        self.jobs.end(job.id, JobState.FAILED, now=now, trouble=DeviceTrouble.BUSY, words=message)
        ended = self.jobs.job(job.id)
        assert ended is not None
        return ended
