"""Monitors of a real X server, added and removed (RandR), and pictures of them."""

from __future__ import annotations

import ctypes
from typing import Any

from PIL import Image

_ALL_PLANES, _Z_PIXMAP = 0xFFFFFFFF, 2
_MM = 25.4 / 96
_OF_MONITOR = ["primary", "automatic", "noutput", "x", "y", "width", "height", "mwidth", "mheight"]
_OF_PICTURE = ["byte_order", "unit", "bit_order", "pad", "depth", "bytes_per_line", "bits"]


class _Monitor(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_ulong),
        *((name, ctypes.c_int) for name in _OF_MONITOR),
        ("outputs", ctypes.POINTER(ctypes.c_ulong)),
    ]


class _Picture(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")),
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in _OF_PICTURE),
    ]


class Monitors:
    """The first monitor that is put in becomes the primary one, and replaces the server's own."""

    def __init__(self, display: str) -> None:
        self._x11, self._randr = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXrandr.so.2")
        x11, randr, pointer, word = self._x11, self._randr, ctypes.c_void_p, ctypes.c_ulong
        x11.XOpenDisplay.restype, x11.XOpenDisplay.argtypes = pointer, [ctypes.c_char_p]
        x11.XDefaultRootWindow.restype, x11.XDefaultRootWindow.argtypes = word, [pointer]
        x11.XInternAtom.restype = word
        x11.XInternAtom.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int]
        x11.XSync.argtypes, x11.XCloseDisplay.argtypes = [pointer, ctypes.c_int], [pointer]
        x11.XGetImage.restype = ctypes.POINTER(_Picture)
        whole, positive = ctypes.c_int, ctypes.c_uint
        x11.XGetImage.argtypes = [pointer, word, whole, whole, positive, positive, word, whole]
        randr.XRRGetMonitors.restype = ctypes.POINTER(_Monitor)
        randr.XRRGetMonitors.argtypes = [pointer, word, ctypes.c_int, ctypes.POINTER(ctypes.c_int)]
        randr.XRRSetMonitor.argtypes = [pointer, word, ctypes.POINTER(_Monitor)]
        randr.XRRDeleteMonitor.argtypes = [pointer, word, word]
        self._display = x11.XOpenDisplay(display.encode())
        assert self._display, f"no X display {display}"
        self._root = x11.XDefaultRootWindow(self._display)
        self._places: dict[str, tuple[int, int, int, int]] = {}

    def close(self) -> None:
        self._x11.XCloseDisplay(self._display)

    def put_in(self, name: str, x: int, y: int, width: int, height: int) -> None:
        place, size = (x, y, width, height), (round(width * _MM), round(height * _MM))
        made = _Monitor(self._name(name), not self._places, 0, 0, *place, *size)
        if not self._places:
            count = ctypes.c_int()
            first = self._randr.XRRGetMonitors(self._display, self._root, 1, ctypes.byref(count))[0]
            made.noutput, made.outputs = first.noutput, first.outputs
        self._randr.XRRSetMonitor(self._display, self._root, ctypes.byref(made))
        self._x11.XSync(self._display, 0)
        self._places[name] = place

    def pull_out(self, name: str) -> None:
        self._randr.XRRDeleteMonitor(self._display, self._root, self._name(name))
        self._x11.XSync(self._display, 0)

    def picture(self, name: str) -> Image.Image:
        found = self._x11.XGetImage(
            self._display, self._root, *self._places[name], _ALL_PLANES, _Z_PIXMAP
        )
        seen: Any = found.contents
        raw = ctypes.string_at(seen.data, seen.bytes_per_line * seen.height)
        size = (seen.width, seen.height)
        return Image.frombytes("RGB", size, raw, "raw", "BGRX", seen.bytes_per_line)

    def _name(self, name: str) -> int:
        return int(self._x11.XInternAtom(self._display, name.encode(), 0))
