"""The list of receipts: deliveries, a list that is not all, and what is not there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.receipts.filters import PeriodChoice
from pos_app.cashier.receipts.model import Doing
from pos_app.cashier.receipts.rows import ReceiptListHead
from pos_app.cashier.ui.panel import EmptyState
from pos_app.documents.shown_receipt import ShownElsewhere
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere, SearchEnd
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.server_status import PublicMode, PublicModeState
from pos_app.domain.receipt.states import JobState
from pos_app.errors import NotDelivered
from tests.fakes.verification_url import payload, url
from tests.gui.attention.cases import settle, sold
from tests.gui.parts import lines_of, visible_parts
from tests.gui.pictures import LIGHT
from tests.gui.receipts.conftest import Held
from tests.gui.receipts.day import at, job
from tests.gui.receipts.screens import posed


@asynccontextmanager
async def at_f7(held: Held) -> AsyncIterator[None]:
    """Press F7, and wait until the newest receipt is open."""
    try:
        await settle(held.shop)
        await held.hands.press("F7")
        await held.opens("8640")
        yield
    finally:
        await held.close()


async def visited(held: Held) -> None:
    """Leave the list, and come back to it."""
    window = held.hands.hands.window
    await held.hands.by_hand(window.activateWindow)  # the offscreen platform may forget it
    await held.hands.by_hand(window.frame.go_home)
    await held.hands.press("F7")
    await held.opens("8640")


async def in_turn(held: Held, *ways: Callable[[Held], Awaitable[None]]) -> None:
    """Go these ways in one window, each on a visit of its own."""
    async with at_f7(held):
        for number, way in enumerate(ways):
            if number:
                await visited(held)
            await way(held)


async def rested(held: Held) -> None:
    await held.hands.until(lambda: not held.screen.opened.acts.main.rests)


def repeated(held: Held) -> list[str]:
    """The delivery jobs that were repeated."""
    return [one[1] for one in held.shop.doubts.told if one[0] == "again"]


async def what_needs_something_is_done_from_there(held: Held) -> None:
    held.shop.doubts.told.clear()
    await held.hands.tap(held.screen.side.filters.waiting)
    await held.hands.until(lambda: held.screen.side.rows.rowCount() == 2)
    held.screen.side.view.setFocus()
    await held.hands.press("Up")
    await held.opens("8600")
    assert held.screen.opened.main_act(held.screen.model).words == "Штампај"
    await held.hands.press("Enter")
    assert held.screen.model.doing is Doing.PRINT
    await rested(held)
    await held.hands.press("Enter")
    await held.hands.until(lambda: bool(repeated(held)))
    told = held.day.receipts[8600]
    told.jobs = (job(8600, at("14:32")),)
    held.day.tell(held.server)
    await held.hands.tap(held.screen.side.filters.periods[PeriodChoice.TODAY])
    held.screen.room.read_again()
    await held.hands.until(lambda: held.screen.opened.main_act(held.screen.model).words == "Копија")


async def the_tills_own_sales_stand_there_while_the_server_is_away(held: Held) -> None:
    for amount in ("1236.00", "359.98"):
        sold(held.shop, amount)
    await settle(held.shop)
    held.server.fault = NotDelivered(what="nobody there")
    await held.hands.type("5")
    side = held.screen.side
    await held.hands.until(lambda: side.rows.rowCount() == 2)
    await held.hands.until(lambda: any("само продаје ове касе" in one for one in lines_of(side)))
    await held.hands.press("Esc", "Down")
    await held.hands.until(lambda: held.screen.model.own_opened is not None)
    held.shop.tones.played.clear()
    await held.hands.type("r")
    await held.hands.press("Enter")
    assert held.shop.tones.played == ["no", "no"]
    held.server.fault = None
    await held.hands.by_hand(held.screen.room.look)
    await held.hands.until(lambda: side.rows.rowCount() == 50)
    await held.hands.until(
        lambda: not any("само продаје ове касе" in one for one in lines_of(side))
    )


async def all_that_needs_something_is_read_as_it_comes_into_sight(held: Held) -> None:
    """The rows behind the first page are read too, and stay while the list is read again."""
    for number, told in held.day.receipts.items():
        told.jobs = (job(number, at("14:32"), JobState.FAILED),)
    held.day.tell(held.server)
    await visited(held)
    many = len(held.day.receipts)
    side, model = held.screen.side, held.screen.model
    assert (model.waiting_many, len(model.waiting)) == (many, 50)
    await held.hands.tap(side.filters.waiting)
    await held.hands.until(lambda: side.rows.rowCount() == 50)
    bar = side.view.verticalScrollBar()
    while side.rows.rowCount() < many:
        await held.hands.by_hand(lambda: bar.setValue(bar.maximum()))
        await held.hands.until(lambda: not model.is_asking)
    held.screen.room.refresh()
    await held.hands.until(lambda: not model.is_asking)
    assert side.rows.rowCount() == many
    assert len({one.receipt.number for one in model.waiting}) == many


async def a_list_that_is_being_made_says_so(held: Held) -> None:
    held.server.state = ListState(12_400, 2_000_000)
    await visited(held)
    assert any("Листа се прави" in one for one in lines_of(held.screen.side))


async def a_search_at_other_tills_is_left_by_esc(held: Held) -> None:
    """What comes later changes nothing; asked again, the tills that did not answer are named."""
    held.shop.server.public_mode = PublicMode(PublicModeState.CONNECTED, held.shop.clock.now())
    await settle(held.shop)
    held.server.searching = asyncio.Event()
    await held.hands.scan(url(payload()))
    screen, model = held.screen, held.screen.model
    await held.hands.until(lambda: model.search_began is not None)
    await held.hands.press("Esc")
    assert held.hands.hands.window.frame.top is screen
    left = "Тражење на осталим касама је прекинуто."
    await held.hands.until(lambda: left in " ".join(lines_of(screen)))
    held.server.searching.set()
    search = SearchElsewhere(SearchEnd.PARTLY, ("Каса 3",), ("Каса 2",))
    held.server.at_other_tills = ShownElsewhere(search)
    await held.hands.tap_words("Тражи на осталим касама")
    await held.hands.until(lambda: model.elsewhere is not None)
    for told in ("Није повезано: Каса 3.", "Нису се јавиле на време: Каса 2."):
        await held.hands.until(lambda: told in " ".join(lines_of(screen)))  # noqa: B023


async def test_deliveries_and_a_list_that_is_not_all(held: Held) -> None:
    await in_turn(
        held,
        what_needs_something_is_done_from_there,
        a_search_at_other_tills_is_left_by_esc,
        the_tills_own_sales_stand_there_while_the_server_is_away,
        all_that_needs_something_is_read_as_it_comes_into_sight,
        a_list_that_is_being_made_says_so,
    )


@pytest.mark.parametrize(
    ("scene", "titles"),
    [
        ("unread", ["Сервер није доступан", "Рачун сада не може да се прочита"]),
        ("unknown", ["Овај сервер не зна за тај рачун"]),
        ("elsewhere", ["Овај рачун није у дневнику ове касе"]),
    ],
)
def test_what_is_not_there_is_told_in_its_place(
    qapp: QApplication, scene: str, titles: list[str]
) -> None:
    with posed(qapp, LIGHT, scene) as window:
        states = visible_parts(window, EmptyState)
        assert [lines_of(one)[0] for one in states] == titles
        assert all(one.height() > window.height() // 2 for one in states)
        assert bool(visible_parts(window, ReceiptListHead)) is (scene != "unread")
