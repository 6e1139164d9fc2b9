"""Finds a scanner's settings from one test scan. Plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

from pos_app.cashier.scanner import layouts
from pos_app.cashier.scanner.burst import Scan
from pos_app.cashier.scanner.spelling import spell

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Finding:
    """reads: the code was read correctly, or would be with the settings found here.

    prefix: what the scanner sends before the code. caps_aware: it reverses its letters because
    Caps Lock is on. suffix: what ended the scan. slowest_ms: longest pause between two keys.
    """

    reads: bool
    prefix: str
    caps_aware: bool
    suffix: Literal["enter", "tab", "none"]
    slowest_ms: int


def examine(scan: Scan[E], *, printed: str) -> Finding:
    """Compare a scan with the code that is `printed` for this test (with letters of both cases).

    A scanner with another layout than ours, or a wrong code held before it, does not `read`.
    """
    text = spell(scan.strokes)
    caps_aware = not text.endswith(printed) and text.endswith(printed.swapcase())
    reads = caps_aware or text.endswith(printed)
    presses = [stroke.at for stroke in scan.strokes if stroke.counts]
    return Finding(
        reads=reads,
        prefix=text[: len(text) - len(printed)] if reads else "",
        caps_aware=caps_aware,
        suffix=_suffix(scan.ended_by),
        slowest_ms=max((after - before for before, after in pairwise(presses)), default=0),
    )


def _suffix(ended_by: int) -> Literal["enter", "tab", "none"]:
    if ended_by == 0:
        return "none"
    return "tab" if ended_by == layouts.TAB else "enter"
