"""The picker's pictures: the demo articles have theirs here."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.rows import Tile
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import PICTURE
from tests.gui.sale.test_picker import values
from tests.gui.window.hands import Hands
from tests.gui.window.shop_fixtures import template

__all__ = ["template"]


def test_pictures_are_loaded_where_there_are_any(hands: Hands) -> None:
    pictures = values(hands, PICTURE)
    assert sum(1 for one in pictures if one is not None) >= 10
    assert any(one is None for one in pictures)


def test_what_the_tiles_painted_is_let_go_with_the_list(hands: Hands) -> None:
    sale = hands.area.sale
    first, kept = sale.picker.tiles.grab().toImage(), sale.picker.tiles.delegate.kept
    drawn = kept.drawn
    sale.picker.tiles.grab()
    assert kept.drawn == drawn
    sale.flip_picker()
    sale.flip_picker()
    assert sale.picker.tiles.grab().toImage() == first
    assert kept.drawn > drawn


def brightest(theme: Theme) -> float:
    """The lightness of the lightest pixel of a tile with a white picture."""
    white = QPixmap(96, 96)
    white.fill(Qt.GlobalColor.white)
    tile = Tile(name="", price="", has_picture=True)
    image = QImage(160, 108, QImage.Format.Format_RGB32)
    image.fill(theme.colour("surface"))
    painter = QPainter(image)
    frame = frame_of(tile, picture=white)
    own = TilePainter(theme)
    own.paint_frame(painter, image.rect(), frame)
    own.paint_on(painter, image.rect(), frame, tile, white)
    painter.end()
    return image.pixelColor(160 - 30, 108 - 30).lightnessF()


def test_pictures_do_not_glare_among_dark_tiles(theme: Theme) -> None:
    assert brightest(theme) == 1
    assert 0.5 < brightest(theme.changed_to(theme="dark")) < 0.7
