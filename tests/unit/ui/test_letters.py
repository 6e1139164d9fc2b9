"""The rows of the on-screen keyboard, and the effects of its own keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.cashier.ui import keyboard_layout
from pos_app.cashier.ui.keyboard_layout import WIDTH, KeyboardLayout, LayoutKey, Script, ShiftState
from tests.sweep import each

LATIN = KeyboardLayout(script=Script.LATIN)


SHIFT = LayoutKey(special=keyboard_layout.Special.SHIFT)


def signs(letters: KeyboardLayout) -> list[str]:
    """The signs that each row types."""
    return ["".join(key.sign for key in row) for row in letters.rows()]


@pytest.mark.parametrize(
    ("letters", "rows"),
    [
        (KeyboardLayout(), ["1234567890-/", "љњертзуиопшђ", "асдфгхјклчћж", "џцвбнм,.", ""]),
        (KeyboardLayout(shift=ShiftState.LOCKED),
         ["1234567890-/", "ЉЊЕРТЗУИОПШЂ", "АСДФГХЈКЛЧЋЖ", "ЏЦВБНМ,.", ""]),
        (LATIN, ["1234567890-/", "qwertzuiopšđ", "asdfghjklčćž", "yxcvbnm,.", ""]),
        (replace(LATIN, shift=ShiftState.ONCE, takes=keyboard_layout.InputKind.ADDRESS),
         ["1234567890-/", "QWERTZUIOPŠĐ", "ASDFGHJKLČĆŽ", "YXCVBNM,.", "@"]),
        (KeyboardLayout(shows_signs=True),
         ["1234567890-/", "@#%&*()+=_?!", ":;'\"„“’€$°–\\", "<>[]{}|,.", ""]),
    ],
    ids=["cyrillic", "its capitals", "latin", "capitals of an address", "signs"],
)  # fmt: skip
def test_the_rows_are_those_of_a_serbian_keyboard(letters: KeyboardLayout, rows: list[str]) -> None:
    assert signs(letters) == rows


@each("takes", keyboard_layout.InputKind)
@each("shift", ShiftState)
@each("script", Script)
@each("shows_signs", [False, True])
def test_each_row_is_as_wide_as_the_others(
    takes: keyboard_layout.InputKind, shift: ShiftState, script: Script, shows_signs: bool
) -> None:
    letters = KeyboardLayout(script, shift, shows_signs, takes)
    assert [sum(key.width for key in row) for row in letters.rows()] == [WIDTH] * 5


BACK = LayoutKey(special=keyboard_layout.Special.BACK)
OFF, ONCE, LOCKED = ShiftState.OFF, ShiftState.ONCE, ShiftState.LOCKED


@pytest.mark.parametrize(
    ("pressed", "shifts"),
    [
        ([SHIFT, LayoutKey("А"), LayoutKey("а")], [ONCE, OFF, OFF]),
        ([SHIFT, LayoutKey("1"), LayoutKey("А")], [ONCE, ONCE, OFF]),
        ([SHIFT, SHIFT, LayoutKey("А"), LayoutKey("Б")], [ONCE, *[LOCKED] * 3]),
        ([SHIFT, SHIFT, SHIFT], [ONCE, LOCKED, OFF]),
        ([SHIFT, BACK, LayoutKey("А")], [ONCE, ONCE, OFF]),
    ],
    ids=["one letter", "a digit spends none", "twice locks", "thrice unlocks", "rubbing out"],
)  # fmt: skip
def test_shift(pressed: list[LayoutKey], shifts: list[ShiftState]) -> None:
    letters, seen = KeyboardLayout(), []
    for key in pressed:
        letters = letters.after(key)
        seen.append(letters.shift)
    assert seen == shifts
