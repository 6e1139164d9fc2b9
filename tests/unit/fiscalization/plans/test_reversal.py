"""A refund that never should have been, undone by a sale: the chain afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.operations import AdvancePayment, Closing, Operation
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.reversal import plan_reversal
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    SELLER,
    Book,
    advance,
    closed,
    closing,
    known,
    line,
    number_of,
    paid_on,
    payments,
    reference,
    sale,
)
from tests.unit.fiscalization.plans.test_refund import refunded, refunding

TABLE = line("Сто/ком", "Ђ", "1", "12000.00", sku=7)
BOOK = line("Књига/ком", "Е", "1", "6000.00", sku=8)
DJ_PART = line("10: Аванс", "Ђ", "1", "4000.00")
E_PART = line("11: Аванс", "Е", "1", "2000.00")
BREAD = line("Хлеб/ком", "Е", "3", "100.00", sku=1)
REST = closing(card="12000.00")
REFUSED = RequestState.NEEDS_HUMAN


def undone(book: Book, pair: tuple[PlannedReceipt, ...], operation: Operation) -> PlannedReceipt:
    """The reversal, signed in place of the second receipt of that pair."""
    refund, refused = pair
    reversal = plan_reversal(refund=refund, refused=refused, basis=BASIS)
    book.add(refund, reversal, operation=operation)
    return book.links[-1].planned


def closing_of(book: Book, request: Closing = REST) -> tuple[PlannedReceipt, PlannedReceipt]:
    return closed(book, request)


def an_advance(*, buyer: str | None = None) -> Book:
    book = Book()
    order = known(TABLE, BOOK)
    book.add(advance(order, DJ_PART, E_PART, buyer=buyer, card="5000.00", cash="1000.00"))
    return book


def sold() -> Book:
    return Book(sale(BREAD, cash="300.00"))


def test_the_advance_comes_back_as_it_was_paid_and_refers_to_its_refund() -> None:
    book = an_advance(buyer=str(BUYER))
    reversal = undone(book, closing_of(book), Operation.CLOSE)
    document = reversal.document
    told = (document.invoice_type, document.transaction_type)
    assert told == (InvoiceType.ADVANCE, TransactionType.SALE)
    assert document.referent_number == number_of(2)
    assert document.referent_time == reference(2).time
    assert document.by_label == {TaxLabel.DJ: Money(4000), TaxLabel.E: Money(2000)}
    seen = dict(document.payments)
    assert seen == {PaymentMethod.CARD: Money(5000), PaymentMethod.CASH: Money(1000)}
    assert document.buyer == str(SELLER)


def test_the_next_operations_refer_to_the_reversal() -> None:
    book = an_advance()
    undone(book, closing_of(book), Operation.CLOSE)
    refund, sold_now = closing_of(book)
    assert refund.document.referent_number == number_of(3)
    assert refund.document.total == Money(6000)
    told = dict(refund.document.payments)
    assert told == {PaymentMethod.CARD: Money(5000), PaymentMethod.CASH: Money(1000)}
    figures = sold_now.esir.advance
    assert figures is not None
    assert (figures.paid, figures.remaining) == (Money(6000), Money(12_000))
    assert figures.vat == Money(
        "848.49"
    )  # 4000 × 20/120 = 666.67, 2000 × 10/110 = 181.82: counted once
    back = refunded(book, refunding(card="6000.00"))
    assert back[0].document.referent_number == number_of(3)


@each("buyer", [None, str(BUYER)])
def test_the_shop_s_own_number_on_it_is_no_buyer_of_what_comes_after(buyer: str | None) -> None:
    book = an_advance(buyer=buyer)
    undone(book, closing_of(book), Operation.CLOSE)
    _, sold_now = closing_of(book)
    assert sold_now.document.buyer == buyer
    payment = paid_on(book, AdvancePayment(payments=payments(card="1.00"), delivery=PDF))
    assert payment.document.buyer == buyer
    assert payment.document.referent_number == number_of(3)


@each("state", [RequestState.QUEUED, RequestState.UNKNOWN, REFUSED])
def test_until_it_is_signed_the_pair_is_half_done(state: RequestState) -> None:
    book = an_advance()
    refund, refused = closing_of(book)
    reversal = plan_reversal(refund=refund, refused=refused, basis=BASIS)
    signed_one = (RequestState.SIGNED, state)
    book.add(refund, reversal, operation=Operation.CLOSE, states=signed_one)
    assert [link.reference.number for link in book.chain.half_done] == [number_of(2)]
    assert book.chain.paid_in_advance == Money.ZERO


def a_refund(book: Book, quantity: str = "2", amount: str = "200.00") -> tuple[PlannedReceipt, ...]:
    return refunded(book, refunding((1, quantity), cash=amount))


def test_what_an_advance_was_paid_by_is_the_same_again() -> None:
    """Also where the undone refund used another method than the payments."""
    book = an_advance()
    book.add(*refunded(book, refunding(wiretransfer="4500.00")), operation=Operation.REFUND)
    before = book.chain
    undone(book, refunded(book, refunding(cash="1500.00")), Operation.REFUND)
    after = book.chain
    assert after.paid_by_method == before.paid_by_method
    assert after.paid_by_label == before.paid_by_label
    assert after.vat_in_advance(()) == before.vat_in_advance(())
    assert (after.buyer, after.given_back) == (before.buyer, before.given_back)


def test_its_paper_stays_in_the_shop() -> None:
    book = sold()
    refund, refused = a_refund(book)
    asked = ReceiptDelivery(thermal=True, a4=True, email="kupac@primer.rs", pdf=True)
    reversal = plan_reversal(refund=refund, refused=replace(refused, delivery=asked), basis=BASIS)
    assert reversal.delivery == ReceiptDelivery(thermal=True, a4=True)
    assert reversal.esir == EsirPart(is_reversal=True)
    with pytest.raises(NotAllowed, match="PIB"):
        plan_reversal(refund=refund, refused=refused, basis=replace(BASIS, seller=None))
