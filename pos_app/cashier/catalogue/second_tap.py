"""Handles a double tap on a cell whose first tap opens the form under the finger."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

_PRESSES = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick})


class SecondTap(QObject):
    """Takes the second tap of a double tap away from the widget that opened under it. near: the
    greatest distance of both taps, in pixels. Signal: `meant()`, the second tap came."""

    meant = Signal()

    def __init__(self, under: QWidget, *, near: int) -> None:
        super().__init__(under)
        self._under, self._near = under, near
        self._spot = QPoint()
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.timeout.connect(self._end)

    def begin(self, spot: QPoint) -> None:
        """Wait for the second tap near the first one, which was at this point of the screen."""
        self._spot = spot
        self._waiting.start(QApplication.doubleClickInterval())
        _application().installEventFilter(self)

    def _end(self) -> None:
        self._waiting.stop()
        _application().removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _PRESSES or not isinstance(watched, QWidget | QWindow):
            return False
        assert isinstance(event, QMouseEvent)
        self._end()
        spot = event.globalPosition().toPoint()
        pressed: object = watched
        if isinstance(watched, QWindow):  # before the guard of the window refuses the second tap
            window = self._under.window()
            pressed = window.childAt(window.mapFromGlobal(spot))
        is_near = (spot - self._spot).manhattanLength() <= self._near
        if not is_near or not isinstance(pressed, QWidget) or not self._under.isAncestorOf(pressed):
            return False
        self.meant.emit()
        return True


def _application() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found
