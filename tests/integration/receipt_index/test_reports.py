"""Each report is equal to the receipts added up one by one."""

from __future__ import annotations

import tempfile
import uuid
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.adapters.sqlite.receipt_index.feeding import shared
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.reports import ReportReader
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt import TaxItem
from pos_app.domain.receipt.receipt_list import ListState, ReceiptQuery
from pos_app.domain.receipt.reports import PAID_BEFORE, BookRow, Grouping, Receivable, ReportAsked
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.text.instant import beginning_of
from tests.integration.receipt_index.model import report_of, row_of, written
from tests.integration.receipt_index.test_questions import CASHIERS, FIRST, NAMES
from tests.sweep import examples

ANY = ListState(0, 0)
DAYS = 75
"""The days touch four months: whole months have sums of their own."""

lines = st.builds(
    lambda place, label, pieces, total: FiscalLine(
        NAMES[place], label, Quantity(Decimal(pieces) / 1000), total, total,
        sku=place + 1 if place % 2 else None,
    ),
    st.integers(0, len(NAMES) - 1),
    st.sampled_from(TaxLabel),
    st.integers(1, 5_000),
    st.integers(0, 9_999).map(Money.of_para),
)  # fmt: skip


@st.composite
def receipts(draw: st.DrawFn) -> list[SignedRow]:
    rows = []
    for place in range(draw(st.integers(0, 25))):
        at = FIRST + timedelta(minutes=draw(st.integers(0, DAYS * 24 * 60)))
        items = tuple(draw(st.lists(lines, min_size=1, max_size=4)))
        total = Money.total(line.total for line in items)
        before = draw(st.integers(0, int(total.amount * 100)) | st.just(0))
        due = Money.of_para(int(total.amount * 100) - before)
        by_card = Money.of_para(draw(st.integers(0, int(due.amount * 100))))
        cash = due - by_card + Money(draw(st.sampled_from((0, 0, 50))))
        document = FiscalDocument(
            invoice_type=draw(st.sampled_from((InvoiceType.NORMAL, *InvoiceType))),
            transaction_type=draw(st.sampled_from(TransactionType)),
            lines=items,
            payments=((PaymentMethod.CARD, by_card), (PaymentMethod.CASH, cash)),
            cashier=draw(st.sampled_from(CASHIERS)),
        )
        taxes = tuple(
            TaxItem(0, "", label.value, Decimal(20), (gross.amount / 6).quantize(Decimal("0.0001")))
            for label, gross in document.by_label.items()
        )
        members = {
            "chain": uuid.UUID(int=draw(st.integers(0, place))),
            "due": due if before else None,
            "taxes": draw(st.sampled_from((taxes, taxes, None))),
        }
        rows.append(row_of(place, at, document, **members))
    return rows


periods = st.tuples(st.integers(-2, DAYS), st.integers(0, DAYS)).map(
    lambda part: (
        FIRST.date() + timedelta(days=part[0]),
        FIRST.date() + timedelta(days=part[0] + part[1]),
    )
)


@settings(max_examples=examples(200, share=10))
@given(rows=receipts(), period=periods)
def test_every_report_and_the_list_are_what_adding_up_each_receipt_gives(
    rows: list[SignedRow], period: tuple[date, date]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.db"
        written(path, rows)
        reader = ReportReader(path)
        for grouping in set(Grouping) - {Grouping.RECEIVABLES}:  # of chains: below
            asked = ReportAsked(grouping, *period)
            told, expected = reader.report(asked, ANY), replace(report_of(rows, asked), state=ANY)
            assert told.rows == expected.rows
            assert replace(told, rows=(), books=(), many=0) == replace(expected, rows=(), many=0)
            if grouping in (Grouping.LABEL, Grouping.ARTICLE, Grouping.METHOD):
                assert sum((row.net for row in told.rows), Decimal(0)) == told.total.net
            if grouping is Grouping.BOOKS:
                _books_add_up(told.books, rows, period)
                with closing(ReceiptIndexFile(path, Path(folder) / "none.db")) as file:
                    _the_list_comes_to_the_same(told.books, file)


def _books_add_up(
    books: tuple[BookRow, ...], rows: list[SignedRow], period: tuple[date, date]
) -> None:
    assert all(row.amount >= 0 and row.tax >= 0 for row in books)
    for grouping, part in (
        (Grouping.LABEL, "label"),
        (Grouping.METHOD, "method"),
        (Grouping.DAY, "day"),
    ):
        told, taxes = Counter[str](), Counter[str]()
        for row in books:
            sign = 1 if row.kind.transaction_type is TransactionType.SALE else -1
            told[str(getattr(row, part))] += sign * int(row.amount * 100)
            taxes[str(getattr(row, part))] += sign * int(row.tax * 100)
        expected = report_of(rows, ReportAsked(grouping, *period)).rows
        assert {key: one for key, one in told.items() if one} == {
            row.key: int(row.net * 100) for row in expected if row.net
        }
        if grouping is Grouping.LABEL:
            assert all(taxes[row.key] == int(row.tax * 100) for row in expected)


def _the_list_comes_to_the_same(books: tuple[BookRow, ...], file: ReceiptIndexFile) -> None:
    sums = Counter[tuple[date, str, str]]()
    for row in books:
        sign = 1 if row.kind.transaction_type is TransactionType.SALE else -1
        sums[row.day, row.label, row.method] += sign * int(row.amount * 100)
    for (day, label, method), amount in sums.items():
        if method == PAID_BEFORE:
            continue
        asked = ReceiptQuery(
            since=beginning_of(day),
            until=beginning_of(day + timedelta(days=1)),
            label=TaxLabel(label),
            payments=frozenset({PaymentMethod(method)}),
        )
        told = file.turnover(asked).turnover
        assert int(told.net * 100) == amount


@pytest.mark.parametrize(
    ("amount", "among", "shares"),
    [(100, [200, 100], [67, 33]), (299, [200, 100], [199, 100]), (1, [1, 1, 1], [0, 1, 0])],
)
def test_the_table_of_shares(amount: int, among: list[int], shares: list[int]) -> None:
    assert shared(amount, among) == shares


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=7), st.data())
def test_shares_add_up_and_none_is_above_its_part(among: list[int], data: st.DataObject) -> None:
    amount = data.draw(st.integers(0, sum(among)))
    shares = shared(amount, among)
    assert sum(shares) == amount
    assert all(0 <= share <= part for share, part in zip(shares, among, strict=True))


# --- what is owed on each receipt of a chain ---
TRANSFER, CHECK, CASH = PaymentMethod.WIRE_TRANSFER, PaymentMethod.CHECK, PaymentMethod.CASH
NORMAL, ADVANCE = InvoiceType.NORMAL, InvoiceType.ADVANCE
BUYER = "10:123456788"


class Link(NamedTuple):
    """A receipt of the chain that the first one begins, one a day. of: the place of the receipt
    that it refers to; None: none, or one of another journal."""

    what: str
    paid: dict[PaymentMethod, int]
    of: int | None = None
    kind: InvoiceType = NORMAL


def rows_of(links: tuple[Link, ...]) -> list[SignedRow]:
    rows = []
    for place, link in enumerate(links):
        total = Money(sum(link.paid.values()))
        is_back = link.what in ("refund", "closing")
        document = FiscalDocument(
            invoice_type=link.kind,
            transaction_type=TransactionType.REFUND if is_back else TransactionType.SALE,
            lines=(FiscalLine("Роба", TaxLabel.DJ, Quantity(1), total, total),),
            payments=tuple((method, Money(amount)) for method, amount in link.paid.items()),
            cashier="Ана",
            buyer=BUYER,
        )
        members = {
            "chain": uuid.UUID(int=0),
            "referent": None if link.of is None else f"abcd1234-ABCD1234-{link.of + 1}",
            "is_closing": link.what == "closing",
            "is_reversal": link.what == "reversal",
        }
        rows.append(row_of(place, FIRST + timedelta(days=place), document, **members))
    return rows


def told(folder: Path, rows: list[SignedRow], *, days: int = 30) -> tuple[Receivable, ...]:
    written(folder / "list.db", rows)
    last = FIRST.date() + timedelta(days=days)
    methods = frozenset({TRANSFER, CHECK})
    asked = ReportAsked(Grouping.RECEIVABLES, last, last, methods=methods)
    return ReportReader(folder / "list.db").report(asked, ListState(0, 0)).receivables


def owed(folder: Path, rows: list[SignedRow], *, days: int = 30) -> dict[str, int]:
    receivables = told(folder, rows, days=days)
    return {one.number[18:]: int(one.amount - one.given_back) for one in receivables}


SALE = Link("sale", {TRANSFER: 100})
PAID = Link("sale", {TRANSFER: 100}, kind=ADVANCE)


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ((SALE,), {"1": 100}),
        ((Link("sale", {TRANSFER: 70, CHECK: 20, CASH: 10}),), {"1": 90}),
        ((Link("sale", {CASH: 100}),), {}),
        *(
            ((SALE._replace(kind=kind),), {})
            for kind in (InvoiceType.COPY, InvoiceType.PROFORMA, InvoiceType.TRAINING)
        ),
        ((SALE, Link("refund", {TRANSFER: 30}, 0)), {"1": 70}),
        ((SALE, Link("refund", {CASH: 30}, 0)), {"1": 100}),
        ((SALE, Link("refund", {TRANSFER: 100}, 0), Link("reversal", {TRANSFER: 100}, 1)),
         {"1": 100}),
        ((Link("sale", {CASH: 100}), Link("refund", {TRANSFER: 100}, 0)), {}),
        # two payments on an advance, given back by one refund that names the last
        ((PAID, PAID._replace(of=0), Link("refund", {TRANSFER: 150}, 1, ADVANCE)),
         {"1": 50, "2": 0}),
        # closed: no money moved by it, and the rest is owed on the sale
        ((PAID, Link("closing", {TRANSFER: 100}, 0, ADVANCE), Link("sale", {TRANSFER: 40}, 1)),
         {"1": 100, "3": 40}),
        # a closing whose sale was refused, undone
        ((PAID, Link("closing", {TRANSFER: 100}, 0, ADVANCE),
          Link("reversal", {TRANSFER: 100}, 1, ADVANCE)), {"1": 100}),
        # the refund of a closed sale gives back what was paid in advance, too
        ((PAID, Link("closing", {TRANSFER: 100}, 0, ADVANCE), Link("sale", {TRANSFER: 40}, 1),
          Link("refund", {TRANSFER: 140}, 2)), {"1": 0, "3": 0}),
        # an advance of another system, refunded by hand, and its sale
        ((Link("refund", {TRANSFER: 100}, None, ADVANCE), Link("sale", {TRANSFER: 40}, 0)),
         {"2": 40}),
    ],
)  # fmt: skip
def test_what_is_owed_follows_the_receipts_of_its_chain(
    tmp_path: Path, links: tuple[Link, ...], expected: dict[str, int]
) -> None:
    assert owed(tmp_path, rows_of(links)) == expected


def test_at_the_end_of_a_day_nothing_later_counts(tmp_path: Path) -> None:
    rows = rows_of((SALE, SALE, Link("refund", {TRANSFER: 100}, 0)))
    assert owed(tmp_path, rows, days=1) == {"1": 100, "2": 100}


def test_a_buyer_is_told_with_the_methods_and_a_natural_person_by_the_code(tmp_path: Path) -> None:
    first, second, other, nobody = rows_of((Link("sale", {CHECK: 5, TRANSFER: 5}), *(SALE,) * 3))
    rows = [first, second, bought_by(other, "11:0101990710008"), bought_by(nobody, None)]
    firm, same, person, none = told(tmp_path, rows)
    assert (firm.buyer, firm.methods) == (BUYER, (CHECK, TRANSFER))
    assert firm.buyer_key == same.buyer_key
    assert (person.buyer, none.buyer, none.buyer_key) == ("11", None, None)
    assert person.buyer_key not in (firm.buyer_key, None)


def bought_by(row: SignedRow, buyer: str | None) -> SignedRow:
    return replace(row, document=replace(row.document, buyer=buyer))
