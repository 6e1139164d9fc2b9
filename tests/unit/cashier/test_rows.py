"""The cart in words: rows with old and new prices, facts, tax, badges."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.rows import CartState
from pos_app.cashier.words import cart_texts
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine
from pos_app.domain.receipt.request import FrozenArticle

WORDS = Texts()
NOW = datetime(2026, 11, 20, tzinfo=UTC)
RATES = TaxRates(datetime(2020, 1, 1, tzinfo=UTC), {"Ђ": Decimal(20), "Е": Decimal(10)})


def line(number: int = 1, price: str = "349.99", quantity: str = "1", **more: object) -> CartLine:
    frozen = FrozenArticle("Кафа", TaxLabel.DJ, str(more.pop("unit", "ком")))
    weighed = bool(more.pop("by_weight", False))
    article = CartArticle(f"a{number}", number, frozen, Money(price), weighed)
    made = CartLine(number, article, Quantity(quantity), Money(price))
    return replace(made, **more)  # type: ignore[arg-type]


def test_a_plain_row() -> None:
    row = cart_texts.cart_row(line(quantity="2"), WORDS, is_current=True)
    assert (row.quantity, row.unit_price, row.unit, row.total) == ("2", "349,99", "ком", "699,98")
    assert (row.old_unit_price, row.old_total, row.discount) == (None, None, None)
    assert row.state is CartState.CURRENT


def test_a_discount_shows_old_and_new_price() -> None:
    row = cart_texts.cart_row(line(discount=Percent(Decimal(20))), WORDS, is_current=False)
    assert (row.old_unit_price, row.unit_price, row.discount) == ("349,99", "279,99", "−20\u00a0%")
    assert (row.old_total, row.total) == ("349,99", "279,99")


def test_an_amount_off_shows_what_one_costs_then_as_the_receipt_does() -> None:
    row = cart_texts.cart_row(line(quantity="3", discount=Money(50)), WORDS, is_current=False)
    assert (row.old_unit_price, row.unit_price, row.discount) == ("349,99", "333,32", "−50,00")
    assert (row.old_total, row.total) == ("1.049,97", "999,97")


def test_a_price_changed_by_hand_shows_the_old_one() -> None:
    row = cart_texts.cart_row(
        replace(line(quantity="2"), price=Money(300)), WORDS, is_current=False
    )
    assert (row.unit_price, row.total) == ("300,00", "600,00")
    assert (row.old_unit_price, row.old_total) == ("349,99", "699,98")


def test_a_price_that_changed_meanwhile_is_noted() -> None:
    row = cart_texts.cart_row(line(), WORDS, is_current=False, price_now=Money(360))
    assert row.note == "сада 360,00"


def test_an_article_without_a_unit_shows_none_as_its_receipt_does() -> None:
    assert cart_texts.cart_row(line(unit=""), WORDS, is_current=False).unit == ""


def test_removed_lines_are_shown_until_the_next_item() -> None:
    kept, gone = line(1), line(2, removed=True)
    cart = Cart((kept, gone))
    assert cart_texts.shown_lines(cart, frozenset({2})) == (kept, gone)
    assert cart_texts.shown_lines(cart, frozenset()) == (kept,)
    assert cart_texts.cart_row(gone, WORDS, is_current=False).state is CartState.REMOVED


def test_facts_and_tax() -> None:
    cart = Cart((line(1, discount=Percent(Decimal(20))), line(2)))
    tax = cart_texts.tax_of(cart, cart.totals, (RATES,), NOW)
    assert tax == Money("105.00")
    facts = cart_texts.cart_facts(cart, WORDS, total=cart.total, tax=tax)
    assert facts == (("Ставке", "2"), ("Попуст", "−70,00"), ("ПДВ", "105,00"))
    assert cart_texts.tax_of(cart, cart.totals, (), NOW) is None
    other = TaxRates(RATES.valid_from, {"Г": Decimal(0)})  # has no rate of the cart's label
    assert cart_texts.tax_of(cart, cart.totals, (other,), NOW) is None
    plain = Cart((line(2),))
    assert cart_texts.cart_facts(plain, WORDS, total=plain.total, tax=None) == (("Ставке", "1"),)


def test_the_tax_is_the_sum_of_the_lines_that_the_receipt_will_print() -> None:
    bread = CartArticle("a2", 2, FrozenArticle("Хлеб", TaxLabel.E, "ком"), Money("113.36"), False)
    cart = Cart((line(1, price="643.95"), line(2, price="113.36", article=bread)))
    assert cart_texts.tax_of(cart, cart.totals, (RATES,), NOW) == Money("117.64")  # 107.33 + 10.31


def test_badges_count_pieces_and_weighed_lines() -> None:
    cart = Cart(
        (
            line(1, quantity="2"),
            line(2, quantity="1.56", by_weight=True),
            line(3, quantity="0.4", by_weight=True),
            line(4, quantity="3"),
            line(5, removed=True),
        )
    )
    of = {"a1": "p1", "a2": "p2", "a3": "p2", "a4": "p1", "a5": "p5"}
    assert cart_texts.badges(cart, of) == {"p1": "5", "p2": "2"}
