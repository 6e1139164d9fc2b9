"""The document that a processor is asked to sign, in the terms of the law, independent of any
protocol.

Source: fiscal.md 1 (InvoiceRequest), 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import asks_e_invoice
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType, article_key
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FiscalLine:
    """One item. total may differ from price × quantity.

    sku: the article, where the caller named one. origin: on a refund, the index (from 0) of the
    line in the refunded receipt. Both are stored in our journal only, never sent.
    """

    name: str
    label: TaxLabel
    quantity: Quantity
    unit_price: Money
    total: Money
    gtin: str | None = None
    sku: int | None = None
    origin: int | None = None

    @property
    def article_key(self) -> str:
        """The identity of its article in reports."""
        return article_key(self.sku, self.gtin, self.name)


@dataclass(frozen=True, slots=True)
class FiscalDocument:
    """One receipt to be signed. Amounts are positive, on a refund too; instants are UTC.

    lines: empty for a cancelled key, and where a till only reports its request about a receipt that
    the journal lacks. esir_number: "IB/version". pos_time: ЕСИР време, for an advance paid earlier.
    """

    invoice_type: InvoiceType
    transaction_type: TransactionType
    lines: tuple[FiscalLine, ...]
    payments: tuple[tuple[PaymentMethod, Money], ...]
    cashier: str
    esir_number: str | None = None
    buyer: str | None = None
    cost_centre: str | None = None
    referent_number: str | None = None
    referent_time: datetime | None = None
    pos_time: datetime | None = None

    @property
    def kind(self) -> ReceiptKind:
        return ReceiptKind(self.invoice_type, self.transaction_type)

    @property
    def is_known(self) -> bool:
        """Whether the whole document is known; else it is never sent, and nothing can be planned
        with it."""
        return bool(self.lines)

    @property
    def total(self) -> Money:
        return Money.total(line.total for line in self.lines) if self.is_known else self.paid

    @property
    def total_text(self) -> Money | None:
        """The total on its receipt, or None while that is unknown."""
        return self.total if self.is_known or self.payments else None

    @property
    def asks_e_invoice(self) -> bool:
        """Whether an e-invoice has to follow: for a turnover of a public buyer, or one that a
        corporate card paid (fiscal.md 6.7)."""
        return self.invoice_type.is_fiscal and asks_e_invoice(self.buyer, self.cost_centre)

    @property
    def by_label(self) -> dict[TaxLabel, Money]:
        return label_totals(self.lines)

    @property
    def taxed_as_of(self) -> datetime | None:
        """The time whose rates count: for a refund or copy the time of its referent (fiscal.md 2).
        It is None where the document's own time counts, or the referent is not signed yet."""
        is_refund = self.transaction_type is TransactionType.REFUND
        goes_back = is_refund or self.invoice_type is InvoiceType.COPY
        return self.referent_time if goes_back else None

    @property
    def paid(self) -> Money:
        return Money.total(amount for _, amount in self.payments)

    def paid_by(self, method: PaymentMethod) -> Money:
        return Money.total(amount for paid_by, amount in self.payments if paid_by is method)


class Labelled(Protocol):
    @property
    def label(self) -> TaxLabel: ...

    @property
    def total(self) -> Money: ...


def label_totals(lines: Iterable[Labelled]) -> dict[TaxLabel, Money]:
    """Gross totals of lines by tax label, in the order of first appearance."""
    totals: dict[TaxLabel, Money] = {}
    for line in lines:
        totals[line.label] = totals.get(line.label, Money.ZERO) + line.total
    return totals
