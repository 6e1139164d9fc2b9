"""What widgets say about presses on them, for `press_guard`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from PySide6.QtCore import QRect

REPEATS = "repeats"
"""The dynamic property of a control that may be pressed again and again, as fast as a finger
can."""
REST_MS = 400
"""The pause after which a second press near the first, or of the same key, is meant. A control with
the attribute `rests` has appeared or moved by itself less than that before, and takes no press. If
it has `rests_for_fingers` too, that says whether it takes none of a pointer. A widget whose class
has the attribute `acts_at_enter` takes no Enter so soon after the key that opened it, while that is
true."""


class Strokes:
    """The keys that a hand struck, as the guard sees them. count: how many. is_now: whether one is
    being handled."""

    def __init__(self) -> None:
        self.count = 0
        self.is_now = False

    def begin(self) -> None:
        self.count += 1
        self.is_now = True

    def end(self) -> None:
        self.is_now = False

    @property
    def finished(self) -> int:
        """How many keys have been struck and handled."""
        return self.count - self.is_now


strokes = Strokes()
"""The keys of this program's keyboard."""


class PressPart(NamedTuple):
    """A control that a widget paints. The widget's method `press_part` returns the one at a point
    of the widget or, for a list, of its viewport; None where it paints none. key: differs if a
    press there has another effect."""

    key: Hashable
    rect: QRect
    repeats: bool = False
