"""A shop leaves the system of VAT, or gives up ways of handing over, while sales, corrections and
refunds of the till are not over: from the till's file to the real server and processor. Source:
fiscal.md 6.6."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pos_app.bootstrap.issuing.issuing import VatInSettings
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import NotAllowed
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.cashier_setup import check_none_waits
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import add_items, follow_catalogue, start, take_back
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import Ticket
from pos_app.settings import load
from tests.fakes.till import BREAD
from tests.integration.local_api.test_outside_vat import leave_vat
from tests.integration.till.test_acts_after_a_restore import until
from tests.integration.till.test_receipt_acts import BUYER, PAPER, Counter, counter

CASHIER = "Мира"
WITHOUT = replace(BREAD, label=TaxLabel.A)


def at_counter(at: Counter, folder: Path) -> None:
    """Let the till read whether the shop is in VAT, as the program does."""
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


@dataclass
class Methods:
    """What the store's settings offer; a test changes it."""

    offered: frozenset[str] = field(default_factory=lambda: frozenset(DEVICES))

    def print_methods(self) -> frozenset[str]:
        return self.offered


async def all_ways(at: Counter, act: str) -> Sale:
    """An act of the till that asks for every way, confirmed and not sent yet."""
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
    methods = Methods()
    store = AvailableHandover(methods, DEVICES, refuses_without_mail=refuses_without_mail)
    async with counter(folder, store=store) as at:
        sale = await all_ways(at, act)
        methods.offered = frozenset()
        done = await at.ended(sale)
        assert (done.state, done.reason) == (SaleState.DONE, None)
        jobs = {one.method for one in at.server.shop.journal.jobs.not_done()}
        assert jobs == {JobMethod.THERMAL, JobMethod.A4}, "the mail is told as not sent"
