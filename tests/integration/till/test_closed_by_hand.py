"""An advance of another system is closed at the till: its refund by hand, then the goods.

From the till's file through the outbox to the real server and processor, whose ledger is asked.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.cashier.acts.act_in_front import TO_CART
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine
from pos_app.domain.receipt.request import FrozenArticle, InvoiceType
from pos_app.errors import NotAllowed
from pos_app.selling.receipts import refund_by_hand
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Referent, Ticket
from tests.fakes.inner_connection import connection_of
from tests.integration.till.test_receipt_acts import BUYER, PAPER, Counter, counter

DRAFT = refund_by_hand.HandDraft(
    number="XYZW1234-XYZW1234-8652",
    day="20.11.2025.",
    time="11:42",
    kind=InvoiceType.ADVANCE,
    goods="-",
    amounts={TaxLabel.DJ: "600,00"},
    method=PaymentMethod.CARD,
    with_goods=True,
    most=Money("400"),
)
"""All payments add up to more than the amount in the last receipt's code."""


def close(at: Counter, draft: refund_by_hand.HandDraft = DRAFT) -> Sale:
    assert draft.fault(at.till.clock.now()) is None
    return at.by_hand(draft)


def table(price: str) -> Cart:
    frozen = FrozenArticle("Сто", TaxLabel.DJ, "ком")
    article = CartArticle("sto", 7, frozen, Money(price))
    return Cart((CartLine(1, article, Quantity(1), Money(price)),), next_id=2)


def goods(at: Counter, refund: Sale, price: str) -> Ticket:
    """Begin the sale of the goods, with a table in it."""
    ticket = sell.start(till=at.till, cashier="Мира")
    opened = refund_by_hand.open_goods(
        till=at.till, sales=at.database.sales, ticket=ticket, refund=refund
    )
    return at.till.carts.save(replace(opened, cart=table(price)), was=opened)


def sold(at: Counter, ticket: Ticket, tendered: Payments) -> Sale:
    referent = ticket.typed_details.referent
    details = ReceiptDetails(
        PAPER, buyer=BUYER, referent_number=referent.number, referent_time=referent.time
    )
    return confirm(
        till=at.till,
        ticket=ticket,
        tendered=tendered,
        receipt_details=details,
        cashier="Мира",
        in_whole_dinars=True,
    ).sale


def cash(amount: str) -> Payments:
    return Payments.of({PaymentMethod.CASH: Money(amount)})


async def test_the_goods_are_sold_for_what_remains(folder: Path) -> None:
    async with counter(folder) as at:
        refund = await at.ended(close(at))
        assert refund.receipt is not None, refund.reason
        assert (refund.total, refund.closes_elsewhere) == (Money("600"), True)
        assert not refund.money_taken.tendered.total
        assert at.database.sales.closed_without_goods() == [refund]
        ticket = goods(at, refund, "1000.40")
        assert at.database.sales.closed_without_goods() == []
        assert ticket.typed_details.buyer_value == BUYER.value
        assert refund.receipt.signed_at is not None
        told = Referent(refund.receipt.fiscal_number, refund.receipt.signed_at, Money("600"))
        kept = at.till.carts.open_cart(training=False)
        assert kept.typed_details.referent == told
        sale = sold(at, ticket, cash("500"))
        assert (sale.total, sale.money_taken.change) == (Money("400.40"), Money("100"))
        assert sale.money_taken.rounding == Money("-0.40")
        done = await at.ended(sale)
        assert done.receipt is not None, done.reason
        shown = await at.overview(done.receipt.fiscal_number)
        assert (shown.total, shown.refers_to) == (Money("1000.40"), told.number)
        assert [entry.total for entry in at.server.shop.ledger()] == [
            Money("600").amount,
            Money("1000.40").amount,
        ]
        assert at.database.sales.closed_without_goods() == []
        assert list(till_contents(connection_of(at.database))) == []


async def test_the_goods_are_asked_for_until_they_are_receipted(folder: Path) -> None:
    """When a cart is voided, or a sale put away, the row returns; a second cart, and one for a
    refund that gave money back, are refused."""
    async with counter(folder) as at:
        gave_back = await at.ended(close(at, replace(DRAFT, with_goods=False, most=None)))
        refund = await at.ended(close(at))
        sales = at.database.sales
        assert sales.closed_without_goods() == [refund]
        ticket = goods(at, refund, "700")
        for wrong in (refund, gave_back):
            with pytest.raises(NotAllowed):
                refund_by_hand.open_goods(till=at.till, sales=sales, ticket=ticket, refund=wrong)
        sell.suspend(till=at.till, ticket=ticket)
        assert sales.closed_without_goods() == []
        [held] = at.till.carts.suspended()
        at.till.carts.void(held, reason="void", at=at.till.clock.now())
        assert sales.closed_without_goods() == [refund]
        again = goods(at, refund, "700")
        for kind in (DocumentKind.PROFORMA, DocumentKind.ADVANCE):
            with pytest.raises(NotAllowed) as told:
                sell.set_kind(till=at.till, ticket=again, kind=kind, cashier="Мира")
            assert told.value.kind == "closing_is_sale"
        sales.mark_shown(refund.key)
        assert sales.closed_without_goods() == []


def put_away(at: Counter, sale: Sale, reason: str) -> Sale:
    """Put it away on the server's word, as the outbox does."""
    now, sales = at.till.clock.now(), at.database.sales
    sales.request_cancel(sale.key, reason=reason, at=now)
    sales.move(sale.key, SaleState.CANCELLING, at=now)
    return sales.move(sale.key, SaleState.CANCELLED, at=now)


async def test_a_sale_that_is_corrected_is_a_cart_of_the_goods(folder: Path) -> None:
    """Until its lines are taken back, it is the only way to the goods; a dropped sale is no way to
    them."""
    async with counter(folder) as at:
        refund, sales = await at.ended(close(at)), at.database.sales
        sale = put_away(at, sold(at, goods(at, refund, "1000"), cash("400")), TO_CART)
        assert sales.closed_without_goods() == []
        ticket = sell.start(till=at.till, cashier="Мира")
        with pytest.raises(NotAllowed):
            refund_by_hand.open_goods(till=at.till, sales=sales, ticket=ticket, refund=refund)
        again = sell.take_back(till=at.till, ticket=ticket, sale=sale)
        assert again.paid_before == refund.total
        put_away(at, sold(at, again, cash("400")), "dropped")
        assert sales.closed_without_goods() == [refund]


@pytest.mark.parametrize("is_held", [False, True])
async def test_goods_that_have_a_cart_are_not_taken_back(folder: Path, is_held: bool) -> None:
    """The sale can still be taken back afterwards."""
    async with counter(folder) as at:
        refund, sales = await at.ended(close(at)), at.database.sales
        sale = put_away(at, sold(at, goods(at, refund, "1000"), cash("400")), "dropped")
        ticket = goods(at, refund, "700")
        if is_held:
            ticket = sell.suspend(till=at.till, ticket=ticket)
        with pytest.raises(NotAllowed) as told:
            sell.take_back(till=at.till, ticket=ticket, sale=sale)
        assert told.value.kind == "goods_settled"
        assert not sales.sale(sale.key).was_shown
        assert at.till.carts.open_cart(training=False) == ticket


async def test_of_two_carts_of_the_goods_one_is_sold(folder: Path) -> None:
    """A copy that was put back may have two: the second one is refused before money is taken."""
    async with counter(folder) as at:
        refund = await at.ended(close(at))
        first = goods(at, refund, "1000")
        empty = sell.suspend(till=at.till, ticket=first)
        twin = replace(empty, cart=table("800"), typed_details=first.typed_details)
        second = at.till.carts.save(twin, was=empty)
        sold(at, second, cash("200"))
        begun = sell.start(till=at.till, cashier="Мира")
        recalled = sell.recall(till=at.till, ticket=begun, cart_id=first.id)
        with pytest.raises(NotAllowed) as told:
            sold(at, recalled, cash("400"))
        assert told.value.kind == "goods_settled"
        assert at.till.carts.open_cart(training=False) == recalled
