"""A receipt as the server tells it to the till: what the journal knows of it, and its paper."""

from __future__ import annotations

from pos_app.documents.blocks import Document
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ShownReceipt:
    """A receipt of the journal. paper: the buyer's paper, or None if it can't be laid out."""

    overview: ReceiptOverview
    paper: Document | None


@dataclass(frozen=True, slots=True)
class ShownElsewhere:
    """The end of the search at the shop's other tills. receipt, paper: what was found, or None;
    paper is None, too, if the receipt can't be laid out."""

    search: SearchElsewhere
    receipt: ForeignReceipt | None = None
    paper: Document | None = None
