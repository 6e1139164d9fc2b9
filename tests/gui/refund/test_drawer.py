"""The drawer opens once the refund is issued, and only then, if the cashier still waits there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from tests.fakes.fiscal_server import Fault
from tests.gui.attention.counter import Counter
from tests.gui.payment.shop import Shop
from tests.gui.refund import screens


@asynccontextmanager
async def waiting(
    folder: Path, theme: Theme
) -> AsyncIterator[tuple[Shop, RefundScreen, list[str]]]:
    """A refund in cash that was just confirmed, and the later requests to the counter."""
    shop = Shop(folder)
    holder, screen = screens.framed(shop, UiContext(theme, Texts()))
    frame = screen.frame
    await screens.under_way(shop, screen)
    counter = frame.home_room
    assert isinstance(counter, Counter)
    assert counter.noted.asked == ["send refund"]
    yield shop, screen, counter.noted.asked
    await frame.tasks.close()
    assert not counter.bugs
    holder.deleteLater()
    shop.close()


async def test_it_opens_once_it_is_issued(tmp_path: Path, theme: Theme) -> None:
    async with waiting(tmp_path, theme) as (shop, screen, asked):
        await screens.settle(shop)
        await screens.pause()
        assert screen.model.is_over
        await screens.settle(shop)
        assert asked == ["send refund", "open the drawer"]


async def test_it_stays_shut_where_nothing_was_issued(tmp_path: Path, theme: Theme) -> None:
    async with waiting(tmp_path, theme) as (shop, _, asked):
        shop.server.faults.append(Fault.FIX)
        await screens.settle(shop)
        await screens.pause()
        assert asked == ["send refund"]
