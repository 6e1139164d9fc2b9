"""Sales at a till without a window."""

from __future__ import annotations

from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Quantity
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.selling.sale import checkout, sell
from tests.shop.world import World

CASHIER = "Мира"


def sell_one(world: World, *codes: str) -> str:
    """Confirm a sale of a piece of each, paid by card; returns its key."""
    core = world.core
    assert core is not None
    ticket = sell.start(till=core.till, cashier=CASHIER)
    for code in codes:
        (found,) = core.catalogue.by_code(ArticleCode(code))
        ticket = sell.add_item(
            till=core.till, ticket=ticket, article=found.article, quantity=Quantity.ONE
        ).ticket
    done = checkout.confirm(
        till=core.till,
        ticket=ticket,
        tendered=checkout.exact_card(checkout.amount_due(ticket, advance=None)),
        receipt_details=checkout.ReceiptDetails(ReceiptDelivery()),
        cashier=CASHIER,
        in_whole_dinars=False,
    )
    core.outbox.wake()
    return done.sale.key
