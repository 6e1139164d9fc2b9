"""An advance of another system is closed at the till: its refund by hand, then the goods.

From the till's file through the outbox to the real server and processor, whose ledger is asked.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.bootstrap.issuing.issuing import VatInSettings
from pos_app.cashier.acts.act_in_front import TO_CART
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine
from pos_app.domain.receipt.request import FrozenArticle, InvoiceType, ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import NotAllowed
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from pos_app.selling.receipts import refund_by_hand
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale import sell
from pos_app.selling.sale.cashier_setup import check_none_waits
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import add_items, follow_catalogue, start, take_back
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Referent, Ticket
from pos_app.settings import load
from tests.fakes.inner_connection import connection_of
from tests.fakes.till import BREAD
from tests.integration.fiscalization.shop import Offers
from tests.integration.local_api.test_outside_vat import leave_vat
from tests.integration.till.test_acts_after_a_restore import until
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
        expected = [Money("600").amount, Money("1000.40").amount]
        assert [entry.total for entry in at.server.shop.ledger()] == expected
        assert at.database.sales.closed_without_goods() == []
        assert list(till_contents(connection_of(at.database))) == []


async def test_the_goods_are_asked_for_until_they_are_receipted(folder: Path) -> None:
    """The row returns when a cart is voided, or a sale put away."""
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
    now, sales = at.till.clock.now(), at.database.sales
    sales.request_cancel(sale.key, reason=reason, at=now)
    sales.move(sale.key, SaleState.CANCELLING, at=now)
    return sales.move(sale.key, SaleState.CANCELLED, at=now)


async def test_a_sale_that_is_corrected_is_a_cart_of_the_goods(folder: Path) -> None:
    """Until its lines are taken back, it is the only way to the goods."""
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


# --- a shop that leaves VAT, or gives up ways of handing over (fiscal.md 6.6) ---
CASHIER = "Мира"
WITHOUT = replace(BREAD, label=TaxLabel.A)


def at_counter(at: Counter, folder: Path) -> None:
    at.till = replace(at.till, in_vat=VatInSettings(load(folder)))


def paid(at: Counter, ticket: Ticket, *, delivery: ReceiptDelivery = PAPER) -> Sale:
    owed = cash_owed(ticket.cart.total, in_whole_dinars=True)
    done = confirm(
        till=at.till,
        ticket=ticket,
        tendered=Payments.of({PaymentMethod.CASH: owed}),
        receipt_details=ReceiptDetails(delivery=delivery),
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    return done.sale


def entered(at: Counter, article: Article) -> Ticket:
    ticket = start(till=at.till, cashier=CASHIER)
    return add_items(till=at.till, ticket=ticket, items=[(article, Quantity.ONE, None)])


def labels(at: Counter) -> list[list[str]]:
    return [
        [item["labels"][0] for item in json.loads(one.request)["items"]]
        for one in at.server.shop.ledger()
    ]


async def test_a_sale_that_was_paid_becomes_one_receipt_without_vat(folder: Path) -> None:
    async with counter(folder) as at:
        at_counter(at, folder)
        sale = paid(at, entered(at, BREAD))
        leave_vat(folder)
        refused = await until(at, sale, SaleState.REFUSED)
        assert refused.reason.field == "items[0].sku"
        assert at.server.shop.ledger() == []
        at.outbox.cancel(sale.key, reason="correction")
        cancelled = await until(at, sale, SaleState.CANCELLED)
        ticket = start(till=at.till, cashier=CASHIER)
        ticket = take_back(till=at.till, ticket=ticket, sale=cancelled)
        assert ticket.typed_details.paid == sale.money_taken.tendered.by_method
        ticket = follow_catalogue(till=at.till, ticket=ticket, articles={BREAD.id: WITHOUT})
        assert (await until(at, paid(at, ticket), SaleState.DONE)).receipt is not None
        assert labels(at) == [["А"]]


async def test_who_leaves_waits_for_a_sale_in_doubt_too(folder: Path) -> None:
    async with counter(folder) as at:
        at_counter(at, folder)
        sale = paid(at, entered(at, BREAD))
        at.database.sales.move(sale.key, SaleState.SENDING, at=at.till.clock.now())
        at.outbox.recover()
        assert at.database.sales.sale(sale.key).state is SaleState.DOUBT
        with pytest.raises(NotAllowed):
            check_none_waits(at.database.sales)
        await until(at, sale, SaleState.DONE)
        check_none_waits(at.database.sales)


# --- ways of handing over that went ---------------------------------------------------------------
EVERY_WAY = ReceiptDelivery(thermal=True, a4=True, email="kupac@example.rs", pdf=False)
DEVICES = frozenset({JobMethod.THERMAL, JobMethod.A4, JobMethod.EMAIL})


async def all_ways(at: Counter, act: str) -> Sale:
    if act == "sale":
        return paid(at, entered(at, BREAD), delivery=EVERY_WAY)
    shown = await at.overview(await at.sold())
    return confirm_refund(
        till=at.till,
        draft=RefundDraft.whole(shown),
        buyer=BUYER,
        delivery=EVERY_WAY,
        cashier=CASHIER,
        in_whole_dinars=True,
    )


@pytest.mark.parametrize(("act", "refuses_without_mail"), [("sale", True), ("refund", False)])
async def test_ways_that_are_given_up_after_the_payment_refuse_no_receipt(
    folder: Path, act: str, refuses_without_mail: bool
) -> None:
    methods = Offers(frozenset(DEVICES))
    store = AvailableHandover(methods, DEVICES, refuses_without_mail=refuses_without_mail)
    async with counter(folder, store=store) as at:
        sale = await all_ways(at, act)
        methods.methods = frozenset()
        done = await at.ended(sale)
        assert (done.state, done.reason) == (SaleState.DONE, None)
        jobs = {one.method for one in at.server.shop.journal.jobs.not_done()}
        assert jobs == {JobMethod.THERMAL, JobMethod.A4}, "the mail is told as not sent"
