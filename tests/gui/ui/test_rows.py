"""Rows of the cart, tiles and the list: heights, buttons, marks, pictures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import views
from pos_app.cashier.ui.buttons import PricedButton
from pos_app.cashier.ui.metrics import TouchMm, TypeStep, measure
from pos_app.cashier.ui.paint_cart import (
    cart_hits,
    cart_row_height,
    paint_cart_ground,
    paint_cart_words,
)
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.rows import CartRow, CartState, ListRow, RowState, Tile
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.painted import painted_by
from tests.gui.ui import examples
from tests.gui.ui.conftest import Change
from tests.sweep import each

ROW = examples.cart()[-1]
WIDE = 504


def in_state(state: CartState) -> CartRow:
    return dataclasses.replace(ROW, state=state)


def colour(image: QImage, x: int, y: int) -> str:
    return str(image.pixelColor(x, y).name()).upper()


LONG = "Чоколада млечна са целим лешником Најлепше жеље 100 g"


def test_height_of_the_three_forms_and_of_a_name_of_two_lines(theme: Theme) -> None:
    heights = {CartState.NORMAL: 58, CartState.CURRENT: 114, CartState.REMOVED: 58}
    told = {one: cart_row_height(theme, in_state(one), examples.WORDS, WIDE) for one in CartState}
    assert told == heights
    long = dataclasses.replace(ROW, name=LONG)
    more = theme.metrics.line(TypeStep.NAME)
    assert cart_row_height(theme, long, examples.WORDS, WIDE) == 114 + more
    hits = cart_hits(QRect(0, 0, WIDE, 114 + more), theme, long, examples.WORDS)
    assert hits.minus.top() == 58 + more


@each("state", CartState)
def test_a_name_in_a_narrow_cart_of_large_type_is_whole(
    qtbot: QtBot, change: Change, state: CartState
) -> None:
    look = change(metrics=measure(touch_mm=15, text_percent=150, width=1024))
    row = dataclasses.replace(ROW, name="Бурек са сиром 250 g", total="1.279,99", state=state)
    view = views.RowView(look, views.CartDelegate(look, examples.WORDS), name="Корпа")
    qtbot.addWidget(view)
    view.setModel(examples.Rows([row], view))
    view.resize(378, 400)
    view.show()
    told = " ".join(text.words for text in painted_by(view.viewport())[0])
    assert "…" not in told
    assert all(word in told for word in row.name.split())


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


def test_buttons_of_the_current_row_are_full_touch_size_and_apart(theme: Theme) -> None:
    rect = QRect(0, 300, WIDE, 114)
    hits = cart_hits(rect, theme, in_state(CartState.CURRENT), examples.WORDS)
    touch, gap = theme.metrics.touch, theme.metrics.s2
    for place in (hits.minus, hits.plus, hits.remove):
        assert rect.contains(place)
        assert place.height() == touch
        assert place.width() >= touch
    assert hits.plus.left() - hits.minus.right() - 1 == gap
    assert hits.remove.left() - hits.plus.right() > gap
    assert hits.restore.isEmpty()
    assert hits.at(hits.minus.center()) == "minus"
    assert hits.at(hits.plus.center()) == "plus"
    assert hits.at(hits.remove.center()) == "remove"
    assert hits.at(QPoint(10, 310)) == ""


def test_a_removed_row_offers_to_put_it_back_and_a_normal_one_nothing(theme: Theme) -> None:
    rect = QRect(0, 0, WIDE, 58)
    hits = cart_hits(rect, theme, in_state(CartState.REMOVED), examples.WORDS)
    assert rect.contains(hits.restore)
    assert hits.restore.height() == theme.metrics.touch
    assert hits.at(hits.restore.center()) == "restore"
    assert hits.minus.isEmpty()
    hits = cart_hits(rect, theme, in_state(CartState.NORMAL), examples.WORDS)
    assert all(hits.at(QPoint(x, y)) == "" for x in range(0, WIDE, 7) for y in range(0, 58, 7))


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
    assert {"2", "1.165,00"} <= {one.words for one in beside}
    assert [one.words for one in beside if one.rect.right() > button.left()] == []


@each(("discount", "told"), [(None, "· серија 12"), ("−20 %", "серија 12")])
def test_the_words_behind_a_price_are_set_apart_from_its_unit(
    theme: Theme, discount: str | None, told: str
) -> None:
    row = CartRow("1", "Сир", "899,00", "ком", "899,00", discount=discount, note="серија 12")
    assert told in {one.words for one in painted_by(RowSheet(theme, row, WIDE))[0]}


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


TILE = examples.TILES[1]


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


def test_a_picture_is_cropped_to_a_square(theme: Theme) -> None:
    wide = QPixmap(300, 100)
    wide.fill(Qt.GlobalColor.red)
    painter = QPainter(wide)
    painter.fillRect(100, 0, 100, 100, Qt.GlobalColor.blue)
    painter.end()
    image = tile_image(theme, TILE, picture=wide)
    assert colour(image, 120, 85) == "#0000FF"
    assert colour(image, 155, 85) == "#0000FF"


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


def test_what_stood_in_rows_of_an_emptied_layout_is_out_of_sight(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    column, row = QVBoxLayout(whole), QHBoxLayout()
    column.addLayout(row)
    for layout in (column, row):
        layout.addWidget(QLabel("1.250,00"))
    whole.show()
    seen = [one for one in whole.findChildren(QLabel) if one.isVisible()]
    clear_layout(column)
    assert (len(seen), [one for one in seen if one.isVisible()]) == (2, [])
