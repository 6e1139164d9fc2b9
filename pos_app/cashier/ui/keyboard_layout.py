"""The letters of the on-screen keyboard as data, and how its special keys change them.

The rows are those of the keyboards sold in Serbia: Cyrillic љњертз, Latin QWERTZ with š đ č ć ž.
The letter ѕ is left out, because no Serbian word has it. Every row is as wide as twelve letters, so
that a letter has the same position on each page.

| pressed | shift before | shift after |
|---------|--------------|-------------|
| shift   | off          | one letter  |
| shift   | one letter   | locked      |
| shift   | locked       | off         |
| letter  | one letter   | off         |
| letter  | locked       | locked      |
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, StrEnum, auto

from pos_app.lazy_dataclass import dataclass

WIDTH = 24
"""The width of a row, in halves of a letter's key."""
LETTER = 2


class Script(StrEnum):
    CYRILLIC = "cyrillic"
    LATIN = "latin"


class ShiftState(Enum):
    OFF = auto()
    ONCE = auto()
    LOCKED = auto()


class InputKind(StrEnum):
    NOTHING = "nothing"
    """No letters are typed; the number is typed on a pad."""
    WORDS = "words"
    NUMBER = "number"
    """A number that may hold letters, such as a passport's: Latin letters."""
    ADDRESS = "address"
    """An e-mail address or a link: Latin letters, with @."""


class Special(StrEnum):
    """A key that types no sign of its own."""

    SHIFT = "shift"
    BACK = "back"
    SIGNS = "signs"
    """Shows signs instead of letters, or the letters again."""
    SCRIPT = "script"
    SPACE = "space"
    ENTER = "enter"
    HIDE = "hide"


@dataclass(frozen=True, slots=True)
class LayoutKey:
    """sign: typed by the key, and shown on it; "" for a special key. width: in halves of a letter's
    key."""

    sign: str = ""
    special: Special | None = None
    width: int = LETTER


KeyRow = tuple[LayoutKey, ...]

_DIGITS = "1234567890-/"
_LETTERS = {
    Script.CYRILLIC: ("љњертзуиопшђ", "асдфгхјклчћж", "џцвбнм"),
    Script.LATIN: ("qwertzuiopšđ", "asdfghjklčćž", "yxcvbnm"),
}
_SIGNS = ("@#%&*()+=_?!", ":;'\"„“’€$°–\\", "<>[]{}|")
_LOWER = 7
"""The letters of the longest lower row. In a shorter row shift has the room of the missing
letters."""
_OTHER = {Script.CYRILLIC: Script.LATIN, Script.LATIN: Script.CYRILLIC}
_NEXT = {
    ShiftState.OFF: ShiftState.ONCE,
    ShiftState.ONCE: ShiftState.LOCKED,
    ShiftState.LOCKED: ShiftState.OFF,
}


@dataclass(frozen=True, slots=True)
class KeyboardLayout:
    script: Script = Script.CYRILLIC
    shift: ShiftState = ShiftState.OFF
    shows_signs: bool = False
    takes: InputKind = InputKind.WORDS

    def rows(self) -> tuple[KeyRow, ...]:
        """Return the keys from above to below, each row `WIDTH` halves wide."""
        upper, middle, lower = _SIGNS if self.shows_signs else self._cased()
        return (
            _row(_DIGITS),
            _row(upper),
            _row(middle),
            (
                LayoutKey(special=Special.SHIFT, width=3 + LETTER * (_LOWER - len(lower))),
                *_row(f"{lower},."),
                LayoutKey(special=Special.BACK, width=3),
            ),
            self._last_row(),
        )

    def after(self, key: LayoutKey) -> KeyboardLayout:
        match key.special:
            case Special.SHIFT:
                return replace(self, shift=_NEXT[self.shift])
            case Special.SIGNS:
                return replace(self, shows_signs=not self.shows_signs)
            case Special.SCRIPT:
                return replace(self, script=_OTHER[self.script], shows_signs=False)
            case None if key.sign.isalpha() and self.shift is ShiftState.ONCE:
                return replace(self, shift=ShiftState.OFF)
            case _:
                return self

    @property
    def other(self) -> Script:
        return _OTHER[self.script]

    def _cased(self) -> tuple[str, ...]:
        rows = _LETTERS[self.script]
        return rows if self.shift is ShiftState.OFF else tuple(row.upper() for row in rows)

    def _last_row(self) -> KeyRow:
        at = (LayoutKey("@"),) if self.takes is InputKind.ADDRESS else ()
        return (
            LayoutKey(special=Special.HIDE, width=3),
            LayoutKey(special=Special.SIGNS, width=3),
            LayoutKey(special=Special.SCRIPT, width=3),
            *at,
            LayoutKey(special=Special.SPACE, width=10 - LETTER * len(at)),
            LayoutKey(special=Special.ENTER, width=5),
        )


def _row(signs: str) -> KeyRow:
    return tuple(LayoutKey(sign) for sign in signs)
