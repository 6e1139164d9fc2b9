"""Pictures of the reports: `python -m tests.gui.reports.screens FOLDER [--only NAME]`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import REPORTS
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.errors import NotDelivered
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.report import ReportName
from tests.fakes.people_here import let_in
from tests.fakes.receipt_files import NotingViewer
from tests.gui import pictures
from tests.gui.attention.counter import Counter, hold
from tests.gui.attention.screens import over_status
from tests.gui.parts import in_front
from tests.gui.payment.shop import Shop
from tests.gui.refund.screens import TABLE, pause, settle
from tests.gui.reports.weeks import CASHIERS, weeks

Scene = Callable[[Shop, ReportsScreen], Awaitable[None]]
PIN = "1234"
NOW = datetime(2026, 11, 20, 20, 20, tzinfo=UTC)


async def begin(shop: Shop, screen: ReportsScreen, name: ReportName = ReportName.DAY) -> None:
    """Let the manager in, and wait for the report."""
    await settle(shop)
    let_in(screen.model, PIN)
    screen.room.choose(name)
    await pause()
    await pause()


async def gate(shop: Shop, screen: ReportsScreen) -> None:
    """Nobody has typed the PIN yet."""
    await settle(shop)


async def by_day(shop: Shop, screen: ReportsScreen) -> None:
    """The picture's report."""
    await begin(shop, screen)


def _of(name: ReportName) -> Scene:
    async def shown(shop: Shop, screen: ReportsScreen) -> None:
        await begin(shop, screen, name)

    return shown


async def by_month(shop: Shop, screen: ReportsScreen) -> None:
    """A year is drawn as a curve."""
    await begin(shop, screen)
    screen.room.choose_preset(Preset.DAYS)
    await pause()
    screen.period.first.set_text("21.11.2025.")
    await pause()
    await pause()


async def days(shop: Shop, screen: ReportsScreen) -> None:
    """A period is typed, and one of its days does not exist."""
    await begin(shop, screen)
    screen.room.choose_preset(Preset.DAYS)
    await pause()
    screen.period.last.set_text("31.11.")
    await pause()


async def acts(shop: Shop, screen: ReportsScreen) -> None:
    """The acts, each with the person who permitted it."""
    told = (
        (NotedAct.LINE_REMOVED, "Млеко 2,8 % 1 l", "2 × 149.99", ""),
        (NotedAct.DISCOUNT, "Кафа млевена 200 g", "", "10%"),
        (NotedAct.PRICE, "Бурек са сиром", "189.99", "150.00"),
        (NotedAct.CART_DROPPED, "", "1240.50", ""),
        (NotedAct.DRAWER, "", "", ""),
        (NotedAct.REFUND, "Оштећено", "", "779.80"),
    )
    for place in reversed(range(18)):
        done, subject, before, after = told[place % len(told)]
        at = NOW - timedelta(hours=5 * place)
        with shop.store.here.lifting(CASHIERS[2] if done is NotedAct.PRICE else ""):
            shop.store.acts.write(
                done, by=CASHIERS[place % 3], at=at, subject=subject, before=before, after=after
            )
    await begin(shop, screen, ReportName.ACTS)


async def not_whole(shop: Shop, screen: ReportsScreen) -> None:
    """The list is still being made."""
    shop.receipts.state = ListState(180, 340)
    await begin(shop, screen)


async def away(shop: Shop, screen: ReportsScreen) -> None:
    """The server can't be reached."""
    shop.receipts.fault = NotDelivered(what="The server does not answer.")
    await begin(shop, screen)


async def asking(shop: Shop, screen: ReportsScreen) -> None:
    """A long report is being made, and the one before stays in sight."""
    await begin(shop, screen)
    shop.receipts.answers = asyncio.Event()
    screen.room.choose(ReportName.ARTICLE)
    screen.model.progress = (3_000, 9_898)
    await asyncio.sleep(0.4)
    await pause()


async def nothing(shop: Shop, screen: ReportsScreen) -> None:
    """The period has no receipt."""
    await begin(shop, screen, ReportName.CASHIER)
    screen.room.choose_preset(Preset.DAYS)
    screen.room.choose_days(NOW.date() - timedelta(days=900), NOW.date() - timedelta(days=890))
    await pause()


SCENES: dict[str, Scene] = {
    "gate": gate, "day": by_day, "month": by_month, "days": days, "acts": acts,
    "not-whole": not_whole, "away": away, "asking": asking, "nothing": nothing,
    **{
        one.value: _of(one)
        for one in ReportName
        if one not in (ReportName.DAY, ReportName.ACTS, ReportName.PRICES)
    },
}  # fmt: skip


def framed(shop: Shop, ui: UiContext) -> tuple[QWidget, ReportsScreen]:
    """The screen in the window's frame, over a counter that keeps its requests."""
    holder = QWidget()
    frame = Frame(TABLE, shop.services, ui, viewer=NotingViewer(), acts={}, parent=holder)
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(hold(frame, ui))
    frame.open(REPORTS)
    return holder, in_front(frame, "rep.title")


@asynccontextmanager
async def opened(shape: pictures.Shape, theme: Theme, name: str) -> AsyncIterator[QWidget]:
    """The window of one state in one shape, on the running loop."""
    with tempfile.TemporaryDirectory() as made:
        shop = Shop(Path(made))
        shop.clock.go_on((NOW - shop.clock.now()) // timedelta(milliseconds=1))
        shop.receipts.signed = weeks(NOW)
        holder, screen = framed(shop, UiContext(theme, Texts(shape.language)))
        window = over_status(theme, holder)
        pictures.open_window(window, shape)
        await SCENES[name](shop, screen)
        await pause()
        window.activateWindow()
        await pause()
        yield window
        await screen.frame.tasks.close()
        window.close()
        counter = screen.frame.home_room
        assert isinstance(counter, Counter)
        assert not counter.bugs, counter.bugs
        window.deleteLater()
        shop.close()


posed = pictures.posed_by(opened)


if __name__ == "__main__":
    sys.exit(
        pictures.main("the reports", [(shape, tuple(SCENES)) for shape in pictures.SHAPES], posed)
    )
