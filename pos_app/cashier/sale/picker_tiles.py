"""Tiles of the picker, of which the current one is seen: Enter takes it."""

from __future__ import annotations

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from pos_app.cashier.look.delegates import PICTURE, ROW, Index, TileDelegate, row_state
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.paint_picker import paint_tile
from pos_app.cashier.look.views import TileView


class _CurrentTiles(TileDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tile = index.data(ROW)
        if tile is None:
            return
        painter.save()
        painter.setFont(option.font)
        half = self.look.metrics.s2 // 2
        place = option.rect.adjusted(half, half, -half, -half)
        state = row_state(option, pressed=self.is_held(index))
        picture = index.data(PICTURE)
        paint_tile(painter, place, self.look, tile, picture=picture, state=state)
        painter.restore()


class PickerTiles(TileView):
    """The tiles; the current one is tinted, as the current row of a list is."""

    def __init__(self, look: Look, *, name: str, parent: QWidget) -> None:
        super().__init__(look, name=name, parent=parent)
        self._tiles = _CurrentTiles(look, self)
        self.delegate = self._tiles
        self.setItemDelegate(self._tiles)
