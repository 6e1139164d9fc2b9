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
the attribute `rests` has appeared or moved by itself less than that before, and takes no press."""


class PressPart(NamedTuple):
    """A control that a widget paints. The widget's method `press_part` returns the one at a point
    of the widget or, for a list, of its viewport; None where it paints none. key: differs if a
    press there has another effect."""

    key: Hashable
    rect: QRect
    repeats: bool = False
