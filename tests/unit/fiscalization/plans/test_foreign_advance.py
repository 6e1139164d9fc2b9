"""Another system's advance: refunded by hand, then sold by the refund (fiscal.md 6.2, 6.3, 6.6)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.esir_part import AdvanceFigures, ReceiptReference
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.refusals import NotSigned
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    NOON,
    Book,
    advance,
    known,
    line,
    number_of,
    planned,
    reference,
)
from tests.unit.fiscalization.plans.test_refund import refunded, refunding

ELSEWHERE = "XYZW1234-XYZW1234-8652"
PAID_THERE = NOON - timedelta(days=1)
TABLE = {"name": "Сто", "taxRateLabel": "Ђ"}
REFUND: dict[str, Any] = {
    "invoiceType": "advance", "transactionType": "refund", "buyerId": "10:123456788",
    "referentDocumentNumber": ELSEWHERE,
    "referentDocumentDT": PAID_THERE.isoformat(),
    "payments": {"card": 60},
    "items": [{"quantity": 1, "unitPrice": 60, "article": TABLE}],
    "receiptDelivery": {"pdf": True},
}  # fmt: skip
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "referentDocumentNumber": number_of(1),
    "payments": {"card": 40},
    "items": [{"quantity": 1, "unitPrice": 100, "article": TABLE}],
    "receiptDelivery": {"pdf": True},
}


def given_back(**paid: int) -> Book:
    book = Book()
    book.add(*planned(REFUND | {"payments": paid or {"card": 60}}, book))
    return book


@each("paid", [{"card": 40}, {"cash": 40}, {"cash": 50}, {"card": 30, "cash": 20}])
def test_the_sale_covers_what_the_advance_left(paid: dict[str, int]) -> None:
    (sale,) = planned(SALE | {"payments": paid}, given_back(), 0)
    assert sale.document.total == Money(100)
    assert {method.value: amount.amount for method, amount in sale.document.payments} == paid
    told = (sale.document.referent_number, sale.document.referent_time)
    assert told == (number_of(1), reference(1).time)
    assert sale.esir.advance == AdvanceFigures(Money(60), Money(10), Money(40))
    assert sale.esir.last_advance == ReceiptReference(ELSEWHERE, PAID_THERE)


@each(
    ("change", "field", "words"),
    [
        ({"payments": {"card": 100}}, "payments", "what remains after the advances: 40.00"),
        ({"payments": {"card": 39}}, "payments", "what remains after the advances: 40.00"),
        ({"payments": {"cash": 39}}, "payments", "what remains after the advances: 40.00"),
        ({"payments": {"card": 41}}, "payments", "what remains after the advances: 40.00"),
        ({"items": [SALE["items"][0] | {"unitPrice": 59}], "payments": {"cash": 0}}, "items",
         "60.00 is paid in advance, more than the items 59.00"),
        ({"totalAmount": 40}, "totalAmount", "the sum of the items 100.00"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(change: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(Invalid, match=words) as refusal:
        planned(SALE | change, given_back(), 0)
    assert refusal.value.field == field


def test_what_is_given_away_may_have_been_paid_by_other_there() -> None:
    gift = SALE | {"items": [SALE["items"][0] | {"article": TABLE | {"name": "00: Сто"}}]}
    with pytest.raises(Invalid, match="given away"):
        planned(gift, given_back(), 0)
    with pytest.raises(Invalid, match="given away"):
        planned(gift | {"payments": {"other": 40}}, given_back(), 0)
    planned(gift | {"payments": {"other": 40}}, given_back(other=60), 0)


@each("state", RequestState)
def test_a_refund_finishes_one_sale(state: RequestState) -> None:
    book = given_back()
    book.add(*planned(SALE, book, 0), states=(state,))
    match state:
        case RequestState.RELEASED | RequestState.REJECTED | RequestState.CANCELLED:
            planned(SALE, book, 0)
        case RequestState.SIGNED:
            with pytest.raises(Invalid, match=number_of(2)) as refusal:
                planned(SALE, book, 0)
            assert refusal.value.field == "referentDocumentNumber"
        case _:
            with pytest.raises(NotSigned) as waits:
                planned(SALE, book, 0)
            assert waits.value.answer_class is AnswerClass.WAIT


def test_a_refund_whose_copy_is_still_to_come_waits() -> None:
    book = Book()
    pair = planned(REFUND | {"payments": {"cash": 60}}, book)
    book.add(*pair, states=(RequestState.SIGNED, RequestState.RELEASED))
    with pytest.raises(NotSigned) as refusal:
        planned(SALE, book, 0)
    assert refusal.value.answer_class is AnswerClass.WAIT


def test_an_advance_of_this_journal_is_closed_by_its_own_operation() -> None:
    book = Book()
    table = line("Сто", "Ђ", "1", "100.00")
    book.add(advance(known(table), line("10: Аванс", "Ђ", "1", "60.00"), card="60.00"))
    book.add(*refunded(book, refunding(card="60.00")), operation=Operation.REFUND)
    with pytest.raises(Invalid, match="the operation on that advance") as refusal:
        planned(SALE | {"referentDocumentNumber": number_of(2)}, book, 1)
    assert refusal.value.field == "referentDocumentNumber"
