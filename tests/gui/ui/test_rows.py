"""The look as a whole, and rows: theme at run time, the ring of the focus, carts, tiles, lists."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier import ui as look_package
from pos_app.cashier.ui import views
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.metrics import TouchMm, TypeStep, measure
from pos_app.cashier.ui.option_button import PricedButton
from pos_app.cashier.ui.paint_cart import (
    cart_hits,
    cart_row_height,
    paint_cart_ground,
    paint_cart_words,
)
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.rows import CartRow, CartState, ListRow, RowState, Tile
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Icons, Theme
from pos_app.resources import folder
from tests.gui.crawl.painted import painted_by
from tests.gui.ui import examples
from tests.gui.ui.conftest import Change
from tests.sweep import each


def shown(qtbot: QtBot, widget: QWidget, width: int = 1366, height: int = 768) -> QWidget:
    """Show a window on the screen."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)
    QApplication.processEvents()  # the first painting; before it, repaint() does nothing
    return widget


def turn_wheel(widget: QWidget, turned: int) -> None:
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place,
        widget.mapToGlobal(place),
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_the_ring_stays_in_the_scroll_area_of_its_widget(qtbot: QtBot, theme: Theme) -> None:
    window, inside, area = Ground(theme, colour="bg"), QWidget(), ScrolledColumn(theme, name="page")
    buttons = [Button(theme, f"{number}") for number in range(12)]
    rows, column = QVBoxLayout(inside), QVBoxLayout(window)
    for button in buttons:
        rows.addWidget(button)
    area.show_inside(inside)
    for part in (Button(theme, "above"), area, Button(theme, "below")):
        column.addWidget(part)
    shown(qtbot, window, 400, 320)
    window.activateWindow()
    ring, target, view = FocusRing(theme, window), buttons[5], area.viewport()
    target.setFocus()
    qtbot.waitUntil(target.hasFocus)
    room, looks = QRect(view.mapTo(window, QPoint()), view.size()), set()
    for _ in range(60):
        turn_wheel(view, -16)
        box = QRect(target.mapTo(window, QPoint()), target.size())
        painted = ring.mask().translated(ring.pos()).boundingRect() if ring.isVisible() else QRect()
        whole, is_seen = box.adjusted(-5, -5, 5, 5), room.intersects(box)
        looks.add((is_seen, room.contains(box)))
        if room.contains(box):
            assert painted == whole
        elif box.top() < room.top():
            assert painted.isEmpty() or painted.top() >= room.top()
        else:
            assert painted.isEmpty() or painted.bottom() <= room.bottom()
        assert painted.isEmpty() == (not is_seen)
    assert looks == {(False, False), (True, False), (True, True)}


ROOM = QSize(422, 408)


class Folding(QWidget):
    """Content that is lower while it is narrower, as a form is whose words fold to shorter ones."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.fold(ROOM.width())

    def fold(self, width: int) -> None:
        self.setMinimumHeight(412 if width >= ROOM.width() else 398)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sizes.append(self.width())
        self.fold(self.width())


def test_content_that_fits_only_beside_the_lane_comes_to_rest(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    area, inside = ScrolledColumn(theme, name="form"), Folding()
    qtbot.addWidget(area)
    area.show_inside(inside)
    area.resize(ROOM)
    area.show()
    for _ in range(20):
        qapp.processEvents()
    inside.sizes.clear()
    for _ in range(20):
        qapp.processEvents()
    assert inside.sizes == [], "it rests"
    assert inside.height() <= area.viewport().height(), "nothing of it is hidden"
    area.resize(ROOM + QSize(0, 40))
    for _ in range(20):
        qapp.processEvents()
    assert inside.width() == ROOM.width(), "with room for all of it there is no lane"


SOURCES = sorted(Path(look_package.__file__).parent.glob("*.py"))


def test_all_icons_named_in_the_look_are_there() -> None:
    icons = Icons(folder() / "icons")
    named = {
        name
        for source in SOURCES
        for name in re.findall(
            r'(?:icon=|icon or |_icon\(painter, |look, )"([a-z0-9-]+)"',
            source.read_text(encoding="utf-8"),
        )
    }
    assert {"search", "trash-2", "plus"} <= named
    assert [name for name in sorted(named) if not icons.has(name)] == []


def test_no_nested_loop_and_no_effects() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        for never in (".exec(", "QGraphics", "Gradient", "setOpacity", "processEvents", ":hover"):
            assert never not in text, (source.name, never)


ROW = examples.cart()[-1]


def colour(image: QImage, x: int, y: int) -> str:
    return str(image.pixelColor(x, y).name()).upper()


LONG = "Чоколада млечна са целим лешником Најлепше жеље 100 g"


@each("text_percent", [100, 150])
def test_a_quantity_without_room_stands_above_the_name_in_small_letters(
    qtbot: QtBot, change: Change, text_percent: int
) -> None:
    look = change(metrics=measure(text_percent=text_percent, width=1024))
    row = dataclasses.replace(ROW, quantity="12.345,678", name="Сир")
    view = views.RowView(look, views.CartDelegate(look, examples.WORDS), name="Корпа")
    qtbot.addWidget(view)
    view.setModel(examples.Rows([row], view))
    view.resize(378, 400)
    view.show()
    told = {text.words: text for text in painted_by(view.viewport())[0]}
    assert told["12.345,678"].px == look.metrics.type_px(TypeStep.SMALL)
    assert told["Сир"].rect.top() >= told["12.345,678"].rect.bottom()


def test_the_price_of_a_choice_stands_at_the_right_of_its_name_or_below(
    qtbot: QtBot, theme: Theme
) -> None:
    name, price = "Ајвар Зимница благи 350 g", "389,99 / ком"
    button = PricedButton(theme, name, price, key="1")
    qtbot.addWidget(button)
    for width, is_beside in ((360, True), (260, False)):
        button.resize(width, button.sizeHint().height())
        button.show()
        told = {text.words: text.rect for text in painted_by(button)[0]}
        assert (told[price].left() > told[name].right()) is is_beside
        assert (told[price].top() >= told[name].bottom() - 2) is not is_beside


@each("touch_mm", [9, 12, 15])
@each("text_percent", [100, 150])
@each("name", ["Хлеб", LONG])
def test_what_a_removed_row_says_ends_before_its_button(
    qapp: QApplication, touch_mm: TouchMm, text_percent: int, name: str
) -> None:
    look = Theme(metrics=measure(touch_mm=touch_mm, text_percent=text_percent, width=1024))
    row = CartRow("2", name, "1.165,00", "ком", "2.330,00", note="нова цена 1.200,00")
    sheet = RowSheet(look, dataclasses.replace(row, state=CartState.REMOVED), 378)
    button = QRectF(cart_hits(sheet.rect(), look, sheet.row, examples.WORDS).restore)
    beside = [one for one in painted_by(sheet)[0] if one.words != examples.WORDS.restore]
    assert "2" in {one.words for one in beside}
    assert [one.words for one in beside if one.rect.right() > button.left()] == []


class RowSheet(QWidget):
    """A cart row on a widget of its own, painted with the till's font."""

    def __init__(self, theme: Theme, row: CartRow, width: int) -> None:
        super().__init__()
        self._theme, self.row = theme, row
        self.resize(width, cart_row_height(theme, row, examples.WORDS, width))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font())
        paint_cart_ground(painter, self.rect(), self._theme, self.row, examples.WORDS, pressed="")
        paint_cart_words(painter, self.rect(), self._theme, self.row, examples.WORDS)


LOWERED = CartRow("2", "Хлеб", "120,00", "kom", "240,00", "150,00", "−20 %", "300,00")
DEAR = CartRow("2", "Сеф", "1.120,00", "kom", "2.240,00", "1.400,00", "−20 %", "2.800,00")


@each(
    ("row", "text_percent", "window", "left_out"),
    [
        (LOWERED, 100, 1366, set()),
        (LOWERED, 150, 1366, {"old"}),
        (LOWERED, 150, 1024, {"old", "unit"}),
        (DEAR, 150, 1366, {"old"}),
        (DEAR, 150, 1024, {"old", "old_total"}),
        (dataclasses.replace(DEAR, name="Сеф за хотеле"), 150, 1024, {"old"}),
        (dataclasses.replace(LOWERED, discount=None), 150, 1024, {"old"}),
    ],
)
def test_price_and_discount_are_never_cut(
    qapp: QApplication, row: CartRow, text_percent: int, window: int, left_out: set[str]
) -> None:
    look, width = (
        Theme(metrics=measure(text_percent=text_percent, width=window)),
        round(window * 0.37),
    )
    sheet = RowSheet(look, row, width)
    texts, _ = painted_by(sheet)
    parts = {
        "old": row.old_unit_price,
        "price": row.unit_price,
        "unit": f"/ {row.unit}",
        "discount": row.discount,
        "old_total": row.old_total,
    }
    shown = {one.words for one in texts}
    assert {part for part, words in parts.items() if words and words not in shown} == left_out
    assert all(QRectF(sheet.rect()).contains(one.rect) for one in texts)
    for one, other in combinations(texts, 2):
        assert not one.rect.intersects(other.rect), (one.words, other.words)


def tile_image(
    theme: Theme,
    tile: Tile,
    *,
    picture: QPixmap | None = None,
    state: RowState = RowState(),  # noqa: B008
) -> QImage:
    image = QImage(176, 124, QImage.Format.Format_RGB32)
    image.fill(theme.colour("bg"))
    painter = QPainter(image)
    painter.setFont(theme.font())
    frame, place = frame_of(tile, picture=picture, state=state), QRect(8, 8, 160, 108)
    tiles = TilePainter(theme)
    tiles.paint_frame(painter, place, frame)
    tiles.paint_on(painter, place, frame, tile, picture)
    painter.end()
    return image


TILE = Tile("Хлеб ражани 400 g", "129,99", "Хр", 0)


def test_a_tile_has_its_ground_its_ring_and_initials_for_a_missing_picture(theme: Theme) -> None:
    palette = theme.palette
    usual = tile_image(theme, TILE)
    assert colour(usual, 80, 60) == palette.surface
    assert colour(usual, 115, 62) == palette.initials[0][0]
    assert tile_image(theme, TILE, picture=QPixmap()) == usual
    assert colour(tile_image(theme, TILE, state=RowState(pressed=True)), 80, 60) == palette.tint
    refused = dataclasses.replace(TILE, refusal="нема у продаји")
    assert colour(tile_image(theme, refused), 80, 60) == palette.sunken
    ringed = tile_image(theme, TILE, state=RowState(focus=True))
    assert colour(ringed, 5, 60) == palette.focus
    assert colour(ringed, 3, 60) == palette.bg, "within half of the gap"


@pytest.fixture
def font_of_lists(qapp: QApplication, theme: Theme) -> Iterator[None]:
    """Give the system a font of its own for lists, as Windows has."""
    usual = theme.font()
    other = QFont(usual)
    other.setFamilies(["JetBrains Mono"])
    qapp.setFont(other, "QAbstractItemView")  # type: ignore[arg-type]
    yield
    qapp.setFont(usual)


@pytest.mark.usefixtures("font_of_lists")
def test_tiles_have_our_font_where_the_system_has_one_for_lists(qtbot: QtBot, theme: Theme) -> None:
    """A delegate writes with the font of its view."""
    view = views.TileView(theme, name="Артикли")
    qtbot.addWidget(view)
    view.show()
    assert view.font().families() == theme.font().families()


@each("width", [320, 360, 400])
def test_a_list_row_takes_two_lines_for_a_name_and_marks_what_was_found_in_each(
    qtbot: QtBot, change: Change, width: int
) -> None:
    look = change(metrics=measure(touch_mm=15, width=1024))
    row = ListRow("2097", "Багет француски 250 g", "189,99", "ком", ((0, 3), (6, 10)))
    view = views.RowView(look, views.ListDelegate(look, digits=4), name="Артикли")
    qtbot.addWidget(view)
    view.setModel(examples.Rows([row], view))
    view.resize(width, 200)
    view.show()
    lines = [text for text in painted_by(view.viewport())[0] if text.words in row.name]
    assert " ".join(text.words for text in lines) == row.name
    picture = view.viewport().grab().toImage()
    for text in lines:
        place = text.rect.toAlignedRect()
        inside = product(range(place.left(), place.right()), range(place.top(), place.bottom()))
        is_marked = look.palette.hit in {colour(picture, *point) for point in inside}
        assert is_marked is (text.words.startswith(("Багет", "фра")))
