"""Delegates for lists whose items are the value objects of `rows`, and their press and focus.

The model gives the value object under `ROW`, a tile's picture (QPixmap or None) under `PICTURE`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from pos_app.cashier.ui.paint_cart import cart_row_height, paint_cart_row
from pos_app.cashier.ui.paint_picker import ListColumns, paint_list_row
from pos_app.cashier.ui.paint_tile import TilePainter, frame_of
from pos_app.cashier.ui.painted_rows import PaintedRows, RowGround
from pos_app.cashier.ui.painting import ring_inside
from pos_app.cashier.ui.rows import CartRow, CartWords, ListRow, RowState, Tile
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token

ROW = int(Qt.ItemDataRole.UserRole)
PICTURE = ROW + 1

Index = QModelIndex | QPersistentModelIndex


_SELECTED = QStyle.StateFlag.State_Selected.value
_FOCUS = QStyle.StateFlag.State_HasFocus.value


def row_state(option: QStyleOptionViewItem, *, pressed: bool = False) -> RowState:
    """What the view says of an item: the current one, and the focus by keyboard."""
    state = option.state.value  # a number: asking flags costs more than the rest of a copied tile
    return RowState(current=bool(state & _SELECTED), pressed=pressed, focus=bool(state & _FOCUS))


class ThemedDelegate(QStyledItemDelegate):
    """What the three delegates share: the look, which item is held down, and kept pictures."""

    _ground: ClassVar[Token | None] = "surface"
    _most_kept: ClassVar[int] = 64

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.held = QPersistentModelIndex()
        self.kept = PaintedRows(theme, ground=self._ground, most=self._most_kept)

    def hold(self, index: Index | None) -> None:
        """The item under the finger; None when it was lifted. The view repaints it."""
        self.held = QPersistentModelIndex(index) if index is not None else QPersistentModelIndex()

    def is_held(self, index: Index) -> bool:
        """Whether this item is under the finger."""
        return self.held.isValid() and self.held == index


class CartDelegate(ThemedDelegate):
    """Rows of the cart. `pressed` is the button held down in the touched row."""

    def __init__(self, theme: Theme, words: CartWords, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.words = words
        self.pressed = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CartRow = index.data(ROW)
        pressed = self.pressed if self.is_held(index) else ""

        def draw(on: QPainter, rect: QRect) -> None:
            paint_cart_row(on, rect, self.theme, row, self.words, pressed=pressed)

        painter.save()
        painter.setFont(option.font)
        self.kept.paint(painter, option.rect, (row, self.words, pressed), draw)
        if row_state(option).focus:
            ring_inside(painter, option.rect, self.theme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(
            option.rect.width(), cart_row_height(self.theme, index.data(ROW), option.rect.width())
        )


class TileDelegate(ThemedDelegate):
    """Tiles; a cell is the tile with half of the gap around it. The view sets `cell`.

    shows_current: the current tile is tinted, as where Enter takes it.
    """

    _ground = None
    _most_kept = 128

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        gap = theme.metrics.s2
        self.cell = QSize(theme.metrics.tile_width + gap, theme.metrics.tile_height + gap)
        self.shows_current = False
        self._painter = TilePainter(theme)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tile: Tile | None = index.data(ROW)
        if tile is None:
            return
        picture: QPixmap | None = index.data(PICTURE) if tile.has_picture else None
        half = self.theme.metrics.s2 // 2
        frame = frame_of(tile, picture=picture, state=self._state(option, index))

        def draw_frame(on: QPainter, rect: QRect) -> None:
            self._painter.paint_frame(on, rect.adjusted(half, half, -half, -half), frame)

        def draw(on: QPainter, rect: QRect) -> None:
            inside = rect.adjusted(half, half, -half, -half)
            self._painter.paint_on(on, inside, frame, tile, picture)

        own = painter.font()
        painter.setFont(option.font)
        shown = (tile, picture.cacheKey() if picture else 0, frame.state)
        self.kept.paint(painter, option.rect, shown, draw, under=RowGround(frame, draw_frame))
        painter.setFont(own)

    def _state(self, option: QStyleOptionViewItem, index: Index) -> RowState:
        seen = row_state(option, pressed=self.is_held(index))
        return seen if self.shows_current else replace(seen, current=False)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self.cell


class ListDelegate(ThemedDelegate):
    """Rows of the picker's list. `digits`: figures of the longest article code."""

    def __init__(self, theme: Theme, *, digits: int = 5, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.digits = digits
        self._columns: tuple[QRect, ListColumns] | None = None
        theme.changed.connect(self._forget_columns)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ListRow | None = index.data(ROW)
        if row is None:
            return
        state = row_state(option, pressed=self.is_held(index))

        def draw(on: QPainter, rect: QRect) -> None:
            places = self._columns_of(rect)
            paint_list_row(on, rect, self.theme, row, state=state, places=places)

        painter.save()
        painter.setFont(option.font)
        self.kept.paint(painter, option.rect, (row, state, self.digits), draw)
        painter.restore()

    def _columns_of(self, rect: QRect) -> ListColumns:
        """The columns of a row; kept pictures are all drawn in the same place."""
        if self._columns is None or self._columns[0] != rect:
            self._columns = (QRect(rect), ListColumns(rect, self.theme, digits=self.digits))
        return self._columns[1]

    def _forget_columns(self) -> None:
        self._columns = None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), self.theme.metrics.touch)
