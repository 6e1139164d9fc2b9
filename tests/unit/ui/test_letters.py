"""The rows of the on-screen keyboard, and the effects of its own keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.cashier.ui import keyboard_layout
from pos_app.domain.text.transliteration import latin
from tests.sweep import each

LATIN = keyboard_layout.KeyboardLayout(script=keyboard_layout.Script.LATIN)
SHIFT, SIGNS, SCRIPT = (
    keyboard_layout.LayoutKey(special=one)
    for one in (
        keyboard_layout.Special.SHIFT,
        keyboard_layout.Special.SIGNS,
        keyboard_layout.Special.SCRIPT,
    )
)


def signs(letters: keyboard_layout.KeyboardLayout) -> list[str]:
    """The signs that each row types."""
    return ["".join(key.sign for key in row) for row in letters.rows()]


@pytest.mark.parametrize(
    ("letters", "rows"),
    [
        (keyboard_layout.KeyboardLayout(),
         ["1234567890-/", "љњертзуиопшђ", "асдфгхјклчћж", "џцвбнм,.", ""]),
        (LATIN, ["1234567890-/", "qwertzuiopšđ", "asdfghjklčćž", "yxcvbnm,.", ""]),
        (replace(LATIN, shift=keyboard_layout.ShiftState.ONCE,
         takes=keyboard_layout.InputKind.ADDRESS),
         ["1234567890-/", "QWERTZUIOPŠĐ", "ASDFGHJKLČĆŽ", "YXCVBNM,.", "@"]),
        (keyboard_layout.KeyboardLayout(shows_signs=True),
         ["1234567890-/", "@#%&*()+=_?!", ":;'\"„“’€$°–\\", "<>[]{}|,.", ""]),
    ],
    ids=["cyrillic", "latin", "capitals of an address", "signs"],
)  # fmt: skip
def test_the_rows_are_those_of_a_serbian_keyboard(
    letters: keyboard_layout.KeyboardLayout, rows: list[str]
) -> None:
    assert signs(letters) == rows


@each("takes", keyboard_layout.InputKind)
@each("shift", keyboard_layout.ShiftState)
@each("script", keyboard_layout.Script)
@each("shows_signs", [False, True])
def test_each_row_is_as_wide_as_the_others(
    takes: keyboard_layout.InputKind,
    shift: keyboard_layout.ShiftState,
    script: keyboard_layout.Script,
    shows_signs: bool,
) -> None:
    letters = keyboard_layout.KeyboardLayout(script, shift, shows_signs, takes)
    assert [sum(key.width for key in row) for row in letters.rows()] == [keyboard_layout.WIDTH] * 5


def test_every_letter_of_both_alphabets_can_be_typed() -> None:
    cyrillic = set("абвгдђежзијклљмнњопрстћуфхцчџш")
    assert cyrillic <= set("".join(signs(keyboard_layout.KeyboardLayout())))
    assert {letter for one in cyrillic for letter in latin(one)} <= set("".join(signs(LATIN)))
    capitals = {one.upper() for one in cyrillic}
    assert capitals <= set(
        "".join(signs(keyboard_layout.KeyboardLayout(shift=keyboard_layout.ShiftState.LOCKED)))
    )


@pytest.mark.parametrize(
    ("pressed", "shifts"),
    [
        ([SHIFT, keyboard_layout.LayoutKey("А"), keyboard_layout.LayoutKey("а")],
         [keyboard_layout.ShiftState.ONCE, keyboard_layout.ShiftState.OFF,
         keyboard_layout.ShiftState.OFF]),
        ([SHIFT, keyboard_layout.LayoutKey("1"), keyboard_layout.LayoutKey("А")],
         [keyboard_layout.ShiftState.ONCE, keyboard_layout.ShiftState.ONCE,
         keyboard_layout.ShiftState.OFF]),
        ([SHIFT, SHIFT, keyboard_layout.LayoutKey("А"), keyboard_layout.LayoutKey("Б")],
         [keyboard_layout.ShiftState.ONCE, *[keyboard_layout.ShiftState.LOCKED] * 3]),
        ([SHIFT, SHIFT, SHIFT], [keyboard_layout.ShiftState.ONCE,
         keyboard_layout.ShiftState.LOCKED, keyboard_layout.ShiftState.OFF]),
        ([SHIFT, keyboard_layout.LayoutKey(special=keyboard_layout.Special.BACK),
         keyboard_layout.LayoutKey("А")], [keyboard_layout.ShiftState.ONCE,
         keyboard_layout.ShiftState.ONCE, keyboard_layout.ShiftState.OFF]),
    ],
    ids=["one letter", "a digit spends none", "twice locks", "thrice unlocks", "rubbing out"],
)  # fmt: skip
def test_shift(
    pressed: list[keyboard_layout.LayoutKey], shifts: list[keyboard_layout.ShiftState]
) -> None:
    letters, seen = keyboard_layout.KeyboardLayout(), []
    for key in pressed:
        letters = letters.after(key)
        seen.append(letters.shift)
    assert seen == shifts


def test_signs_take_the_place_of_letters_and_another_script_brings_letters_back() -> None:
    shown = keyboard_layout.KeyboardLayout().after(SIGNS)
    assert shown.shows_signs
    assert not shown.after(SIGNS).shows_signs
    assert shown.after(SCRIPT) == LATIN
