"""What the server's journal adds to a report: signed tax, closed advances, other programs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.receipt import TaxItem
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.shift_report import ActSums, FromServer
from pos_app.selling.shift.cash import DrawerSum, ShiftSale
from pos_app.selling.shift.report import from_server
from pos_app.selling.shift.shift import Span
from pos_app.selling.shift.telling import ShiftFacts, ask_server
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.sweep import each
from tests.unit.selling.test_shift_sum import sold

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
SALE = ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE)
REFUND = ReceiptKind(InvoiceType.NORMAL, TransactionType.REFUND)
ADVANCE_BACK = ReceiptKind(InvoiceType.ADVANCE, TransactionType.REFUND)
COPY = ReceiptKind(InvoiceType.COPY, TransactionType.SALE)


def row(
    number: int,
    total: str,
    tax: str,
    kind: ReceiptKind = SALE,
    *,
    program: str = "till:1",
    referent: str | None = None,
    ean: str | None = None,
) -> receipt_list.ListedReceipt:
    line = FiscalLine(
        "Хлеб/ком", TaxLabel.DJ, Quantity(1), Money(total), Money(total), ean, None if ean else 1
    )
    item = TaxItem(0, "ПДВ", "Ђ", Decimal(20), Decimal(tax))
    return receipt_list.ListedReceipt(
        receipt_list.ListPosition(number, number),
        f"r-{number}",
        AT,
        f"N-{number}",
        kind,
        Money(total),
        (PaymentMethod.CASH,),
        "Мира",
        program,
        None,
        False,
        referent,
        receipt_list.HandOver.DONE,
        receipt_list.ReceiptFigures(str(number), (), (item,), (line,), ()),
    )


def sale(number: int, *, is_own: bool = True) -> ShiftSale:
    made = sold("1", key=str(number), cash="1")
    return replace(made, is_own=is_own, receipt_id=f"r-{number}")


CATEGORIES = {"1": "Пекара", "8600000000018 Хлеб/kom": "Млечно"}


def test_tax_is_the_sum_of_the_receipts_own_rounded_tax() -> None:
    """3 × 9.8317 is 29.4951; each receipt says 9.83. An article without a code has a category
    too."""
    rows = [row(number, "58.99", "9.8317") for number in (1, 2)]
    rows.append(row(3, "58.99", "9.8317", ean="8600000000018"))
    rows.append(row(4, "58.99", "9.8317", REFUND))
    told = from_server(
        rows, [sale(number) for number in (1, 2, 3, 4)], until=NOW, categories=CATEGORIES
    )
    assert told is not None
    (label,) = told.labels
    assert (label.label, label.rate) == ("Ђ", Decimal(20))
    assert (label.total, label.tax) == (Money("117.98"), Money("19.66"))
    assert [(one.name, one.amount) for one in told.categories] == [
        ("Пекара", Money("58.99")),
        ("Млечно", Money("58.99")),
    ]


@each(
    ("rows", "sales", "is_told"),
    [
        ((1, 2), (1, 2), True),
        ((1,), (1, 2), False),  # the processor's clock is far off, or the list lacks one
        ((), (1,), False),
        ((), (), True),
        ((1, 2), (1,), True),  # signed after the till's rows were read
    ],
)
def test_nothing_is_told_where_a_receipt_of_the_turnover_is_lacking(
    rows: tuple[int, ...], sales: tuple[int, ...], is_told: bool
) -> None:
    """Its tax and its label would be too small, and nobody would notice."""
    listed = [row(number, "100", "16.6667") for number in rows]
    told = from_server(listed, [sale(number) for number in sales], until=NOW, categories=CATEGORIES)
    assert (told is not None) is is_told
    if told is not None:
        assert Money.total(one.total for one in told.labels) == Money(100 * len(sales))


@pytest.mark.parametrize("known", [5, 6], ids=["the refund", "the sale"])
def test_both_receipts_of_a_closing_are_of_the_shift(known: int) -> None:
    rows = [row(5, "5000", "833.3333", ADVANCE_BACK), row(6, "8000", "1333.3333", referent="N-5")]
    told = from_server(rows, [sale(known)], until=NOW, categories=CATEGORIES)
    assert told is not None
    assert told.labels[0].total == Money(3000)
    assert (told.closed_advances.amount, told.closed_advances.many) == (Money(-5000), 1)
    copy_back = ReceiptKind(InvoiceType.COPY, TransactionType.REFUND)
    back = [row(5, "5000", "1", ADVANCE_BACK), row(6, "5000", "1", copy_back, referent="N-5")]
    told = from_server(back, [sale(5)], until=NOW, categories=CATEGORIES)
    assert told is not None
    assert (told.labels[0].total, told.closed_advances.many) == (Money(-5000), 0), "closes none"


def test_other_programs_stand_apart() -> None:
    rows = [
        row(1, "100", "16.6667"),
        row(7, "5460", "910", program="Веб-продаја"),
        row(8, "460", "76", REFUND, program="Веб-продаја"),
        row(9, "9", "1", COPY, program="Веб-продаја"),
    ]
    told = from_server(rows, [sale(1)], until=NOW, categories=CATEGORIES)
    assert told is not None
    assert [(one.name, one.amount, one.many) for one in told.others] == [
        ("Веб-продаја", Money(5000), 2)
    ]
    assert told.labels[0].total == Money(100)
    others = [row(1, "100", "16.6667"), row(2, "40", "6.6667"), row(3, "100", "16.6667", COPY)]
    of_shifts = [sale(1), sale(2, is_own=False)]
    told = from_server(others, of_shifts, until=NOW, categories=CATEGORIES)
    assert told is not None
    assert [one.total for one in told.labels] == [Money(100)], "no copy, nothing of other shifts"


def test_what_is_not_in_the_catalogue_has_no_category() -> None:
    rows = [
        row(1, "100", "16.6667", ean="8600000000025"),
        replace(row(2, "5", "0.8"), figures=None),
    ]
    told = from_server(rows, [sale(1), sale(2)], until=NOW, categories=CATEGORIES)
    assert told is not None
    assert [(one.name, one.amount) for one in told.categories] == [("", Money(100))]


# --- the period that is asked for, and the part of the answer that is used -----------------------

OPENED = datetime(2026, 11, 20, 8, tzinfo=UTC)
NOW = OPENED + timedelta(hours=9)
HOUR = timedelta(hours=1)


@dataclass
class Listed(ReceiptsInMemory):
    rows: list[receipt_list.ListedReceipt] = field(default_factory=list)

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        assert query.since is not None
        assert query.until is not None
        found = tuple(one for one in self.rows if query.since <= one.at < query.until)
        state = receipt_list.ListState(len(self.rows), len(self.rows))
        return receipt_list.ListPage(found, None, state)


def of(number: int, at: datetime, **more: str) -> receipt_list.ListedReceipt:
    return replace(row(number, "100", "16.6667", **more), at=at)  # type: ignore[arg-type]


def facts(*sales: ShiftSale, since: datetime = OPENED, until: datetime | None = None) -> ShiftFacts:
    span = Span(None, since, until)
    return ShiftFacts(span, sales, DrawerSum(()), ActSums(), since)


async def told(rows: list[receipt_list.ListedReceipt], of_till: ShiftFacts) -> FromServer | None:
    return await ask_server(Listed(rows=rows), of_till, until=NOW, categories=CATEGORIES)


@each("apart", [timedelta(0), 5 * HOUR, -20 * HOUR, timedelta(days=400)])
async def test_a_processor_whose_clock_is_off_still_has_the_receipts_of_the_turnover(
    apart: timedelta,
) -> None:
    """By its own times they lie hours beside the shift's."""
    times = [OPENED + HOUR + apart, NOW - HOUR + apart]
    sales = [replace(sale(n), signed_at=at) for n, at in enumerate(times)]
    found = await told([of(n, at) for n, at in enumerate(times)], facts(*sales))
    assert found is not None
    assert [one.total for one in found.labels] == [Money(200)]


async def test_receipts_of_other_programs_are_those_of_its_time_alone() -> None:
    """The next report begins at the moment of this one."""
    web = {"program": "Веб-продаја"}
    rows = [
        of(1, OPENED - timedelta(seconds=1), **web),
        of(2, OPENED, **web),
        of(3, NOW - timedelta(seconds=1), **web),
        of(4, NOW, **web),
    ]
    found = await told(rows, facts())
    assert found is not None
    assert [(one.amount, one.many) for one in found.others] == [(Money(200), 2)]
    assert found.until == NOW
    later = await ask_server(
        Listed(rows=rows), facts(since=NOW), until=NOW + HOUR, categories=CATEGORIES
    )
    assert later is not None
    assert [one.many for one in later.others] == [1]
