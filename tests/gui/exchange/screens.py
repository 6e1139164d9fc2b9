"""Pictures of the exchange."""

from __future__ import annotations

from pos_app.cashier.exchange.view import ExchangeScreen
from pos_app.cashier.window.screens import EXCHANGE, ExchangePlace
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.printer_setup import IN_THE_SHOP
from tests.gui import pictures
from tests.gui.attention.cases import BY_CARD, RETURNED, exchanging
from tests.gui.crawl.posing import answered, framed, named, opened_in, pause
from tests.gui.payment.shop import Shop


async def begin(
    shop: Shop,
    screen: ExchangeScreen,
    goods: GoodsBack = RETURNED,
    *,
    new: str = "608.00",
    cash: int = 0,
) -> None:
    """Confirm the exchange; a receipt printer with a drawer is set up."""
    shop.services.printers.saved = IN_THE_SHOP
    pair = exchanging(shop, goods, new=new, cash=cash)
    screen.go_to(ExchangePlace(pair.new.key, is_waited_for=True))
    await pause()


async def under_way(shop: Shop, screen: ExchangeScreen) -> None:
    """The refund is being issued."""
    await begin(shop, screen)


async def gives(shop: Shop, screen: ExchangeScreen) -> None:
    """Both receipts are issued, and the cashier gives cash back."""
    await begin(shop, screen)
    await answered(shop)


async def takes(shop: Shop, screen: ExchangeScreen) -> None:
    """The new goods were dearer, and a note was given."""
    await begin(shop, screen, new="1000.00", cash=200)
    await answered(shop)


async def exact(shop: Shop, screen: ExchangeScreen) -> None:
    """The new goods were dearer, and the difference was given exactly."""
    await begin(shop, screen, new="1000.00", cash=157)
    await answered(shop)


async def by_card(shop: Shop, screen: ExchangeScreen) -> None:
    """The sale was paid by card, and the card gets the rest back."""
    await begin(shop, screen, BY_CARD)
    await answered(shop)


async def equal(shop: Shop, screen: ExchangeScreen) -> None:
    """Both receipts have the same total: no money moves."""
    await begin(shop, screen, new="842.50")
    await answered(shop)


async def not_sent(shop: Shop, screen: ExchangeScreen) -> None:
    """The server was away for too long."""
    await begin(shop, screen)
    shop.server.running = False
    await answered(shop, 60)


async def to_cart(shop: Shop, screen: ExchangeScreen) -> None:
    """The cashier wants the cart back, and the server is still away."""
    await not_sent(shop, screen)
    screen.to_cart.click()
    await pause()


async def half(shop: Shop, screen: ExchangeScreen) -> None:
    """The refund is issued; the processor is away for the sale."""
    await begin(shop, screen)
    pair = screen.model.pair
    assert pair is not None
    while shop.store.sales.sale(pair.refund.key).state is not SaleState.DONE:
        shop.clock.go_on(await shop.outbox.step())
    shop.server.faults.append(Fault.WAIT)
    await answered(shop)


async def doubt(shop: Shop, screen: ExchangeScreen) -> None:
    """Nobody knows whether the refund was issued."""
    await begin(shop, screen)
    shop.server.faults.append(Fault.IN_DOUBT)
    await answered(shop, 60)


async def given_up(shop: Shop, screen: ExchangeScreen) -> None:
    """The exchange went into a cart from Attention."""
    await not_sent(shop, screen)
    shop.server.running = True
    assert screen.model.pair is not None
    shop.outbox.cancel(screen.model.pair.refund.key, reason="correction")
    await answered(shop)


async def keys(shop: Shop, screen: ExchangeScreen) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


SCENES = named(
    gives, under_way, takes, exact, by_card, equal, not_sent, to_cart, half, doubt, given_up, keys,
)  # fmt: skip
posed = pictures.posed_by(opened_in(framed(EXCHANGE, "exch.title"), SCENES))
