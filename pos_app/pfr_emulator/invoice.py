"""An invoice that is to be signed, as it was read from the request. The numbers of types and means
of payment are the protocol's."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import IntEnum

from pos_app.lazy_dataclass import dataclass


class InvoiceType(IntEnum):
    NORMAL = 0
    PROFORMA = 1
    COPY = 2
    TRAINING = 3
    ADVANCE = 4


class TransactionType(IntEnum):
    SALE = 0
    REFUND = 1


class PaymentType(IntEnum):
    OTHER = 0
    CASH = 1
    CARD = 2
    CHECK = 3
    WIRETRANSFER = 4
    VOUCHER = 5
    MOBILEMONEY = 6


FISCAL_TYPES = frozenset({InvoiceType.NORMAL, InvoiceType.ADVANCE})


@dataclass(frozen=True, slots=True)
class Item:
    """One line of an invoice. quantity: with 3 decimals. unit_price, total: gross, in dinars with 2
    decimals."""

    name: str
    quantity: Decimal
    unit_price: Decimal
    total: Decimal
    labels: tuple[str, ...]
    gtin: str | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """One means of payment, and the amount that the request gives for it, in dinars."""

    amount: Decimal
    method: PaymentType


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice to be signed. Its times have a time zone. esir_number: the number of the ЕСИР."""

    kind: InvoiceType
    direction: TransactionType
    items: tuple[Item, ...]
    payments: tuple[Payment, ...]
    cashier: str | None = None
    buyer_id: str | None = None
    buyer_cost_center_id: str | None = None
    esir_number: str | None = None
    esir_time: datetime | None = None
    referent_number: str | None = None
    referent_time: datetime | None = None
    with_qr: bool = True
    with_journal: bool = True

    @property
    def total(self) -> Decimal:
        """The sum of the line totals, positive also on a refund."""
        return sum((item.total for item in self.items), Decimal("0.00"))

    @property
    def is_fiscal(self) -> bool:
        return self.kind in FISCAL_TYPES

    @property
    def needs_referent(self) -> bool:
        return self.kind is InvoiceType.COPY or self.direction is TransactionType.REFUND
