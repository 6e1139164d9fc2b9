"""The port by which the till asks for the delivery jobs of its server, and decides about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.lazy_dataclass import dataclass

_JobId = Annotated[int, {"ge": 0, "lt": 10**18}]


@dataclass(frozen=True, slots=True)
class OpenPapers:
    """How many receipts have a paper in trouble, which a person may decide about all at once.

    not_printed: surely nothing came out, whether the server tries again by itself or has given up
    (`given_up`). unproven: the paper may have come out. newest: the id of the newest of these jobs,
    so that a decision is not about later ones; 0 for none. in_turn: beside these, how many have
    their turn now or soon.
    """

    not_printed: int = 0
    given_up: int = 0
    unproven: int = 0
    newest: int = 0
    in_turn: int = 0


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
        address to which its mail is sent instead, or in place of a paper that surely did not come
        out. A job that is done is refused."""
        ...

    async def papers(self) -> OpenPapers:
        """How many receipts lack their paper."""
        ...

    async def print_all(self, up_to: _JobId, *, unproven: bool, by: str) -> int:
        """Have the papers of receipts in trouble printed now, in their order; return the number of
        receipts. up_to: the newest job that was counted. unproven: those that may have come out are
        meant, instead of those that surely did not. Repeating it prints nothing twice."""
        ...

    async def end_all(self, up_to: _JobId, *, unproven: bool, by: str) -> int:
        """Report that these papers are not wanted any more, or with `unproven` that they came out
        after all; return the number of receipts."""
        ...

    async def end_of(self, job_id: int) -> JobState | None:
        """How the job ended: DONE, or DROPPED, as which one counts that the server does not have.
        None while it has not ended."""
        ...

    async def seen(self, job_id: int, *, by: str) -> None:
        """Report that the job is done after all, or not wanted any more."""
        ...
