"""What a processor is asked to sign, in the words of the law, before any protocol's spelling.

Source: fiscal.md 1 (InvoiceRequest), 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pos_app.domain.money import Money, Quantity
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.request import InvoiceType, TransactionType


@dataclass(frozen=True, slots=True)
class FiscalLine:
    """One item. labels are the processor's own; total may differ from price × quantity."""

    name: str
    labels: tuple[str, ...]
    quantity: Quantity
    unit_price: Money
    total: Money
    gtin: str | None = None


@dataclass(frozen=True, slots=True)
class FiscalDocument:
    """One receipt to be signed. Amounts are positive, on a refund too; instants are UTC.

    esir_number: "IB/version". pos_time: ЕСИР време, of an advance paid earlier.
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
    def total(self) -> Money:
        """What the processor will call totalAmount."""
        return Money.total(line.total for line in self.lines)

    @property
    def paid(self) -> Money:
        """All payments: what was tendered, so perhaps above the total."""
        return Money.total(amount for _, amount in self.payments)

    def paid_by(self, method: PaymentMethod) -> Money:
        """What is paid by that method."""
        return Money.total(amount for paid_by, amount in self.payments if paid_by is method)
