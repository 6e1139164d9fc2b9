"""From the cart to a confirmed sale."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.sale import checkout, sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket, TypedDetails
from tests.fakes import till
from tests.fakes.counter import Counter

CASH, CARD, VOUCHER = PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.VOUCHER


@pytest.fixture
def counter() -> Counter:
    return Counter()


def cart_of(counter: Counter, price: str = "1674.72") -> Ticket:
    basket = sell.start(till=counter.till, cashier=till.CASHIER)
    thing = till.article("Роба", price)
    added = sell.add_item(till=counter.till, ticket=basket, article=thing)
    assert isinstance(added, ItemAdded)
    return added.ticket


def confirmed(
    counter: Counter,
    ticket: Ticket,
    tendered: Payments,
    papers: checkout.ReceiptDetails = till.ON_PAPER,
    *,
    in_whole_dinars: bool = True,
) -> checkout.ConfirmedSale:
    return checkout.confirm(
        till=counter.till,
        ticket=ticket,
        tendered=tendered,
        receipt_details=papers,
        cashier=till.CASHIER,
        in_whole_dinars=in_whole_dinars,
    )


@pytest.mark.parametrize(
    ("tendered", "on_receipt", "change", "rounding"),
    [
        ({CASH: "2000"}, {CASH: "2000"}, "325", "0.28"),
        ({CASH: "1675"}, {CASH: "1674.72"}, "0", "0.28"),
        ({CARD: "1674.72"}, {CARD: "1674.72"}, "0", "0"),
        ({CARD: "1000", CASH: "675"}, {CARD: "1000", CASH: "674.72"}, "0", "0.28"),
    ],
)
def test_the_sale_keeps_what_was_taken(
    counter: Counter,
    tendered: dict[PaymentMethod, str],
    on_receipt: dict[PaymentMethod, str],
    change: str,
    rounding: str,
) -> None:
    basket = cart_of(counter)
    given = Payments.of({method: Money(value) for method, value in tendered.items()})
    sale = confirmed(counter, basket, given).sale
    assert sale.total == Money("1674.72")
    assert sale.money_taken.tendered == given
    assert sale.money_taken.on_receipt == Payments.of(
        {method: Money(value) for method, value in on_receipt.items()}
    )
    assert (sale.money_taken.change, sale.money_taken.rounding) == (Money(change), Money(rounding))


def test_confirm_freezes_the_request_under_the_carts_key(counter: Counter) -> None:
    basket = cart_of(counter)
    done = confirmed(counter, basket, checkout.exact_card(basket.cart.total))
    assert done.sale.key == basket.key
    assert done.sale.state is SaleState.FROZEN
    request = checkout.request_of(
        ticket=basket,
        payments=checkout.exact_card(basket.cart.total),
        receipt_details=till.ON_PAPER,
    )
    assert counter.store.sales.body(basket.key) == counter.till.codec.encode(request)
    assert request.total == Money("1674.72")
    assert request.items[0].article == basket.cart.lines[0].article.frozen


@pytest.mark.parametrize(
    "tendered", [{}, {CASH: "1674"}, {CARD: "1674.71"}, {CARD: "1674.73"}, {CARD: "1000"}]
)
def test_what_does_not_cover_the_total_is_not_confirmed(
    counter: Counter, tendered: dict[PaymentMethod, str]
) -> None:
    basket = cart_of(counter)
    given = Payments.of({method: Money(value) for method, value in tendered.items()})
    with pytest.raises(Invalid):
        confirmed(counter, basket, given)
    assert counter.states() == []
    assert sell.start(till=counter.till, cashier=till.CASHIER) == basket


def test_an_advance_is_what_is_kept_of_the_payment(counter: Counter) -> None:
    basket = sell.set_kind(
        till=counter.till, ticket=cart_of(counter), kind=DocumentKind.ADVANCE, cashier=till.CASHIER
    )
    papers = replace(till.ON_PAPER, advance=Money(500))
    sale = confirmed(counter, basket, Payments.of({CASH: Money(1000)}), papers).sale
    assert sale.total == Money(500)
    assert sale.money_taken.on_receipt == Payments.of({CASH: Money(500)})
    assert sale.money_taken.change == Money(500)
    request = checkout.request_of(
        ticket=basket, payments=sale.money_taken.on_receipt, receipt_details=papers
    )
    assert request.invoice_type is InvoiceType.ADVANCE
    assert request.total == Money("1674.72")


def test_a_corporate_card_goes_with_voucher_alone(counter: Counter) -> None:
    basket = cart_of(counter)
    papers = replace(
        till.ON_PAPER, buyer=BuyerId("10", "101883300"), cost_centre=CostCentre("50", "1234")
    )
    with pytest.raises(Invalid):
        confirmed(counter, basket, checkout.exact_card(basket.cart.total), papers)
    voucher = Payments.of({VOUCHER: basket.cart.total})
    assert confirmed(counter, basket, voucher, papers).sale.state is SaleState.FROZEN


async def test_a_cancelled_sale_is_sold_again_from_its_cart(counter: Counter) -> None:
    basket = cart_of(counter)
    typed = TypedDetails(buyer_value="101883300", text="Хвала")
    basket = sell.add_to_receipt(till=counter.till, ticket=basket, typed_details=typed)
    sale = confirmed(counter, basket, checkout.exact_card(basket.cart.total)).sale
    present = sell.start(till=counter.till, cashier=till.CASHIER)
    added = sell.add_item(
        till=counter.till, ticket=present, article=till.MILK, quantity=Quantity(2)
    )
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


def test_an_empty_cart_is_not_confirmed(counter: Counter) -> None:
    basket = sell.start(till=counter.till, cashier=till.CASHIER)
    with pytest.raises(Invalid):
        confirmed(counter, basket, Payments())
