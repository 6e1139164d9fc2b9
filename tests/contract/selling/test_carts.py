"""The contract of every repository of carts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.article.barcodes import WhyUnknown
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.cart import CartArticle
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import NotAllowed, NotFound
from pos_app.selling.sale.missed_codes import UnknownCode
from pos_app.selling.sale.ports import GivenForAdvance
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import (
    NOTHING_ADDED,
    DocumentKind,
    NewTicket,
    Referent,
    Ticket,
    TypedAdvance,
    TypedDetails,
)
from tests.contract.selling.test_sales import new_sale
from tests.contract.selling.test_sales import new_ticket as new
from tests.fakes import till
from tests.fakes.till_clock import StandingClock

NOW = StandingClock().now()


def with_items(ticket: Ticket) -> Ticket:
    cart = ticket.cart
    for one, quantity in ((till.BREAD, "2"), (till.BANANA, "1.412"), (till.MILK, "3")):
        assert one.price is not None
        code = "4006381333931" if one is till.MILK else ""
        entered = CartArticle(one.id, one.sku, one.frozen, one.price, one.by_weight, code)
        cart = cart.add(entered, Quantity(quantity))
    cart = cart.change(replace(cart.line(1), discount=_percent("12.5"), price=Money("50.01")))
    cart = cart.change(replace(cart.line(2), stated_total=Money("268.00"), discount=Money("8.00")))
    cart = cart.change(replace(cart.line(3), removed=True))
    return replace(ticket, cart=cart)


def filled(store: Any, number: int = 1) -> Ticket:
    empty = store.carts.begin(new(number))
    basket: Ticket = store.carts.save(with_items(empty), was=empty)
    return basket


def _percent(value: str) -> Percent:
    return Percent(Decimal(value))


def test_a_cart_comes_back_as_it_was_saved(store: Any) -> None:
    basket = store.carts.begin(new(1))
    full = with_items(basket)
    for discount in (None, _percent("10"), Money("7.50")):
        wanted = replace(full, cart=replace(full.cart, discount=discount))
        basket = store.carts.save(wanted, was=basket)
        assert (store.carts.open_cart(training=False), basket.cart) == (basket, wanted.cart)


def test_lines_keep_the_order_in_which_they_were_touched(store: Any) -> None:
    basket = filled(store)
    bread_again = basket.cart.add(basket.cart.line(2).article, Quantity.ONE)
    moved = replace(
        bread_again, lines=(bread_again.lines[1], *bread_again.lines[2:], bread_again.lines[0])
    )
    basket = store.carts.save(replace(basket, cart=moved), was=basket)
    assert store.carts.cart_of(basket.id).cart.lines == moved.lines


def test_an_outdated_cart_is_never_written_and_does_not_end(store: Any) -> None:
    empty = store.carts.begin(new(1))
    basket = store.carts.save(with_items(empty), was=empty)
    with pytest.raises(NotAllowed):
        store.carts.save(empty, was=empty)
    with pytest.raises(NotAllowed):
        store.carts.end_empty(empty, was=empty, following=new(2))
    assert store.carts.open_cart(training=False) == basket


def test_a_second_cart_opens_only_for_training(store: Any) -> None:
    real = store.carts.begin(new(1))
    with pytest.raises(NotAllowed):
        store.carts.begin(new(2, DocumentKind.ADVANCE))
    practice = store.carts.begin(new(3, DocumentKind.TRAINING))
    assert store.carts.open_cart(training=False) == real
    assert store.carts.open_cart(training=True) == practice


def test_a_held_cart_is_recalled_once(store: Any) -> None:
    basket = filled(store)
    store.carts.suspend(basket, at=NOW)
    assert [one.cart for one in store.carts.suspended()] == [basket.cart]
    assert [one.suspended_at for one in store.carts.suspended()] == [NOW]
    with pytest.raises(NotAllowed):
        store.carts.suspend(basket, at=NOW)

    back = store.carts.recall(basket.id, at=NOW)
    assert (back.cart, back.suspended_at) == (basket.cart, None)
    assert (store.carts.open_cart(training=False), list(store.carts.suspended())) == (back, [])


def test_a_held_cart_keeps_its_name_until_it_ends(store: Any) -> None:
    named = []
    for number in (1, 2):
        basket = filled(store, number)
        store.carts.suspend(replace(basket, name="Марко"), at=NOW)
        back = store.carts.recall(basket.id, at=NOW)
        named.append(store.carts.save(replace(back, cashier="Ана"), was=back))
        store.carts.suspend(named[-1], at=NOW)
        assert store.carts.suspended()[-1].name == named[-1].name == "Марко"
    store.carts.void(store.carts.suspended()[0], reason="купац је отишао", at=NOW)
    back = store.carts.recall(named[1].id, at=NOW)
    store.carts.freeze(back, sale=new_sale(), following=new(3))
    assert [store.carts.cart_of(one.id).name for one in named] == ["", ""]


def test_a_cart_that_was_begun_to_be_paid_stays_so(store: Any) -> None:
    ticket = store.carts.begin(new(1))
    other = store.carts.begin(new(2, DocumentKind.TRAINING))
    assert not store.carts.is_begun(ticket.id)
    store.carts.begin_payment(ticket.id)
    store.carts.suspend(ticket, at=NOW)
    store.carts.recall(ticket.id, at=NOW)
    assert store.carts.is_begun(ticket.id)
    assert not store.carts.is_begun(other.id)


def test_what_is_given_for_an_advance_is_kept_beside_that_for_others(store: Any) -> None:
    carts = store.carts
    given = ((PaymentMethod.CARD, Money("2000")), (PaymentMethod.CASH, Money("0.50")))
    assert carts.given_for_advances() == {}
    carts.give_for_advance("a", 1, given)
    carts.give_for_advance("b", 3, given[:1])
    assert carts.given_for_advances() == {
        "a": GivenForAdvance(1, given),
        "b": GivenForAdvance(3, given[:1]),
    }
    carts.give_for_advance("a", 2, given[1:])
    assert carts.given_for_advances()["a"] == GivenForAdvance(2, given[1:])
    carts.give_for_advance("b", 3, ())
    assert set(carts.given_for_advances()) == {"a"}


def test_a_confirmed_payment_takes_what_was_given_for_its_advance_along(store: Any) -> None:
    """A till that is killed right after it would give the money back, or count it once more."""
    carts, given = store.carts, ((PaymentMethod.CARD, Money("2000")),)
    carts.give_for_advance("a", 1, given)
    carts.give_for_advance("b", 1, given)
    closing = replace(new_sale(), operation=Operation.CLOSE, target="receipt-1")
    carts.freeze_operation(new(1), sale=replace(closing, operation=Operation.COPY))
    assert set(carts.given_for_advances()) == {"a", "b"}
    carts.freeze_operation(new(2), sale=closing, advance="a")
    assert set(carts.given_for_advances()) == {"b"}


def test_the_cart_that_is_held_longest_comes_first(store: Any) -> None:
    first = store.carts.begin(new(1))
    store.carts.suspend(first, at=NOW)
    second = store.carts.begin(new(2))
    store.carts.suspend(second, at=NOW + timedelta(minutes=1))
    back = store.carts.recall(first.id, at=NOW + timedelta(minutes=2))
    store.carts.suspend(back, at=NOW + timedelta(minutes=3))
    held = [(one.id, one.suspended_at) for one in store.carts.suspended()]
    after = timedelta(minutes=1), timedelta(minutes=3)
    assert held == [(second.id, NOW + after[0]), (first.id, NOW + after[1])]


def test_a_cart_is_not_recalled_over_an_open_one(store: Any) -> None:
    basket = store.carts.begin(new(1))
    store.carts.suspend(basket, at=NOW)
    store.carts.begin(new(2))
    with pytest.raises(NotAllowed):
        store.carts.recall(basket.id, at=NOW)


def test_a_dropped_cart_has_ended(store: Any) -> None:
    basket = store.carts.begin(new(1))
    store.carts.void(basket, reason="купац је отишао", at=NOW)
    assert store.carts.open_cart(training=False) is None
    for act in (
        lambda: store.carts.void(basket, reason="још једном", at=NOW),
        lambda: store.carts.recall(basket.id, at=NOW),
        lambda: store.carts.save(with_items(basket), was=basket),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_a_cart_that_never_was_is_not_found(store: Any) -> None:
    with pytest.raises(NotFound):
        store.carts.cart_of(17)
    with pytest.raises(NotFound):
        store.carts.recall(17, at=NOW)


def cancelled(store: Any, ticket: Ticket, following: NewTicket) -> tuple[Sale, Ticket]:
    sale, after = store.carts.freeze(ticket, sale=new_sale(), following=following)
    store.sales.move(sale.key, SaleState.CANCELLING, at=NOW)
    return store.sales.move(sale.key, SaleState.CANCELLED, at=NOW), after


@pytest.mark.parametrize("in_use", [False, True], ids=["empty counter", "counter in use"])
def test_lines_are_taken_back_once_and_the_sale_is_marked(store: Any, in_use: bool) -> None:
    basket = filled(store)
    sale, present = cancelled(store, basket, new(2))
    if in_use:
        present = store.carts.save(with_items(present), was=present)
    taken = store.carts.take_back(present, sale=sale, cart=basket.cart, following=new(3))
    assert (taken.cart, store.carts.open_cart(training=False)) == (basket.cart, taken)
    assert [one.id for one in store.carts.suspended()] == ([present.id] if in_use else [])
    assert store.sales.sale(sale.key).was_shown
    with pytest.raises(NotAllowed):
        store.carts.take_back(taken, sale=sale, cart=basket.cart, following=new(4))
    assert store.carts.open_cart(training=False) == taken


@pytest.mark.parametrize("why", ["outdated", "another is open", "not cancelled"])
def test_what_is_refused_leaves_the_sale_to_be_taken_back(store: Any, why: str) -> None:
    basket = filled(store)
    sale, present = cancelled(store, basket, new(2))
    using, following = present, new(3)
    if why == "outdated":
        store.carts.save(with_items(present), was=present)
    elif why == "another is open":
        store.carts.begin(new(4, DocumentKind.TRAINING))
        following = new(3, DocumentKind.TRAINING)
    else:
        waiting, using = store.carts.freeze(present, sale=new_sale(), following=new(5))
        sale = replace(waiting, state=SaleState.CANCELLED)
    before = store.carts.open_cart(training=False)
    with pytest.raises(NotAllowed):
        store.carts.take_back(using, sale=sale, cart=basket.cart, following=following)
    assert not store.sales.sale(sale.key).was_shown
    assert (store.carts.open_cart(training=False), list(store.carts.suspended())) == (before, [])


ADDED = TypedDetails(
    buyer_code="12",
    buyer_value="10000000",
    centre_code="50",
    centre_value="77",
    text="Хвала\nи довиђења",
    ways=("thermal", "pdf"),
    email="ana@",
    buyer_sure=True,
    buyer_name="Алфа",
    paid=((PaymentMethod.CARD, Money("500.00")), (PaymentMethod.CASH, Money(100))),
    advance=TypedAdvance("1.000,00", True, {"Ђ": "600", "Е": "400"}, "1.11.2026", "12:00"),
)


MISSED = (UnknownCode("8600999000014"), UnknownCode("lot-00", WhyUnknown.CUT), UnknownCode(""))
TWICE = ((PaymentMethod.CARD, Money("0.01")), (PaymentMethod.CARD, Money(2)))


@pytest.mark.parametrize(
    "added",
    [
        {"typed_details": ADDED},
        {"typed_details": TypedDetails(buyer_value="1")},
        {"typed_details": TypedDetails(ways=())},
        {"typed_details": TypedDetails(paid=TWICE)},
        {"typed_details": TypedDetails(advance=TypedAdvance(unknown=False))},
        {"typed_details": TypedDetails(referent=Referent("ABCD1234-ABCD1234-7", NOW))},
        {"missed": MISSED},
        {"missed": MISSED[1:]},
    ],
)
def test_what_is_typed_and_codes_that_came_to_nothing_stay_with_the_cart(
    store: Any, added: dict[str, Any]
) -> None:
    full = filled(store)
    basket = store.carts.save(replace(full, **added), was=full)
    assert store.carts.open_cart(training=False) == basket == replace(basket, **added)
    store.carts.suspend(basket, at=NOW)
    assert [replace(one, **added) for one in store.carts.suspended()] == store.carts.suspended()
    back = store.carts.recall(basket.id, at=NOW)
    assert back == replace(back, **added)
    store.carts.save(replace(back, typed_details=TypedDetails(), missed=()), was=back)
    bare = store.carts.open_cart(training=False)
    assert (bare.typed_details, bare.missed) == (TypedDetails(), ())


def test_what_could_not_be_stored_is_stored_with_the_next_change(store: Any) -> None:
    empty = store.carts.begin(new(1))
    unstored = replace(empty, missed=MISSED)
    store.carts.save(with_items(unstored), was=unstored)
    assert store.carts.open_cart(training=False).missed == MISSED


def test_they_go_with_a_cart_that_is_dropped_or_paid(store: Any) -> None:
    """So does its buyer."""
    for number, is_held in enumerate((False, True), 1):
        empty = store.carts.begin(new(number))
        basket = store.carts.save(replace(empty, missed=MISSED, typed_details=ADDED), was=empty)
        if is_held:
            store.carts.suspend(basket, at=NOW)
            (basket,) = store.carts.suspended()
        store.carts.void(basket, reason="empty", at=NOW)
        ended = store.carts.cart_of(basket.id)
        assert (ended.missed, ended.typed_details) == ((), TypedDetails())
    empty = store.carts.begin(new(3))
    basket = store.carts.save(replace(with_items(empty), missed=MISSED), was=empty)
    store.carts.freeze(basket, sale=new_sale(), following=new(4))
    assert store.carts.cart_of(basket.id).missed == ()
    assert store.carts.open_cart(training=False).missed == ()


def test_a_cart_ends_with_its_last_line_and_the_next_is_open(store: Any) -> None:
    empty = store.carts.begin(new(1))
    details = TypedDetails(buyer_code="10", buyer_value="100000008")
    basket = store.carts.save(
        replace(with_items(empty), typed_details=details, missed=MISSED), was=empty
    )
    lines = tuple(replace(line, removed=True) for line in basket.cart.lines)
    left = replace(basket, cart=replace(basket.cart, lines=lines))
    following = store.carts.end_empty(left, was=basket, following=new(2))
    assert store.carts.open_cart(training=False) == following
    assert (following.cart.lines, following.typed_details) == ((), NOTHING_ADDED)
    assert following.missed == MISSED, "their goods lie on the belt still"
    ended = store.carts.cart_of(basket.id)
    assert [line.removed for line in ended.cart.lines] == [True] * len(basket.cart.lines)
    assert (ended.typed_details, ended.missed) == (NOTHING_ADDED, ())
