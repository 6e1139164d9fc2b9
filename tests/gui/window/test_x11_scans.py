"""Scans at the real window of a real X server, in the moments in which they come in a shop."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.gui.scanner.wedge import ALT, CTRL, ESCAPE, F9, F12, PAD_PLUS
from tests.gui.scanner.x11 import ENTER, XKeyboard, x_server
from tests.gui.window.shop import copied
from tests.sweep import sampled, turns

pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
)

ROOT = Path(__file__).parents[3]
BREAD, MILK, UNKNOWN = "8609910700134", "8609951100139", "8600999000014"
BANANA_WEIGHED = "2000016015607"
LAYOUTS = {"us": ["us"], "rs-latin": ["rs", "-variant", "latin"], "rs-cyrillic": ["rs"]}
TAB, CAPS_LOCK = 15, 58
F1, F2, F3, F4, F5, F6 = range(59, 65)

State = dict[str, Any]


class Till:
    """The program under test, and what its cashier saw last."""

    def __init__(self, child: subprocess.Popen[str], keyboard: XKeyboard) -> None:
        self.keyboard = keyboard
        self.state: State = {}
        self._lines: queue.Queue[str] = queue.Queue()
        assert child.stdout is not None
        self._stdout = child.stdout
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self._stdout:
            self._lines.put(line)

    def until(self, seen: Callable[[State], object]) -> State:
        """Wait until it shows something; fails with what it shows after 8 s."""
        while not (self.state and seen(self.state)):
            try:
                self.state = json.loads(self._lines.get(timeout=8))
            except queue.Empty:
                raise AssertionError(self.state) from None
        return self.state

    def rest(self, seconds: float = 1.2) -> State:
        """What it shows once nothing has changed for a while."""
        while True:
            try:
                self.state = json.loads(self._lines.get(timeout=seconds))
            except queue.Empty:
                return self.state

    def press(self, *places: int) -> None:
        """Keys of a hand, one after the other."""
        for place in places:
            self.keyboard.tap(place, gap=150, hold=60)

    def type(self, places: dict[str, int], text: str) -> None:
        """Digits of a hand."""
        self.press(*(places[char] for char in text))

    def join(self) -> None:
        """After its end: let the reader finish."""
        self._reader.join(20)
        self._stdout.close()


DIGITS = {str((number + 1) % 10): 2 + number for number in range(10)}


@pytest.fixture(scope="module")
def keyboard() -> Iterator[XKeyboard]:
    with x_server() as server:
        yield server


Open = Callable[..., Any]


@pytest.fixture
def opened(keyboard: XKeyboard, template: Path, tmp_path: Path) -> Open:
    """Opens the till under a layout, with settings."""

    @contextmanager
    def start(layout: str = "us", **settings: dict[str, object]) -> Iterator[Till]:
        keyboard.layout(*LAYOUTS[layout])
        data = copied(template, tmp_path / "shop")
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.gui.window.x11_till", str(data), json.dumps(settings)],
            env={**keyboard.environment(), "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        till = Till(child, keyboard)
        try:
            till.until(lambda seen: seen["ready"])
            yield till
        finally:
            child.terminate()
            child.wait(20)
            till.join()

    return start


def _pieces(state: State, code: str) -> float:
    return sum(float(count) for gtin, count in state["sold"] if gtin == code)


@pytest.mark.parametrize(("layout", "caps"), turns(LAYOUTS, [False, True]))
def test_under_a_layout(opened: Open, layout: str, caps: bool) -> None:
    with opened(layout) as till:
        if caps:
            till.press(CAPS_LOCK)
        try:
            till.keyboard.scan(BREAD)
            till.keyboard.scan("lot-0016/Ay", gap=3)
            till.rest()
        finally:
            if caps:
                till.press(CAPS_LOCK)
        state = till.rest()
        assert (state["sold"], state["missed"]) == ([[BREAD, "1"]], ["lot-0016/Ay"])
        assert state["search"] == ""


@pytest.mark.parametrize(("prefix", "suffix"), turns(["", "~", "]E0"], ["enter", "tab", "none"]))
def test_with_a_prefix_and_a_suffix(opened: Open, suffix: str, prefix: str) -> None:
    last = {"enter": ENTER, "tab": TAB, "none": None}[suffix]
    with opened("rs-cyrillic", scanner={"prefix": prefix, "suffix": suffix}) as till:
        for _ in range(3):
            till.keyboard.scan(prefix + BREAD, suffix=last)
            focus = till.rest()["focus"]
        till.press(F12)
        till.type(DIGITS, "5")
        till.keyboard.scan(prefix + MILK, suffix=last)
        state = till.rest()
        assert state["sold"] == [[BREAD, "3"], [MILK, "1"]]
        assert (state["paid"], state["last"], state["missed"]) == (["5.00"], 0, [])
        assert focus == till.state["focus"] or state["paying"]


@pytest.mark.parametrize("suffix", [ENTER, TAB, None], ids=["enter", "tab", "none"])
def test_with_the_usual_settings_whatever_the_scanner_sends(
    opened: Open, suffix: int | None
) -> None:
    with opened("rs-latin") as till:
        for code in (BREAD, MILK, BREAD):
            till.keyboard.scan(code, suffix=suffix)
            till.rest()
        assert till.state["sold"] == [[MILK, "1"], [BREAD, "2"]]
        assert till.state["missed"] == []


@pytest.mark.parametrize("gap", sampled([1, 20, 5, 60], few=2))
def test_two_scans_back_to_back(opened: Open, gap: int) -> None:
    with opened("rs-cyrillic") as till:
        for _ in range(5):
            till.keyboard.scan(BREAD)
            till.keyboard.scan(MILK, pauses={0: gap})
        state = till.rest()
        assert (_pieces(state, BREAD), _pieces(state, MILK)) == (5, 5)
        assert (state["missed"], state["search"]) == ([], "")


@pytest.mark.parametrize("after_ms", sampled([0, 25, 300, 3, 10, 40, 100], few=3))
def test_right_after_a_payment_key(opened: Open, after_ms: int) -> None:
    """The sale ends with what was scanned before the key; the scan is the next one's."""
    with opened("rs-latin") as till:
        till.keyboard.scan(BREAD)
        till.rest()
        till.keyboard.tap(PAD_PLUS, gap=600, hold=40)
        till.keyboard.scan(MILK, pauses={0: after_ms})
        state = till.rest()
        assert (state["last"], state["sold"]) == (1, [[MILK, "1"]])


@pytest.mark.parametrize("after_ms", sampled([0, 25, 100, 3, 10, 40], few=3))
def test_right_before_a_payment_key(opened: Open, after_ms: int) -> None:
    """Too soon after a scan the key pays nothing."""
    with opened("rs-latin") as till:
        till.keyboard.scan(BREAD)
        till.rest()
        till.keyboard.scan(MILK, pauses={0: 600})
        till.keyboard.tap(PAD_PLUS, gap=after_ms, hold=40)
        state = till.rest()
        assert (state["last"], state["sold"]) == (0, [[BREAD, "1"], [MILK, "1"]])


OPENING = {
    "more": (F9,),
    "keys": (F1,),
    "quantity": (F3,),
    "price": (F4,),
    "buyer": (F5,),
    "payment": (F12,),
    "hold": (F6,),
}


@pytest.mark.parametrize(("key", "after_ms"), turns(OPENING, [0, 5, 30, 120]))
def test_while_something_opens(opened: Open, key: str, after_ms: int) -> None:
    with opened("rs-cyrillic") as till:
        till.keyboard.scan(BREAD)
        till.rest()
        till.keyboard.tap(OPENING[key][0], gap=600, hold=20)
        till.keyboard.scan(MILK, pauses={0: after_ms})
        till.keyboard.scan(BREAD, pauses={0: 5})
        till.rest()
        for _ in range(4):
            till.press(ESCAPE)
        state = till.rest()
        if key == "hold":
            assert sorted(state["sold"]) == [[BREAD, "1"], [MILK, "1"]]
        else:
            assert (_pieces(state, BREAD), _pieces(state, MILK)) == (2, 1)
        assert (state["last"], state["missed"], state["search"]) == (0, [], "")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_in_the_search_field(opened: Open, layout: str) -> None:
    with opened(layout) as till:
        till.press(F2, 31, 23, 19)  # s i r of whatever layout
        typed = till.rest()["search"]
        assert len(typed) == 3
        for gap in (2, 12):
            till.keyboard.scan(BREAD, gap=gap)
            assert till.rest()["search"] == typed
        assert till.state["sold"] == [[BREAD, "2"]]


@pytest.mark.parametrize("layout", ["rs-latin", "rs-cyrillic"])
def test_while_the_keyboard_on_the_screen_is_open(opened: Open, layout: str) -> None:
    with opened(layout, till={"touch_keyboard": "always"}) as till:
        till.press(F2, 31, 23)
        before = till.until(lambda seen: seen["keyboard"] and len(seen["search"]) == 2)
        till.keyboard.scan(BREAD)
        till.keyboard.scan(UNKNOWN, pauses={0: 5})
        state = till.rest()
        assert (state["sold"], state["missed"]) == ([[BREAD, "1"]], [UNKNOWN])
        assert (state["search"], state["keyboard"]) == (before["search"], True)


def test_in_the_weight_panel(opened: Open) -> None:
    with opened("rs-cyrillic") as till:
        till.type(DIGITS, "16")
        till.press(ENTER)
        till.until(lambda seen: seen["question"] == "HowMuch")
        till.type(DIGITS, "2")
        till.keyboard.scan(BREAD, pauses={0: 500})
        till.keyboard.scan("lot-0016", pauses={0: 800, 6: 120})
        state = till.rest()
        assert (state["typed"], state["waiting"]) == ({"text": "2"}, [BREAD])
        assert "lot-0016" in state["said"]
        till.press(ENTER)
        state = till.until(lambda seen: len(seen["sold"]) == 2)
        assert state["sold"][0][1] == "2"


def test_a_key_held_by_the_cashier_changes_nothing(opened: Open) -> None:
    with opened("rs-latin") as till:
        for place in (42, 54, CTRL, ALT):
            till.keyboard._key(place, True, 200)
            till.keyboard.scan(BREAD, pauses={0: 60})
            till.keyboard._key(place, False, 60)
            till.rest(0.6)
            till.press(ESCAPE)
        state = till.rest()
        assert (state["last"], state["search"]) == (0, "")
        assert {code for code, _ in state["sold"]} <= {BREAD}
        assert _pieces(state, BREAD) >= 2
