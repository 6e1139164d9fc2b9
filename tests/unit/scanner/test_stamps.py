"""Time stamps of keys on Windows come from the messages, not from the moment of handling."""

from __future__ import annotations

import ctypes

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.scanner.stamps import EventStamps, MessageTimes, WindowsMessage

DOWN, UP, SYSTEM_DOWN, MOUSE = 0x0100, 0x0101, 0x0104, 0x0200
A, B = 0x1E, 0x30


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


def test_keys_handled_together_keep_the_times_of_their_messages() -> None:
    times = MessageTimes()
    for message, code, at in [
        (DOWN, A, 100),
        (UP, A, 180),
        (MOUSE, A, 190),
        (SYSTEM_DOWN, B, 300),
        (UP, B, 360),
        (DOWN, A, 500),
        (UP, A, 590),
    ]:
        post(times, message, code, at)
    handled = [(PRESS, A), (RELEASE, A), (PRESS, B), (RELEASE, B), (PRESS, A), (RELEASE, A)]
    assert [times.of(event(kind, code)) for kind, code in handled] == [100, 180, 300, 360, 500, 590]
    post(times, DOWN, B, 600)
    post(times, DOWN, A, 700)
    assert times.of(event(PRESS, A)) == 700, "a message that came to nothing is passed over"


def test_a_repeat_makes_two_events_of_one_message() -> None:
    times = MessageTimes()
    for message, at in [(DOWN, 100), (DOWN, 400), (UP, 450)]:
        post(times, message, A, at)
    assert times.of(event(PRESS, A)) == 100
    assert times.of(event(RELEASE, A, repeat=True)) == 100
    assert times.of(event(PRESS, A, repeat=True)) == 400
    assert times.of(event(RELEASE, A)) == 450


def test_elsewhere_and_without_any_message_the_event_carries_its_stamp() -> None:
    for stamps in (EventStamps(), MessageTimes()):
        assert stamps.of(event(PRESS, A, at=77)) == 77
    first = EventStamps().of(event(PRESS, A, at=0))
    assert 0 < first <= EventStamps().of(event(PRESS, A, at=0))
