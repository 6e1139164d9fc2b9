"""Double clicks and keys struck twice at the real window of a real X server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.scanner.x11 import ENTER, XKeyboard, x_server
from tests.gui.window.test_x11_scans import BREAD, DIGITS, F3, Open, Till, opened

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        shutil.which("Xvfb") is None, reason="no Xvfb here: the xcb platform can't be tried"
    ),
]

__all__ = ["opened"]
F12, DELETE = 88, 111


@pytest.fixture(scope="module")
def keyboard() -> Iterator[XKeyboard]:
    with x_server() as server:
        yield server


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

        till.press(F12)
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
        till.press(F12)
        till.type(DIGITS, "200")
        till.rest()
        till.press(1)
        till.until(lambda seen: not seen["paying"])
        till.rest()
        for _ in range(2):
            till.keyboard.tap(F12, gap=100, hold=40)
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
