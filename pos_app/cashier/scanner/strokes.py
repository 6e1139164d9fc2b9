"""One key going down or up, as the burst detector sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

E = TypeVar("E")


class Kind(Enum):
    """What a key can mean to a scan."""

    CHAR = "char"
    """A character of the scanner's layout."""
    ALT_DIGIT = "alt_digit"
    """A digit of the numeric pad while Alt is down: a part of one character."""
    END = "end"
    """Enter, Tab, line feed: ends a scan, never belongs to it."""
    SHIFT = "shift"
    ALT = "alt"
    MODIFIER = "modifier"
    """Any other modifier or lock key."""
    OTHER = "other"
    """Everything else: function keys, arrows, Esc, combinations with Ctrl."""


@dataclass(frozen=True, slots=True)
class Stroke(Generic[E]):
    """at: event time stamp in ms. key: one number per physical key, to pair down with up.

    char, plain: its character with the present Shift, and without Shift.
    eager: acts at once when no burst is under way (numeric pad + and -, Ctrl+]).
    pad: a key of the numeric pad.
    event: what the caller needs to act on the stroke later.
    """

    at: int
    key: int
    kind: Kind
    event: E
    char: str = ""
    plain: str = ""
    down: bool = True
    repeat: bool = False
    eager: bool = False
    pad: bool = False

    @property
    def counts(self) -> bool:
        return self.down and not self.repeat and self.kind in _PARTS


_PARTS = frozenset({Kind.CHAR, Kind.ALT_DIGIT})
