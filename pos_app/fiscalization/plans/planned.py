"""A receipt as planned and stored: the document to be signed and its other data."""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.esir_part import EsirPart, LoweredLine, ReceiptReference
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt import Warnings
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.lazy_dataclass import dataclass

NOTHING_HANDED_OVER = ReceiptDelivery()
NOTHING_ADDED = EsirPart()


@dataclass(frozen=True, slots=True)
class AdvanceOrder:
    """The goods that an advance pays for. is_known: its final amount is known and limits the
    payments. lowered: the lines that cost less than their unit price, printed with the closing."""

    lines: tuple[FiscalLine, ...]
    is_known: bool
    lowered: tuple[LoweredLine, ...] = ()

    @property
    def total(self) -> Money:
        """The total of the goods, final only where `is_known`."""
        return Money.total(line.total for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedReceipt:
    """One receipt to be signed.

    order: on the first advance of a chain, the goods that it pays for. follows: the index (from 0)
    of the receipt of the same plan that the document refers to; that receipt's number and time are
    known only once it is signed. is_reversal: the receipt undoes the refund that it follows, which
    was a mistake; False on its copies. warnings: a part of the answer, which is the same each time.
    """

    document: FiscalDocument
    esir: EsirPart = NOTHING_ADDED
    delivery: ReceiptDelivery = NOTHING_HANDED_OVER
    order: AdvanceOrder | None = None
    follows: int | None = None
    is_reversal: bool = False
    warnings: Warnings = ()

    def after(self, reference: ReceiptReference) -> PlannedReceipt:
        document = replace(
            self.document, referent_number=reference.number, referent_time=reference.time
        )
        return replace(self, document=document, follows=None)
