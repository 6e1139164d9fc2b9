"""Time stamps of keys on Windows come from the messages, not from the moment of handling."""

from __future__ import annotations

import ctypes

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.scanner.stamps import MessageTimes, WindowsMessage

DOWN, UP, MOUSE = 0x0100, 0x0101, 0x0200
A = 0x1E


def post(times: MessageTimes, message: int, scan_code: int, at: int) -> None:
    native = WindowsMessage(
        window=None, message=message, key=0, detail=scan_code << 16 | 1, time=at
    )
    taken = times.nativeEventFilter(b"windows_generic_MSG", ctypes.addressof(native))
    assert taken == (False, 0)


def event(kind: QEvent.Type, scan_code: int, *, repeat: bool = False, at: int = 9) -> QKeyEvent:
    none = Qt.KeyboardModifier.NoModifier
    made = QKeyEvent(kind, Qt.Key.Key_A, none, scan_code, 0, 0, "a", repeat)
    made.setTimestamp(at)
    return made


PRESS, RELEASE = QEvent.Type.KeyPress, QEvent.Type.KeyRelease


def test_a_repeat_makes_two_events_of_one_message() -> None:
    times = MessageTimes()
    for message, at in [(DOWN, 100), (DOWN, 400), (UP, 450)]:
        post(times, message, A, at)
    assert times.of(event(PRESS, A)) == 100
    assert times.of(event(RELEASE, A, repeat=True)) == 100
    assert times.of(event(PRESS, A, repeat=True)) == 400
    assert times.of(event(RELEASE, A)) == 450
