"""The room of the window: sizes that it is given, what folds for what."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QSize
from PySide6.QtGui import QPlatformSurfaceEvent, QPointingDevice, QResizeEvent, QWindow
from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale import catalogue_pages
from pos_app.cashier.window.frame import SETTLE_MS
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.domain.money.money import Quantity
from pos_app.domain.text.instant import day_of
from tests.gui.parts import chips_of, pass_time
from tests.gui.pictures import settle
from tests.gui.window.finger import Finger
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop


class CappingPlatform(QObject):
    """Caps each window to its screen while it is made, as Windows does at 1366×768 and 175 %."""

    def __init__(self, screen: QSize) -> None:
        super().__init__()
        self._screen = screen
        self.capped = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        created = QPlatformSurfaceEvent.SurfaceEventType.SurfaceCreated
        if (
            isinstance(watched, QWindow)
            and isinstance(event, QPlatformSurfaceEvent)
            and event.surfaceEventType() is created
        ):
            for window in QApplication.topLevelWidgets():
                if window.windowHandle() is watched:
                    self.capped += 1
                    window.setMaximumSize(self._screen)
                    QApplication.sendEvent(window, QResizeEvent(self._screen, watched.size()))
        return False


def test_a_window_that_the_platform_caps_while_it_is_made_sells(
    shop: Shop, sell_in: SellIn, qapp: QApplication
) -> None:
    width, height = 781, 439
    platform = CappingPlatform(QSize(width, height))
    qapp.installEventFilter(platform)
    try:
        hands = sell_in(shop, width=width, height=height)
    finally:
        qapp.removeEventFilter(platform)
    assert platform.capped == 1
    hands.scan(BREAD)
    settle()
    assert [line.article.frozen.gtin for line in hands.ticket.cart.active]
    assert not hands.window.grab().isNull()


NOBODYS = "8600999000014"


def search(hands: Hands, finger: Finger) -> None:
    finger.tap(hands.area.sale.search.search.edit, QPoint(40, 15))


def pad(hands: Hands, finger: Finger) -> None:
    finger.tap(hands.area.sale.search.pad)


def test_a_notice_gives_way_to_a_large_keyboard_and_the_pad_to_the_notice(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    """The pad was requested: it comes as soon as the notice is read, and its key says so."""
    hands = sell_in(shop, width=1024, touch=15, text=150)
    sale, finger = hands.area.sale, Finger(hands.window, touch_screen)
    hands.scan(NOBODYS)
    settle()
    whole = hands.notice()
    search(hands, finger)
    settle()
    assert hands.notice().strip() == f"Нема артикла са кодом {NOBODYS}"
    hands.press("Esc")
    settle()
    assert hands.notice() == whole
    pad(hands, finger)
    assert not sale.pad.isVisible()
    assert sale.search.pad.accessibleDescription() == "Нема места док стоји обавештење"
    finger.tap_named("У реду")
    settle()
    assert sale.pad.isVisible()
    assert sale.search.pad.isEnabled()


DAY = 24 * 60 * 60 * 1000
WATER = "30"


SOLD = ("1", "6", "11", "20", "2", "3")
"""Codes of the best sellers before today, the best one first."""


@pytest.fixture
def hands(shop: Shop, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch) -> Hands:
    """A till without pins, whose favourites are the few articles that it sold."""
    monkeypatch.setattr(catalogue_pages, "ENOUGH_FAVOURITES", 1)
    now = shop.clock.now()
    shop.desk.pin((), by="Мира", at=now)
    for code, times in zip(SOLD, range(len(SOLD), 0, -1), strict=True):
        lines = [(str(shop.row(code).article_id), Quantity.ONE)] * times
        shop.desk.count_sold(lines, on=day_of(now))
    made = sell_in(shop)
    assert [str(row.sku) for row in shop.catalogue.favourites()] == list(SOLD)
    return made


def tiles(hands: Hands) -> list[str]:
    rows = hands.area.sale.picker.rows
    return [str(rows.data(rows.index(number))) for number in range(rows.rowCount())]


def sell(hands: Hands, code: str, *, by_finger: bool, times: int = 3) -> None:
    """Sell one article several times; each sale is counted as the till does by itself."""
    for _ in range(times):
        if by_finger:
            hands.tap_article(code)
        else:
            hands.press(f"#{code}", "Enter")
        hands.pay("+")
        pass_time(hands.window, SETTLE_MS)
        pass_time(hands.window, TICK_MS)


def test_no_tile_moves_while_people_sell(shop: Shop, sell_in: SellIn, hands: Hands) -> None:
    """The next day, and the next start, begin with the order that sales made."""
    before = tiles(hands)
    picker, last = hands.area.sale.picker, len(SOLD) - 1
    spot = picker.view.visualRect(picker.rows.index(last)).center()
    sell(hands, SOLD[-1], by_finger=True, times=7)
    assert tiles(hands) == before
    hands.tap(picker.view.viewport(), spot)
    article = hands.ticket.cart.active[-1].article
    assert article.article_id == hands.shop.row(SOLD[-1]).article_id, "the same one in its place"
    hands.press("#sir", "Esc")
    assert tiles(hands) == before
    hands.tap(chips_of(picker.chips)[1])
    hands.tap_words("Омиљено")
    assert tiles(hands) == before
    sell(hands, WATER, by_finger=False, times=1)
    assert tiles(hands)[:-1] == before, "what is sold for the first time comes after the others"
    hands.shop.clock.go_on(DAY)
    sell(hands, SOLD[0], by_finger=False, times=1)
    first_of_now = [before[-1], *before[:-1]]
    assert tiles(hands)[: len(SOLD)] == first_of_now
    assert tiles(sell_in(shop))[: len(SOLD)] == first_of_now
