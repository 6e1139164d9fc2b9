"""The customer display on a second monitor of a real X server: real scans, keys and a receipt."""

from __future__ import annotations

import ctypes
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from tests.e2e.day_of_a_shop import BREAD, MILK
from tests.e2e.day_person import place_of
from tests.e2e.shop import Program, Shop
from tests.gui.scanner.x11 import XKeyboard, x_server

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


pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
)

TILL, BUYER = "KASA", "KUPAC"

QR_CODE: Any = zxingcpp.BarcodeFormat.QRCode

State = dict[str, Any]


class Counter:
    def __init__(self, shop: Shop, keyboard: XKeyboard, monitors: Monitors) -> None:
        self.shop, self.keyboard, self.monitors = shop, keyboard, monitors
        self.till: Program | None = None
        self._pressed = ""

    def open(self, *settings: str) -> None:
        """Open the till with these further lines of settings."""
        with (self.shop.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write("\n".join(("", *settings, "")))
        words = ["-m", "tests.e2e.told_till", "buyer", str(self.shop.data)]
        env = self.shop.env() | self.keyboard.environment()
        self.till = Program(words, env=env, errors=self.log, nursery=self.shop.nursery)
        self.shop.running.append(self.till)
        self.until(lambda seen: seen["ready"])

    @property
    def log(self) -> Path:
        return self.shop.folder / "till.log"

    @property
    def told(self) -> list[State]:
        return [json.loads(line) for _, line in self.till.told if line.startswith("{")]

    def until(self, seen: Callable[[State], object]) -> State:
        self.till.until(lambda: (told := self.told) and seen(told[-1]))
        return self.told[-1]

    def until_shown(self, check: Callable[[State], object]) -> State:
        seen = self.until(lambda seen: seen["display"] and check(seen["display"]))
        shown: State = seen["display"]
        return shown

    def until_amount(self, amount: str) -> State:
        return self.until_shown(lambda shown: shown["amount"] == amount)

    def scan(self, code: str) -> None:
        self.keyboard.wait()
        self.keyboard.scan(code, pauses={0: 300})

    def press(self, *names: str) -> None:
        for name in names:
            self.keyboard.wait()
            gap = 450 if name == self._pressed and not name.isdigit() else 150
            self._pressed = name
            self.keyboard.tap(place_of(name), gap=gap, hold=30)

    def codes(self) -> list[str]:
        picture = self.monitors.picture(BUYER)
        found = zxingcpp.read_barcodes(picture, formats=QR_CODE)
        return [one.text for one in found]

    def errors(self) -> list[str]:
        told = self.log.read_text(encoding="utf-8")
        return [line for line in told.splitlines() if "ERROR" in line or "Traceback" in line]


@pytest.fixture
def counter(shop: Shop) -> Iterator[Counter]:
    with x_server(size="3300x1500") as keyboard:
        keyboard.layout("rs")
        monitors = Monitors(keyboard.display)
        monitors.put_in(TILL, 0, 0, 1366, 768)
        shop.processor()
        made = Counter(shop, keyboard, monitors)
        yield made
        if made.till is not None:
            made.till.stop()
        monitors.close()
        assert made.errors() == []


def display(*more: str) -> tuple[str, ...]:
    return ("[customer_display]", f'monitor = "{BUYER}"', *more)


def test_a_small_monitor_is_pulled_out_and_put_back_while_selling(counter: Counter) -> None:
    """At first it mirrors the till's, so it is none. Below 600 pixels the code has its own page."""
    counter.monitors.put_in(BUYER, 0, 0, 1366, 768)
    counter.open(*display('theme = "dark"'))
    counter.scan(BREAD)
    counter.until(lambda seen: seen["lines"] == 1)
    assert all(seen["display"] is None for seen in counter.told)
    focus = counter.told[-1]["focus"]
    for round_ in range(2):
        before = len(counter.told)
        counter.monitors.pull_out(BUYER)
        gone = counter.until(lambda seen: seen["monitors"] == [TILL])
        assert (gone["display"], gone["focus"], gone["active"]) == (None, focus, True)
        counter.scan(MILK)
        counter.until(lambda seen: seen["lines"] == 2)
        counter.monitors.put_in(BUYER, 1366, 0, 800, 480)
        amount = f"{58.99 + (round_ + 1) * 139.99:.2f}".replace(".", ",")
        shown = counter.until_amount(amount)
        assert (shown["on"], shown["place"]) == (BUYER, [1366, 0, 800, 480])
        since = counter.told[before:]
        assert all(seen["active"] and seen["focus"] == focus for seen in since)
        assert all(seen["display"]["on"] == BUYER for seen in since if seen["display"])
        counter.keyboard.click(1700, 200)  # a touch by the buyer

    counter.press("F12")
    counter.until(lambda seen: seen["paying"])
    counter.press("Enter")
    counter.until_shown(lambda shown: shown["scene"] == "PAYING")
    counter.press("Enter")
    shown = counter.until_shown(lambda shown: shown["code"])
    assert counter.codes() == [shown["code"]]
    assert "Хлеб бели Сава 500 g" not in shown["painted"]
    assert {"Плаћено", "339,00", "Скенирајте и понесите рачун"} <= {*shown["painted"]}
    counter.press("F7")  # the confirmed sale is replaced, its code stays in the corner
    shown = counter.until_shown(lambda shown: shown["is_small"])
    assert (shown["scene"], counter.codes()) == ("IDLE", [shown["code"]])
    assert all(seen["active"] for seen in counter.told if seen["ready"])
    assert counter.till is not None  # the display goes with the till
    counter.till.stop()
    assert counter.till.wait() == 0
    assert counter.monitors.picture(BUYER).getextrema() == ((0, 0), (0, 0), (0, 0))


def test_pictures_in_turns_and_those_that_are_none(counter: Counter) -> None:
    folder = counter.shop.data / "slike"
    folder.mkdir()
    (folder / "a-broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no picture")
    (folder / "b-words.txt").write_text("no picture either", encoding="utf-8")
    Image.new("1", (60_000, 1_000)).save(folder / "c-huge.png")
    (folder / "d-gone.png").symlink_to(folder / "nowhere.png")
    Image.new("RGB", (1600, 1200), "#C9A227").save(folder / "e-good.jpg")
    counter.monitors.put_in(BUYER, 1366, 0, 1366, 768)
    counter.open(*display('pictures = "slike"'))
    counter.until_shown(lambda shown: shown["picture"])
    pixel = counter.monitors.picture(BUYER).crop((683, 450, 684, 451)).tobytes()
    assert sum(abs(is_ - was) for is_, was in zip(pixel, b"\xc9\xa2\x27", strict=True)) < 12
    log = counter.log.read_text(encoding="utf-8")
    skipped = [line.split()[-1] for line in log.splitlines() if "is skipped" in line]
    assert skipped == ["a-broken.jpg", "c-huge.png"]
    counter.scan(BREAD)
    counter.until_shown(lambda shown: shown["scene"] == "SELLING")
