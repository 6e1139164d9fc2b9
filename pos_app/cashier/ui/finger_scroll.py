"""Lists and pages are pushed by a finger, wherever it lies on them; nothing is pressed by it then.

It stands at the door of the window, because what lies under the finger (a button, a row) has the
press to itself. A mouse pushes too, as some touch screens pass for one, but not in a field, where
it chooses text. Nothing goes on moving by itself (look.md, "Motion").
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPointingDevice
from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit, QPlainTextEdit, QScrollBar, QWidget
from shiboken6 import isValid

from pos_app.cashier.ui.theme import Theme

BEGINS = 3
"""Of a touch size: the part that a finger moves before it pushes instead of pressing."""
_OUTSIDE = QPointF(-10_000, -10_000)


class FingerScroll(QObject):
    """Pushes what lies in one window. Install it on its QWindow."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._area: QAbstractScrollArea | None = None
        self._pressed_at = 0.0
        self._value = 0
        self._pushes = False
        self._letting_go = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or self._letting_go:
            return False
        match event.type():
            case QEvent.Type.MouseButtonPress:
                self._begin(event)
            case QEvent.Type.MouseMove if event.buttons() & Qt.MouseButton.LeftButton:
                return self._move(watched, event)
            case QEvent.Type.MouseButtonRelease:
                return self._end()
        return False

    def _begin(self, event: QMouseEvent) -> None:
        place = event.position()
        self._pushes = False
        self._area = _area_of(self._window.childAt(place.toPoint()), event)
        if self._area is not None:
            self._pressed_at = place.y()
            self._value = self._area.verticalScrollBar().value()

    def _move(self, watched: QObject, event: QMouseEvent) -> bool:
        if self._area is None:
            return False
        if not isValid(self._area):  # a scan closed it meanwhile: what lies there now is not meant
            return self._pushes
        moved = event.position().y() - self._pressed_at
        if not self._pushes and abs(moved) * BEGINS >= self._theme.metrics.touch:
            self._pushes = True
            self._area.verticalScrollBar().setSliderDown(True)
            self._let_go(watched, event)
        if self._pushes and isValid(self._area):
            self._area.verticalScrollBar().setValue(round(self._value - moved))
        return self._pushes

    def _end(self) -> bool:
        """The finger was lifted; whether it had pushed."""
        pushed, area = self._pushes, self._area
        self._pushes, self._area = False, None
        if pushed and area is not None and isValid(area):
            area.verticalScrollBar().setSliderDown(False)
        return pushed

    def _let_go(self, watched: QObject, event: QMouseEvent) -> None:
        """What was pressed learns that the finger has left it, so that it does not act."""
        self._letting_go = True
        released = QMouseEvent(
            QEvent.Type.MouseButtonRelease, _OUTSIDE, _OUTSIDE, _OUTSIDE,
            Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton, event.modifiers(),
            event.pointingDevice(),
        )  # fmt: skip
        QCoreApplication.sendEvent(watched, released)
        self._letting_go = False


def _area_of(widget: QWidget | None, event: QMouseEvent) -> QAbstractScrollArea | None:
    """What is pushed by a press on a widget; None where nothing can be."""
    by_finger = event.pointingDevice().pointerType() is QPointingDevice.PointerType.Finger
    while widget is not None:
        if isinstance(widget, QScrollBar):
            return None
        if isinstance(widget, QLineEdit | QPlainTextEdit) and not by_finger:
            return None
        if isinstance(widget, QAbstractScrollArea):
            bar = widget.verticalScrollBar()
            if bar.maximum() > bar.minimum():
                return widget
        widget = widget.parentWidget()
    return None
