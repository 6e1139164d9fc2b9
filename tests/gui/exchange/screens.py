from __future__ import annotations

from pos_app.cashier.exchange.view import ExchangeScreen
from pos_app.cashier.window.screens import EXCHANGE, ExchangePlace
from pos_app.selling.sale.goods_back import GoodsBack
from tests.fakes.fiscal_server import Fault
from tests.fakes.printer_setup import IN_THE_SHOP
from tests.gui import pictures
from tests.gui.attention.cases import BY_CARD, RETURNED, exchanging
from tests.gui.crawl.posing import (
    Act,
    answered,
    answered_with,
    awaited,
    framed,
    keys_listed,
    no_server,
    opened_in,
    pause,
    refund_issued,
)
from tests.gui.payment.shop import Shop


def begun(goods: GoodsBack = RETURNED, *, new: str = "608.00", cash: int = 0) -> Act:
    """Confirm the exchange; a receipt printer with a drawer is set up."""

    async def act(shop: Shop, screen: ExchangeScreen) -> None:
        shop.services.printers.saved = IN_THE_SHOP
        pair = exchanging(shop, goods, new=new, cash=cash)
        screen.go_to(ExchangePlace(pair.new.key, is_waited_for=True))
        await pause()

    return act


def cart_taken(shop: Shop, screen: ExchangeScreen) -> None:
    shop.server.running = True
    shop.outbox.cancel(screen.model.pair.refund.key, reason="correction")


UNDER_WAY = begun()
NOT_SENT = awaited(UNDER_WAY, no_server, answered_with(steps=60))
SCENES = {
    "gives": awaited(UNDER_WAY, answered),  # the cashier gives cash back
    "under_way": UNDER_WAY,
    "takes": awaited(begun(new="1000.00", cash=200), answered),  # a note for dearer goods
    "exact": awaited(begun(new="1000.00", cash=157), answered),
    "by_card": awaited(begun(BY_CARD), answered),
    "equal": awaited(begun(new="842.50"), answered),
    "not_sent": NOT_SENT,
    "to_cart": awaited(NOT_SENT, lambda _, screen: screen.to_cart.click(), pause),
    "half": awaited(UNDER_WAY, refund_issued, answered_with(Fault.WAIT)),
    "doubt": awaited(UNDER_WAY, answered_with(Fault.IN_DOUBT, steps=60)),
    "given_up": awaited(NOT_SENT, cart_taken, answered),
    "keys": awaited(UNDER_WAY, keys_listed),
}
posed = pictures.posed_by(opened_in(framed(EXCHANGE, "exch.title"), SCENES))
