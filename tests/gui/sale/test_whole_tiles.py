"""Tiles are seen whole or not at all, whatever takes their room; the thumb is beside them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, FAVOURITES_CHIP
from pos_app.cashier.ui.field import IconButton
from pos_app.cashier.ui.metrics import TouchMm, TypeStep, measure
from pos_app.cashier.ui.rows import Tile
from pos_app.cashier.ui.scrolling import ThinScrollBar
from pos_app.cashier.ui.views import ROW, TileView, least_tile
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.crawl.checks import Seen, cut, overlap
from tests.gui.inside import inside
from tests.gui.parts import visible_parts, words_on
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import MILK, Shop

TOUCH: tuple[TouchMm, ...] = (9, 12, 15)
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


def faults(hands: Hands) -> list[str]:
    """Findings about texts that are cut or lie over others."""
    seen = Seen(hands.window, hands.window.theme)
    return [*cut(seen), *overlap(seen)]


def prices_in_sight(hands: Hands) -> set[str]:
    """The prices of the visible tiles."""
    tiles = settled(hands)
    seen = tiles.viewport().rect()
    told: list[Tile] = [
        tiles.model().index(number, 0).data(ROW)
        for number, rect in enumerate(tile_rects(hands))
        if seen.contains(rect)
    ]
    return {one.price.rpartition(" ")[2] for one in told}


@pytest.mark.parametrize(("touch", "percent"), [(15, 150), (12, 100)])
def test_no_price_is_cut_above_the_keyboard(
    shop: Shop, sell_in: SellIn, touch: TouchMm, percent: int
) -> None:
    hands = sell_in(shop, width=1024, height=768, touch=touch, text=percent)
    hands.model.entry.enter_code(MILK)  # its tile has a count
    search = hands.area.sale.search
    hands.tap(
        next(
            one for one in visible_parts(search, IconButton) if one.accessibleName() == "Тастатура"
        )
    )
    for typed, code in (("", ""), ("sir", ""), ("", UNKNOWN), ("sir", UNKNOWN)):
        search.search.edit.clear()
        hands.type(typed)
        if code:
            hands.scan(code)
        assert (code in hands.notice()) if code else (hands.notice() == "")
        prices = prices_in_sight(hands)
        assert faults(hands) == []
        painted = set(words_on(settled(hands).viewport()))
        assert {one for one in prices if not any(words.endswith(one) for words in painted)} == set()
        if code and touch == 15:  # no row of tiles has room before the notice is read
            assert prices == painted == set()
        else:
            assert prices


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


def test_a_banner_takes_no_row_of_favourites_away(hands: Hands) -> None:
    inside(hands.window).set_kind(DocumentKind.TRAINING)
    seen = settled(hands).viewport().rect()
    assert settled(hands).columns() == 5
    assert sum(seen.contains(rect) for rect in tile_rects(hands)) == 20


def test_few_favourites_fill_a_large_screen(shop: Shop, sell_in: SellIn) -> None:
    hands = sell_in(shop, width=1920, height=1080)
    tiles, rects = settled(hands), list(tile_rects(hands))
    assert len(rects) == 20
    whole = rects[0]
    for rect in rects:
        whole = whole.united(rect)
    assert whole.height() >= 0.9 * tiles.height()
    assert rects[0].width() <= 1.25 * tiles.theme.metrics.tile_width
    assert whole.width() >= 0.97 * tiles.width()
    hands.area.sale.picker.chips.chosen.emit(ALL_CHIP)
    settled(hands)
    assert tiles.columns() == 7
    hands.area.sale.picker.chips.chosen.emit(FAVOURITES_CHIP)
    hands.type("sir")
    assert settled(hands).columns() == 7, "a search shows tiles in their usual size"
    hands.press("Esc")
    assert settled(hands).columns() == 6


def test_the_words_of_the_lowest_tile_have_room() -> None:
    for touch in TOUCH:
        for percent in (100, 125, 150):
            sizes = measure(touch_mm=touch, text_percent=percent)
            words = 2 * (sizes.line(TypeStep.BASE) - 2) + 2 * (
                sizes.line(TypeStep.STRONG) - sizes.s1
            )
            assert least_tile(sizes) >= words + 2 * sizes.s2 + 2
            assert least_tile(sizes) >= 2 * sizes.touch
