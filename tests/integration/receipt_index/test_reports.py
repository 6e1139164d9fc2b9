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


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=7), st.data())
def test_shares_add_up_and_none_is_above_its_part(among: list[int], data: st.DataObject) -> None:
    amount = data.draw(st.integers(0, sum(among)))
    shares = shared(amount, among)
    assert sum(shares) == amount
    assert all(0 <= share <= part for share, part in zip(shares, among, strict=True))


# --- what is owed on each receipt of a chain ---
TRANSFER, CHECK, CASH = PaymentMethod.WIRE_TRANSFER, PaymentMethod.CHECK, PaymentMethod.CASH
NORMAL, ADVANCE = InvoiceType.NORMAL, InvoiceType.ADVANCE


def told(folder: Path, rows: list[SignedRow], *, days: int = 30) -> tuple[Receivable, ...]:
    written(folder / "list.db", rows)
    last = FIRST.date() + timedelta(days=days)
    methods = frozenset({TRANSFER, CHECK})
    asked = ReportAsked(Grouping.RECEIVABLES, last, last, methods=methods)
    return ReportReader(folder / "list.db").report(asked, ListState(0, 0)).receivables
