"""The list of receipts: deliveries, a list that is not all, and receipts of other tills."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.receipts.filters import PeriodChoice
from pos_app.cashier.receipts.foreign import ForeignPanel
from pos_app.cashier.receipts.model import Doing
from pos_app.cashier.receipts.rows import ReceiptListHead
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import NumberLabel
from pos_app.cashier.ui.panel import EmptyState, Panel
from pos_app.documents.shown_receipt import ShownElsewhere
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere, SearchEnd
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.server_status import PublicMode, PublicModeState
from pos_app.domain.receipt.states import JobState
from pos_app.errors import NotDelivered
from pos_app.selling.sale.state import SaleState
from tests.e2e import shop as programs
from tests.e2e.nursery import door
from tests.e2e.town import Town
from tests.fakes.people_here import quick
from tests.fakes.verification_url import payload, url
from tests.gui.attention.cases import settle, sold
from tests.gui.parts import in_front, lines_of, page_in_front, page_shown, visible_parts
from tests.gui.pictures import LIGHT
from tests.gui.receipts.conftest import Held
from tests.gui.receipts.day import at, job
from tests.gui.receipts.screens import posed
from tests.gui.refund.opened import ID_CARD, receipt_of, refund_after
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.real_till import opened as opened_till
from tests.ports import free_ports


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


BREAD, PIN = "8609910700134", "4711"
OTHER = "Каса 2"
ITEMS = [
    {"sku": 1, "quantity": 2, "unitPrice": 58.99},
    {"sku": 20, "quantity": 1, "unitPrice": 279.99},
]


def words(real: RealTill) -> str:
    """What is told above the screen."""
    return " ".join(lines_of(real.hands.window.frame.top))


@dataclass
class TwoTills:
    """real: this till. town: the platform, and the other till's server."""

    real: RealTill
    town: Town

    def issued_there(self) -> dict[str, Any]:
        """Let the other till's server sign a receipt, and return it."""
        paid = {"cash": 100, "card": 297.97}
        answer = self.town.post(uuid.uuid4().hex, items=ITEMS, payments=paid)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


@pytest.fixture
def two(
    tmp_path: Path, template: Path, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TwoTills]:
    with programs.opened(tmp_path / "other", template, door()) as shop:
        with (shop.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(f'[till]\nname = "{OTHER}"\n')
        town = Town(shop, shop.folder / "town", ports=free_ports(1))
        town.open(join="ask")
        shop.processor()
        town.server = shop.server()
        town.connected()
        key, secret = town.credentials
        monkeypatch.setenv("POS_APP_PLATFORM_SECRET", secret)
        told = f'[platform]\nurl = "{town.url(0)}"\nkey = "{key}"\npublic_mode = true\n'
        with opened_till(tmp_path, template, sell_in, told=told) as real:
            yield TwoTills(real, town)


async def connected(real: RealTill) -> None:
    def is_connected() -> bool:
        status = real.services.server.status
        told = status.public_mode if status is not None else None
        return told is not None and told.state is PublicModeState.CONNECTED

    await real.until(is_connected)


def panel_of(real: RealTill) -> ForeignPanel:
    panel: ForeignPanel = page_in_front(real.hands.window.frame, "receipts.foreign.title")
    return panel


async def ended(real: RealTill) -> ReceiptsScreen:
    """Wait for the end of the search for the scanned receipt."""
    frame = real.hands.window.frame
    top: ReceiptsScreen = in_front(frame, "receipts.title")
    await real.until(lambda: top.model.elsewhere is not None)
    await page_shown(frame, "receipts.foreign.title")
    await real.until(lambda: "Тражи се на" not in words(real))
    return top


async def it_is_seen_and_refunded_by_hand_with_all_that_is_known(two: TwoTills) -> None:
    """F7, F2, its number, Enter; R, the PIN, F12, the identity card, Enter."""
    real = two.real
    sale = await real.sold(BREAD)
    real.services.manager.save_pin(quick(PIN))
    there = two.issued_there()
    await real.press("F7", "F2")
    await real.type(there["invoiceNumber"])
    await real.press("Enter")
    screen = await ended(real)
    assert screen.model.foreign is not None
    assert screen.model.foreign.till == OTHER
    assert f"Овај рачун је са касе „{OTHER}“" in words(real)
    assert there["invoiceNumber"] in words(real)
    assert "Готовина 100,00, Картица 297,97" in words(real)
    assert "Хлеб бели Сава" in panel_of(real).paper.accessibleName()
    (number,) = visible_parts(panel_of(real), NumberLabel)
    assert isinstance(number.parentWidget(), Panel)
    assert number.parentWidget().width() == panel_of(real).width(), "a head over the whole width"
    grey = {one.accessibleName(): one.isEnabled() for one in visible_parts(panel_of(real), Button)}
    assert [grey["Копија"], grey["Исправка"]] == [False, False]
    assert screen.model.opened is None
    await real.press("Enter")  # nothing is copied
    await real.type("i")
    assert real.hands.window.frame.top is screen
    await real.type("r")
    refund = in_front(real.hands.window.frame, "refund.title")
    await real.until(lambda: refund.gate is not None)
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: refund.gate is None)
    assert OTHER in words(real)
    assert refund.model.hand_draft is not None
    assert refund.model.hand_draft.amounts_by_label() == {
        TaxLabel.E: Money("117.98"),
        TaxLabel.DJ: Money("279.99"),
    }
    await real.press("F12")
    await real.type(ID_CARD)
    await real.press("Enter")
    done = await refund_after(real, sale)
    assert (done.state, done.total) == (SaleState.DONE, Money("397.97"))
    assert (await receipt_of(real, done)).refers_to == there["invoiceNumber"]


@pytest.mark.deadline(120)
async def test_a_receipt_of_the_other_till(two: TwoTills) -> None:
    async with two.real.at_work():
        await connected(two.real)
        await it_is_seen_and_refunded_by_hand_with_all_that_is_known(two)
