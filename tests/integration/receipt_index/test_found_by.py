"""What a signed receipt is found by: each rule by its own example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.reports import ReportReader
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt_list import EVERYTHING, ListState, ReceiptQuery
from pos_app.domain.receipt.reports import Grouping, ReportAsked
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from tests.integration.receipt_index import model

NOON = datetime(2026, 3, 27, 11, tzinfo=UTC)
JMBG = "0101990710008"


def line(name: str, **members: Any) -> FiscalLine:
    return FiscalLine(name, TaxLabel.DJ, Quantity(1), Money(100), Money(100), **members)


SALE = FiscalDocument(
    invoice_type=InvoiceType.NORMAL,
    transaction_type=TransactionType.SALE,
    lines=(line("Ћуфте у сосу/kg", sku=7, gtin="08600000000018"), line("Хлеб 1/2/ком")),
    payments=((PaymentMethod.CARD, Money(150)), (PaymentMethod.CASH, Money(50))),
    cashier="Милица Ђурић",
)


def signed(place: int, document: FiscalDocument) -> SignedRow:
    return model.row_of(place, NOON + timedelta(minutes=place), document)


@contextmanager
def listed(folder: Path, documents: Sequence[FiscalDocument]) -> Iterator[ReceiptIndexFile]:
    model.written(folder / "list.db", [signed(*one) for one in enumerate(documents)])
    with closing(ReceiptIndexFile(folder / "list.db", folder / "none.db")) as file:
        yield file


def found(file: ReceiptIndexFile, **asked: Any) -> int:
    """Return the number of receipts that a query finds."""
    return len(file.page(replace(EVERYTHING, **asked), None, 50).rows)


def test_words_are_folded_and_have_the_codes_but_not_the_unit(tmp_path: Path) -> None:
    with listed(tmp_path, [SALE]) as file:
        for typed in (
            *("cufte", "ЋУФ", "sosu ćufte", "7", "08600000000018", "8600000000018", "860"),
            *("hleb 2", "1 hleb", "milica", "đur", "djuric mil"),
        ):
            assert found(file, words=typed) == 1, typed
        for typed in ("kg", "kom", "ufte", "hleb cufte", "milica cufte", "card", "till", ","):
            assert found(file, words=typed) == 0, typed


def test_an_article_twice_on_a_receipt_is_one_of_its_articles(tmp_path: Path) -> None:
    """Its lines are one sum, and the receipt is counted once, also where the names differ."""
    soup = line("Ћуфте/kg", sku=7, gtin="08600000000018")
    with listed(tmp_path, [replace(SALE, lines=(*SALE.lines * 2, soup))]) as file:
        assert found(file, words="cufte") == 1
        told = file.turnover(ReceiptQuery(articles=frozenset({"7"}))).turnover
        assert told is not None
        assert (told.receipts, told.net, told.is_part) == (1, 300, True)
    asked = ReportAsked(Grouping.ARTICLE, NOON.date(), NOON.date())
    rows = ReportReader(tmp_path / "list.db").report(asked, ListState(1, 1)).rows
    assert {row.key: (row.receipts, row.net, row.quantity) for row in rows} == {
        "7": (1, 300, 3),
        "Хлеб 1/2": (1, 200, 2),
    }


def test_a_report_names_an_article_as_its_newest_receipt_does(tmp_path: Path) -> None:
    """Words find the receipt by the name that was printed."""
    named = ("Чоколада/ком", "Чоко бела/ком", "Чоко млечна/ком")
    documents = [replace(SALE, lines=(line(name, sku=9),)) for name in named]
    training = replace(documents[2], invoice_type=InvoiceType.TRAINING)
    with listed(tmp_path, [*documents[:2], training]) as file:
        assert found(file, words="čoko") == 3
        assert found(file, words="čokolada") == 1
        assert found(file, articles=frozenset({"9"})) == 3
    asked = ReportAsked(Grouping.ARTICLE, NOON.date(), NOON.date())
    (row,) = ReportReader(tmp_path / "list.db").report(asked, ListState(3, 3)).rows
    assert (row.key, row.name, row.receipts) == ("9", "Чоко бела", 2)


def test_what_paid_nothing_is_no_payment(tmp_path: Path) -> None:
    closed = replace(SALE, payments=((PaymentMethod.CASH, Money.ZERO),))
    with listed(tmp_path, [SALE, closed]) as file:
        rows = file.page(EVERYTHING, None, 50).rows
        assert [row.payments for row in rows] == [(), (PaymentMethod.CASH, PaymentMethod.CARD)]
        assert found(file, payments=frozenset({PaymentMethod.CASH})) == 1


def test_what_asks_an_e_invoice(tmp_path: Path) -> None:
    public = replace(SALE, buyer="12:123456788:12345")
    documents = [
        public,
        replace(SALE, buyer="10:123456788"),
        replace(SALE, buyer="10:123456788", cost_centre="50:1"),
        replace(public, invoice_type=InvoiceType.PROFORMA),
    ]
    with listed(tmp_path, documents) as file:
        rows = file.page(ReceiptQuery(asks_e_invoice=True), None, 50).rows
        assert [row.number[-1] for row in rows] == ["3", "1"]


def test_a_firm_is_found_by_its_number(tmp_path: Path) -> None:
    with listed(tmp_path, [SALE, replace(SALE, buyer="12:123456788:12345")]) as file:
        (row,) = file.page(ReceiptQuery(words="1234567"), None, 50).rows
        assert row.buyer == "12:123456788:12345"
        assert found(file, words="12345 123456788") == 1
        assert found(file, buyer="12:123456788:12345") == 1


@pytest.mark.parametrize("buyer", [f"11:{JMBG}", "20:003456789", "99:of no codebook"])
def test_a_persons_number_is_not_kept(tmp_path: Path, buyer: str) -> None:
    """No part of it is kept either: the receipt is found by the whole number alone."""
    with listed(tmp_path, [replace(SALE, buyer=buyer)]) as file:
        (row,) = file.page(EVERYTHING, None, 50).rows
        assert row.buyer == buyer[:2]
        assert found(file, buyer=buyer) == 1
        assert found(file, words=buyer[3:]) == (buyer[:2] != "99")
        assert found(file, words=f" {buyer[3:]} ") == (buyer[:2] != "99")
        assert found(file, words=buyer[3:-1]) == 0
    for path in tmp_path.iterdir():
        assert buyer[3:].encode() not in path.read_bytes()


def test_a_number_is_put_together_again(tmp_path: Path) -> None:
    numbers = (
        *("ABCD1234-abcd1234-8597", "ABCD1234-ABCD1234-1", "ABCD1234-ABCD1234-0597"),
        *("ABCD1234-ABCD1234-" + "9" * 32, "A-B-७", "8597", "-5", ""),
    )
    rows = [replace(signed(place, SALE), number=one) for place, one in enumerate(numbers)]
    model.written(tmp_path / "list.db", rows)
    with closing(ReceiptIndexFile(tmp_path / "list.db", tmp_path / "none.db")) as file:
        told = file.page(EVERYTHING, None, 50).rows
        assert [row.number for row in told] == [*reversed(numbers)]
        assert found(file, number="abcd1234-8597") == found(file, number="8597") == 1
