"""An amount off one line: exact to the para, on the screen, in the cart and on the receipt."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.discount import LineDiscount, Percent, discount_between, line_total
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine, LostDiscount
from pos_app.domain.receipt.pricing import price
from pos_app.errors import Invalid
from tests.sweep import each

COFFEE = request.FrozenArticle("Кафа", TaxLabel.DJ, "ком")
WORKED = [
    # price, quantity, amount off, the line's total, the unit price on the receipt
    ("349.99", "1", "50.00", "299.99", "299.99"),
    ("349.99", "3", "50.00", "999.97", "333.32"),
    ("9.95", "0.123", "0.22", "1.00", "8.13"),
    ("2.45", "0.500", "1.23", "0.00", "0.00"),
    ("189.99", "1.560", "6.38", "290.00", "185.90"),
    ("0.01", "1", "0.01", "0.00", "0.00"),
]


def line(cost: str, quantity: str = "1", **more: object) -> CartLine:
    article = CartArticle("a", 1, COFFEE, Money(cost))
    return replace(CartLine(1, article, Quantity(quantity), Money(cost)), **more)  # type: ignore[arg-type]


@each(("cost", "quantity", "off", "total", "each"), WORKED)
def test_the_line_and_the_receipt_say_the_same(
    cost: str, quantity: str, off: str, total: str, each: str
) -> None:
    cart = Cart((line(cost, quantity, discount=Money(off)), line("1000", id=2)), next_id=3)
    assert cart.lines[0].total == Money(total)
    assert cart.lines[0].full == cart.lines[0].total + Money(off)
    paid = Payments.of({PaymentMethod.CARD: cart.total})
    kind = request.InvoiceType.NORMAL, request.TransactionType.SALE
    asked = request.IssueRequest(*kind, cart.items(), paid, request.ReceiptDelivery())
    signed = price(asked).lines[0]
    assert (signed.total, signed.unit_price) == (Money(total), Money(each))
    assert signed.before_discount == cart.lines[0].full


@each(
    ("total", "discount"),
    [
        ("215.97", Percent(10)), ("205.17", Percent("14.5")), ("189.97", Money(50)),
        ("0", Percent(100)), ("239.96", Money("0.01")), ("239.97", None),
    ],
)  # fmt: skip
def test_the_discount_between_two_totals_is_a_usual_percentage_or_an_amount(
    total: str, discount: LineDiscount
) -> None:
    assert discount_between(Money("239.97"), Money(total)) == discount
    assert line("79.99", "3", discount=discount).total == Money(total)


@each(
    ("off", "now", "total"),
    [
        ("99.99", "100", "0.01"), ("100", "100", "0"), ("100.01", "101", "0.99"),
        ("99.99", "99.99", "99.99"), ("100", "99.99", "99.99"), ("100", "100.01", "0.01"),
    ],
)  # fmt: skip
def test_an_amount_off_goes_where_it_no_longer_fits(off: str, now: str, total: str) -> None:
    """All of a line, or of a cart, may be given away, but not by its becoming cheaper."""
    before = line("100" if Money(off) <= Money(100) else "200", discount=Money(off))
    cart = Cart((before,), next_id=2)
    changed = cart.change(before.at_price(Money(now)))
    assert changed.total == Money(total)
    whole = Cart((replace(before, discount=None),), discount=Money(off), next_id=2)
    left = whole.change(whole.lines[0].at_price(Money(now)))
    assert left.total == Money(total)
    is_lost = changed.lines[0].discount is None
    assert changed.lost_since(cart) == ((LostDiscount(Money(off), "Кафа"),) if is_lost else ())
    assert left.lost_since(whole) == ((LostDiscount(Money(off)),) if is_lost else ())
    taken_back = cart.change(replace(before, discount=None))
    assert taken_back.lost_since(cart) == replace(whole, discount=None).lost_since(whole) == ()


def test_a_label_is_lowered_and_the_line_before_the_cart() -> None:
    stated = line("899", "0.412", stated_total=Money(370), discount=Money(20))
    assert stated.total == Money(350), "a total that a label stated is lowered too"
    # A discount on the receipt comes after that of the line.
    cart = Cart((line("349.99", "3", discount=Money(50)),), discount=Percent(10), next_id=2)
    assert cart.totals == (Money("899.97"),)  # 999.97 less a tenth is 899.973
    assert replace(cart, discount=Money("99.97")).totals == (Money("900.00"),)


@each("amount", ["0", "-1", "10.01"])
def test_it_is_above_zero_and_no_more_than_the_line_costs(amount: str) -> None:
    with pytest.raises(Invalid) as refusal:
        line_total(Money(10), Quantity.ONE, Money(amount))
    assert refusal.value.kind == "above_line"


AMOUNTS = st.integers(1, 10_000_000).map(Money.of_para)
QUANTITIES = st.integers(1, 100_000).map(lambda n: Quantity(Decimal(n).scaleb(-3)))


@given(cost=AMOUNTS, quantity=QUANTITIES, off=AMOUNTS)
def test_it_is_the_full_price_less_the_amount_or_refused(
    cost: Money, quantity: Quantity, off: Money
) -> None:
    full = line_total(cost, quantity)
    if off > full:
        with pytest.raises(Invalid):
            line_total(cost, quantity, off)
    else:
        assert line_total(cost, quantity, off) == full - off


# --- percentages in every spelling of their number -----------------------------------------------


@each("value", [20, "20", Decimal(20), Decimal("20.0"), Decimal("2e1")])
def test_a_whole_percentage_is_one_however_it_is_written(value: Decimal | int | str) -> None:
    assert Percent(value) == Percent(Decimal("20.0000"))
    assert f"{Percent(value).value:f}" == "20.0000"


@each(
    ("value", "kind"),
    [
        (0, "range"), (-5, "range"), ("100.0001", "range"), ("0.00001", "decimals"),
        ("99.99999", "decimals"), ("NaN", "number"), ("Infinity", "number"), ("a fifth", "number"),
    ],
)  # fmt: skip
def test_a_wrong_percentage_can_not_be_built(value: Decimal | int | str, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        Percent(value)
    assert refusal.value.kind == kind
