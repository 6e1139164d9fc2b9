"""What a cashier does with the cart."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from pos_app.domain.discount import Percent
from pos_app.domain.money import Money, Quantity
from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.selling import sell
from pos_app.selling.basket import Basket, DocumentKind
from pos_app.selling.ports import Till
from pos_app.selling.sell import Added, AskPrice, AskQuantity
from tests.fakes.till import BANANA, BREAD, CASHIER, MILK, article, till_of
from tests.fakes.till_clock import StandingClock
from tests.fakes.till_store import MemoryTill


@pytest.fixture
def till() -> Till:
    return till_of(MemoryTill(), StandingClock())


@pytest.fixture
def basket(till: Till) -> Basket:
    return sell.start(till=till, cashier=CASHIER)


def add(till: Till, basket: Basket, *entered, **options) -> Basket:  # type: ignore[no-untyped-def]
    for one in entered:
        added = sell.add_item(till=till, basket=basket, article=one, **options)
        assert isinstance(added, Added)
        basket = added.basket
    return basket


def rows(basket: Basket) -> list[tuple[str, str]]:
    return [(line.article.frozen.name, str(line.quantity)) for line in basket.cart.active]


# --- lines -------------------------------------------------------------------------------------


def test_the_same_article_merges_and_moves_to_the_end(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD, MILK, BREAD)
    assert rows(basket) == [("Млеко", "1"), ("Хлеб бели", "2")]


def test_the_row_that_was_touched_is_told(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD, MILK)
    added = sell.add_item(till=till, basket=basket, article=BREAD, quantity=Quantity(3))
    assert isinstance(added, Added)
    assert (added.line.article.frozen.name, added.line.quantity) == ("Хлеб бели", Quantity(4))


def test_a_price_that_changed_meanwhile_stands_on_its_own_row(till: Till, basket: Basket) -> None:
    dearer = replace(BREAD, price=Money("62.99"))
    basket = add(till, basket, BREAD, dearer)
    assert [line.price for line in basket.cart.active] == [Money("58.99"), Money("62.99")]
    assert basket.cart.total == Money("121.98")


def test_what_is_weighed_asks_for_its_weight(till: Till, basket: Basket) -> None:
    assert sell.add_item(till=till, basket=basket, article=BANANA) == AskQuantity(BANANA)
    assert till.carts.open_cart(training=False) == basket
    basket = add(till, basket, BANANA, quantity=Quantity("0.412"))
    assert rows(basket) == [("Банана", "0.412")]


@pytest.mark.parametrize("asks", [article(price=None), article(price="1.00", open_price=True)])
def test_an_open_price_is_asked_for(till: Till, basket: Basket, asks) -> None:  # type: ignore[no-untyped-def]
    assert sell.add_item(till=till, basket=basket, article=asks) == AskPrice(asks)
    basket = add(till, basket, asks, price=Money("350.00"))
    assert basket.cart.total == Money("350.00")


@pytest.mark.parametrize(
    ("total", "price", "quantity"),
    [
        ("350.00", "700.00", "0.5"),
        ("268.27", "189.99", "1.412"),
        ("100.00", "300.00", "0.333"),
        ("0.01", "999.99", "0.001"),
        ("50.00", "0.00", "1"),
    ],
)
def test_a_price_label_tells_the_quantity(
    till: Till, basket: Basket, total: str, price: str, quantity: str
) -> None:
    cheese = article("Сир", price, by_weight=True)
    added = sell.add_for_total(till=till, basket=basket, article=cheese, total=Money(total))
    assert isinstance(added, Added)
    assert added.line.quantity == Quantity(quantity)
    assert added.basket.cart.total == Money(total)


def test_two_price_labels_never_merge(till: Till, basket: Basket) -> None:
    for _ in range(2):
        added = sell.add_for_total(till=till, basket=basket, article=BANANA, total=Money(100))
        assert isinstance(added, Added)
        basket = added.basket
    assert len(basket.cart.active) == 2


def test_quantity_price_and_discount_of_a_line_are_changed(till: Till, basket: Basket) -> None:
    line = add(till, basket, MILK).cart.lines[0].id
    basket = till.carts.open_cart(training=False) or basket
    basket = sell.change_quantity(till=till, basket=basket, line_id=line, quantity=Quantity(3))
    assert basket.cart.total == Money("419.97")
    basket = sell.change_price(till=till, basket=basket, line_id=line, price=Money(100))
    assert basket.cart.total == Money("300.00")
    percent = Percent(Decimal(20))
    basket = sell.discount_line(till=till, basket=basket, line_id=line, discount=percent)
    assert basket.cart.total == Money("240.00")
    basket = sell.discount_line(till=till, basket=basket, line_id=line, discount=None)
    assert basket.cart.total == Money("300.00")
    assert till.carts.open_cart(training=False) == basket


def test_an_amount_off_a_line_stays_with_it_while_the_line_costs_as_much(
    till: Till, basket: Basket
) -> None:
    at = {"till": till, "line_id": add(till, basket, MILK).cart.lines[0].id}
    basket = till.carts.open_cart(training=False) or basket
    basket = sell.change_quantity(**at, basket=basket, quantity=Quantity(3))  # type: ignore[arg-type]
    basket = sell.discount_line(**at, basket=basket, discount=Money(150))  # type: ignore[arg-type]
    assert basket.cart.total == Money("269.97")
    basket = sell.change_quantity(**at, basket=basket, quantity=Quantity(2))  # type: ignore[arg-type]
    assert basket.cart.total == Money("129.98")
    with pytest.raises(Invalid):
        sell.discount_line(**at, basket=basket, discount=Money(280))  # type: ignore[arg-type]
    basket = sell.take_one_off(till=till, basket=basket, article_id=MILK.id)
    assert basket.cart.lines[0].discount is None
    assert basket.cart.total == Money("139.99")
    assert till.carts.open_cart(training=False) == basket


@pytest.mark.parametrize("price", ["-0.01", "-100"])
def test_a_price_is_never_negative(till: Till, basket: Basket, price: str) -> None:
    basket = add(till, basket, MILK)
    with pytest.raises(Invalid):
        sell.change_price(till=till, basket=basket, line_id=1, price=Money(price))
    with pytest.raises(Invalid):
        add(till, basket, BREAD, price=Money(price))


def test_a_removed_line_is_put_back(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD, MILK)
    basket = sell.remove_line(till=till, basket=basket, line_id=1)
    assert rows(basket) == [("Млеко", "1")]
    with pytest.raises(NotAllowed):
        sell.change_quantity(till=till, basket=basket, line_id=1, quantity=Quantity(2))
    basket = sell.put_back(till=till, basket=basket, line_id=1)
    assert rows(basket) == [("Хлеб бели", "1"), ("Млеко", "1")]


def test_storno_takes_one_piece_off(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD, BREAD)
    basket = sell.take_one_off(till=till, basket=basket, article_id=BREAD.id)
    assert rows(basket) == [("Хлеб бели", "1")]
    basket = sell.take_one_off(till=till, basket=basket, article_id=BREAD.id)
    assert basket.cart.is_empty
    with pytest.raises(NotFound):
        sell.take_one_off(till=till, basket=basket, article_id=BREAD.id)


def test_a_discount_that_grew_too_large_is_taken_back(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD, MILK)
    basket = sell.discount_receipt(till=till, basket=basket, discount=Money(100))
    assert basket.cart.total == Money("98.98")
    basket = sell.remove_line(till=till, basket=basket, line_id=2)
    assert basket.cart.discount is None
    assert basket.cart.total == Money("58.99")


def test_a_discount_above_the_total_is_refused(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD)
    with pytest.raises(Invalid):
        sell.discount_receipt(till=till, basket=basket, discount=Money(59))
    assert till.carts.open_cart(training=False) == basket


def test_what_has_no_price_on_a_receipt_is_not_stored(till: Till, basket: Basket) -> None:
    dear = article("Брод", "999999999999.99")
    with pytest.raises(Invalid):
        add(till, basket, dear, quantity=Quantity(2))
    assert till.carts.open_cart(training=False) == basket


def test_a_receipt_has_at_most_500_lines(till: Till, basket: Basket) -> None:
    many = [article(f"Артикал {number}", "1.00") for number in range(501)]
    basket = add(till, basket, *many[:500])
    with pytest.raises(NotAllowed):
        add(till, basket, many[500])
    basket = add(till, basket, many[0])
    assert len(basket.cart.active) == 500
    basket = sell.remove_line(till=till, basket=basket, line_id=2)
    basket = add(till, basket, many[500])
    with pytest.raises(NotAllowed):
        sell.put_back(till=till, basket=basket, line_id=2)


# --- the cart ----------------------------------------------------------------------------------


def test_the_open_cart_is_found_again(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD, MILK)
    assert sell.start(till=till, cashier="Други") == basket


def test_a_held_cart_waits_while_the_next_is_sold(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD)
    following = sell.hold(till=till, basket=basket)
    assert following.cart.is_empty
    assert following.key != basket.key
    following = add(till, following, MILK)

    back = sell.recall(till=till, basket=following, cart_id=basket.id)
    assert rows(back) == [("Хлеб бели", "1")]
    assert [rows(one) for one in sell.held(till=till)] == [[("Млеко", "1")]]


def test_recalling_from_an_empty_cart_leaves_none_behind(till: Till, basket: Basket) -> None:
    held = add(till, basket, BREAD)
    empty = sell.hold(till=till, basket=held)
    back = sell.recall(till=till, basket=empty, cart_id=held.id)
    assert back.cart == held.cart
    assert list(sell.held(till=till)) == []


def test_a_cart_is_recalled_once(till: Till, basket: Basket) -> None:
    held = add(till, basket, BREAD)
    empty = sell.hold(till=till, basket=held)
    back = sell.recall(till=till, basket=empty, cart_id=held.id)
    with pytest.raises(NotAllowed):
        sell.recall(till=till, basket=back, cart_id=held.id)
    assert till.carts.open_cart(training=False) == back


def test_an_empty_cart_is_not_held(till: Till, basket: Basket) -> None:
    with pytest.raises(NotAllowed):
        sell.hold(till=till, basket=basket)


def test_dropping_needs_a_reason(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD)
    with pytest.raises(Invalid):
        sell.drop(till=till, basket=basket, reason="  ")
    following = sell.drop(till=till, basket=basket, reason="купац је отишао")
    assert following.cart.is_empty
    assert following.id != basket.id


@pytest.mark.parametrize("kind", [DocumentKind.ADVANCE, DocumentKind.PROFORMA])
def test_a_cart_becomes_another_document(till: Till, basket: Basket, kind: DocumentKind) -> None:
    basket = add(till, basket, BREAD)
    changed = sell.set_kind(till=till, basket=basket, kind=kind, cashier=CASHIER)
    assert (changed.kind, changed.cart) == (kind, basket.cart)
    assert till.carts.open_cart(training=False) == changed


def test_training_has_its_own_cart(till: Till, basket: Basket) -> None:
    basket = add(till, basket, BREAD)
    practice = sell.set_kind(till=till, basket=basket, kind=DocumentKind.TRAINING, cashier=CASHIER)
    assert practice.cart.is_empty
    practice = add(till, practice, MILK)
    with pytest.raises(NotAllowed):
        sell.recall(till=till, basket=practice, cart_id=basket.id)
    back = sell.set_kind(till=till, basket=practice, kind=DocumentKind.SALE, cashier=CASHIER)
    assert back == basket
    assert sell.start(till=till, cashier=CASHIER, training=True) == practice


@pytest.mark.parametrize(
    ("sku", "sent"), [(1, 1), (10**15, 10**15), (0, None), (10**15 + 1, None), (None, None)]
)
def test_a_code_that_no_receipt_names_stays_in_the_catalogue(
    till: Till, basket: Basket, sku: int | None, sent: int | None
) -> None:
    """The line says name and label itself, so the sale is not refused for its code."""
    (item,) = add(till, basket, replace(BREAD, sku=sku)).cart.items()
    assert item.sku == sent
    assert item.article is not None
