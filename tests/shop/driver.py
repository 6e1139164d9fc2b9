"""Histories by dice, and the shortest history that shows the same fault.

An act is written by the labels of what it presses, so that a history can be played again with some
of its acts left out: an act whose control is not there then does nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

Act = tuple[str, ...]
Plays = Callable[[Sequence[Act]], str]
"""Plays acts in a shop of their own; returns the fault, "" for none."""

_CHANGING = re.compile(r"[0-9a-f]{32}|#\d+|\d[\d.,:]*")
_KIND_LENGTH = 110


def kind_of(fault: str) -> str:
    """Name a fault without what differs from run to run."""
    return _CHANGING.sub("#", fault)[:_KIND_LENGTH]


def shrunk(acts: Sequence[Act], fault: str, play: Plays, *, seconds: float) -> list[Act] | None:
    """Leave out acts as long as the same kind of fault comes: halves, quarters, single ones. None
    where the whole history does not show it again. seconds: of the processor."""
    end, wanted = time.process_time() + seconds, kind_of(fault)
    if kind_of(play(acts)) != wanted:
        return None
    left = list(acts)
    size = max(1, len(left) // 2)
    while time.process_time() < end:
        at, is_less = 0, False
        while at < len(left) and time.process_time() < end:
            fewer = left[:at] + left[at + size :]
            if kind_of(play(fewer)) == wanted:
                left, is_less = fewer, True
            else:
                at += size
        if size == 1 and not is_less:
            break
        size = max(1, size // 2)
    return left
