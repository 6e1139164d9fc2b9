"""Refunds of a sale by lines, of an advance by label (fiscal.md 6.4, platform-contract.md 2.19)."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import CostCentre
from pos_app.domain.receipt.operations import Operation, RefundedItem, Refunding
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.chain import LineRest
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.refund import plan_refund, refunded_lines
from pos_app.fiscalization.plans.refund_line_choice import ways_to_take
from pos_app.fiscalization.refusals import NotSigned
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    Book,
    advance,
    known,
    line,
    number_of,
    payments,
    sale,
)

BREAD = line("Хлеб/ком", "Е", "3", "89.99", sku=1)
CHEESE = line("Сир/кг", "Е", "0.347", "1299.90", sku=2, total="451.07")
BAG = line("Кеса/ком", "Ђ", "2", "5.00", sku=3)
SOLD = sale(BREAD, CHEESE, BAG, cash="731.04")


def refunding(
    *items: tuple[int, str], given: dict[str, Any] | None = None, **paid: str
) -> Refunding:
    return Refunding(
        payments=payments(**paid),
        delivery=PDF,
        buyer=BUYER,
        **{"items": tuple(RefundedItem(Quantity(many), sku=sku) for sku, many in items)}
        | (given or {}),
    )


def by_label(label: TaxLabel, amount: Money, **paid: str) -> Refunding:
    return refunding(given={"specification": {label: amount}}, **paid)


def refunded(book: Book, request: Refunding, of: int = 0) -> tuple[PlannedReceipt, ...]:
    return plan_refund(receipt=book.links[of], chain=book.chain, request=request, basis=BASIS)


def test_a_cash_refund_is_followed_by_the_copy_that_the_customer_signs() -> None:
    book = Book(SOLD)
    refund, copy = refunded(book, refunding((1, "1"), cash="50.00", card="39.99"))
    assert copy.follows == 0
    assert copy.document.invoice_type is InvoiceType.COPY
    assert copy.document.transaction_type is TransactionType.REFUND
    assert copy.document.referent_number is None
    assert copy.document.lines == refund.document.lines
    assert copy.document.payments == refund.document.payments
    signed = copy.after(book.links[0].reference)
    assert signed.document.referent_number == number_of(1)


def test_partial_refunds_add_up_to_the_line_whatever_the_rounding() -> None:
    """0.347 kg for 451.07: three parts round to 150.00 + 150.00, the last takes the rest."""
    book = Book(SOLD)
    totals = []
    for many, paid in (("0.115", "149.49"), ("0.116", "150.79"), ("0.116", "150.79")):
        (refund,) = refunded(book, refunding((2, many), card=paid))
        totals.append(refund.document.total)
        book.add(refund, operation=Operation.REFUND)
    assert Money.total(totals) == CHEESE.total
    with pytest.raises(Invalid) as refusal:
        refunded(book, refunding((2, "0.001"), card="1.30"))
    assert refusal.value.field == "items[0].sku"


@each(
    ("request_", "field", "words"),
    [
        (refunding((9, "1"), card="1.00"), "items[0].sku", "9 is not on the receipt"),
        (refunding((1, "4"), card="1.00"), "items[0].quantity", "can still be refunded: 3$"),
        (refunding((1, "2"), (1, "2"), card="1"), "items[1].quantity", "can still be refunded: 1$"),
        (refunding((2, "1"), card="1.00"), "items[0].quantity", "can still be refunded: 0.347$"),
        (refunding((1, "3"), (1, "1"), card="1"), "items[1].quantity", "can still be refunded: 0$"),
        (refunding(given={"items": (RefundedItem(Quantity.ONE, sku=2, line=0),)}, card="89.99"),
         "items[0].sku", "2 is not the article of line 0$"),
        (refunding((1, "1"), card="89.98"), "payments", "exactly what is refunded: 89.99"),
        (refunding((1, "1"), cash="90.00"), "payments", "exactly what is refunded: 89.99"),
        (by_label(TaxLabel.E, Money(1), card="731.04"),
         "advanceSpecification", "refund of an advance only"),
        (refunding(given={"cost_centre": CostCentre.parse("50:1")}, card="731.04"),
         "buyerCostCenterId", "voucher"),
    ],
)  # fmt: skip
def test_a_refund_that_does_not_fit_names_its_field(
    request_: Refunding, field: str, words: str
) -> None:
    book = Book(SOLD)
    with pytest.raises(Invalid, match=words) as refusal:
        refunded(book, request_)
    assert refusal.value.field == field


def test_what_an_open_refund_holds_is_to_be_waited_for() -> None:
    book = Book(SOLD)
    (first,) = refunded(book, refunding((1, "2"), card="179.98"))
    book.add(first, operation=Operation.REFUND, states=(RequestState.UNKNOWN,))
    with pytest.raises(NotSigned) as refusal:
        refunded(book, refunding((1, "2"), card="179.98"))
    assert refusal.value.answer_class is AnswerClass.WAIT
    (other,) = refunded(book, refunding((1, "1"), card="89.99"))
    assert other.document.total == Money("89.99")
    failed = Book(SOLD)
    (whole,) = refunded(failed, refunding(card="731.04"))
    failed.add(whole, operation=Operation.REFUND, states=(RequestState.RELEASED,))
    assert refunded(failed, refunding(card="731.04")), "one that surely failed holds nothing"


@given(price=st.integers(1, 500_00), grams=st.lists(st.integers(1, 2_000), min_size=1, max_size=6))
def test_never_more_is_refunded_than_was_sold(price: int, grams: list[int]) -> None:
    quantity = Quantity(Decimal(sum(grams)) / 1000)
    each = Money(Decimal(price) / 100)
    sold = line("Сир/кг", "Е", str(quantity.amount), str(each), sku=2)
    book = Book(sale(sold, card=str(sold.total)))
    back = Money.ZERO
    for gram in grams:
        rest = book.chain.rest_of(book.links[0])[0]
        amount = rest.part(Decimal(gram) / 1000)
        (refund,) = refunded(book, refunding((2, str(Decimal(gram) / 1000)), card=str(amount)))
        back += refund.document.total
        assert refund.document.total >= Money.ZERO
        assert back <= sold.total
        book.add(refund, operation=Operation.REFUND)
    assert back == sold.total


TABLE = line("Сто/ком", "Ђ", "1", "12000.00", sku=7)
BOOK = line("Књига/ком", "Е", "1", "6000.00", sku=8)
DJ_PART = line("10: Аванс", "Ђ", "1", "4000.00")
E_PART = line("11: Аванс", "Е", "1", "2000.00")


@each(
    ("request_", "field"),
    [
        (refunding(card="6000.01"), "payments"),
        (refunding(), "payments"),
        (refunding((7, "1"), card="100.00"), "items"),
        (by_label(TaxLabel.G, Money(100), card="100.00"), "advanceSpecification.Г"),
        (by_label(TaxLabel.E, Money("2000.01"), card="2000.01"), "advanceSpecification.Е"),
        (by_label(TaxLabel.E, Money(99), card="100.00"), "advanceSpecification"),
    ],
)  # fmt: skip
def test_an_advance_is_never_given_back_beyond_what_was_paid(
    request_: Refunding, field: str
) -> None:
    book = Book(advance(known(TABLE, BOOK), DJ_PART, E_PART, card="6000.00"))
    with pytest.raises(Invalid) as refusal:
        refunded(book, request_)
    assert refusal.value.field == field


# --- the possible sums of lines of one article, compared with trying everything ------------------


LINES = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 500)), min_size=1, max_size=4)


def rests_of(lines: list[tuple[int, int]]) -> tuple[LineRest, ...]:
    """Lines of article 1: pieces, and the price of all of them in para."""
    sold = [
        line("Хлеб", "Е", str(many), "1.00", sku=1, total=str(Money.of_para(cost)))
        for many, cost in lines
    ]
    return tuple(
        LineRest(place, one, one.quantity.amount, one.total) for place, one in enumerate(sold)
    )


@given(LINES, st.data())
def test_every_sum_of_whole_pieces_is_found_and_no_other(
    lines: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Some pieces are named by their line; others of the article by its code alone."""
    rests = rests_of(lines)
    named = [data.draw(st.integers(0, many)) for many, _ in lines]
    free = [many - much for (many, _), much in zip(lines, named, strict=True)]
    wanted = data.draw(st.integers(0, sum(free)))
    possible = {
        Money.total(
            rest.part(Decimal(much + more))
            for rest, much, more in zip(rests, named, taken, strict=True)
        )
        for taken in product(*(range(many + 1) for many in free))
        if sum(taken) == wanted
    }
    items = [RefundedItem(Quantity(much), line=place) for place, much in enumerate(named) if much]
    if wanted:
        items.append(RefundedItem(Quantity(wanted), sku=1))
    ways = ways_to_take(rests, items)
    assert set(ways) == possible
    for total, limited in ways.items() if items else ():
        made = refunded_lines(limited, tuple(items))
        assert Money.total(one.total for one in made) == total
        assert sum(one.quantity.amount for one in made) == wanted + sum(named)
