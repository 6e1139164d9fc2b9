"""Presses with times of their own: a hand in no hurry, and one that taps or strikes twice.

QTest gives its clicks on a window times that are half a second apart, and its keys the real time,
in which a test presses faster than any hand. `SlowHand` gives the keys and fingers of QTest times
like those of its clicks. Events with times of their own, as a test or the wedge keyboard sends
them, keep their times.
"""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QInputDevice, QInputEvent, QKeyEvent, QMouseEvent, QPointingDevice
from PySide6.QtWidgets import QWidget

from pos_app.cashier.scanner.replay import send_key

PAUSE_MS = 500
_moments = count(10_000_000, 10_000)
"""Times at which a pair of taps begins, far from each other."""
_OF_TESTS = 250
"""The native scan code of keys that have times of their own; no scanner types it."""


class SlowHand:
    """The times of events, for `press_guard.stamp_of`. pause: ms between two of them."""

    def __init__(self, pause: int = PAUSE_MS) -> None:
        self.pause = pause
        self._now = 0
        self._overridden = 0

    def stamp_of(self, event: QInputEvent) -> int:
        if isinstance(event, QKeyEvent):
            return event.timestamp() if event.nativeScanCode() else self._of_key(event)
        if event.device() is None or event.device().type() is not _TOUCH:
            return event.timestamp()
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin):
            self._now += self.pause
        return self._now

    def _of_key(self, event: QKeyEvent) -> int:
        kind = event.type()
        is_told_twice = kind is QEvent.Type.KeyPress and self._overridden == event.key()
        if kind is not QEvent.Type.KeyRelease and not is_told_twice:
            self._now += self.pause
        self._overridden = event.key() if kind is QEvent.Type.ShortcutOverride else 0
        return self._now


_TOUCH = QInputDevice.DeviceType.TouchScreen


def moment() -> int:
    """A time in ms that is far from every other one."""
    return next(_moments)


def tap(window: QWidget, spot: QPoint, *, at: int, is_second: bool = False) -> None:
    """Tap a point of the window at a time in ms. is_second: the platform reports the press of a
    double click."""
    send_pointer(window, spot, QEvent.Type.MouseButtonPress, at=at)
    if is_second:
        send_pointer(window, spot, QEvent.Type.MouseButtonDblClick, at=at)
    send_pointer(window, spot, QEvent.Type.MouseButtonRelease, at=at + 30)


def send_pointer(window: QWidget, spot: QPoint, kind: QEvent.Type, *, at: int) -> None:
    place = QPointF(spot)
    on_screen = QPointF(window.mapToGlobal(spot))
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    held = none if kind is QEvent.Type.MouseButtonRelease else left
    event = QMouseEvent(
        kind, place, place, on_screen, left, held, Qt.KeyboardModifier.NoModifier,
        QPointingDevice.primaryPointingDevice(),
    )  # fmt: skip
    event.setTimestamp(at)
    QCoreApplication.sendEvent(window.windowHandle(), event)


def tap_twice(window: QWidget, spot: QPoint, *, apart: int, second: QPoint | None = None) -> None:
    """Tap a point, and again that many ms later, whatever lies there by then. second: the point of
    the second tap, where a finger did not hit the same one."""
    begins = moment()
    tap(window, spot, at=begins)
    tap(window, spot if second is None else second, at=begins + apart, is_second=second is None)


def strike(
    window: QWidget,
    key: Qt.Key,
    text: str = "",
    *,
    at: int,
    held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    is_repeat: bool = False,
) -> None:
    """Strike a key at a time in ms, in the platform's order: an override, a shortcut, a press."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, key, held, _OF_TESTS, 0, 0, text, is_repeat)
        event.setTimestamp(at + 20 if kind is QEvent.Type.KeyRelease else at)
        send_key(event, window.windowHandle())
