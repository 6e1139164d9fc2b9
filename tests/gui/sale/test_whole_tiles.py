"""Tiles are seen whole or not at all, whatever takes their room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, FAVOURITES_CHIP
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.cashier.ui.scrolling import ThinScrollBar
from pos_app.cashier.ui.views import TileView
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.inside import inside
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, MILK, Shop

UNKNOWN = "8600999000014"


def settled(hands: Hands) -> TileView:
    """The tiles once Qt has laid them out."""
    settle()
    return hands.area.sale.picker.tiles


def tile_rects(hands: Hands) -> Iterator[QRect]:
    """The rectangle of each tile within the viewport, without the gap around it."""
    tiles = settled(hands)
    half = tiles.theme.metrics.s2 // 2
    for number in range(tiles.model().rowCount()):
        cell = tiles.visualRect(tiles.model().index(number, 0))
        yield cell.adjusted(half, half, -half, -half)


def assert_whole(hands: Hands) -> None:
    """No tile is cut, and the lower end of the view wastes less than a row of tiles."""
    seen = settled(hands).viewport().rect()
    within = [rect for rect in tile_rects(hands) if rect.intersects(seen)]
    assert within
    for rect in within:
        assert seen.contains(rect), f"a tile at {rect} is cut by {seen}"


def thumb_of(tiles: TileView) -> QRect:
    """The thumb at its thickest, in the viewport's coordinates."""
    bar = tiles.findChild(ThinScrollBar)
    assert isinstance(bar, ThinScrollBar)
    thumb = bar.thickest_thumb()
    return QRect(tiles.viewport().mapFrom(tiles, bar.mapTo(tiles, thumb.topLeft())), thumb.size())


def take_room(hands: Hands, taken: str) -> None:
    """Bring the window to a state that takes some of the tiles' room."""
    if taken == "banner":
        inside(hands.window).set_kind(DocumentKind.TRAINING)
        hands.model.entry.enter_code(MILK)
    if taken == "notice":
        hands.scan(UNKNOWN)
    if taken == "pad":
        hands.area.sale.search.pad.setChecked(True)


LOOKS = [(1366, 768, 12, 100), (1024, 768, 15, 150), (1920, 1080, 9, 150)]


@pytest.mark.parametrize(("width", "height", "touch", "percent"), LOOKS)
def test_each_tile_is_whole_or_out_of_sight_and_the_thumb_beside_them(
    shop: Shop, sell_in: SellIn, width: int, height: int, touch: TouchMm, percent: int
) -> None:
    hands = sell_in(shop, width=width, height=height, touch=touch, text=percent)
    chips = hands.area.sale.picker.chips
    for taken in ("plain", "banner", "notice", "pad"):  # one beside those before
        take_room(hands, taken)
        if percent == 150 and taken == "pad":
            break  # no row of tiles has room
        chips.chosen.emit(FAVOURITES_CHIP)
        assert_whole(hands)
        chips.chosen.emit(ALL_CHIP)
        assert_whole(hands)
        tiles = settled(hands)
        bar, thumb = tiles.verticalScrollBar(), thumb_of(tiles)
        assert bar.maximum() > 0
        at = QRect(tiles.viewport().mapTo(tiles, thumb.topLeft()), thumb.size())
        assert tiles.rect().contains(at)
        assert max(rect.right() for rect in tile_rects(hands)) < thumb.left() - 1
        for place in (50, 100, 150, bar.maximum()):
            bar.setValue(place)
            assert_whole(hands)
        bar.setValue(0)


def test_wheel_finger_and_arrows_move_by_whole_rows(hands: Hands) -> None:
    hands.area.sale.picker.chips.chosen.emit(ALL_CHIP)
    tiles = settled(hands)
    tall, bar = tiles.gridSize().height(), tiles.verticalScrollBar()
    for turned, rows in ((-120, 1), (-60, 1), (-60, 2), (-30, 2), (-240, 4), (30, 4), (120, 3)):
        place = QPointF(tiles.viewport().rect().center())
        event = QWheelEvent(
            place,
            tiles.viewport().mapToGlobal(place),
            QPoint(),
            QPoint(0, turned),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(tiles.viewport(), event)
        assert bar.value() == rows * tall
    bar.setValue(0)
    start, handle = tiles.mapTo(hands.window, tiles.rect().center()), hands.window.windowHandle()
    none = Qt.KeyboardModifier.NoModifier
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, none, start)
    for moved in (20, 50, tall + 20):  # tiles follow a finger, and settle when it is lifted
        QTest.mouseMove(handle, start - QPoint(0, moved))
    assert bar.value() == tall + 20
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, none, start - QPoint(0, tall + 20))
    assert bar.value() == tall
    assert_whole(hands)
    assert hands.rows() == []
    for _ in range(12):
        hands.press("Down")
        assert_whole(hands)
        assert tiles.viewport().rect().contains(tiles.visualRect(tiles.currentIndex()))


def test_what_is_folded_is_in_the_menu_and_comes_back(shop: Shop, sell_in: SellIn) -> None:
    hands = sell_in(shop, width=1024, text=150)
    hands.model.entry.enter_code(BREAD)
    settle()
    bar = hands.area.sale.bar
    assert not bar.shows(TillCommand.BUYER)
    hands.tap(bar.buttons["F9"])
    settle()
    hands.tap_words("Купац: Купац")
    settle()
    assert hands.area.is_paying
    hands.press("Esc")
    settle()
    hands.window.resize(1920, 768)
    settle()
    bar = hands.area.sale.bar
    assert all(button.isVisible() for button in bar.buttons.values())


def test_only_the_buyer_folds_in_usual_sizes(shop: Shop, sell_in: SellIn) -> None:
    """The payment has the buyer too."""
    for width, folded in ((1024, {"F5"}), (1366, set[str]())):
        bar = sell_in(shop, width=width).area.sale.bar
        assert {key for key, button in bar.buttons.items() if button.isHidden()} == folded
