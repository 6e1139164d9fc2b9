"""Pictures of the receipts: `python -m tests.gui.receipts.screens FOLDER [--only NAME]`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from qasync import QEventLoop

from pos_app.cashier.frame import Change, Changed, Frame
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.screens import RECEIPTS, ReceiptPlace
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from tests.fakes.receipt_files import NotingViewer
from tests.gui.attention.counter import Counter, hold
from tests.gui.attention.screens import over_status
from tests.gui.payment.shop import Shop
from tests.gui.pictures import SHAPES, Shape, look_of, main, open_window, styled
from tests.gui.receipts.day import Day, at, number_of, usual_day
from tests.gui.refund.screens import TABLE, settle

Scene = Callable[[Shop, ReceiptsScreen, Day], Awaitable[None]]


async def pause() -> None:
    """Let Qt deliver what is queued, and the till read what it asked for."""
    for _ in range(12):
        await asyncio.sleep(0.01)


async def begin(shop: Shop, screen: ReceiptsScreen, number: int = 8597) -> None:
    """Scan a receipt, once the server was seen."""
    await settle(shop)
    await pause()
    screen.go_to(ReceiptPlace(number_of(number), by_scan=True))
    await pause()


async def list_(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """As in the picture: the list, the receipt that was scanned, and its chain."""
    await begin(shop, screen)


async def newest(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """As F7 opens it: the newest receipt."""
    await pause()


async def nothing(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """Words that no receipt has."""
    await begin(shop, screen)
    screen.side.filters.search.set_text("чварци")
    await pause()


async def keys(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """F1."""
    await begin(shop, screen)
    screen.toggle_keys()


_ALL: tuple[tuple[str, Scene], ...] = (
    ("list", list_),
    ("newest", newest),
    ("nothing", nothing),
    ("keys", keys),
)
SCENES = dict(_ALL)


def framed(shop: Shop, ui: UiContext) -> tuple[QWidget, ReceiptsScreen]:
    """The screen as it is when it is opened first, and what holds it."""
    holder = QWidget()
    frame = Frame(TABLE, shop.services, ui, viewer=NotingViewer(), acts={}, parent=holder)
    shop.outbox.listen(
        on_sale=lambda sale: frame.tell(Change(Changed.SALES, sale)),
        on_server=lambda _: frame.tell(Change(Changed.SERVER)),
    )
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(hold(frame, ui))
    frame.open(RECEIPTS)
    assert isinstance(frame.top, ReceiptsScreen)
    return holder, frame.top


@asynccontextmanager
async def opened(shape: Shape, theme: Theme, name: str) -> AsyncIterator[QWidget]:
    """The window of one state in one shape, on the running loop."""
    with tempfile.TemporaryDirectory() as made:
        shop, day = Shop(Path(made)), usual_day()
        shop.clock.go_on((at("14:32") - shop.clock.now()) // timedelta(milliseconds=1))
        day.tell(shop.receipts)
        holder, screen = framed(shop, UiContext(theme, Texts(shape.language)))
        window = over_status(theme, holder)
        open_window(window, shape)
        await SCENES[name](shop, screen, day)
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


@contextmanager
def posed(application: QApplication, shape: Shape, name: str) -> Iterator[QWidget]:
    """The window of one state on a loop of its own, which stands while it is looked at."""
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop, styled(application, look_of(shape)) as look:
        made = opened(shape, look, name)
        window = loop.run_until_complete(made.__aenter__())
        yield window
        loop.run_until_complete(made.__aexit__(None, None, None))


if __name__ == "__main__":
    sys.exit(main("the receipts", [(shape, tuple(SCENES)) for shape in SHAPES], posed))
