"""The server's queries of the list of a journal's receipts, and the receipts that need
something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.reports import ReportAsked, ReportSums
from pos_app.fiscalization.jobs import DeliveryJobs


class ReceiptSearch(Protocol):
    """The list, derived from the journal. A fault of the list's file is shown in the state and
    never raised, because selling does not need the list."""

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        """At most `most` receipts behind `after`, or from the newest on if `after` is None. It
        includes receipts signed before the call. figures: whether each row has its figures."""
        ...

    async def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        """The turnover of all receipts that the query finds."""
        ...

    async def listed(self, request_ids: Sequence[str]) -> tuple[receipt_list.ListedReceipt, ...]:
        """The rows of these requests, the newest first; those without a receipt are left out."""
        ...

    async def choices(self) -> receipt_list.ListChoices: ...

    async def report(self, asked: ReportAsked) -> ReportSums:
        """Sums of the receipts that the list has so far; its state shows whether these are all."""
        ...

    async def open_advances(self) -> OpenAdvances: ...


async def not_handed_over(
    jobs: DeliveryJobs, search: ReceiptSearch, *, before: int | None = None, most: int = 50
) -> receipt_list.WaitingPage:
    """A page of the receipts that need something: their jobs wait, run, failed or are unproven. A
    receipt that the list does not have yet is left out."""
    found = jobs.of_waiting_receipts(before=before, most=most)
    listed = {row.request_id: row for row in await search.listed(tuple(found.of_receipts))}
    return receipt_list.WaitingPage(
        tuple(
            receipt_list.WaitingReceipt(listed[one], of_it)
            for one, of_it in found.of_receipts.items()
            if one in listed and of_it
        ),
        found.go_on,
        found.many,
    )
