"""A trial shows a manager key by key what a scanner sends; nothing is sold.

It has no clock: the keys' time stamps decide. Source: till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import Generic, Literal, Protocol, TypeVar

from PySide6.QtCore import Qt

from pos_app.cashier.scanner.burst import PART_MS
from pos_app.cashier.scanner.decoder import TAB
from pos_app.cashier.scanner.spelling import by_machine, spell
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind
from pos_app.lazy_dataclass import dataclass

E = TypeVar("E")

Ending = Literal["enter", "tab", "none"]
"""The key that ended a code."""
LEAST_KEYS = 2
_MODIFIERS = frozenset({StrokeKind.SHIFT, StrokeKind.ALT, StrokeKind.MODIFIER})


@dataclass(frozen=True, slots=True)
class TriedScan:
    """A scan as it came, whatever is set.

    texts: the meaning of its keys, prefix included, by the name of a layout; a scanner at a serial
    port sends no keys, and has one text under "". largest_gap_ms: the longest pause between two
    keys; a serial scanner has none. by_machine: whether a scanner pressed the keys, not a hand.
    """

    texts: Mapping[str, str] = field(repr=False)
    ended_by: Ending
    largest_gap_ms: int | None
    by_machine: bool = True

    def text(self, layout: str) -> str:
        return self.texts.get(layout) or self.texts.get("", "")


class ScannerControl(Protocol):
    """The scanner of the running till."""

    def try_out(self, on_tried: Callable[[TriedScan], None], *, wanted: Callable[[], bool]) -> None:
        """Report scans to `on_tried` alone, until `wanted` returns False."""

    def end_trial(self) -> None: ...


@dataclass(slots=True)
class ScannerHere:
    """control: it is None while there is no window. fault: why nothing comes from the serial port:
    "away", "busy" or "no_right"; "" if the port is open, or there is none."""

    control: ScannerControl | None = None
    fault: str = ""


class TriedKeys(Generic[E]):
    """Keeps the keys of one scan, until a pause that is longer than in any scan. read: returns the
    keys as each layout reads them, by the layout's name."""

    def __init__(
        self, read: Callable[[Sequence[Stroke[E]]], Mapping[str, Sequence[Stroke[E]]]]
    ) -> None:
        self._read = read
        self._strokes: list[Stroke[E]] = []
        self._last = 0
        self._end: Stroke[E] | None = None
        self._taken: set[int] = set()

    @property
    def is_under_way(self) -> bool:
        return any(one.counts for one in self._strokes)

    def is_over(self, stroke: Stroke[E]) -> bool:
        if not self.is_under_way or not stroke.down:
            return False
        is_late = not 0 <= stroke.at - self._last <= PART_MS
        return is_late or (self._end is not None and stroke.kind is not StrokeKind.END)

    def feed(self, stroke: Stroke[E]) -> bool:
        """Take a key; return whether it is part of the scan, so that nothing else may act on it."""
        if self._is_doubled(stroke):
            stroke = replace(stroke, repeat=False)
        if not stroke.down:
            self._strokes.append(stroke)
            is_taken = stroke.key in self._taken
            self._taken.discard(stroke.key)
            return is_taken
        if self._end is not None:  # a second suffix
            return self._take(stroke)
        if stroke.kind in _MODIFIERS:
            self._strokes.append(stroke)
            return False
        if stroke.kind is StrokeKind.END:
            if not self.is_under_way:
                return False
            self._end = stroke
            return self._take(stroke)
        is_command = stroke.kind is StrokeKind.COMBINATION and not self.is_under_way
        if not stroke.counts or is_command:
            return False
        self._strokes.append(stroke)
        self._last = stroke.at
        return self._take(stroke)

    def _is_doubled(self, stroke: Stroke[E]) -> bool:
        """Tell whether X reports a doubled character as a key held down, as in `burst`."""
        last = next((one for one in reversed(self._strokes) if one.counts), None)
        in_time = 0 <= stroke.at - self._last <= PART_MS
        return stroke.repeat and last is not None and last.key == stroke.key and in_time

    def _take(self, stroke: Stroke[E]) -> bool:
        self._taken.add(stroke.key)
        return True

    def done(self) -> TriedScan | None:
        """Return the scan, once no key came for long enough, or None for a single key."""
        strokes, end = tuple(self._strokes), self._end
        self._strokes, self._end = [], None
        presses = [one for one in strokes if one.counts]
        if len(presses) < LEAST_KEYS:
            return None
        gaps = [max(after.at - before.at, 0) for before, after in pairwise(presses)]
        if end is not None:
            gaps.append(max(end.at - presses[-1].at, 0))
        return TriedScan(
            {name: spell(read) for name, read in self._read(strokes).items()},
            _ending(end),
            max(gaps),
            by_machine(strokes, ended=end is not None),
        )


def _ending(end: Stroke[E] | None) -> Ending:
    if end is None:
        return "none"
    return "tab" if end.key in _TABS else "enter"


_TABS = (TAB, -Qt.Key.Key_Tab, -Qt.Key.Key_Backtab)
