"""Tells a scan from typing. Plain Python, no Qt, no clock: time stamps of the keys decide.

A scanner's keys follow each other faster than a hand can. Each key that could begin a scan is
held until the next one, a pause, or an Enter tells what it was; then the held keys are either
one scan, or typing that is given back in order.

| state     | key                        | becomes                                              |
|-----------|----------------------------|------------------------------------------------------|
| idle      | character                  | held; a burst is under way                           |
| idle      | numeric pad + -, Ctrl+]    | passes at once                                       |
| idle      | Enter, Tab right after a scan | eaten: the scanner's second suffix, or a late one |
| idle      | anything else              | passes at once                                       |
| burst     | character in time          | held                                                 |
| burst     | Enter, Tab                 | ends it: a scan and eaten, or typing and passes      |
| burst     | anything else              | waits, and acts after the decision                   |
| burst     | any key after a pause      | ends it first, then as when idle                     |
| burst     | silence (a timer)          | ends it                                              |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from pos_app.cashier.scanner.spelling import by_machine, spell
from pos_app.cashier.scanner.strokes import Kind, Stroke

E = TypeVar("E")

LATE_SUFFIX_MS = 150
"""How long after a scan without its suffix the missing suffix is still waited for."""

_EATEN_WITH_A_SCAN = frozenset(
    {Kind.CHAR, Kind.ALT_DIGIT, Kind.SHIFT, Kind.ALT, Kind.MODIFIER, Kind.END}
)


@dataclass(frozen=True, slots=True)
class Rules:
    """gap_ms: longest pause inside a scan. least: fewest characters of one, prefix included."""

    gap_ms: int = 35
    least: int = 4
    prefix: str = ""
    suffix: Literal["enter", "tab", "none"] = "enter"


@dataclass(frozen=True, slots=True)
class Replay(Generic[E]):
    """These strokes were typed by hand and act now, in this order."""

    strokes: tuple[Stroke[E], ...]


@dataclass(frozen=True, slots=True)
class Scan(Generic[E]):
    """A scan. code: without prefix. at: stamp of its last key in ms. strokes: what made it.

    ended_by: the key of the Enter or Tab that came with it, 0 when silence ended it.
    """

    code: str
    at: int
    strokes: tuple[Stroke[E], ...]
    ended_by: int = 0


@dataclass(frozen=True, slots=True)
class Verdict(Generic[E]):
    """steps: what is decided now, in order. passes: the key itself acts after them; else it is
    held or eaten and must not act."""

    steps: tuple[Replay[E] | Scan[E], ...]
    passes: bool


class Bursts(Generic[E]):
    """The state machine. Feed it every key of the keyboard, down and up, in order."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._held: list[Stroke[E]] = []
        self._last: Stroke[E] | None = None  # last press that counted or ended a scan
        self._eaten: set[int] = set()  # keys down whose press nobody saw
        self._shifts: dict[int, int] = {}  # Shift keys down -> since when
        self._human_shifts: frozenset[int] = frozenset()
        self._suffix_until: int | None = None

    @property
    def pending(self) -> Stroke[E] | None:
        """The last key of the burst under way: when no other comes in time, call `silence`."""
        return self._last if self._held else None

    def feed(self, stroke: Stroke[E]) -> Verdict[E]:
        """What is to happen with `stroke`, and with the keys held before it."""
        steps = self._pause_before(stroke)
        if stroke.repeat and self._bounced(stroke):
            stroke = replace(stroke, repeat=False)
        if stroke.kind is Kind.SHIFT:
            self._note_shift(stroke)
        if not stroke.down or stroke.repeat:
            return Verdict(steps, self._follow(stroke))
        self._eaten.discard(stroke.key)
        if stroke.kind is Kind.END:
            more, passes = self._end(stroke)
            return Verdict(steps + more, passes)
        return Verdict(steps, self._press(stroke))

    def silence(self) -> tuple[Replay[E] | Scan[E], ...]:
        """No key came for longer than the gap: decide what is held."""
        return self._decide() if self._held else ()

    def _pause_before(self, stroke: Stroke[E]) -> tuple[Replay[E] | Scan[E], ...]:
        if self._held and self._last is not None and not self._in_time(stroke.at, self._last.at):
            return self._decide()
        return ()

    def _in_time(self, at: int, since: int) -> bool:
        # A stamp that runs backwards comes from another clock (or its overflow): a pause.
        return 0 <= at - since <= self._rules.gap_ms

    def _bounced(self, stroke: Stroke[E]) -> bool:
        """A doubled character that the platform took for a key held down.

        X tells a repeat by "up and down in the same millisecond", which a fast scanner does
        too. A real repeat begins only after a pause far longer than a scan's gap.
        """
        last = self._last
        return last is not None and last.key == stroke.key and self._in_time(stroke.at, last.at)

    def _note_shift(self, stroke: Stroke[E]) -> None:
        if not stroke.down:
            self._shifts.pop(stroke.key, None)
        elif not stroke.repeat:
            self._shifts[stroke.key] = stroke.at

    def _press(self, stroke: Stroke[E]) -> bool:
        if not self._held:
            if not stroke.counts or stroke.eager:
                return True
            gap = self._rules.gap_ms
            self._human_shifts = frozenset(
                key for key, since in self._shifts.items() if stroke.at - since > gap
            )
        self._held.append(stroke)
        if stroke.counts:
            self._last = stroke
            self._suffix_until = None
        return False

    def _follow(self, stroke: Stroke[E]) -> bool:
        """A key goes up or repeats: it goes where its press went, and never overtakes."""
        if stroke.key in self._eaten:
            if not stroke.down and not stroke.repeat:
                self._eaten.discard(stroke.key)
            return False
        if self._held:
            self._held.append(stroke)
            return False
        return True

    def _end(self, stroke: Stroke[E]) -> tuple[tuple[Replay[E] | Scan[E], ...], bool]:
        if not self._held:
            eaten = self._suffix_until is not None and stroke.at <= self._suffix_until
            if eaten:
                self._eat_suffix(stroke)
            return (), not eaten
        steps = self._decide(ended_by=stroke.key)
        scanned = isinstance(steps[0], Scan)
        if scanned:
            self._eat_suffix(stroke)
        return steps, not scanned

    def _eat_suffix(self, stroke: Stroke[E]) -> None:
        self._eaten.add(stroke.key)
        self._last = stroke
        self._suffix_until = stroke.at + self._rules.gap_ms

    def _decide(self, *, ended_by: int = 0) -> tuple[Replay[E] | Scan[E], ...]:
        held, self._held = _without_guests(self._held), []
        text = spell(held, human_shifts=self._human_shifts)
        code = text.removeprefix(self._rules.prefix)
        if len(text) < self._rules.least or not code or not by_machine(held, ended=ended_by != 0):
            return (Replay(held),)
        assert self._last is not None
        late = LATE_SUFFIX_MS if self._rules.suffix != "none" else self._rules.gap_ms
        self._suffix_until = self._last.at + max(late, self._rules.gap_ms)
        scan = Scan(code=code, at=self._last.at, strokes=held, ended_by=ended_by)
        rest = self._eat(held)
        return (scan, Replay(rest)) if rest else (scan,)

    def _eat(self, held: tuple[Stroke[E], ...]) -> tuple[Stroke[E], ...]:
        """Take the scanner's strokes out; what is left was somebody else's.

        A held-down Enter is dropped too: nothing that a scan set off may be confirmed by it.
        """
        rest: list[Stroke[E]] = []
        eaten: set[int] = set()
        for stroke in held:
            if stroke.repeat and stroke.down and stroke.kind is Kind.END:
                continue
            if stroke.down and not stroke.repeat and stroke.kind in _EATEN_WITH_A_SCAN:
                eaten.add(stroke.key)
            elif not stroke.down and stroke.key in eaten:
                eaten.discard(stroke.key)
            elif stroke.key not in eaten:
                rest.append(stroke)
        self._eaten |= eaten
        return tuple(rest)


def _without_guests(held: list[Stroke[E]]) -> tuple[Stroke[E], ...]:
    """Pad + and - belong to a scan only when the scanner types on the pad; else they are the
    cashier's exact-payment keys, which wait for the decision like any other foreign key."""
    if any(stroke.pad and stroke.counts and not stroke.eager for stroke in held):
        return tuple(held)
    return tuple(
        replace(stroke, kind=Kind.OTHER) if stroke.pad and stroke.eager else stroke
        for stroke in held
    )
