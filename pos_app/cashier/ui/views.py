"""Lists for touch: rows of the cart or picker, and tiles that share the width.

Both paint the item under the finger as pressed, scroll by pixels and have thin scroll bars.
A click is told by Qt's own signal `clicked(index)`; for the buttons within a cart row connect
`tapped(index, QPoint)` and ask `cart_hits`.
"""

from __future__ import annotations

from PySide6.QtCore import QMargins, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QListView, QSizePolicy, QWidget

from pos_app.cashier.ui.delegates import ThemedDelegate, TileDelegate
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.paint_picker import ListColumns
from pos_app.cashier.ui.painting import LEFT, RIGHT, box, put, rule
from pos_app.cashier.ui.scroll import ThinScrollBar
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tile_grid import tile_grid
from pos_app.cashier.ui.widget import ThemedWidget

BATCH = 200
"""Items laid out at once: 100,000 rows open in milliseconds."""
NOTCH = 120
"""What Qt calls one notch of a wheel."""


class RowView(QListView):
    """Rows painted by a delegate of the look. Signal: `tapped(QModelIndex, QPoint)`, the place
    in the coordinates of the viewport."""

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
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setAccessibleName(name)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(BATCH)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        ThinScrollBar(theme, self)
        theme.changed.connect(self._look_changed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._hold(self.indexAt(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        same = self.delegate.is_held(index)
        self._hold(None)
        super().mouseReleaseEvent(event)
        if same and index.isValid():
            self.tapped.emit(index, place)

    def _hold(self, index: QModelIndex | None) -> None:
        self.delegate.hold(index)
        self.viewport().update()

    def _look_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


class TileView(RowView):
    """Tiles in equal columns and whole rows: none is ever cut while the view rests.

    They stand half a gap inside of the view, where the ring of the focus has its room: give it
    half a gap more on each side of its layout.

    shows_current: the current tile is tinted, as the current row of a list is. lane: room at the
    right for the thumb of the scroll bar, so that it stands beside the tiles.
    """

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
        self._tiles.shows_current = shows_current
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
        """How many tiles stand side by side at the present width."""
        return self._grid.columns

    def show_few(self, count: int) -> None:
        """Let so many tiles grow as far as all of them are seen; 0 for the usual size."""
        if count != self._few:
            self._few = count
            self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share()
        super().resizeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A row for each notch; the small steps of a touch pad are added up."""
        self._turned += event.angleDelta().y()
        rows = int(self._turned / NOTCH)
        self._turned -= rows * NOTCH
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() - rows * self._grid.cell_height)
        event.accept()

    def _share(self) -> None:
        """Give each tile its share of the view, and hide what a row more would show of itself."""
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
        """Show whole rows, unless a finger still pushes them."""
        bar, tall = self.verticalScrollBar(), self._grid.cell_height
        if not bar.isSliderDown():
            bar.setValue(round(bar.value() / tall) * tall)

    def _look_changed(self) -> None:
        self._share()
        super()._look_changed()


class ListHead(ThemedWidget):
    """The head of the picker's list: four words over the columns, in a panel's upper corners."""

    def __init__(self, theme: Theme, *, digits: int = 5, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.digits = digits
        self._words = ("", "", "", "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_words(self, *, code: str, name: str, price: str, unit: str) -> None:
        """The words over the columns; `name` may carry the count of what was found."""
        self._words = (code, name, price, unit)
        self.setAccessibleName(name)
        self.update()

    def wanted(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, self.theme.metrics.head)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.theme.metrics.head)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, whole = self.theme, self.rect()
        radius = theme.metrics.radius_panel - theme.metrics.hair
        painter.setClipRect(whole)
        upper = whole.adjusted(0, 0, 0, radius)
        box(painter, upper, radius=radius, fill=theme.colour("sunken"))
        rule(painter, whole, theme)
        places = ListColumns(whole, theme, digits=self.digits)
        font = theme.fonts.resized(self.font(), Step.SMALL, Weight.SEMIBOLD)
        ink = theme.colour("ink_2")
        code, name, price, unit = self._words
        put(painter, places.code, code, ink, font, align=LEFT)
        put(painter, places.name, name, ink, font, align=LEFT, elide=True)
        put(painter, places.price, price, ink, font, align=RIGHT)
        put(painter, places.unit, unit, ink, font, align=LEFT)
