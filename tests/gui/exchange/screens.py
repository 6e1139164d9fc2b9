"""Pictures of the exchange: `python -m tests.gui.exchange.screens FOLDER [--only NAME]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.exchange.view import ExchangeScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Change, Frame, ShopChange
from pos_app.cashier.window.screens import EXCHANGE, ExchangePlace
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.printer_setup import IN_THE_SHOP
from tests.fakes.receipt_files import NotingViewer
from tests.gui import pictures
from tests.gui.attention.cases import BY_CARD, RETURNED, exchanging
from tests.gui.attention.counter import Counter, hold
from tests.gui.attention.screens import over_status
from tests.gui.parts import in_front
from tests.gui.payment.shop import Shop
from tests.gui.refund.screens import TABLE, pause, settle

Scene = Callable[[Shop, ExchangeScreen], Awaitable[None]]


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
    await settle(shop)
    await pause()


async def takes(shop: Shop, screen: ExchangeScreen) -> None:
    """The new goods were dearer, and a note was given."""
    await begin(shop, screen, new="1000.00", cash=200)
    await settle(shop)
    await pause()


async def exact(shop: Shop, screen: ExchangeScreen) -> None:
    """The new goods were dearer, and the difference was given exactly."""
    await begin(shop, screen, new="1000.00", cash=157)
    await settle(shop)
    await pause()


async def by_card(shop: Shop, screen: ExchangeScreen) -> None:
    """The sale was paid by card, and the card gets the rest back."""
    await begin(shop, screen, BY_CARD)
    await settle(shop)
    await pause()


async def equal(shop: Shop, screen: ExchangeScreen) -> None:
    """Both receipts have the same total: no money moves."""
    await begin(shop, screen, new="842.50")
    await settle(shop)
    await pause()


async def not_sent(shop: Shop, screen: ExchangeScreen) -> None:
    """The server was away for too long."""
    await begin(shop, screen)
    shop.server.running = False
    await settle(shop, 60)
    await pause()


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
    await settle(shop)
    await pause()


async def doubt(shop: Shop, screen: ExchangeScreen) -> None:
    """Nobody knows whether the refund was issued."""
    await begin(shop, screen)
    shop.server.faults.append(Fault.IN_DOUBT)
    await settle(shop, 60)
    await pause()


async def given_up(shop: Shop, screen: ExchangeScreen) -> None:
    """The exchange went into a cart from Attention."""
    await not_sent(shop, screen)
    shop.server.running = True
    assert screen.model.pair is not None
    shop.outbox.cancel(screen.model.pair.refund.key, reason="correction")
    await settle(shop)
    await pause()


async def keys(shop: Shop, screen: ExchangeScreen) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


_ALL: tuple[Scene, ...] = (
    gives,
    under_way,
    takes,
    exact,
    by_card,
    equal,
    not_sent,
    to_cart,
    half,
    doubt,
    given_up,
    keys,
)
SCENES = {scene.__name__: scene for scene in _ALL}


def framed(shop: Shop, ui: UiContext) -> tuple[QWidget, ExchangeScreen]:
    holder = QWidget()
    frame = Frame(TABLE, shop.services, ui, viewer=NotingViewer(), acts={}, parent=holder)
    shop.outbox.listen(
        on_sale=lambda sale: frame.announce(Change(ShopChange.SALES, sale)),
        on_server=lambda _: frame.announce(Change(ShopChange.SERVER)),
    )
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(hold(frame, ui))
    frame.open(EXCHANGE)
    return holder, in_front(frame, "exch.title")


@asynccontextmanager
async def opened(shape: pictures.Shape, theme: Theme, name: str) -> AsyncIterator[QWidget]:
    """The window of one state in one shape, on the running loop."""
    with tempfile.TemporaryDirectory() as made:
        shop = Shop(Path(made))
        holder, screen = framed(shop, UiContext(theme, Texts(shape.language)))
        window = over_status(theme, holder)
        pictures.open_window(window, shape)
        await SCENES[name](shop, screen)
        await pause()
        window.activateWindow()
        await pause()
        yield window
        window.close()
        await screen.frame.tasks.close()
        counter = screen.frame.home_room
        assert isinstance(counter, Counter)
        assert not counter.bugs, counter.bugs
        window.deleteLater()
        shop.close()


posed = pictures.posed_by(opened)


if __name__ == "__main__":
    sys.exit(
        pictures.main("the exchange", [(shape, tuple(SCENES)) for shape in pictures.SHAPES], posed)
    )
