"""Sums of the receipts of a journal over whole days: the questions and the answers.

Turnover is sales less refunds of the types Normal and Advance; copies, proformas and training are
in no sum. The server fills these in and the till reads them; between the two they are JSON
(`wire.records`). Source: till.md ("Reports").
"""

from __future__ import annotations

from dataclasses import field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.request import ReceiptKind
from pos_app.lazy_dataclass import dataclass

PAID_BEFORE = "advance"
"""The method of the part of a sale that was paid by advances. These advances count as refunded, by
the methods with which they were paid."""
ROWS_AT_ONCE = 1_000
"""The most rows of an answer. They take the server some 10 ms, then it has time for receipts."""


class Grouping(StrEnum):
    DAY = "day"
    MONTH = "month"
    HOUR = "hour"
    ARTICLE = "article"
    CASHIER = "cashier"
    METHOD = "method"
    LABEL = "label"
    BOOKS = "books"
    """Each day's labels and methods, with sales, refunds, advances and their refunds apart."""
    RECEIVABLES = "receivables"
    """Each receipt until the last day that was paid by one of the asked methods."""


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """The sums of the days from `first` to `last`, both included; the rows behind `skip`. methods:
    those by which a receivable is paid later; no other report asks for them."""

    grouping: Grouping
    first: date
    last: date
    skip: int = field(default=0, metadata={"ge": 0, "le": 2**31})
    methods: frozenset[PaymentMethod] = frozenset()


@dataclass(frozen=True, slots=True)
class ReportRow:
    """key: the day ("2026-11-20"), the month ("2026-11"), the hour ("09"), the name of the cashier,
    the method or `PAID_BEFORE`, the label, or the article: its code, or its EAN and name.

    name: the name of an article, as on its newest receipt. receipts: the number of receipts of the
    turnover with this key. sales, refunds: positive and exact; they may exceed the amount of any
    receipt. tax: of a label, sales less refunds. quantity: of an article, sales less refunds.
    """

    key: str
    receipts: int
    sales: Decimal
    refunds: Decimal
    name: str = ""
    tax: Decimal = Decimal(0)
    quantity: Decimal = Decimal(0)

    @property
    def net(self) -> Decimal:
        return self.sales - self.refunds


NOTHING = ReportRow("", 0, Decimal(0), Decimal(0))


@dataclass(frozen=True, slots=True)
class BookRow:
    """The part of one label and one method in a day's receipts of a kind; both amounts are
    positive.

    A receipt of several labels that was paid by several methods is split: each label in the
    proportion of the methods, to the para. method: in the form of a `ReportRow`'s key.
    """

    day: date
    kind: ReceiptKind
    label: str
    method: str
    amount: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class AdvanceAt:
    """An advance that was open at the end of a day. number: the number of its first receipt, from
    the day `began`. paid: the payments by the end of the day."""

    number: str
    began: date
    paid: Money


@dataclass(frozen=True, slots=True)
class Receivable:
    """A sale or an advance that a buyer pays later, in whole or in part. number, day: of its
    receipt. amount: what was paid by the asked methods. given_back: what refunds gave back of that
    by such methods. buyer: in wire form, for a natural person only the code. buyer_key: the same
    for all receipts of a buyer, and in one answer only; None without a buyer."""

    number: str
    day: date
    methods: tuple[PaymentMethod, ...]
    amount: Decimal
    given_back: Decimal = Decimal(0)
    buyer: str | None = None
    buyer_key: int | None = None


@dataclass(frozen=True, slots=True)
class ReportSums:
    """rows, books, receivables: only one of them is filled; days, months and hours are in their
    order, receivables with the oldest first, the others with the largest turnover first. many: the
    number of all rows. go_on: the next `skip`, None at the end.

    total: the total of the period, whichever rows are asked for. tax: the sum of each receipt's tax
    by label, rounded as on its paper. untaxed: the number of receipts without tax data.
    open_advances: sent with the first books, at the end of the period.
    """

    total: ReportRow
    state: ListState
    many: int = 0
    rows: tuple[ReportRow, ...] = ()
    books: tuple[BookRow, ...] = ()
    receivables: tuple[Receivable, ...] = ()
    open_advances: tuple[AdvanceAt, ...] = ()
    untaxed: int = 0
    go_on: int | None = None
