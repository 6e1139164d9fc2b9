"""Scanners that type in unusual ways."""

from __future__ import annotations

import pytest

from pos_app.cashier.scanner.decoder import ENTER, KEYPAD_DIGITS, LEFT_ALT
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind
from tests.unit.scanner.keyboard import Desk, place_of


def test_doubled_characters_that_look_like_repeats_are_kept() -> None:
    """X reports "up and down in the same millisecond" as a repeat; a fast scanner does that."""
    desk = Desk()
    for char, repeat in [("8", False), *[("0", i > 0) for i in range(30)], ("1", False)]:
        place = place_of(char)[0]
        desk.key(place, repeat=repeat)
        desk.now += 1
        desk.key(place, down=False, repeat=char == "0")
    desk.key(ENTER)
    assert desk.log == [("scan", "8" + "0" * 30 + "1")]


def _alt_numbers(desk: Desk, numbers: list[str], echo: bool) -> None:
    for number in numbers:
        desk.key(LEFT_ALT)
        for digit in number:
            place = next(place for place, each in KEYPAD_DIGITS.items() if each == digit)
            for down in (True, False):
                desk.feed(
                    Stroke(desk.now, place, StrokeKind.ALT_DIGIT, "alt digit", digit, digit, down)
                )
            desk.now += 1
        desk.key(LEFT_ALT, down=False)
        if echo:
            char = chr(int(number))
            for down in (True, False):
                desk.feed(Stroke(desk.now, 0, StrokeKind.CHAR, f"echo {char}", char, char, down))
        desk.now += 1


@pytest.mark.parametrize("echo", [False, True])
def test_a_scanner_that_types_alt_and_numbers(echo: bool) -> None:
    """Windows may send the composed characters too."""
    desk = Desk()
    _alt_numbers(desk, ["052", "048", "048", "054", "065"], echo)
    desk.key(ENTER)
    assert desk.log == ["56 down", ("scan", "4006A"), "56 up"]
