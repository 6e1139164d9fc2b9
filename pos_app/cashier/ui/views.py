"""Lists for touch: rows of the cart or picker, tiles that share the width, and their delegates.

The model gives the value object of `rows` under `ROW`, and a tile's picture (QPixmap or None) under
`PICTURE`. The item under the finger is painted as pressed. Qt's own signal `clicked(index)` reports
a click; for the buttons within a cart row connect `tapped(index, QPoint)` and ask `cart_hits`.

An unchanged row is copied, not drawn again. To draw a row takes 0.1 to 0.6 ms, most of it for text;
to copy its picture takes 0.02 ms. A scan changes two rows of a cart that shows a dozen, and a
letter typed into the search shows many tiles that were shown before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import ClassVar, NamedTuple, Self

from PySide6.QtCore import (
    QAbstractItemModel,
    QMargins,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from pos_app.cashier.ui import paint_picker, painting
from pos_app.cashier.ui.metrics import Metrics, TypeStep
from pos_app.cashier.ui.paint_cart import cart_row_height, paint_cart_ground, paint_cart_words
from pos_app.cashier.ui.rows import CartRow, CartWords, ListRow, RowState, Tile
from pos_app.cashier.ui.scrolling import ThinScrollBar
from pos_app.cashier.ui.theme import Theme, pixel_ratio
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

Draw = Callable[[QPainter, QRect], None]
MOST_UNDERS = 32
"""The most grounds that are kept; a window shows fewer."""


@dataclass(frozen=True, slots=True)
class RowGround:
    """A ground that many pictures share. picture_key: describes it, apart from size, font and
    ratio."""

    picture_key: Hashable
    draw: Draw


Under = Callable[[], RowGround]
"""Returns the ground; called only if something has to be drawn."""


class Canvas(NamedTuple):
    """ratio: as `theme.pixel_ratio`. font: the painter's."""

    ratio: float
    font: QFont

    @classmethod
    def of(cls, painter: QPainter) -> Self:
        return cls(pixel_ratio(painter), painter.font())


class PaintedRows:
    """The latest pictures of one view. ground: the ground of rows, because text is drawn better on
    a known ground; it is None for items with a ground of their own, whose corners show what is
    behind. most: the number of kept pictures, more than a window shows; a tile takes some 70 KB, a
    row 110 to 220 KB."""

    def __init__(self, theme: Theme, *, ground: Token | None, most: int) -> None:
        self._theme = theme
        self._most = most
        self._ground = ground
        self._pictures: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self.drawn = 0
        """The number drawn so far; tests see by this that nothing is drawn twice."""
        self._unders: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        picture_key: Hashable,
        draw: Draw,
        *,
        under: Under | None = None,
        canvas: Canvas | None = None,
    ) -> None:
        """Paint into `rect`. picture_key: describes the picture completely, apart from size, font
        and ratio. under: the ground, drawn once for all pictures that share it. canvas: the
        painter's, if the caller knows it. If a screen's pixel is a fraction of ours (125 %) all is
        drawn each time, because a picture would begin between two of the screen's pixels."""
        ratio, font = canvas or Canvas.of(painter)
        if not ratio.is_integer():
            if under is not None:
                under().draw(painter, rect)
            draw(painter, rect)
            return
        key = (picture_key, rect.width(), rect.height(), ratio, font)
        picture = self._pictures.get(key)
        if picture is None:
            ground = under and under()
            picture = self._pictures[key] = self._drawn(painter, rect, ratio, draw, ground)
            if len(self._pictures) > self._most:
                self._pictures.popitem(last=False)
        else:
            self._pictures.move_to_end(key)
        painter.drawPixmap(rect.topLeft(), picture)

    def forget(self) -> None:
        self._pictures.clear()
        self._unders.clear()

    def _drawn(
        self, painter: QPainter, rect: QRect, ratio: float, draw: Draw, under: RowGround | None
    ) -> QPixmap:
        self.drawn += 1
        font = painter.font()
        if under is None:
            picture = self._ground_of(rect, ratio)
        else:
            picture = self._under(rect, ratio, font, under)
        own = QPainter(picture)
        own.setFont(font)
        draw(own, QRect(QPoint(0, 0), rect.size()))
        own.end()
        return picture

    def _ground_of(self, rect: QRect, ratio: float) -> QPixmap:
        picture = QPixmap(rect.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        ground = Qt.GlobalColor.transparent
        picture.fill(self._theme.colour(self._ground) if self._ground else ground)
        return picture

    def _under(self, rect: QRect, ratio: float, font: QFont, under: RowGround) -> QPixmap:
        """Return a copy of the ground, to draw on."""
        key = (under.picture_key, rect.width(), rect.height(), ratio, font)
        picture = self._unders.get(key)
        if picture is None:
            picture = self._unders[key] = self._ground_of(rect, ratio)
            own = QPainter(picture)
            own.setFont(font)
            under.draw(own, QRect(QPoint(0, 0), rect.size()))
            own.end()
            if len(self._unders) > MOST_UNDERS:
                self._unders.popitem(last=False)
        return QPixmap(picture)


ROW = int(Qt.ItemDataRole.UserRole)
PICTURE = ROW + 1

Index = QModelIndex | QPersistentModelIndex


_SELECTED = QStyle.StateFlag.State_Selected.value
_FOCUS = QStyle.StateFlag.State_HasFocus.value


def row_state(option: QStyleOptionViewItem, *, pressed: bool = False) -> RowState:
    """Return the state of an item in its view."""
    state = option.state.value  # a number, because flags cost more than a copied tile
    return RowState(current=bool(state & _SELECTED), pressed=pressed, focus=bool(state & _FOCUS))


class ThemedDelegate(QStyledItemDelegate):
    """The base of the delegates, with a theme, the item held down, and the kept pictures."""

    _ground: ClassVar[Token | None] = "surface"
    _most_kept: ClassVar[int] = 48
    """The number of kept pictures. A window shows a third of that."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.pressed_index = QPersistentModelIndex()
        self.kept = PaintedRows(theme, ground=self._ground, most=self._most_kept)

    def set_pressed(self, index: Index | None) -> None:
        """Set the item under the finger, None once that is lifted. The view repaints."""
        self.pressed_index = (
            QPersistentModelIndex(index) if index is not None else QPersistentModelIndex()
        )

    def is_pressed(self, index: Index) -> bool:
        return self.pressed_index.isValid() and self.pressed_index == index


class CartDelegate(ThemedDelegate):
    """Rows of the cart. `pressed` is the button held down in the current row."""

    _most_kept = 24  # more than a window shows

    def __init__(self, theme: Theme, words: CartWords, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.words = words
        self.pressed = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CartRow = index.data(ROW)
        pressed = self.pressed if self.is_pressed(index) else ""

        def draw(on: QPainter, rect: QRect) -> None:
            paint_cart_words(on, rect, self.theme, row, self.words)

        def draw_ground(on: QPainter, rect: QRect) -> None:
            paint_cart_ground(on, rect, self.theme, row, self.words, pressed=pressed)

        def under() -> RowGround:
            return RowGround((row.state, self.words, pressed), draw_ground)

        painter.save()
        painter.setFont(option.font)
        shown = (row, self.words, pressed)
        self.kept.paint(painter, option.rect, shown, draw, under=under)
        if row_state(option).focus:
            painting.ring_inside(painter, option.rect, self.theme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = option.rect.width()
        return QSize(width, cart_row_height(self.theme, index.data(ROW), self.words, width))


class TileDelegate(ThemedDelegate):
    """Tiles, which the view paints. cell: the size of a tile with half of the gap around it, set by
    the view."""

    _ground = None
    _most_kept = 80  # as many as four windows show

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        gap = theme.metrics.s2
        self.cell = QSize(theme.metrics.tile_width + gap, theme.metrics.tile_height + gap)
        self._painter = paint_picker.TilePainter(theme)

    def paint_tile(
        self,
        painter: QPainter,
        rect: QRect,
        tile: Tile,
        picture: QPixmap | None,
        *,
        state: RowState,
        canvas: Canvas,
    ) -> None:
        half = self.theme.metrics.s2 // 2

        def frame() -> paint_picker.TileFrame:
            return paint_picker.frame_of(tile, picture=picture, state=state)

        def under() -> RowGround:
            ground = frame()
            return RowGround(
                ground,
                lambda on, rect: self._painter.paint_frame(
                    on, rect.adjusted(half, half, -half, -half), ground
                ),
            )

        def draw(on: QPainter, rect: QRect) -> None:
            inside = rect.adjusted(half, half, -half, -half)
            self._painter.paint_on(on, inside, frame(), tile, picture)

        shown = (tile, picture.cacheKey() if picture else 0, state)
        self.kept.paint(painter, rect, shown, draw, under=under, canvas=canvas)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self.cell


class ListDelegate(ThemedDelegate):
    """Rows of the picker's list. digits: the length of the longest article code."""

    def __init__(self, theme: Theme, *, digits: int = 5) -> None:
        super().__init__(theme)
        self.digits = digits
        self._columns: tuple[QRect, paint_picker.ListColumns] | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ListRow | None = index.data(ROW)
        if row is None:
            return
        state = row_state(option, pressed=self.is_pressed(index))

        def draw(on: QPainter, rect: QRect) -> None:
            columns = self._columns_of(rect)
            paint_picker.paint_list_row(on, rect, self.theme, row, state=state, columns=columns)

        painter.save()
        painter.setFont(option.font)
        self.kept.paint(painter, option.rect, (row, state, self.digits), draw)
        painter.restore()

    def _columns_of(self, rect: QRect) -> paint_picker.ListColumns:
        """Return the columns of a row, which are kept, because pictures are all drawn at one
        position."""
        if self._columns is None or self._columns[0] != rect:
            self._columns = (
                QRect(rect),
                paint_picker.ListColumns(rect, self.theme, digits=self.digits),
            )
        return self._columns[1]

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), self.theme.metrics.touch)


GROWS, GROWS_WIDE = 1.65, 1.25
"""The most that a tile grows in height and in width, so that it still looks like a tile, and more
of them are seen where there is room."""


@dataclass(frozen=True, slots=True)
class TileGrid:
    """The cells of a view; a cell is a tile with half of the gap around it."""

    columns: int
    rows: int
    """The number of rows seen at once; 0 if not even one has room."""
    cell_width: int
    cell_height: int


def tile_grid(width: int, height: int, metrics: Metrics, *, few: int = 0) -> TileGrid:
    """Return the grid of a view of that size. few: the number of tiles that may grow because there
    are no more; 0 for tiles of the usual size."""
    wide, tall = metrics.tile_width + metrics.s2, metrics.tile_height + metrics.s2
    widest, highest = round(GROWS_WIDE * wide), round(GROWS * tall)
    least = least_tile(metrics) + metrics.s2
    columns, rows = max(1, width // wide), height // least or int(height >= lowest_cell(metrics))
    if 0 < few <= columns * rows:
        narrowest = max(1, -(-width // widest))
        enough = (count for count in range(narrowest, columns) if -(-few // count) <= rows)
        columns = next(enough, columns)
        rows = -(-few // columns)
    tall = min(height // rows, highest) if rows else lowest_cell(metrics)
    return TileGrid(columns, rows, width // columns, tall)


def least_tile(metrics: Metrics) -> int:
    """Return the height to which a tile with its words and picture may shrink, so that one more row
    is seen."""
    base, strong = metrics.line(TypeStep.BASE), metrics.line(TypeStep.STRONG)
    words = 2 * base + 2 * (strong - metrics.s1)
    return max(words + 2 * metrics.s2, metrics.tile_height - metrics.s3)


def lowest_cell(metrics: Metrics) -> int:
    """Return the least height of a single row, for a line of the name, and the price with its unit.
    In a lower view no tile is seen, because a price is never cut."""
    return paint_picker.lowest_tile(metrics) + metrics.s2


BATCH = 200
"""The number of items laid out at once, so that 100,000 rows open in milliseconds."""
NOTCH = 120
"""Qt's unit for one notch of a wheel."""


_MOVES = frozenset(
    {
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    }
)


class RowView(QListView):
    """Rows painted by a delegate. Signal: `tapped(QModelIndex, QPoint)`, the point in the
    coordinates of the viewport."""

    tapped = Signal(QModelIndex, QPoint)

    def __init__(
        self,
        theme: Theme,
        delegate: ThemedDelegate,
        *,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.delegate = delegate
        # Windows names a font for lists, and Qt takes it before the application's at 125 and 150 %.
        self.setFont(theme.font())
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setAccessibleName(name)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(BATCH)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        ThinScrollBar(theme, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Measure the rows again in another width, in which they may have more lines; Qt does so
        only in another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._set_pressed(self.indexAt(event.position().toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the press of a double click as any other one: each of two quick taps counts."""
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        index = self.indexAt(point)
        same = self.delegate.is_pressed(index)
        self._set_pressed(None)
        super().mouseReleaseEvent(event)
        if same and index.isValid():
            self.tapped.emit(index, point)

    def _set_pressed(self, index: QModelIndex | None) -> None:
        self.delegate.set_pressed(index)
        self.viewport().update()


def begin_whole(view: QAbstractItemView, index: Index) -> None:
    """Scroll a list that brought a row into sight so that it begins with a whole row wherever it
    can."""
    bar, room, wanted = view.verticalScrollBar(), view.viewport(), view.visualRect(index)
    first = view.visualRect(view.indexAt(QPoint(room.width() // 2, 0)))
    if first.top() >= 0:
        return
    if bar.value() + first.bottom() < bar.maximum():
        bar.setValue(bar.value() + first.bottom() + 1)
    elif wanted.bottom() - first.top() < room.height():
        bar.setValue(bar.value() + first.top())


class LinesView(RowView):
    """Rows that leave letters and digits, and arrows to the left and right, to the screen. Signal:
    `moved()`, a person went to another row; taking the focus is no move."""

    moved = Signal()

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into sight, so that the list begins with a whole row wherever it can."""
        super().scrollTo(index, hint)
        begin_whole(self, index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVES and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            self.moved.emit()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Only repaint, because Qt would make the first row the current one."""
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()


class TileView(RowView):
    """Tiles in equal columns and whole rows, so that no tile is cut while the view rests. A tile is
    half a gap inside of its cell, where the focus ring has room; so give the view half a gap more
    at each side of its layout. shows_current: the current tile is tinted. lane: the width at the
    right for the thumb of the scroll bar, which is then beside the tiles."""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str = "",
        shows_current: bool = False,
        lane: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        self._tiles = TileDelegate(theme)
        self._shows_current = shows_current
        self._lane = lane
        self._few = 0
        self._turned = 0
        super().__init__(theme, self._tiles, name=name, parent=parent)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setStyleSheet("QListView { background: transparent; }")
        self._grid = tile_grid(self.width(), self.height(), theme.metrics)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._settle)
        bar.sliderReleased.connect(self._settle)
        self._share()

    def columns(self) -> int:
        return self._grid.columns

    def in_sight(self) -> range:
        """Return the numbers of the tiles that can be seen, and of a few more at the end."""
        tall, columns = max(1, self._grid.cell_height), self._grid.columns
        first = self.verticalScrollBar().value() // tall * columns
        rows = self.viewport().height() // tall + 2
        return range(first, min(first + rows * columns, self.model().rowCount()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tiles one by one. To let Qt ask the delegate for each would take as long again
        as to copy them all, and a letter typed into the search shows two dozen others."""
        model: QAbstractItemModel | None = self.model()
        if model is None:
            return
        area, states = event.rect(), self._states()
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        canvas = Canvas.of(painter)
        for number in self.in_sight():
            index = model.index(number, 0)
            cell = self.visualRect(index)
            tile = model.data(index, ROW) if cell.intersects(area) else None
            if isinstance(tile, Tile):
                picture: QPixmap | None = model.data(index, PICTURE) if tile.has_picture else None
                state = states.get(number, paint_picker.USUAL)
                self._tiles.paint_tile(painter, cell, tile, picture, state=state, canvas=canvas)

    def _states(self) -> dict[int, RowState]:
        """Return the states other than the usual one, by the tiles' numbers."""
        current, held = self.currentIndex(), self._tiles.pressed_index
        has_focus = current.isValid() and (self.hasFocus() or self.viewport().hasFocus())
        chosen = {one.row() for one in self.selectedIndexes()} if self._shows_current else set()
        focused = current.row() if has_focus else -1
        pressed = held.row() if held.isValid() else -1
        return {
            number: RowState(number in chosen, number == pressed, number == focused)
            for number in {*chosen, pressed, focused}
        }

    def show_few(self, count: int) -> None:
        """Let this many tiles grow, as long as all are seen; 0 for the usual size."""
        if count != self._few:
            self._few = count
            self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share()
        super().resizeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll a row for each notch; the small steps of a touch pad are added up."""
        self._turned += event.angleDelta().y()
        rows = int(self._turned / NOTCH)
        self._turned -= rows * NOTCH
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() - rows * self._grid.cell_height)
        event.accept()

    def _share(self) -> None:
        """Give each tile its share of the view, and hide the part of a row at the end."""
        self._grid = grid = tile_grid(
            self.width() - self._lane, self.height(), self.theme.metrics, few=self._few
        )
        cell = QSize(grid.cell_width, grid.cell_height)
        rest = max(0, self.height() - grid.rows * grid.cell_height)
        # 1 px more: Qt wraps a row that fills the width exactly.
        margins = QMargins(0, 0, self._lane - 1, rest)
        if (self._tiles.cell, self.viewportMargins()) == (cell, margins):
            return
        self._tiles.cell = cell
        self.setViewportMargins(margins)
        self.setGridSize(cell)
        self.verticalScrollBar().setSingleStep(grid.cell_height)
        self._settle()

    def _settle(self) -> None:
        """Show whole rows, unless a finger is pushing them."""
        bar, tall = self.verticalScrollBar(), self._grid.cell_height
        if not bar.isSliderDown():
            bar.setValue(round(bar.value() / tall) * tall)
