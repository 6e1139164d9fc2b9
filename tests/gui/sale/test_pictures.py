"""The picker's pictures: the demo articles have theirs here."""

from __future__ import annotations

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
