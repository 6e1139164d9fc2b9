"""Goods that are given away are paid by "other" and never turn into money (fiscal.md 6.7)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.operations import AdvancePayment, Operation
from pos_app.fiscalization.plans.advance import plan_advance
from pos_app.fiscalization.plans.planned import AdvanceOrder
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    NOON,
    PDF,
    Book,
    advance,
    closed,
    closing,
    fitting,
    known,
    line,
    payments,
    planned,
    sale,
    unknown,
)
from tests.unit.fiscalization.plans.test_refund import refunded, refunding

ELSEWHERE = "XYZW1234-XYZW1234-8652"
FREE = line("00: Гратис/ком", "Е", "3", "100.00", sku=1)
FREE_AFTER_A_BLANK = line(" 00: Гратис/ком", "Е", "3", "100.00", sku=1)
BREAD = line("Хлеб/ком", "Е", "2", "50.00", sku=2)
PART = line("11: Аванс", "Е", "1", "100.00")


def issued(name: str, paid: dict[str, Any], **members: Any) -> None:
    body = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": paid,
        "items": [
            {"quantity": 3, "unitPrice": 100, "article": {"name": name, "taxRateLabel": "Е"}},
            {"quantity": 2, "unitPrice": 50, "article": {"name": "Хлеб", "taxRateLabel": "Е"}},
        ],
        "receiptDelivery": {"pdf": True},
        **members,
    }
    planned(body)


OTHER = '"payments.other"'


BY_HAND = {
    "transactionType": "refund",
    "buyerId": "10:123456788",
    "referentDocumentNumber": ELSEWHERE,
    "referentDocumentDT": NOON.isoformat(),
}


@each("members", [{}, BY_HAND, {"invoiceType": "training"}])
@each("name", ["00: Гратис", " 00: Гратис", "\u00a000:Гратис"])
@each(
    ("paid", "fits"),
    [
        ({"card": 400}, False),
        ({"other": Decimal("299.99"), "card": Decimal("100.01")}, False),
        ({"other": 300, "card": 100}, True),
        ({"other": 400}, True),
    ],
)
def test_issued(name: str, paid: dict[str, Any], fits: bool, members: dict[str, Any]) -> None:
    with fitting(fits, OTHER):
        issued(name, paid, **members)


@each("given_away", [FREE, FREE_AFTER_A_BLANK])
@each(
    ("paid", "fits"),
    [
        ({"cash": "400.00"}, False),
        ({"card": "400.00"}, False),
        ({"other": "299.99", "cash": "100.01"}, False),
        ({"other": "300.00", "cash": "100.00"}, True),
    ],
)
def test_refunded(given_away: FiscalLine, paid: dict[str, str], fits: bool) -> None:
    book = Book(sale(given_away, BREAD, other="300.00", card="100.00"))
    with fitting(fits, OTHER):
        assert refunded(book, refunding(given=None, **paid))[0].document.total.amount == 400


@each("items", [(FREE, BREAD), (FREE_AFTER_A_BLANK, BREAD)])
@each(
    ("in_advance", "rest", "fits"),
    [
        ({"card": "100.00"}, {"cash": "300.00"}, False),
        ({"card": "100.00"}, {"other": "299.99", "cash": "0.01"}, False),
        ({"card": "100.00"}, {"other": "300.00"}, True),
        # An advance by "other" counts as paid by "other" at the closing.
        ({"other": "100.00"}, {"other": "200.00", "card": "100.00"}, True),
        ({"other": "100.00"}, {"other": "199.99", "card": "100.01"}, False),
    ],
)
def test_sold_with_the_closing_of_an_advance(
    items: tuple[FiscalLine, ...], in_advance: dict[str, str], rest: dict[str, str], fits: bool
) -> None:
    for order, told in ((known(*items), ()), (unknown(*items), items)):
        book = Book(advance(order, PART, **in_advance))
        with fitting(fits, OTHER):
            closed(book, closing(**rest), *told)


# --- an advance on it could never be closed ----------------------------------------------------


@each(
    ("paid", "fits"),
    [
        ({"card": 100}, True),
        ({"card": Decimal("100.01")}, False),
        ({"card": 100, "other": 300}, True),
        ({"cash": 50, "card": Decimal("50.01"), "other": 1}, False),
    ],
)
def test_money_in_advance_is_for_what_is_not_given_away(paid: dict[str, Any], fits: bool) -> None:
    with fitting(fits, '"payments"'):
        issued("00: Гратис", paid, invoiceType="advance")


@each(
    ("paid", "fits"),
    [({"card": "40.00"}, True), ({"card": "40.01"}, False), ({"other": "300.00"}, True)],
)
def test_the_same_of_a_further_payment(paid: dict[str, str], fits: bool) -> None:
    book = Book(advance(known(FREE, BREAD), line("11: Аванс", "Е", "1", "80.00"), card="80.00"))
    book.add(*refunded(book, refunding(card="20.00")), operation=Operation.REFUND)
    request = AdvancePayment(payments=payments(**paid), delivery=PDF)
    with fitting(fits, '"payments"'):
        plan_advance(receipt=book.links[0], chain=book.chain, request=request, basis=BASIS)


# --- the refund of an advance, whose lines are amounts ------------------------------------------

WITH_A_GIFT, ALL_SOLD = known(FREE, BREAD), known(line("Хлеб/ком", "Е", "8", "50.00", sku=2))
WHOLE = line("11: Аванс", "Е", "1", "400.00")
BY_BOTH = {"other": "300.00", "card": "100.00"}


@each(
    ("order", "before", "now", "fits"),
    [
        (WITH_A_GIFT, {}, {"cash": "400.00"}, False),
        (WITH_A_GIFT, {}, {"cash": "100.01"}, False),
        (WITH_A_GIFT, {}, {"voucher": "100.01"}, False),
        (WITH_A_GIFT, {}, {"cash": "100.00"}, True),
        (WITH_A_GIFT, {}, {"other": "300.00", "cash": "100.00"}, True),
        (WITH_A_GIFT, {}, {"other": "400.00"}, True),
        (WITH_A_GIFT, {"card": "60.00"}, {"cash": "40.00"}, True),
        (WITH_A_GIFT, {"card": "60.00"}, {"cash": "40.01"}, False),
        # Cash in place of the card's payment is still money: it is taken from the card's part.
        (WITH_A_GIFT, {"cash": "60.00"}, {"cash": "40.00"}, True),
        (WITH_A_GIFT, {"cash": "60.00"}, {"cash": "40.01"}, False),
        (WITH_A_GIFT, {"other": "300.00"}, {"cash": "100.00"}, True),
        (ALL_SOLD, {}, {"cash": "400.00"}, True),
    ],
)
def test_an_advance_on_a_gift_gives_back_no_more_money_than_came(
    order: AdvanceOrder, before: dict[str, str], now: dict[str, str], fits: bool
) -> None:
    book = Book(advance(order, WHOLE, **BY_BOTH))
    if before:
        book.add(*refunded(book, refunding(given=None, **before)), operation=Operation.REFUND)
    with fitting(fits, OTHER):
        refunded(book, refunding(given=None, **now))


def test_what_was_given_back_in_cash_leaves_what_other_paid() -> None:
    """Otherwise the closing would ask for it a second time."""
    book = Book(advance(WITH_A_GIFT, WHOLE, **BY_BOTH))
    book.add(*refunded(book, refunding(cash="50.00")), operation=Operation.REFUND)
    closed(book, closing(cash="50.00"))
