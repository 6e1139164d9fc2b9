"""A cashier's acts on the cart."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from pos_app.domain.article.article import Article
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.sale import sell
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.scan import taken_by
from pos_app.selling.sale.sell import AskPrice, ItemAdded
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till import BREAD, CASHIER, MILK, article, till_of
from tests.fakes.till_clock import StandingClock


@pytest.fixture
def till() -> Till:
    return till_of(MemoryTill(), StandingClock())


@pytest.fixture
def ticket(till: Till) -> Ticket:
    return sell.start(till=till, cashier=CASHIER)


def add(till: Till, ticket: Ticket, *entered, **options) -> Ticket:  # type: ignore[no-untyped-def]
    for one in entered:
        added = sell.add_item(till=till, ticket=ticket, article=one, **options)
        assert isinstance(added, ItemAdded)
        ticket = added.ticket
    return ticket


def one_off(till: Till, ticket: Ticket, article: Article) -> Ticket:
    taken = taken_by(ticket.cart, FoundArticle(article), None)
    return sell.take_off(till=till, ticket=ticket, taken=taken)


def rows(ticket: Ticket) -> list[tuple[str, str]]:
    return [(line.article.frozen.name, str(line.quantity)) for line in ticket.cart.active]


@pytest.mark.parametrize("asks", [article(price=None), article(price="1.00", open_price=True)])
def test_an_open_price_is_asked_for(till: Till, ticket: Ticket, asks: Article) -> None:
    """A label that tells its price is one piece for that total."""
    assert sell.add_item(till=till, ticket=ticket, article=asks) == AskPrice(asks)
    ticket = add(till, ticket, asks, price=Money("350.00"))
    assert ticket.cart.total == Money("350.00")
    added = sell.add_for_total(till=till, ticket=ticket, article=asks, total=Money("268.27"))
    assert isinstance(added, ItemAdded)
    assert (added.line.quantity, added.ticket.cart.total) == (Quantity.ONE, Money("618.27"))


@pytest.mark.parametrize(
    ("total", "price", "quantity"),
    [
        ("350.00", "700.00", "0.5"), ("268.27", "189.99", "1.412"), ("100.00", "300.00", "0.333"),
        ("0.01", "999.99", "0.001"), ("50.00", "0.00", "1"),
    ],
)  # fmt: skip
def test_a_price_label_tells_the_quantity(
    till: Till, ticket: Ticket, total: str, price: str, quantity: str
) -> None:
    cheese = article("Сир", price, by_weight=True)
    added = sell.add_for_total(till=till, ticket=ticket, article=cheese, total=Money(total))
    assert isinstance(added, ItemAdded)
    assert added.line.quantity == Quantity(quantity)
    assert added.ticket.cart.total == Money(total)
    twice = sell.add_for_total(till=till, ticket=added.ticket, article=cheese, total=Money(total))
    assert isinstance(twice, ItemAdded)
    assert len(twice.ticket.cart.active) == 2, "two labels never merge"


def test_quantity_price_and_discount_of_a_line_are_changed(till: Till, ticket: Ticket) -> None:
    line = add(till, ticket, MILK).cart.lines[0].id
    ticket = till.carts.open_cart(training=False) or ticket
    ticket = sell.change_quantity(till=till, ticket=ticket, line_id=line, quantity=Quantity(3))
    assert ticket.cart.total == Money("419.97")
    ticket = sell.change_price(till=till, ticket=ticket, line_id=line, price=Money(100))
    assert ticket.cart.total == Money("300.00")
    percent = Percent(Decimal(20))
    ticket = sell.discount_line(till=till, ticket=ticket, line_id=line, discount=percent)
    assert ticket.cart.total == Money("240.00")
    ticket = sell.discount_line(till=till, ticket=ticket, line_id=line, discount=None)
    assert ticket.cart.total == Money("300.00")
    for wrong in (Money("-0.01"), Money(-100)):
        with pytest.raises(Invalid):
            sell.change_price(till=till, ticket=ticket, line_id=line, price=wrong)
        with pytest.raises(Invalid):
            add(till, ticket, BREAD, price=wrong)
    assert till.carts.open_cart(training=False) == ticket


def test_an_amount_off_a_line_stays_with_it_while_the_line_costs_as_much(
    till: Till, ticket: Ticket
) -> None:
    at = {"till": till, "line_id": add(till, ticket, MILK).cart.lines[0].id}
    ticket = till.carts.open_cart(training=False) or ticket
    ticket = sell.change_quantity(**at, ticket=ticket, quantity=Quantity(3))  # type: ignore[arg-type]
    ticket = sell.discount_line(**at, ticket=ticket, discount=Money(150))  # type: ignore[arg-type]
    assert ticket.cart.total == Money("269.97")
    ticket = sell.change_quantity(**at, ticket=ticket, quantity=Quantity(2))  # type: ignore[arg-type]
    assert ticket.cart.total == Money("129.98")
    with pytest.raises(Invalid):
        sell.discount_line(**at, ticket=ticket, discount=Money(280))  # type: ignore[arg-type]
    ticket = one_off(till, ticket, MILK)
    assert ticket.cart.lines[0].discount is None
    assert ticket.cart.total == Money("139.99")
    assert till.carts.open_cart(training=False) == ticket


def test_a_removed_line_is_put_back(till: Till, ticket: Ticket) -> None:
    ticket = add(till, ticket, BREAD, MILK, BREAD)
    assert rows(ticket) == [("Млеко", "1"), ("Хлеб бели", "2")], "the same one moves to the end"
    ticket = sell.remove_line(till=till, ticket=ticket, line_id=1)
    assert rows(ticket) == [("Млеко", "1")]
    with pytest.raises(NotAllowed):
        sell.change_quantity(till=till, ticket=ticket, line_id=1, quantity=Quantity(2))
    ticket = sell.put_back(till=till, ticket=ticket, line_id=1)
    assert sorted(rows(ticket)) == [("Млеко", "1"), ("Хлеб бели", "2")]


def test_a_discount_that_grew_too_large_is_taken_back(till: Till, ticket: Ticket) -> None:
    ticket = add(till, ticket, BREAD, MILK)
    ticket = sell.discount_receipt(till=till, ticket=ticket, discount=Money(100))
    assert ticket.cart.total == Money("98.98")
    ticket = sell.remove_line(till=till, ticket=ticket, line_id=2)
    assert ticket.cart.discount is None
    assert ticket.cart.total == Money("58.99")


def test_what_has_no_price_on_a_receipt_is_not_stored(till: Till, ticket: Ticket) -> None:
    dear = article("Брод", "999999999999.99")
    with pytest.raises(Invalid):
        add(till, ticket, dear, quantity=Quantity(2))
    assert till.carts.open_cart(training=False) == ticket


def test_a_receipt_has_at_most_500_lines(till: Till, ticket: Ticket) -> None:
    many = [article(f"Артикал {number}", "1.00") for number in range(501)]
    ticket = add(till, ticket, *many[:500])
    with pytest.raises(NotAllowed):
        add(till, ticket, many[500])
    ticket = add(till, ticket, many[0])
    assert len(ticket.cart.active) == 500
    ticket = sell.remove_line(till=till, ticket=ticket, line_id=2)
    ticket = add(till, ticket, many[500])
    with pytest.raises(NotAllowed):
        sell.put_back(till=till, ticket=ticket, line_id=2)


def test_dropping_needs_a_reason(till: Till, ticket: Ticket) -> None:
    ticket = add(till, ticket, BREAD)
    with pytest.raises(Invalid):
        sell.void(till=till, ticket=ticket, reason="  ")
    following = sell.void(till=till, ticket=ticket, reason="купац је отишао")
    assert following.cart.is_empty
    assert following.id != ticket.id


@pytest.mark.parametrize(
    ("sku", "sent"), [(1, 1), (10**16 - 1, 10**16 - 1), (0, None), (10**16, None), (None, None)]
)
def test_a_code_that_no_receipt_names_stays_in_the_catalogue(
    till: Till, ticket: Ticket, sku: int | None, sent: int | None
) -> None:
    """The line says name and label itself, so the sale is not refused for its code."""
    (item,) = add(till, ticket, replace(BREAD, sku=sku)).cart.items()
    assert item.sku == sent
    assert item.article is not None


def test_a_cart_is_recalled_once(till: Till, ticket: Ticket) -> None:
    with pytest.raises(NotAllowed):
        sell.suspend(till=till, ticket=ticket)
    held = add(till, ticket, BREAD)
    empty = sell.suspend(till=till, ticket=held)
    back = sell.recall(till=till, ticket=empty, cart_id=held.id)
    with pytest.raises(NotAllowed):
        sell.recall(till=till, ticket=back, cart_id=held.id)
    assert till.carts.open_cart(training=False) == back


def test_training_has_its_own_cart(till: Till, ticket: Ticket) -> None:
    ticket = add(till, ticket, BREAD)
    practice = sell.set_kind(till=till, ticket=ticket, kind=DocumentKind.TRAINING, cashier=CASHIER)
    assert practice.cart.is_empty
    practice = add(till, practice, MILK)
    with pytest.raises(NotAllowed):
        sell.recall(till=till, ticket=practice, cart_id=ticket.id)
    back = sell.set_kind(till=till, ticket=practice, kind=DocumentKind.SALE, cashier=CASHIER)
    assert back == ticket
    assert sell.start(till=till, cashier=CASHIER, training=True) == practice


@pytest.mark.parametrize(
    ("kind", "stays"), [(DocumentKind.ADVANCE, True), (DocumentKind.PROFORMA, False)]
)
def test_what_was_received_goes_back_where_a_cart_becomes_an_offer_alone(
    till: Till, ticket: Ticket, kind: DocumentKind, stays: bool
) -> None:
    given = ((PaymentMethod.CASH, Money(500)),)
    details = ticket.typed_details.paying(given, Money(0))
    paid = till.carts.save(replace(ticket, typed_details=details), was=ticket)
    made = sell.set_kind(till=till, ticket=paid, kind=kind, cashier=CASHIER)
    assert made.kind is kind
    assert made.typed_details.given == (given if stays else ())
