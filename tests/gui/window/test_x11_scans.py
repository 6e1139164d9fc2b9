"""Scans, double clicks and keys struck twice at the real window of a real X server, at the moments
of a shop."""

from __future__ import annotations

import json
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.gui.scanner import wedge
from tests.gui.scanner.x11 import ENTER, XKeyboard, x_server
from tests.gui.window.shop import copied
from tests.gui.window.x11_till import QUIET_SECONDS

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
    ),
]

ROOT = Path(__file__).parents[3]
BREAD, MILK, UNKNOWN = "8609910700134", "8609951100139", "8600999000014"
LAYOUTS = {"us": ["us"], "rs-latin": ["rs", "-variant", "latin"], "rs-cyrillic": ["rs"]}
TAB, CAPS_LOCK, RIGHT_CTRL = 15, 58, 97
TO_OPEN = 60.0
"""Seconds that a till may take to open on a busy machine; only later times are measured."""
F1, F2, F3, F4, F5, F6 = range(59, 65)
DELETE = 111

State = dict[str, Any]


class Till:
    """The program under test, and the last state that its cashier saw."""

    def __init__(self, child: subprocess.Popen[str], keyboard: XKeyboard) -> None:
        self.keyboard = keyboard
        self.state: State = {}
        self._child = child
        self._lines: queue.Queue[str] = queue.Queue()
        assert child.stdout is not None
        self._stdout = child.stdout
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self._stdout:
            self._lines.put(line)

    def until(self, seen: Callable[[State], object], *, seconds: float = 8) -> State:
        """Wait until the state fits; fails with the state if nothing changes for that long."""
        until = time.monotonic() + seconds
        while not (self.state and seen(self.state)):
            if self._follow(max(0.0, until - time.monotonic())):
                until = time.monotonic() + seconds
        return self.state

    def rest(self, seconds: float = 0.7) -> State:
        """The state once everything is typed and the till's own loop has seen no change for a
        while; on a busy machine, where the loop comes seldom, that takes longer."""
        self.keyboard.wait()
        while not self._lines.empty():
            self._follow(0)
        wanted = left = round(seconds / QUIET_SECONDS)
        while left:
            left = wanted if self._follow(TO_OPEN) else left - 1
        return self.state

    def _follow(self, seconds: float) -> bool:
        """Take the till's next line, and tell whether it is another state."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(self.state) from None
        if line.strip():
            self.state = json.loads(line)
        return bool(line.strip())

    def press(self, *places: int) -> None:
        """Press keys as a hand does, one after the other."""
        for place in places:
            self.keyboard.tap(place, gap=150, hold=60)

    def type(self, places: dict[str, int], text: str) -> None:
        """Type digits as a hand does."""
        self.press(*(places[char] for char in text))

    def stall(self) -> None:
        """Block the till's loop, as a busy machine does; what is typed waits in its queue."""
        self._child.send_signal(signal.SIGUSR1)

    def join(self) -> None:
        """Let the reader finish after the program's end."""
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
        data = tmp_path / "shop"
        if not data.exists():
            copied(template, data)
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.gui.window.x11_till", str(data), json.dumps(settings)],
            env={**keyboard.environment(), "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        till = Till(child, keyboard)
        try:
            till.until(lambda seen: seen["ready"], seconds=TO_OPEN)
            yield till
        finally:
            child.terminate()
            child.wait(20)
            till.join()

    return start


def _pieces(state: State, code: str) -> float:
    return sum(float(count) for gtin, count in state["sold"] if gtin == code)


def test_it_fills_a_screen_on_which_no_window_manager_runs(opened: Open) -> None:
    with opened(size={}) as till:
        window, whole = till.rest()["sizes"]
        assert window == whole


@pytest.mark.parametrize("layout", LAYOUTS)
def test_under_a_layout(opened: Open, layout: str) -> None:
    with opened(layout) as till:
        for number, caps in enumerate((False, True)):
            if caps:
                till.press(CAPS_LOCK)
            try:
                till.keyboard.scan(BREAD)
                till.keyboard.scan(f"lot-00{number}/Ay", gap=3)
                till.rest()
            finally:
                if caps:
                    till.press(CAPS_LOCK)
        state = till.rest()
        assert (state["sold"], state["search"]) == ([[BREAD, "2"]], "")
        assert state["missed"] == ["lot-000/Ay", "lot-001/Ay"]


def test_two_scans_back_to_back(opened: Open) -> None:
    with opened("rs-cyrillic") as till:
        for number, gap in enumerate((1, 5, 20, 60)):
            for _ in range(5):
                till.keyboard.scan(BREAD, pauses={0: 60})
                till.keyboard.scan(MILK, pauses={0: gap})
            state = till.rest()
            count = 5 * (number + 1)
            assert (_pieces(state, BREAD), _pieces(state, MILK)) == (count, count)
            assert (state["missed"], state["search"]) == ([], "")


def test_right_after_a_payment_key(opened: Open) -> None:
    """The sale ends with the scans before the key; the scan belongs to the next one."""
    with opened("rs-latin") as till:
        till.keyboard.scan(BREAD)
        for number, after_ms in enumerate((0, 3, 10, 25, 40, 100, 300)):
            till.rest()
            till.keyboard.tap(wedge.PAD_PLUS, gap=600, hold=40)
            till.keyboard.scan(MILK, pauses={0: after_ms})
            state = till.rest()
            assert (state["last"], state["sold"]) == (number + 1, [[MILK, "1"]])


def test_right_before_a_payment_key(opened: Open) -> None:
    """Too soon after a scan the key pays nothing."""
    with opened("rs-latin") as till:
        for number, after_ms in enumerate((0, 3, 10, 25, 40, 100)):
            till.keyboard.scan(MILK, pauses={0: 600})
            till.keyboard.tap(wedge.PAD_PLUS, gap=after_ms, hold=40)
            state = till.rest()
            assert (state["last"], state["sold"]) == (0, [[MILK, str(number + 1)]])


def test_a_key_of_payment_while_the_loop_is_blocked(opened: Open) -> None:
    """A key that was pressed long after the scan and is handled right after it pays; one that was
    pressed right after the scan and is handled long after it does not, and is told."""
    with opened("rs-latin") as till:
        for number in range(3):
            till.stall()
            till.keyboard.scan(MILK, pauses={0: 50})
            till.keyboard.tap(wedge.PAD_PLUS, gap=400, hold=40)
            state = till.until(lambda seen, paid=number + 1: seen["last"] == paid)
            assert (state["sold"], state["notices"]) == ([], [])
            till.rest()
        for number in range(3):
            till.keyboard.scan(MILK, pauses={0: 50})
            till.keyboard.tap(wedge.PAD_PLUS, gap=100, hold=40)
            till.stall()
            state = till.rest(1.2)
            assert (state["last"], state["sold"]) == (3, [[MILK, str(number + 1)]])
            assert state["notices"] == ["ActFailed"]


def test_right_after_the_confirm(opened: Open) -> None:
    """Later scans belong to the next sale."""
    with opened("rs-latin") as till:
        till.keyboard.scan(BREAD)
        for number, after_ms in enumerate((0, 4, 12, 30, 60, 200)):
            till.rest()
            till.press(wedge.F12)
            till.rest()
            till.press(ENTER)
            till.rest()
            till.keyboard.tap(ENTER, gap=500, hold=40)
            till.keyboard.scan(MILK, pauses={0: after_ms})
            state = till.rest()
            assert (state["last"], state["sold"]) == (number + 1, [[MILK, "1"]])


OPENING = {F1: 0, F3: 5, F4: 30, F5: 0, F6: 5, wedge.F9: 120, wedge.F12: 5}
"""Keys that open something, and the milliseconds until the scan."""


def test_while_something_opens(opened: Open) -> None:
    with opened("rs-cyrillic") as till:
        till.keyboard.scan(BREAD)
        breads, milks = 1, 0
        for key, after_ms in OPENING.items():
            till.rest()
            till.keyboard.tap(key, gap=600, hold=20)
            till.keyboard.scan(MILK, pauses={0: after_ms})
            till.keyboard.scan(BREAD, pauses={0: 5})
            till.rest()
            for _ in range(4):
                till.press(wedge.ESCAPE)
            state = till.rest()
            breads, milks = breads + 1, milks + 1
            if key == F6:  # those before are in a suspended cart
                breads, milks = 1, 1
            assert (_pieces(state, BREAD), _pieces(state, MILK)) == (breads, milks), key
            assert (state["last"], state["missed"], state["search"]) == (0, [], "")


def test_a_scan_that_breaks_is_one_code_and_is_there_after_a_crash(opened: Open) -> None:
    with opened("rs-cyrillic") as till:
        till.keyboard.scan(BREAD)
        till.keyboard.scan("lot-00160", pauses={0: 800, 6: 520})
        assert till.rest()["missed"] == ["lot-00160"]
    with opened("rs-cyrillic") as till:
        assert till.state["missed"] == ["lot-00160"]
        till.press(wedge.PAD_PLUS)
        assert till.rest()["notices"] == ["CodesMissed"]
        till.press(wedge.ESCAPE, wedge.PAD_PLUS)
        assert till.until(lambda seen: seen["last"])["missed"] == []


@pytest.mark.parametrize("layout", ["us", "rs-cyrillic"])
def test_a_scan_while_a_key_is_held_is_told_and_counted(opened: Open, layout: str) -> None:
    with opened(layout) as till:
        till.keyboard.scan(MILK)
        for number, place in enumerate(
            (wedge.CTRL, RIGHT_CTRL, wedge.ALT, wedge.ALTGR, wedge.WINDOWS)
        ):
            till.rest()
            code = f"{BREAD}{number}"
            till.keyboard.key(place, down=True, gap=200)
            till.keyboard.scan(code, pauses={0: 60})
            till.keyboard.key(place, down=False, gap=60)
            state = till.rest()
            assert (state["sold"], state["last"]) == ([[MILK, "1"]], 0)
            assert len(state["missed"]) == number + 1
            if layout == "us" or place is not wedge.ALTGR:  # Qt composes accents of other AltGr
                assert (state["missed"][-1], state["search"]) == (code, "")
            till.press(wedge.ESCAPE, wedge.ESCAPE)
        till.press(wedge.PAD_PLUS)
        assert till.rest()["notices"][-1] == "CodesMissed"


@pytest.mark.parametrize("key", [wedge.PAD_PLUS, wedge.F12, wedge.ESCAPE])
def test_a_key_in_the_middle_of_a_scan_acts_after_it(opened: Open, key: int) -> None:
    with opened("rs-latin") as till:
        for number, at in enumerate((2, 7, 12)):
            till.keyboard.scan(MILK[:at], pauses={0: 800}, suffix=None)
            till.keyboard.key(key, down=True, gap=1)
            till.keyboard.scan(MILK[at:], pauses={0: 1})
            till.keyboard.key(key, down=False, gap=40)
            state = till.rest()
            assert (state["last"], state["sold"]) == (0, [[MILK, str(number + 1)]])
            assert (state["missed"], state["search"]) == ([], "")
            assert state["paying"] is (key == wedge.F12)
            till.press(wedge.ESCAPE)


# --- presses --------------------------------------------------------------------------------------


def _scanned(till: Till) -> None:
    till.keyboard.scan(BREAD)
    till.until(lambda seen: seen["sold"] and seen["focus"])
    till.rest(1.2)  # exact cash is dead right after a scan


@pytest.mark.parametrize("apart", [80, 250])
def test_double_clicks(opened: Open, tmp_path: Path, apart: int) -> None:
    with opened() as till:
        _scanned(till)
        last = till.state["last"]
        till.press(F3)
        till.type(DIGITS, "2")
        till.until(lambda seen: seen["panel_yes"])
        till.rest()
        till.keyboard.click_twice(*till.state["panel_yes"], apart=apart)
        state = till.rest(1.2)
        assert state["question"] == ""
        assert state["sold"] == [[BREAD, "2"]]
        assert state["last"] == last, "the second click took the cash"

        till.keyboard.click_twice(*state["more"], apart=apart)
        state = till.rest(1.2)
        assert state["question"] == "More"
        assert state["language"] == "sr-Cyrl"
        till.press(1)

        till.press(wedge.F12)
        till.until(lambda seen: seen["issue"])
        till.type(DIGITS, "200")
        till.rest(1.2)
        till.keyboard.click_twice(*till.state["issue"], apart=apart)
        state = till.rest(1.2)
        assert state["last"] != last
        assert state["question"] == "", "the second click opened what lies below"
        assert not state["sold"]


@pytest.mark.parametrize("apart", [80, 250])
def test_two_taps_on_a_tile_sell_two(opened: Open, apart: int) -> None:
    with opened() as till:
        till.until(lambda seen: seen["focus"])
        till.rest(1.2)
        till.keyboard.click_twice(*till.state["tile"], apart=apart)
        (line,) = till.rest(1.2)["sold"]
        assert line[1] == "2"


def test_keys_struck_twice(opened: Open) -> None:
    with opened() as till:
        _scanned(till)
        last = till.state["last"]
        till.press(wedge.F12)
        till.type(DIGITS, "200")
        till.rest()
        till.press(1)
        till.until(lambda seen: not seen["paying"])
        till.rest()
        for _ in range(2):
            till.keyboard.tap(wedge.F12, gap=100, hold=40)
        state = till.rest(1.2)
        assert state["paying"]
        assert state["last"] == last
        till.press(1)
        till.until(lambda seen: not seen["paying"])
        till.press(F3)
        till.type(DIGITS, "33")
        for _ in range(3):
            till.keyboard.tap(ENTER, gap=100, hold=40)
        state = till.rest(1.2)
        assert state["sold"] == [[BREAD, "33"]]
        assert state["last"] == last
        till.keyboard.key(DELETE, down=True, gap=500)
        till.keyboard.key(DELETE, down=False, gap=900)  # the server repeats a held key
        state = till.rest(1.2)
        assert state["sold"] == []
