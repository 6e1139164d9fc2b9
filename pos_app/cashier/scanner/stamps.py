"""The time when a key was pressed, as opposed to when it is handled.

X11 and Wayland stamp their events and Qt passes the stamp on. On Windows Qt stamps a key when it
takes the key from the queue: after a stall of the window all waiting keys seem simultaneous, and
typing would look like a scan. On Windows, therefore, `MessageTimes` reads the time when the message
was posted.
"""

from __future__ import annotations

import ctypes
import time
from collections import deque
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QEvent
from PySide6.QtGui import QKeyEvent, QMouseEvent

_DOWN, _UP, _SYSTEM_DOWN, _SYSTEM_UP = 0x0100, 0x0101, 0x0104, 0x0105
_KEY_MESSAGES = frozenset({_DOWN, _UP, _SYSTEM_DOWN, _SYSTEM_UP})
_LONGEST_QUEUE = 4096  # messages of a stall: two scans of 1,000 characters


class WindowsMessage(ctypes.Structure):
    """MSG of the Windows API (winuser.h), as far as this module reads it."""

    _fields_ = (
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint32),
        ("key", ctypes.c_size_t),
        ("detail", ctypes.c_ssize_t),
        ("time", ctypes.c_uint32),
    )


def stamp_of_now() -> int:
    """Return the stamp of a key that were pressed now. X11, compositors of Wayland and Windows
    count milliseconds of the machine's own clock, in 32 bits."""
    return time.monotonic_ns() // 1_000_000 & 0xFFFF_FFFF


class EventStamps:
    """Stamps of platforms whose events carry them; a key without a stamp gets one now."""

    def of(self, event: QKeyEvent) -> int:
        """Return milliseconds, of which only differences mean anything."""
        return event.timestamp() or stamp_of_now()

    def of_pointer(self, event: QMouseEvent) -> int:
        """Return the time of a press of a pointer, by the same clock."""
        return event.timestamp() or stamp_of_now()


class MessageTimes(QAbstractNativeEventFilter):
    """Stamps of Windows key messages, matched in order to the Qt events made from them.

    Install it as the application's native event filter. The times tick in steps of up to
    16 ms, which is below half of a scan's longest gap.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[tuple[int, bool, int]] = deque(maxlen=_LONGEST_QUEUE)
        self._current = 0

    def nativeEventFilter(
        self, event_type: QByteArray | bytes | bytearray | memoryview, address: int
    ) -> Any:
        message = WindowsMessage.from_address(int(address))
        if message.message in _KEY_MESSAGES:
            scan_code = (message.detail >> 16) & 0x1FF
            down = message.message in (_DOWN, _SYSTEM_DOWN)
            self._waiting.append((scan_code, down, message.time))
        return False, 0

    def of(self, event: QKeyEvent) -> int:
        """Return the time in ms of the message that `event` was made from. One message can make
        several events (a repeat is an up and a down). An event whose message is not waiting has the
        time of the event before."""
        down = event.type() is not QEvent.Type.KeyRelease
        if event.isAutoRepeat() and not down:
            return self._current  # Qt made this event; the up message of the key is still to come
        wanted = (event.nativeScanCode(), down)
        if any(entry[:2] == wanted for entry in self._waiting):
            while True:
                scan_code, is_down, self._current = self._waiting.popleft()
                if (scan_code, is_down) == wanted:
                    break
        return self._current or event.timestamp()

    def of_pointer(self, event: QMouseEvent) -> int:
        """Return the present time: Qt stamps a press of a pointer by a clock of its own."""
        return stamp_of_now()
