"""A real X server with a keyboard that types scan codes (XTest), for tests of the xcb platform."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.gui.scanner.wedge import SHIFT, us_key

ENTER = 28
_X_OFFSET = 8


class XKeyboard:
    """Types physical keys on one X display. Times are the server's: delays in ms."""

    def __init__(self, display: str) -> None:
        self.display = display
        self._x11 = ctypes.CDLL("libX11.so.6")
        self._test = ctypes.CDLL("libXtst.so.6")
        self._x11.XInitThreads()  # each display may have a thread of its own
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
        self._x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
        self._x11.XFlush.argtypes = [ctypes.c_void_p]
        self._x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._test.XTestFakeKeyEvent.argtypes = [
            ctypes.c_void_p,
            ctypes.c_uint,
            ctypes.c_int,
            ctypes.c_ulong,
        ]
        self._test.XTestFakeMotionEvent.argtypes = [
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_ulong,
        ]
        self._test.XTestFakeButtonEvent.argtypes = self._test.XTestFakeKeyEvent.argtypes
        self._handle = self._x11.XOpenDisplay(display.encode())
        assert self._handle, f"no X display {display}"

    def close(self) -> None:
        self._x11.XCloseDisplay(self._handle)

    def layout(self, *names: str) -> None:
        """The user's layout, as `setxkbmap` takes it."""
        subprocess.run(["setxkbmap", *names], check=True, env=self.environment(), timeout=30)

    def environment(self) -> dict[str, str]:
        return {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}

    def scan(
        self,
        code: str,
        *,
        gap: int = 2,
        pauses: Mapping[int, int] | None = None,
        suffix: int | None = ENTER,
    ) -> None:
        """Type a code as a US wedge scanner does, with its suffix.

        pauses: position in the code -> ms before it.
        """
        for at, char in enumerate(code):
            place, shift = us_key(char)
            wait = (pauses or {}).get(at, gap)
            if shift:
                self._key(SHIFT, True, wait)
            self._key(place, True, 0 if shift else wait)
            self._key(place, False, 0)
            if shift:
                self._key(SHIFT, False, 0)
        if suffix is not None:
            self.tap(suffix, gap=(pauses or {}).get(len(code), gap), hold=0)
        self._x11.XFlush(self._handle)

    def tap(self, place: int, *, gap: int, hold: int) -> None:
        """Press a key `gap` ms after the last event, and release it `hold` ms later."""
        self._key(place, True, gap)
        self._key(place, False, hold)
        self._x11.XFlush(self._handle)

    def wait(self) -> None:
        """Return when the server has typed everything, with its pauses."""
        self._x11.XSync(self._handle, 0)

    def click(self, x: int, y: int) -> None:
        """Click the mouse's first button at a position on the screen."""
        self._test.XTestFakeMotionEvent(self._handle, 0, x, y, 0)
        for down in (True, False):
            self._test.XTestFakeButtonEvent(self._handle, 1, down, 20)
        self._x11.XFlush(self._handle)

    def key(self, place: int, *, down: bool, gap: int) -> None:
        """Press or release a key `gap` ms after the last event."""
        self._key(place, down, gap)
        self._x11.XFlush(self._handle)

    def _key(self, place: int, down: bool, delay: int) -> None:
        self._test.XTestFakeKeyEvent(self._handle, place + _X_OFFSET, down, delay)


@contextmanager
def x_server(*, size: str = "1024x768") -> Iterator[XKeyboard]:
    """Xvfb on a free display, ended with the block.

    It gets a higher priority than other programs where that is allowed: it stands for a keyboard
    and a scanner, which are devices and do not pause because a processor is busy.
    """
    reader, writer = os.pipe()
    screen = ["-displayfd", str(writer), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["nice", "-n", "-15", "Xvfb", *screen], pass_fds=[writer], stderr=subprocess.DEVNULL
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        keyboard = XKeyboard(f":{number}")
        yield keyboard
        keyboard.close()
    finally:
        server.terminate()
        server.wait(30)
