"""The port by which the till asks for the delivery jobs of its server, and decides about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.lazy_dataclass import dataclass

_JobId = Annotated[int, {"ge": 0, "lt": 10**18}]


@dataclass(frozen=True, slots=True)
class CountedPaper:
    """The job of a paper as it was counted. sending: how often a person asked for it; a decision is
    not about a paper that was asked for once more since."""

    id: _JobId
    sending: _JobId


@dataclass(frozen=True, slots=True)
class PaperCount:
    """papers: the jobs of so many receipts, in their order."""

    receipts: int = 0
    papers: Sequence[CountedPaper] = ()


@dataclass(frozen=True, slots=True)
class OpenPapers:
    """The receipts that have a paper in trouble, about all of which a person may decide at once.

    not_printed: nothing came out, whether the server tries again by itself or has given up
    (`given_up`, in receipts). unproven: the paper may have come out. in_turn: beside these, how
    many receipts have their turn now or soon.
    """

    not_printed: PaperCount = PaperCount()
    given_up: int = 0
    unproven: PaperCount = PaperCount()
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

    async def print_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        """Have these papers of receipts in trouble printed now, in their order; return those that
        are. unproven: they were counted as those that may have come out, instead of those
        that did not. One that is not as it was counted is left out. Repeating it prints nothing
        twice."""
        ...

    async def end_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        """Report that these papers are not wanted any more, or with `unproven` that they came out
        after all; return those that are decided. One that is not as it was counted, or is being
        printed, is left out."""
        ...

    async def end_of(self, job_id: int) -> JobState | None:
        """How the job ended: DONE, or DROPPED, as which one counts that the server does not have.
        None while it has not ended."""
        ...

    async def seen(self, job_id: int, *, by: str) -> None:
        """Report that the job is done after all, or not wanted any more."""
        ...
