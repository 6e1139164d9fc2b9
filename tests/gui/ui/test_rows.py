"""The look as a whole, and rows: theme at run time, the ring of the focus, carts, tiles, lists."""

from __future__ import annotations

import dataclasses
from itertools import product
from pathlib import Path

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier import ui as look_package
from pos_app.cashier.ui import views
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.cashier.ui.option_button import PricedButton
from pos_app.cashier.ui.paint_cart import (
    cart_hits,
    cart_row_height,
    paint_cart_ground,
    paint_cart_words,
)
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.rows import CartRow, CartState, ListRow, RowState, Tile
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.painted import painted_by
from tests.gui.ui import examples
from tests.gui.ui.conftest import Change
from tests.sweep import each

SOURCES = sorted(Path(look_package.__file__).parent.glob("*.py"))


def test_no_nested_loop_and_no_effects() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        for never in (".exec(", "QGraphics", "Gradient", "setOpacity", "processEvents", ":hover"):
            assert never not in text, (source.name, never)


def colour(image: QImage, x: int, y: int) -> str:
    return str(image.pixelColor(x, y).name()).upper()


LONG = "Чоколада млечна са целим лешником Најлепше жеље 100 g"


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
