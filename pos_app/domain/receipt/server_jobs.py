"""The port by which the till asks for the delivery jobs of its server, and decides about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState


class ServerJobs(Protocol):
    """At the server each method raises Invalid, NotFound or NotAllowed; at the till Refused (with
    the server's text), NotDelivered or OutcomeUnknown."""

    async def not_done(
        self, *, before: Annotated[int | None, {"ge": 0, "lt": 10**18}] = None
    ) -> Sequence[DeliveryJob]:
        """The jobs that are not done, the newest first; at most 200. before: only older jobs than
        that one."""
        ...

    async def again(self, job_id: int, *, by: str, email: str = "") -> DeliveryJob:
        """Have the job printed or sent once more, now; return the job that is tried. email: the
        address to which its mail is sent instead. A job that is done is refused."""
        ...

    async def end_of(self, job_id: int) -> JobState | None:
        """How the job ended: DONE, or DROPPED, as which one counts that the server does not have.
        None while it has not ended."""
        ...

    async def seen(self, job_id: int, *, by: str) -> None:
        """Report that the job is done after all, or not wanted any more."""
        ...
