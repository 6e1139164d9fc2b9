"""The filters of the list of receipts, and the query that it asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_list import EVERYTHING, ReceiptQuery
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.search_words import asked_by, days_of

_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND


class PeriodChoice(StrEnum):
    TODAY = "today"
    YESTERDAY = "yesterday"
    DAYS = "days"


class KindChoice(StrEnum):
    ALL = "all"
    SALES = "sales"
    REFUNDS = "refunds"
    ADVANCES = "advances"
    COPIES = "copies"
    PROFORMAS = "proformas"
    TRAINING = "training"
    E_INVOICE = "e_invoice"
    """Turnover that an e-invoice has to follow."""


def _kinds(
    *types: InvoiceType, transactions: tuple[TransactionType, ...] = (_SALE, _REFUND)
) -> frozenset[ReceiptKind]:
    return frozenset(ReceiptKind(one, two) for one in types for two in transactions)


KINDS: Mapping[KindChoice, frozenset[ReceiptKind]] = MappingProxyType(
    {
        KindChoice.ALL: frozenset(),
        KindChoice.SALES: _kinds(InvoiceType.NORMAL, transactions=(_SALE,)),
        KindChoice.REFUNDS: _kinds(
            InvoiceType.NORMAL, InvoiceType.ADVANCE, transactions=(_REFUND,)
        ),
        KindChoice.ADVANCES: _kinds(InvoiceType.ADVANCE),
        KindChoice.COPIES: _kinds(InvoiceType.COPY),
        KindChoice.PROFORMAS: _kinds(InvoiceType.PROFORMA),
        KindChoice.TRAINING: _kinds(InvoiceType.TRAINING),
        KindChoice.E_INVOICE: frozenset(),
    }
)


@dataclass(frozen=True, slots=True)
class Filters:
    """first, last: the days of a period. typed_text: the search text as typed; with it all days are
    searched, unless a period was chosen. narrowed: the receipts of a report's line, if the list is
    limited to them; narrowed_to: that line in words of a language."""

    period: PeriodChoice = PeriodChoice.TODAY
    first: date | None = None
    last: date | None = None
    kind: KindChoice = KindChoice.ALL
    payment: PaymentMethod | None = None
    waiting: bool = False
    """Whether only receipts are shown that need an act of somebody."""
    typed_text: str = ""
    narrowed: ReceiptQuery = EVERYTHING
    narrowed_to: Callable[[Texts], str] | None = None

    def query(self, today: date) -> ReceiptQuery:
        query = replace(
            self.narrowed,
            kinds=KINDS[self.kind],
            payments=frozenset({self.payment} if self.payment else ()),
            asks_e_invoice=self.kind is KindChoice.E_INVOICE,
        )
        if not self.typed_text.strip() or self.period is PeriodChoice.DAYS:
            query = days_of(query, *self.days(today))
        return asked_by(self.typed_text, query, today=today)

    def days(self, today: date) -> tuple[date, date]:
        if self.period is PeriodChoice.DAYS and self.first is not None and self.last is not None:
            return min(self.first, self.last), max(self.first, self.last)
        day = today - timedelta(days=1) if self.period is PeriodChoice.YESTERDAY else today
        return day, day

    def is_one_day(self, today: date) -> bool:
        first, last = self.days(today)
        return first == last and (not self.typed_text.strip() or self.period is PeriodChoice.DAYS)
