"""The list answers every question as a look at each receipt would."""

from __future__ import annotations

import tempfile
import uuid
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from pos_app.adapters.sqlite.receipt_index import questions
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt_list import (
    EVERYTHING,
    ListedReceipt,
    ListPosition,
    ReceiptQuery,
)
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import beginning_of
from tests.bench.many_receipts import rows_of
from tests.integration.receipt_index import model
from tests.sweep import examples

FIRST = datetime(2026, 3, 27, 20, tzinfo=UTC)
"""The clocks move two days later."""
NAMES = ("Ћуфте у сосу/kg", "Cufte domace/ком", "Хлеб бели/ком", "Млеко 2,8 %/l", "Љута паприка")
ARTICLES = ("Ћуфте у сосу", "2", "4", "Љута паприка", "9")
"""The articles' names in reports: the code, or else the name."""
CASHIERS = ("Милица Ђурић", "Марко", "Hleb")
BUYERS = (None, None, "10:123456788", "12:123456788:12345", "11:0101990710008")
PROGRAMS = ("till", "web")
HEADS = ("ABCD1234-ABCD1234", "abcd1234-XYXY9999")
JMBG = "0101990710008"
TYPED_NUMBERS = (
    *("", "", "", "7", "07", "007", "1", "12"),
    *("d1234-7", "Y9999-107", "abcd1234-abcd1234-3", "strani/7"),
)
TYPED_WORDS = (
    *("", "", "", "cuf", "ЋУФ", "ćufte sos", "hleb", "m"),
    *("8600", "1234567", JMBG, "kom", "lj", ","),
)

amounts = st.integers(1, 40).map(lambda para: Money.of_para(para * 5_000))
lines = st.builds(
    lambda place, total, label: FiscalLine(
        NAMES[place],
        label,
        Quantity(1),
        total,
        total,
        sku=place + 1 if place % 2 else None,
        gtin=f"860000000{place:04d}" if place % 2 else None,
    ),
    st.integers(0, len(NAMES) - 1),
    amounts,
    st.sampled_from((TaxLabel.DJ, TaxLabel.DJ, TaxLabel.E)),
)
documents = st.builds(
    FiscalDocument,
    invoice_type=st.sampled_from((InvoiceType.NORMAL, InvoiceType.NORMAL, *InvoiceType)),
    transaction_type=st.sampled_from(TransactionType),
    lines=st.lists(lines, min_size=1, max_size=3).map(tuple),
    payments=st.lists(
        st.tuples(st.sampled_from(PaymentMethod), st.sampled_from((Money(0), Money(7)))), max_size=2
    ).map(tuple),
    cashier=st.sampled_from(CASHIERS),
    buyer=st.sampled_from(BUYERS),
)
moments = st.integers(0, 4 * 24 * 60).map(lambda minutes: FIRST + timedelta(minutes=minutes))


@st.composite
def receipts(draw: st.DrawFn) -> list[SignedRow]:
    """Draw receipts in the journal's order: a late one has an earlier time."""
    rows = []
    for place in range(draw(st.integers(0, 40))):
        at = draw(moments)
        counter = draw(st.sampled_from((place + 1, 100 * place + 7)))
        number = f"{draw(st.sampled_from(HEADS))}-{counter}"
        members = {
            "number": draw(st.sampled_from((number, number, number, f"Strani/{place}"))),
            "program": draw(st.sampled_from(PROGRAMS)),
            "chain": uuid.UUID(int=draw(st.integers(0, place))),
        }
        rows.append(model.row_of(place, at, draw(documents), **members))
    return rows


kinds = st.frozensets(
    st.builds(ReceiptKind, st.sampled_from(InvoiceType), st.sampled_from(TransactionType)),
    max_size=3,
)
queries = st.builds(
    ReceiptQuery,
    since=st.none() | moments,
    until=st.none() | moments,
    kinds=st.just(frozenset()) | kinds,
    payments=st.just(frozenset()) | st.frozensets(st.sampled_from(PaymentMethod), max_size=3),
    cashier=st.none() | st.sampled_from((*CASHIERS, "Нико")),
    program=st.none() | st.sampled_from((*PROGRAMS, "other")),
    buyer=st.sampled_from((None, None, *BUYERS, "10:987654321")),
    asks_e_invoice=st.sampled_from((False, False, True)),
    number=st.sampled_from(TYPED_NUMBERS),
    least=st.none() | amounts,
    most=st.none() | amounts,
    words=st.sampled_from(TYPED_WORDS),
    hour=st.none() | st.integers(0, 23),
    label=st.none() | st.sampled_from(TaxLabel),
    articles=st.just(frozenset()) | st.frozensets(st.sampled_from(ARTICLES), max_size=3),
)
simple = st.sampled_from(
    (
        *("kinds", "payments", "cashier", "program", "buyer", "number"),
        *("least", "words", "hour", "label", "articles"),
    )
)
"""Most real questions have one of these conditions."""


def pages(file: ReceiptIndexFile, query: ReceiptQuery, most: int) -> list[ListedReceipt]:
    rows, after = list[ListedReceipt](), None
    for _ in range(1000):
        page = file.page(query, after, most)
        assert len(page.rows) <= most
        rows += page.rows
        after = page.go_on
        if after is None:
            return rows
    raise AssertionError("the list has no end")


@settings(max_examples=examples(200, share=10))
@given(
    rows=receipts(),
    query=queries,
    only=simple | st.none(),
    most=st.integers(1, 50),
    few=st.sampled_from((0, 2, 10_000)),
)
def test_pages_are_what_looking_at_each_receipt_finds(
    rows: list[SignedRow], query: ReceiptQuery, only: str | None, most: int, few: int
) -> None:
    if only is not None:
        query = replace(EVERYTHING, **{only: getattr(query, only)})
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(questions, "FEW", few)
        path = Path(folder) / "list.db"
        model.written(path, rows)
        with closing(ReceiptIndexFile(path, Path(folder) / "none.db")) as file:
            told = pages(file, query, most)
            expected = model.matching_rows(rows, query)
            event(f"{min(len(expected), 3)} found")
            assert [one.list_position for one in told] == [
                ListPosition(row.at_ms, row.row) for row in expected
            ]
            for one, row in zip(told, expected, strict=True):
                assert (one.number, one.total, one.at) == (row.number, row.document.total, row.at)
                assert (one.kind, one.cashier) == (model.kind_of(row), row.document.cashier)
                assert one.asks_e_invoice is row.document.asks_e_invoice
            assert file.turnover(query).turnover == model.turnover_of(rows, query)


@settings(max_examples=examples(200, share=10))
@given(
    rows=receipts(),
    since=st.none() | moments,
    until=st.none() | moments,
    first=st.integers(-1, 4),
    length=st.integers(1, 4),
    of=kinds,
    query=queries,
    only=st.sampled_from(("payments", "cashier", "hour", "label", "articles")),
)
def test_the_turnover_of_a_period_is_exact(
    rows: list[SignedRow],
    since: datetime | None,
    until: datetime | None,
    first: int,
    length: int,
    of: frozenset[ReceiptKind],
    query: ReceiptQuery,
    only: str,
) -> None:
    """Whole days come from their sums; a label, methods or articles sum up their share alone."""
    day = FIRST.date() + timedelta(days=first)
    asked: dict[str, Any] = {only: getattr(query, only)}
    asked |= {"since": beginning_of(day), "until": beginning_of(day + timedelta(days=length))}
    of_days = replace(EVERYTHING, kinds=of, **asked)
    of_period = ReceiptQuery(since, until, of)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.db"
        model.written(path, rows)
        with closing(ReceiptIndexFile(path, Path(folder) / "none.db")) as file:
            assert file.turnover(of_period).turnover == model.turnover_of(rows, of_period)
            expected = model.turnover_of(rows, of_days)
            assert file.turnover(of_days).turnover == expected


def test_what_takes_too_long_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A period is always summed up, and so is the part of an article, as reports have it."""
    rows = list(islice(rows_of(1_000), 1_000))
    key = str(rows[0].document.lines[0].sku)
    article = ReceiptQuery(articles=frozenset({key}))
    words = ReceiptQuery(words=key)
    model.written(tmp_path / "list.db", rows)
    with closing(ReceiptIndexFile(tmp_path / "list.db", tmp_path / "none.db")) as file:
        told = file.turnover(article).turnover
        assert told is not None
        assert told.documents
        of_kind = replace(article, kinds=frozenset({model.kind_of(rows[0])}))
        assert file.turnover(of_kind).turnover == model.turnover_of(rows, of_kind)
        assert file.turnover(words).turnover is not None
        monkeypatch.setattr(questions, "MOST_WORK", 0)
        monkeypatch.setattr(questions, "_UNIT", 10)
        assert file.turnover(words).turnover is None
        assert file.turnover(article).turnover == replace(told, documents={})
        everything = file.turnover(EVERYTHING).turnover
        assert sum(everything.documents.values()) == 1_000
        assert file.page(words, None, 50).rows
