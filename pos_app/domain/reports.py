"""Sums of the receipts of a journal over whole days: what may be asked, and what is answered.

Turnover is sales less refunds of the types Normal and Advance; copies, proformas and training are
in no sum. The server fills these in and the till reads them; between the two they are JSON
(`wire.records`). Source: till.md ("Reports").
"""

from __future__ import annotations

from dataclasses import field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.domain.receipt_list import ListState
from pos_app.domain.request import ReceiptKind
from pos_app.lazy_dataclass import dataclass

PAID_BEFORE = "advance"
"""In place of a method: what a sale's buyer had paid by its advances. Those are refunded beside it,
by the methods they were paid with."""
ROWS_AT_ONCE = 1_000
"""Rows of an answer: some 10 ms of the server, between which it has time for receipts."""


class Grouping(StrEnum):
    """What the rows of a report stand for."""

    DAY = "day"
    MONTH = "month"
    HOUR = "hour"
    ARTICLE = "article"
    CASHIER = "cashier"
    METHOD = "method"
    LABEL = "label"
    BOOKS = "books"
    """Day by day each label and method, of sales, refunds, advances and their refunds apart."""


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """The sums of the days from `first` to `last`, both included; the rows behind `skip`."""

    grouping: Grouping
    first: date
    last: date
    skip: int = field(default=0, metadata={"ge": 0, "le": 2**31})


@dataclass(frozen=True, slots=True)
class ReportRow:
    """key: the day ("2026-11-20"), the month ("2026-11"), the hour ("09"), the name of the cashier,
    the method or `PAID_BEFORE`, the label, or the article: its code, or its EAN and name.

    name: of an article, as it stood on its newest receipt. receipts: how many of the turnover have
    it. sales, refunds: positive, exact, and they may be larger than the amount of any receipt.
    tax: of the label, sales less refunds. quantity: of an article, likewise.
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
    """What one label and one method have of a day's receipts of a kind; both positive.

    A receipt of several labels that was paid by several methods is shared out: each label in the
    proportion of the methods, to the para. method: as the key of a `ReportRow`.
    """

    day: date
    kind: ReceiptKind
    label: str
    method: str
    amount: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class AdvanceAt:
    """An advance that was open at the end of a day. number: of its first receipt, of that day.
    paid: what was paid of it by then."""

    number: str
    began: date
    paid: Money


@dataclass(frozen=True, slots=True)
class ReportSums:
    """rows, books: the one or the other; the days, months and hours in their order, the others with
    the largest turnover first. many: how many there are. go_on: what to skip next; None at the end.

    total: of the period, whatever the rows are. tax: the sum of what each receipt says of each
    label, rounded as on its paper. untaxed: so many receipts do not say their tax. open_advances:
    with the first books, at the end of the period.
    """

    total: ReportRow
    state: ListState
    many: int = 0
    rows: tuple[ReportRow, ...] = ()
    books: tuple[BookRow, ...] = ()
    open_advances: tuple[AdvanceAt, ...] = ()
    untaxed: int = 0
    go_on: int | None = None
