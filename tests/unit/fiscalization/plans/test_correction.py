"""Another second receipt for a pair with a signed first: permitted differences, contradictions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import CostCentre
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.operations import Closing, Operation
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.correction import corrected_second
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BUYER,
    PDF,
    SELLER,
    Book,
    advance,
    closed,
    closing,
    known,
    line,
    sale,
    unknown,
)
from tests.unit.fiscalization.plans.test_refund import refunded, refunding

TABLE = line("Сто/ком", "Ђ", "1", "12000.00", sku=7)
BREAD = line("Хлеб/ком", "Е", "3", "100.00", sku=1)
PART = line("10: Аванс", "Ђ", "1", "4000.00")


def begun(order: AdvanceOrder) -> Book:
    return Book(advance(order, PART, card="4000.00"))


def corrected(book: Book, request: Closing, *items: FiscalLine) -> PlannedReceipt:
    """The second receipt of a closing of 12,000 by card whose first second receipt was refused."""
    signed, _ = closed(book, closing(card="8000.00"))
    plan = closed(book, request, *items, corrects=True)
    return corrected_second(operation=Operation.CLOSE, signed=signed, plan=plan)


def test_the_sale_of_a_closing_may_name_another_buyer_and_be_paid_otherwise() -> None:
    request = replace(closing(cash="8000.00"), buyer=BUYER, additional_text="Хвала")
    second = corrected(begun(known(TABLE)), request)
    assert second.follows == 0
    assert second.document.buyer == str(BUYER)
    assert second.document.lines == (TABLE,)
    assert second.esir.additional_text == "Хвала"
    unknown_before = corrected(begun(unknown(TABLE)), closing(card="5000.00"))
    assert unknown_before.document.total == Money(9000), "it was not known, so it may be another"


@each("order", [known(TABLE), unknown(TABLE)])
def test_other_items_of_the_same_worth_may_be_sold(order: AdvanceOrder) -> None:
    other = line("Сто писаћи/ком", "Ђ", "1", "12000.00")
    second = corrected(begun(order), closing(card="8000.00"), other)
    assert second.document.lines == (other,)
    with pytest.raises(Invalid) as refusal:
        closed(begun(known(TABLE)), closing(card="8000.00"), TABLE)
    assert refusal.value.field == "items", "a first closing names none of a known advance"


@each(
    ("order", "request_", "items", "field", "words"),
    [
        (known(TABLE), closing(card="7999.99"), (), "payments", "8000.00"),
        (known(TABLE), closing(card="8100.00"), (line("Сто", "Ђ", "1", "12100.00"),), "items",
         "12000.00"),
        (unknown(TABLE), Closing(payments=Payments(), delivery=PDF),
         (line("Сто", "Ђ", "1", "3999.99"),), "items", "4000.00 is signed as refunded"),
        (unknown(TABLE), closing(card="100.00"), (line("Сто", "Ђ", "1", "9000.00"),), "payments",
         "5000.00"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_refund_that_is_signed_names_its_field(
    order: AdvanceOrder, request_: Closing, items: tuple[FiscalLine, ...], field: str, words: str
) -> None:
    with pytest.raises(Invalid, match=words) as refusal:
        corrected(begun(order), request_, *items)
    assert refusal.value.field == field


def sold() -> Book:
    return Book(sale(BREAD, cash="300.00"))


def test_the_copy_may_name_another_cashier_and_no_more() -> None:
    book = sold()
    signed, copy = refunded(book, refunding((1, "2"), cash="200.00"))
    other = replace(signed, document=replace(signed.document, cashier="Б"))
    second = corrected_second(
        operation=Operation.REFUND, signed=signed, plan=(other, replace(copy, delivery=PDF))
    )
    assert second.document.invoice_type is InvoiceType.COPY


SELLERS = replace(refunding((1, "2"), cash="200.00"), buyer=SELLER)


@each(
    ("request_", "field"),
    [
        (SELLERS, "buyerId"),
        (refunding((1, "1"), cash="100.00"), "payments"),
        (refunding((1, "2"), card="200.00"), "payments"),
        (refunding((1, "2"), cash="100.00", card="100.00"), "payments"),
        (replace(refunding((1, "2"), cash="200.00"), cost_centre=CostCentre.parse("20:AB123")),
         "buyerCostCenterId"),
    ],
)  # fmt: skip
def test_what_stands_in_the_refund_can_t_be_another(request_: object, field: str) -> None:
    book = sold()
    signed, _ = refunded(book, refunding((1, "2"), cash="200.00"))
    assert isinstance(request_, type(SELLERS))
    with pytest.raises(Invalid, match="is signed") as refusal:
        corrected_second(operation=Operation.REFUND, signed=signed, plan=refunded(book, request_))
    assert refusal.value.field == field


def test_other_lines_of_the_same_worth_are_other_items() -> None:
    book = Book(sale(BREAD, line("Млеко/л", "Е", "3", "100.00", sku=2), cash="600.00"))
    signed, _ = refunded(book, refunding((1, "2"), cash="200.00"))
    plan = refunded(book, refunding((2, "2"), cash="200.00"))
    with pytest.raises(Invalid) as refusal:
        corrected_second(operation=Operation.REFUND, signed=signed, plan=plan)
    assert refusal.value.field == "items"


def test_another_split_of_an_advance_is_its_specification() -> None:
    both = known(TABLE, line("Књига/ком", "Е", "1", "6000.00", sku=8))
    book = Book(advance(both, PART, line("11: Аванс", "Е", "1", "2000.00"), card="6000.00"))
    signed, _ = refunded(book, refunding(cash="300.00"))
    other = refunding(given={"specification": {TaxLabel.DJ: Money(300)}}, cash="300.00")
    with pytest.raises(Invalid) as refusal:
        corrected_second(operation=Operation.REFUND, signed=signed, plan=refunded(book, other))
    assert refusal.value.field == "advanceSpecification"
