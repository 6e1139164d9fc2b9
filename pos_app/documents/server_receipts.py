"""The port by which the till asks its server for the receipts of the journal."""

from __future__ import annotations

from typing import Annotated, Protocol

from pos_app.documents.shown_receipt import ShownElsewhere, ShownReceipt
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.reports import ReportAsked, ReportSums


class ServerReceipts(Protocol):
    """The receipts of the journal, of other programs too.

    At the server each method raises Invalid, NotFound, OutcomeUnknown or MachineError; at the till
    Refused, NotDelivered or OutcomeUnknown.
    """

    async def receipt(self, reference: str) -> ShownReceipt:
        """Return the receipt of an id or a fiscal number, in letters of either case; or, for an
        ending such as "-11389", the newest receipt whose number ends so. Raises NoSuchReceipt at
        the till where the journal has none."""
        ...

    async def elsewhere(self, number: str) -> ShownElsewhere:
        """Ask the shop's other tills for the receipt of that fiscal number."""
        ...

    async def advances(self) -> OpenAdvances:
        """The advances that are neither closed nor refunded."""
        ...

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: Annotated[int, {"ge": 1, "le": 200}] = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        """Return at most `most` receipts (no more than 200) behind `after`, or from the newest on
        if `after` is None. figures: whether each row has its figures."""
        ...

    async def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        """The turnover of all receipts that the query finds."""
        ...

    async def report(self, asked: ReportAsked) -> ReportSums:
        """Sums of some days, page by page."""
        ...

    async def choices(self) -> receipt_list.ListChoices: ...

    async def waiting(
        self, *, before: Annotated[int | None, {"ge": 0, "le": 2**63 - 1}] = None
    ) -> receipt_list.WaitingPage:
        """A page of the receipts that need something. before: as the last page's `go_on`."""
        ...
