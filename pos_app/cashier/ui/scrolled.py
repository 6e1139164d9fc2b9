"""A part of a screen that scrolls where large type needs more room than there is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from pos_app.cashier.ui.scroll import ThinScrollBar
from pos_app.cashier.ui.theme import Theme


class Scrolled(QScrollArea):
    """Upright only, without a frame or ground; arrow keys stay the screen's own.

    Put what scrolls into it with `show_inside`.
    """

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._inside: QWidget | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.viewport().setAutoFillBackground(False)
        ThinScrollBar(theme, self)

    def show_inside(self, inside: QWidget) -> None:
        """Show this in place of what was shown before."""
        if self._inside is not None:
            self.takeWidget()  # something in it may be in the middle of an event
            self._inside.hide()
            self._inside.deleteLater()
        self._inside = inside
        self.setWidget(inside)
        inside.setAutoFillBackground(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()


class ScrolledColumn(Scrolled):
    """As wide as what is inside needs, and as low as need be."""

    def show_inside(self, inside: QWidget) -> None:
        super().show_inside(inside)
        inside.installEventFilter(self)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        wide = self._inside.minimumSizeHint().width() if self._inside is not None else 0
        return QSize(wide, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ScrolledRows(ScrolledColumn):
    """Rows of keys of one height: only whole ones are shown, so that none is cut."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme, name=name)
        self._row, self._gap = 0, theme.metrics.s2

    def set_row_height(self, height: int) -> None:
        """How high a row is."""
        self._row = height
        self.verticalScrollBar().setSingleStep(height + self._gap)
        self._show_whole_rows()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self._show_whole_rows()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_whole_rows()
        super().resizeEvent(event)

    def _show_whole_rows(self) -> None:
        inside = self._inside.minimumSizeHint().height() if self._inside is not None else 0
        room, step = self.contentsRect().height(), self._row + self._gap
        is_cut = self._row > 0 and self._row <= room < inside
        over = (room + self._gap) % step if is_cut else 0
        if self.viewportMargins().bottom() != over:
            self.setViewportMargins(0, 0, 0, over)
