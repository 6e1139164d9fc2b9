"""A refund that was issued whole and should not have been is undone by a sale that refers to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.operations import Operation, Refunding
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import InvoiceType, IssueRequest, TransactionType
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.chain import ChainReceipt
from pos_app.fiscalization.plans.issue import plan_issue
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.fiscalization.refusals import NotSigned, WrongReceipt
from pos_app.selling.receipts.correction import cart_of
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    SELLER,
    Book,
    line,
    payments,
    sale,
)

BREAD = line("Хлеб/ком", "Е", "3", "58.99", sku=1)
CHEESE = line("Сир/кг", "Ђ", "1.560", "189.99", sku=2, total="296.38")


def refunded(**paid: str) -> Book:
    """A sale that was refunded whole."""
    book = Book(sale(BREAD, CHEESE, **paid))  # type: ignore[arg-type]
    give_back(book)
    return book


def give_back(book: Book, states: tuple[RequestState, ...] = ()) -> None:
    paid = {str(way): str(amount) for way, amount in book.links[0].planned.document.payments}
    asked = Refunding(payments=payments(**paid), delivery=PDF, buyer=BUYER)
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=asked, basis=BASIS)
    book.add(*planned, operation=Operation.REFUND, states=states)


def told(book: Book, place: int) -> ReceiptOverview:
    return overview_of(book.links[place], book.chain, jobs=(), origin="till")


def asked(book: Book, place: int = 1, **other: Any) -> IssueRequest:
    """The request that undoes that refund."""
    refund = told(book, place)
    request = IssueRequest(
        invoice_type=InvoiceType.NORMAL,
        transaction_type=TransactionType.SALE,
        items=cart_of(refund).items(),
        payments=payments(**{str(one.method): str(one.amount) for one in refund.payments}),
        delivery=replace(PDF, thermal=True, email="ana@example.com"),
        buyer=SELLER,
        referent_number=refund.number,
    )
    return replace(request, **other)


def planned(book: Book, request: IssueRequest, place: int = 1) -> PlannedReceipt:
    (receipt,) = plan_issue(
        request=request, referent=book.links[place], chain=book.chain, basis=BASIS
    )
    return receipt


def undo(book: Book) -> ChainReceipt:
    return book.add(planned(book, asked(book)))


@each("paid", [{"cash": "473.35"}, {"card": "300.00", "cash": "173.35"}])
def test_it_is_the_opposite_of_the_refund(paid: dict[str, str]) -> None:
    book = refunded(**paid)
    refund, made = book.links[1].planned.document, planned(book, asked(book))
    document = made.document
    assert document.kind == (InvoiceType.NORMAL, TransactionType.SALE)
    assert document.lines == tuple(replace(one, origin=None) for one in refund.lines)
    assert document.payments == refund.payments
    assert document.buyer == str(SELLER)
    reference = book.links[1].reference
    assert (document.referent_number, document.referent_time) == (reference.number, reference.time)
    assert made.is_reversal
    assert made.esir == EsirPart(is_reversal=True)
    assert (made.delivery.thermal, made.delivery.email) == (True, None)


def test_afterwards_the_sale_may_be_refunded_as_before() -> None:
    book = refunded(cash="473.35")
    assert told(book, 0).why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
    reversal = undo(book)
    sold = told(book, 0)
    assert sold.why_not(ReceiptAct.REFUND) is None
    assert Money.total(one.left_total for one in sold.lines) == Money("473.35")
    assert [one.is_undone for one in sold.chain] == [False, True, True, False]
    itself = overview_of(reversal, book.chain, jobs=(), origin="till")
    assert itself.why_not(ReceiptAct.REFUND) is WhyNot.IS_REVERSAL
    give_back(book)
    assert told(book, 0).why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
    undone_twice = told(book, 1)
    assert undone_twice.why_not(ReceiptAct.UNDO) is WhyNot.UNDONE
    assert told(book, 4).why_not(ReceiptAct.UNDO) is None


@each(
    ("other", "field"),
    [
        ({"buyer": BUYER}, "referentDocumentNumber"),
        ({"buyer": None}, "referentDocumentNumber"),
        ({"payments": payments(card="473.35")}, "payments"),
        ({"items": cart_of(told(refunded(cash="473.35"), 1)).items()[:1],
          "payments": payments(cash="176.97")}, "items"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(other: dict[str, Any], field: str) -> None:
    book = refunded(cash="473.35")
    with pytest.raises(Invalid) as told_why:
        planned(book, asked(book, **other))
    assert told_why.value.field == field


def test_it_is_undone_once_and_only_when_it_is_whole() -> None:
    book = Book(sale(BREAD, cash="176.97"))
    give_back(book, (RequestState.SIGNED, RequestState.NEEDS_HUMAN))
    assert told(book, 1).why_not(ReceiptAct.UNDO) is WhyNot.HALF_DONE
    with pytest.raises(NotSigned):
        planned(book, asked(book))
    book = refunded(cash="473.35")
    request = asked(book)
    book.add(planned(book, request), states=(RequestState.SENDING,))
    assert told(book, 1).why_not(ReceiptAct.UNDO) is WhyNot.UNDER_WAY
    with pytest.raises(NotSigned):
        planned(book, request)
    book = refunded(cash="473.35")
    undo(book)
    with pytest.raises(Invalid, match="undone"):
        planned(book, asked(book))


def test_what_is_no_refund_is_not_undone() -> None:
    book = refunded(cash="473.35")
    reasons = [told(book, place).why_not(ReceiptAct.UNDO) for place in range(3)]
    assert reasons == [WhyNot.NOT_A_REFUND, None, WhyNot.IS_COPY]
    with pytest.raises((Invalid, WrongReceipt)):
        planned(book, asked(book, place=0), place=0)
    unnamed = replace(BASIS, seller=None)
    with pytest.raises(Invalid):
        plan_issue(request=asked(book), referent=book.links[1], chain=book.chain, basis=unnamed)
