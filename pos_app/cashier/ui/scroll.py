"""The scroll bar: a thumb of 6 px while it moves, 2 px while idle; no track, no arrows.

It lies over the content of a list, so that it takes no width and rows reach to the edge of their
panel. Tiles and pages of keys leave it a lane beside them.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QScrollBar

from pos_app.cashier.ui.painting import box
from pos_app.cashier.ui.theme import Theme

IDLE_AFTER_MS = 1500
THUMB, IDLE_THUMB = 6, 2


class ThinScrollBar(QScrollBar):
    """The vertical scroll bar of an area, over its right edge. Make it once per area."""

    def __init__(self, theme: Theme, area: QAbstractScrollArea) -> None:
        super().__init__(Qt.Orientation.Vertical, area)
        self._theme = theme
        self._area = area
        self._own = area.verticalScrollBar()
        self._idle = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(IDLE_AFTER_MS)
        self._timer.timeout.connect(self._rest)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().installEventFilter(self)
        self._own.rangeChanged.connect(self._take_range)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._scrolled)
        self.sliderPressed.connect(lambda: self._own.setSliderDown(True))
        self.sliderReleased.connect(lambda: self._own.setSliderDown(False))
        theme.changed.connect(self._place)
        self._take_range()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._wake()

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics = self._theme.metrics
        thick = metrics.px(IDLE_THUMB if self._idle and not self.isSliderDown() else THUMB)
        fill = self._theme.colour("line_strong")
        box(QPainter(self), self._thumb(thick), radius=thick // 2, fill=fill)

    def _thumb(self, thick: int) -> QRect:
        span = max(1, self.maximum() - self.minimum())
        room = self.height()
        long = max(self._theme.metrics.touch, room * self.pageStep() // (span + self.pageStep()))
        start = (room - long) * (self.value() - self.minimum()) // span
        right = (self.width() - thick) // 2 if self._lane() else self._theme.metrics.s1
        return QRect(self.width() - thick - right, start, thick, long)

    def _take_range(self) -> None:
        self.setPageStep(max(1, self._own.pageStep()))
        self.setSingleStep(max(1, self._own.singleStep()))
        self.setRange(self._own.minimum(), self._own.maximum())
        needed = self._own.maximum() > self._own.minimum()
        self.setVisible(needed)
        if isinstance(self._area, QScrollArea):
            self._area.setViewportMargins(0, 0, self._theme.metrics.s3 if needed else 0, 0)
            self._place()

    def _scrolled(self, value: int) -> None:
        self._own.setValue(value)
        self._wake()

    def _place(self) -> None:
        gap, wide = self._theme.metrics.s1, self._theme.metrics.s4
        view, lane = self._area.viewport().geometry(), self._lane()
        left = self._area.width() - (lane or wide)
        self.setGeometry(left, view.top() + gap, lane or wide, max(0, view.height() - 2 * gap))
        self.raise_()
        self.update()

    def _lane(self) -> int:
        """Width beside the viewport, 0 where it is too narrow for the thumb."""
        beside = self._area.width() - 1 - self._area.viewport().geometry().right()
        return beside if beside > self._theme.metrics.px(THUMB) else 0

    def _wake(self) -> None:
        self._idle = False
        self._timer.start()
        self.update()

    def _rest(self) -> None:
        self._idle = True
        self.update()
