"""From the cart to a confirmed sale."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.sale import checkout, sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import Ticket, TypedDetails
from tests.fakes.counter import Counter
from tests.fakes.till import CASHIER, MILK, ON_PAPER
from tests.sweep import each
from tests.unit.cashier_payment.test_model import sold

CASH, CARD, VOUCHER = PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.VOUCHER


@pytest.fixture
def counter() -> Counter:
    return Counter()


def cart_of(counter: Counter, price: str = "1674.72") -> Ticket:
    return sold(counter.till, price)


def confirmed(counter: Counter, ticket: Ticket, tendered: Payments) -> checkout.ConfirmedSale:
    return checkout.confirm(
        till=counter.till,
        ticket=ticket,
        tendered=tendered,
        receipt_details=ON_PAPER,
        cashier=CASHIER,
        in_whole_dinars=True,
    )


def payments(by: dict[PaymentMethod, str]) -> Payments:
    return Payments.of({method: Money(amount) for method, amount in by.items()})


@each(
    ("tendered", "on_receipt", "change", "rounding"),
    [
        ({CASH: "2000"}, {CASH: "2000"}, "325", "0.28"),
        ({CASH: "1675"}, {CASH: "1674.72"}, "0", "0.28"),
        ({CARD: "1674.72"}, {CARD: "1674.72"}, "0", "0"),
        ({CARD: "1000", CASH: "675"}, {CARD: "1000", CASH: "674.72"}, "0", "0.28"),
    ],
)
def test_the_sale_keeps_what_was_taken(
    tendered: dict[PaymentMethod, str],
    on_receipt: dict[PaymentMethod, str],
    change: str,
    rounding: str,
) -> None:
    counter = Counter()
    sale = confirmed(counter, cart_of(counter), payments(tendered)).sale
    assert sale.total == Money("1674.72")
    assert sale.money_taken.tendered == payments(tendered)
    assert sale.money_taken.on_receipt == payments(on_receipt)
    assert (sale.money_taken.change, sale.money_taken.rounding) == (Money(change), Money(rounding))


def test_confirm_freezes_the_request_under_the_carts_key(counter: Counter) -> None:
    basket = cart_of(counter)
    done = confirmed(counter, basket, checkout.exact_card(basket.cart.total))
    assert done.sale.key == basket.key
    assert done.sale.state is SaleState.FROZEN
    request = checkout.request_of(
        ticket=basket, payments=checkout.exact_card(basket.cart.total), receipt_details=ON_PAPER
    )
    assert counter.store.sales.body(basket.key) == counter.till.codec.encode(request)
    assert request.total == Money("1674.72")
    assert request.items[0].article == basket.cart.lines[0].article.frozen


@each("tendered", [{}, {CASH: "1674"}, {CARD: "1674.71"}, {CARD: "1674.73"}, {CARD: "1000"}])
def test_what_does_not_cover_the_total_is_not_confirmed(tendered: dict[PaymentMethod, str]) -> None:
    counter = Counter()
    with pytest.raises(Invalid):  # an empty cart
        confirmed(counter, sell.start(till=counter.till, cashier=CASHIER), Payments())
    basket = cart_of(counter)
    with pytest.raises(Invalid):
        confirmed(counter, basket, payments(tendered))
    assert counter.states() == []
    assert sell.start(till=counter.till, cashier=CASHIER) == basket


async def test_a_cancelled_sale_is_sold_again_from_its_cart(counter: Counter) -> None:
    basket = cart_of(counter)
    typed = TypedDetails(buyer_value="101883300", text="Хвала")
    basket = sell.add_to_receipt(till=counter.till, ticket=basket, typed_details=typed)
    sale = confirmed(counter, basket, checkout.exact_card(basket.cart.total)).sale
    present = sell.start(till=counter.till, cashier=CASHIER)
    added = sell.add_item(till=counter.till, ticket=present, article=MILK, quantity=Quantity(2))
    assert isinstance(added, ItemAdded)
    with pytest.raises(NotAllowed):
        sell.take_back(till=counter.till, ticket=added.ticket, sale=sale)

    counter.outbox.cancel(sale.key, reason="погрешан купац")
    await counter.until(lambda: counter.state(sale) is SaleState.CANCELLED)
    ended = counter.store.sales.sale(sale.key)
    again = sell.take_back(till=counter.till, ticket=added.ticket, sale=ended)
    received = ((PaymentMethod.CARD, basket.cart.total),)
    assert (again.cart, again.typed_details) == (basket.cart, replace(typed, paid=received))
    assert again.key not in {sale.key, added.ticket.key}
    assert [one.id for one in sell.suspended(till=counter.till)] == [added.ticket.id]
