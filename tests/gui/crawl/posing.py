"""How the scenes of a room are posed: in one screen of the till's frame, or in its whole window.

A scene is a function that brings a shop and its screen, or its window, to a state; it is called as
the scene is.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from inspect import isawaitable
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import StatusLine
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import HOME, Change, Frame, ScreenEntry, ShopChange
from pos_app.cashier.window.screens import SCREENS
from pos_app.cashier.window.till_window import TillWindow
from pos_app.errors import NoSuchReceipt, NotDelivered
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.fakes.receipt_files import NotingViewer
from tests.gui import pictures
from tests.gui.attention.counter import Counter, CounterScreen, hold
from tests.gui.parts import in_front
from tests.gui.payment.shop import Shop
from tests.gui.ui.examples import WELL
from tests.gui.window.posed import Pose, window_posed

Scene = TypeVar("Scene", bound=Callable[..., object])
Framed = Callable[[Shop, UiContext], tuple[QWidget, Any]]
"""Opens a screen and returns it with the widget that holds its frame."""


Act = Callable[..., object]
"""Something that is done with a shop and its screen, or its window; a screen's may be awaited."""


def named(*scenes: Scene) -> dict[str, Scene]:
    return {scene.__name__: scene for scene in scenes}


def awaited(*acts: Act) -> Callable[..., Awaitable[None]]:
    """A scene of a screen: these acts, one after the other."""

    async def pose(*till: Any) -> None:
        for act in acts:
            if isawaitable(work := act(*till)):
                await work

    return pose


def at_once(*acts: Act) -> Pose:
    """A scene of the window: these acts, while no loop runs."""

    def pose(shop: Any, window: TillWindow) -> None:
        for act in acts:
            act(shop, window)

    return pose


def answered_with(*faults: Fault, steps: int = 12) -> Act:
    """The server's next answers, and the screen that shows what came of them."""

    async def act(shop: Shop, *_: object) -> None:
        shop.server.faults.extend(faults)
        await answered(shop, steps=steps)

    return act


async def refund_issued(shop: Shop, screen: Any) -> None:
    """Let the outbox work until the first receipt of the screen's pair is signed."""
    while shop.store.sales.sale(screen.model.pair.refund.key).state is not SaleState.DONE:
        shop.clock.go_on(await shop.outbox.step())


def keys_listed(_: object, screen: Any, *__: object) -> None:
    screen.toggle_keys()


def no_server(shop: Shop, *_: object) -> None:
    shop.server.running = False


def receipts_fail(shop: Shop, *_: object) -> None:
    """The server does not answer about receipts."""
    shop.receipts.fault = NotDelivered(what="nobody there")


def no_receipt(shop: Shop, *_: object) -> None:
    shop.receipts.fault = NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")


class WaitedFor(Counter):
    """A home room to which every screen comes back that issued something."""

    def act_confirmed(self, sale: Sale) -> None:
        self.noted.asked.append(f"send {sale.operation}")

    def open_drawer_for(self, sale: Sale) -> None:
        self.noted.asked.append("open the drawer")


ROOM, SCREEN = WaitedFor, CounterScreen
TABLE = (ScreenEntry(HOME, __name__), *(entry for entry in SCREENS if entry.name != HOME))


def framed(
    name: str,
    title: str,
    *,
    table: Sequence[ScreenEntry] = TABLE,
    opens_files: bool = True,
    hears: bool = True,
) -> Framed:
    """A screen over a counter that notes its requests. title: the id of its text. hears: whether it
    is told of sales and of the server."""

    def opened(shop: Shop, ui: UiContext) -> tuple[QWidget, Any]:
        holder, viewer = QWidget(), NotingViewer(opens=opens_files)
        frame = Frame(table, shop.services, ui, viewer=viewer, acts={}, parent=holder)
        if hears:
            shop.outbox.listen(
                on_sale=lambda sale: frame.announce(Change(ShopChange.SALES, sale)),
                on_server=lambda _: frame.announce(Change(ShopChange.SERVER)),
            )
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(hold(frame, ui))
        frame.open(name)
        return holder, in_front(frame, title)

    return opened


def opened_in(
    framed: Framed,
    scenes: Mapping[str, Act],
    *,
    stock: Callable[[Shop], Sequence[object]] = lambda _: (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    show: Callable[[Any], object] = lambda _: None,
    focus: Callable[[Any], object] = lambda _: None,
) -> pictures.Opened:
    """Opens a scene in a screen, on the running loop. stock: prepares the shop before the screen
    opens; the scene is given what it returns. settings: those of the till, by scene. show: lets the
    screen show the scene. focus: moves the keyboard once the window is in front."""

    @asynccontextmanager
    async def opened(shape: pictures.Shape, theme: Theme, name: str) -> AsyncIterator[QWidget]:
        with tempfile.TemporaryDirectory() as made:
            shop = Shop(Path(made), **(settings or {}).get(name, {}))
            more = stock(shop)
            holder, screen = framed(shop, UiContext(theme, Texts(shape.language)))
            window = over_status(theme, holder)
            pictures.open_window(window, shape)
            await awaited(scenes[name])(shop, screen, *more)
            show(screen)
            await pause()
            await pause()
            window.activateWindow()
            await pause()
            focus(screen)
            await pause()
            yield window
            window.close()
            await screen.frame.tasks.close()
            counter = screen.frame.home_room
            assert isinstance(counter, Counter)
            assert not counter.bugs, counter.bugs
            window.deleteLater()
            shop.close()

    return opened


def over_status(theme: Theme, screen: QWidget) -> Ground:
    """The screen above the bottom line, as in the till's window."""
    window = Ground(theme, colour="bg")
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    status = StatusLine(theme, name="Стање")
    status.set_status(WELL, "Продаја ради · фискализација чека одлуку")
    column.addWidget(screen, 1)
    column.addWidget(status)
    return window


async def settle(shop: Shop, *__: object, steps: int = 12) -> None:
    """Let the outbox work for a while of its own time."""
    for _ in range(steps):
        shop.clock.go_on(await shop.outbox.step())


async def pause(*__: object) -> None:
    for _ in range(5):
        await asyncio.sleep(0.01)


async def answered(shop: Shop, *_: object, steps: int = 12) -> None:
    """Let the outbox work, and the screen show what came of it."""
    await settle(shop, steps=steps)
    await pause()


def over_till(scenes: Mapping[str, Pose]) -> pictures.Posed:
    def posed(
        application: QApplication, shape: pictures.Shape, name: str
    ) -> AbstractContextManager[TillWindow]:
        return window_posed(application, shape, scenes[name])

    return posed
