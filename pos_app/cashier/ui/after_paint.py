"""What may come after the rows: done once the window has painted what changed until now.

A timer of 0 ms comes before the next paint, because Qt asks for paints with an event of low
priority; an event of a lower one comes after it, in the same round of the loop.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt

_AFTER_PAINTING = Qt.EventPriority.LowEventPriority.value - 1


class AfterPaint(QObject):
    """One act that waits for the next paint; asked for again before it, it still happens once."""

    def __init__(self, act: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._is_waiting = False

    def ask(self) -> None:
        """Do it after the next paint."""
        if not self._is_waiting:
            self._is_waiting = True
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), _AFTER_PAINTING)

    def event(self, event: QEvent) -> bool:
        """Our own event: the window has painted."""
        if event.type() is not QEvent.Type.User:
            return super().event(event)
        self._is_waiting = False
        self._act()
        return True
