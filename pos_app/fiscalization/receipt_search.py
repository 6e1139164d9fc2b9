"""The list of a journal's receipts as the server asks it, and which of them need something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pos_app.domain.receipt_list import (
    ListChoices,
    ListedReceipt,
    ListPage,
    ListPlace,
    ListState,
    ReceiptQuery,
    ToldTurnover,
    WaitingReceipt,
)
from pos_app.fiscalization.jobs import DeliveryJobs, QueuedJob


@dataclass(frozen=True, slots=True)
class PaidAdvances:
    """chains: the first request of each chain in which more was paid in advance than was given
    back, which no closing leaves."""

    chains: tuple[str, ...]
    state: ListState


class ReceiptSearch(Protocol):
    """The list, derived from the journal. A fault of its file is told in the state, and never
    raised: selling does not need it."""

    async def page(
        self,
        query: ReceiptQuery,
        *,
        after: ListPlace | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> ListPage:
        """At most so many receipts behind `after`, None: from the newest on. Those that were signed
        before it is asked are in it. figures: with those of each row."""
        ...

    async def turnover(self, query: ReceiptQuery) -> ToldTurnover:
        """Of all receipts that the query finds."""
        ...

    async def listed(self, request_ids: Sequence[str]) -> tuple[ListedReceipt, ...]:
        """The rows of these requests, the newest first; those without a receipt are left out."""
        ...

    async def choices(self) -> ListChoices: ...

    async def paid_advances(self) -> PaidAdvances: ...


async def not_handed_over(
    jobs: DeliveryJobs, search: ReceiptSearch, *, before: int | None = None
) -> tuple[WaitingReceipt, ...]:
    """The receipts that need something: jobs of theirs wait, run, failed or are unproven. The
    newest first; of the newest 200 jobs, or of those `before` one."""
    of_receipts: dict[str, list[QueuedJob]] = {}
    for job in jobs.not_done(before=before):
        if job.receipt_id is not None:
            of_receipts.setdefault(job.receipt_id, []).append(job)
    rows = await search.listed(tuple(of_receipts))
    return tuple(WaitingReceipt(row, tuple(of_receipts[row.request_id])) for row in rows)
