"""Tells a scan from typing. Plain Python, no Qt, no clock: time stamps of the keys decide.

A scanner's keys follow each other faster than a hand can type. Each key that could begin a scan is
held until the next one, a pause or an Enter decides; then the held keys are either one scan, or
typing that is replayed in order.

| state     | key                        | becomes                                              |
|-----------|----------------------------|------------------------------------------------------|
| idle      | character                  | held; a burst is under way                           |
| idle      | numeric pad + -, Ctrl+]    | passes at once                                       |
| idle      | Enter, Tab right after a scan | eaten: the scanner's second suffix, or a late one |
| idle      | anything else              | passes at once                                       |
| burst     | character in time          | held                                                 |
| burst     | Enter, Tab                 | ends it: a scan and eaten, or typing and passes      |
| burst     | anything else              | waits, and acts after the decision                   |
| burst     | any key after a pause      | goes on with it, if it may be the first part of a    |
|           |                            | scan and the pause is one; else ends it first        |
| burst     | silence (a timer)          | ends it; the first part of a scan only after a while |
| any       | with Ctrl, Alt, Windows    | passes or waits as above; after some at a scanner's  |
|           |                            | speed eaten: a scan while the cashier held that key  |

A scan that paused (a busy machine, a radio) arrives in parts. They are one code where a check digit
proves it, else a misread: never two codes, never typing. Keys at machine speed soon after a misread
are still part of it. Once a scanner has sent its suffix, a code that comes without it and has no
check digit is a misread too. Keys at machine speed right after a code without a suffix are not
typing, however few they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from pos_app.cashier.scanner.spelling import (
    LEAST_BY_PAUSES,
    by_machine,
    may_be_a_part,
    parts,
    spell,
)
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind
from pos_app.domain.barcodes import is_whole

E = TypeVar("E")

LATE_SUFFIX_MS = 150
"""How long after a scan a second suffix is still a part of it."""
PART_MS = 450
"""Longest pause between two parts of one scan, or before its suffix."""
REST_MS = 700
"""How long after a misread keys at machine speed are its rest; nobody scans again so soon."""

_SHORT_GTINS = (8, 12)
_EATEN_WITH_A_SCAN = frozenset(
    {
        StrokeKind.CHAR,
        StrokeKind.ALT_DIGIT,
        StrokeKind.SHIFT,
        StrokeKind.ALT,
        StrokeKind.MODIFIER,
        StrokeKind.END,
    }
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
    """Strokes that were typed by hand; they act now, in this order."""

    strokes: tuple[Stroke[E], ...]


@dataclass(frozen=True, slots=True)
class Scan(Generic[E]):
    """A scan. code: without prefix. at: stamp of its last key in ms. strokes: what made it.

    ended_by: the key of the Enter or Tab that came with it, 0 when silence ended it.
    misread: a part of the code may be missing, so it is not looked up. rest_of: the part of the
    same scan that was reported before, which `code` continues.
    """

    code: str
    at: int
    strokes: tuple[Stroke[E], ...]
    ended_by: int = 0
    misread: bool = False
    rest_of: str = ""


@dataclass(frozen=True, slots=True)
class StrokeDecision(Generic[E]):
    """steps: what is decided now, in order. passes: the key itself acts after them.

    A key that does not pass is held or eaten, and must not act.
    """

    steps: tuple[Replay[E] | Scan[E], ...]
    passes: bool


class Bursts(Generic[E]):
    """The state machine. Feed it every key of the keyboard, down and up, in order.

    When no key came for `gap_ms` call `silence`; when then none came for PART_MS, `end`.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._held: list[Stroke[E]] = []
        self._last: Stroke[E] | None = None  # last press that counted or ended a scan
        self._eaten: set[int] = set()  # keys down whose press was not passed on
        self._shifts: dict[int, int] = {}  # Shift keys down -> since when
        self._human_shifts: frozenset[int] = frozenset()
        self._suffix_until: int | None = None
        self._rest_until: int | None = None  # until then keys at machine speed are a scan's rest
        self._bare_until: int | None = None  # the last scan had no suffix
        self._typed_until: int | None = None  # what was typed may have been a scan's first part
        self._suffix_was_seen = False
        self._code_so_far = ""  # of the scan whose rest may come
        self._combined = 0  # keys at a scanner's speed under a Ctrl, Alt or Windows key
        self._combined_at = 0  # when the last of them came

    @property
    def pending(self) -> Stroke[E] | None:
        return self._last if self._held else None

    def feed(self, stroke: Stroke[E]) -> StrokeDecision[E]:
        steps = self._pause_before(stroke)
        if stroke.repeat and self._bounced(stroke):
            stroke = replace(stroke, repeat=False)
        if stroke.kind is StrokeKind.SHIFT:
            self._note_shift(stroke)
        if not stroke.down or stroke.repeat:
            return StrokeDecision(steps, self._follow(stroke))
        self._eaten.discard(stroke.key)
        if stroke.kind is StrokeKind.COMBINATION and self._is_a_scans(stroke):
            self._eaten.add(stroke.key)
            return StrokeDecision(steps, passes=False)
        if stroke.kind is StrokeKind.END:
            more, passes = self._end(stroke)
            return StrokeDecision(steps + more, passes)
        return StrokeDecision(steps, self._press(stroke))

    def silence(self) -> tuple[Replay[E] | Scan[E], ...]:
        """No key came for longer than the gap: decide, unless more of a scan may come."""
        return () if self._may_go_on() else self.end()

    def end(self) -> tuple[Replay[E] | Scan[E], ...]:
        """Decide what is held, without waiting for more."""
        return self._decide(None)[0] if self._held else ()

    def _pause_before(self, stroke: Stroke[E]) -> tuple[Replay[E] | Scan[E], ...]:
        if not self._held or self._last is None or self._in_time(stroke.at, self._last.at):
            return ()
        is_foreign = stroke.kind is StrokeKind.END and self._rules.suffix == "none"
        in_parts = 0 <= stroke.at - self._last.at <= PART_MS and not is_foreign
        if in_parts and self._may_go_on():
            return ()
        return self.end()

    def _may_go_on(self) -> bool:
        held = _without_payment_keys(self._held)
        found = parts(held, gap_ms=self._rules.gap_ms)
        if not held or not may_be_a_part(found[-1], ended=False):
            return False
        if self._rules.suffix == "none" and is_proved(self._code(held)):
            return False
        return len(found) == 1 or _has_pair(found)

    def _in_time(self, at: int, since: int) -> bool:
        # A stamp that goes backwards comes from another clock or an overflow; it counts as a pause.
        return 0 <= at - since <= self._rules.gap_ms

    def _bounced(self, stroke: Stroke[E]) -> bool:
        """A doubled character that the platform reported as a key held down.

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

    def _is_a_scans(self, stroke: Stroke[E]) -> bool:
        """Whether this combination is a part of a scan, whose Ctrl+Enter would pay the sale."""
        longest = PART_MS if self._combined >= LEAST_BY_PAUSES else self._rules.gap_ms
        goes_on = self._combined > 0 and 0 <= stroke.at - self._combined_at <= longest
        self._combined = self._combined + 1 if goes_on else 1
        self._combined_at = stroke.at
        return self._combined > LEAST_BY_PAUSES

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
        steps, ended = self._decide(stroke)
        if ended:
            self._eat_suffix(stroke)
        return steps, not ended

    def _eat_suffix(self, stroke: Stroke[E]) -> None:
        self._eaten.add(stroke.key)
        self._last = stroke
        self._suffix_until = stroke.at + self._rules.gap_ms

    def _decide(self, end: Stroke[E] | None) -> tuple[tuple[Replay[E] | Scan[E], ...], bool]:
        """The steps for what is held; whether `end` (Enter, Tab) belongs to a scan among them."""
        held, self._held = _without_payment_keys(self._held), []
        found = parts(held, gap_ms=self._rules.gap_ms)
        if len(found) > 1 and not may_be_a_part(found[-1], ended=end is not None):
            typed = found.pop()  # by a hand, while the rest of a scan was waited for
            steps = self._read(found, None)
            self._suffix_until = None
            return (*steps, Replay(typed)), False
        steps = self._read(found, end)
        return steps, isinstance(steps[0], Scan)

    def _read(
        self, found: list[tuple[Stroke[E], ...]], end: Stroke[E] | None
    ) -> tuple[Replay[E] | Scan[E], ...]:
        held = tuple(stroke for part in found for stroke in part)
        begun, last = held[0].at, max(stroke.at for stroke in held if stroke.counts)
        code, ended = self._code(held), end is not None
        scan = Scan(code=code, at=last, strokes=held, ended_by=end.key if end else 0)
        is_rest = self._rest_until is not None and begun <= self._rest_until
        is_after_typing = self._typed_until is not None and begun <= self._typed_until
        is_after_bare = self._bare_until is not None and begun <= self._bare_until
        machine = by_machine(held, ended=ended) if len(found) == 1 else _has_pair(found)
        if len(self._text(held)) < self._rules.least or not code or not machine:
            if not may_be_a_part(found[-1], ended=ended):
                return (Replay(held),)
            if not ended:
                self._typed_until = last + REST_MS
            at_once = end is not None and self._in_time(end.at, last)
            is_after_part = is_after_typing or is_after_bare
            if is_rest or (is_after_part and (at_once or _has_pair(found))):
                return self._misread(scan, is_rest=is_rest or is_after_bare)
            return (Replay(held),)
        is_doubtful = is_rest or is_after_typing
        if not self._is_sure(code, in_parts=len(found) > 1, ended=ended) or (
            is_doubtful and not is_proved(code)
        ):
            return self._misread(scan, is_rest=is_rest)
        self._suffix_until = last + self._late_suffix_ms(ended=ended)
        is_bare = self._rules.suffix != "none" and not ended
        self._bare_until = last + REST_MS if is_bare else None
        self._rest_until = self._bare_until if self._suffix_was_seen else None
        self._code_so_far = code
        self._typed_until = None
        self._suffix_was_seen |= ended and self._rules.suffix != "none"
        return self._without_scan(scan)

    def _late_suffix_ms(self, *, ended: bool) -> int:
        if self._rules.suffix == "none":
            return self._rules.gap_ms
        return LATE_SUFFIX_MS if ended else REST_MS

    def _misread(self, scan: Scan[E], *, is_rest: bool) -> tuple[Replay[E] | Scan[E], ...]:
        self._suffix_until = self._rest_until = scan.at + REST_MS
        before = self._code_so_far if is_rest else ""
        self._code_so_far = before + scan.code
        return self._without_scan(replace(scan, misread=True, rest_of=before))

    def _is_sure(self, code: str, *, in_parts: bool, ended: bool) -> bool:
        is_complete = ended or not self._suffix_was_seen or is_proved(code)
        return is_complete and (not in_parts or is_whole(code))

    def _without_scan(self, scan: Scan[E]) -> tuple[Replay[E] | Scan[E], ...]:
        rest = self._eat(scan.strokes)
        return (scan, Replay(rest)) if rest else (scan,)

    def _code(self, held: tuple[Stroke[E], ...]) -> str:
        return self._text(held).removeprefix(self._rules.prefix)

    def _text(self, held: tuple[Stroke[E], ...]) -> str:
        return spell(held, human_shifts=self._human_shifts)

    def _eat(self, held: tuple[Stroke[E], ...]) -> tuple[Stroke[E], ...]:
        """Take the scanner's strokes out; return those of other origin.

        A held-down Enter is dropped too: it must not confirm a dialog that the scan opened.
        """
        rest: list[Stroke[E]] = []
        eaten: set[int] = set()
        for stroke in held:
            if stroke.repeat and stroke.down and stroke.kind is StrokeKind.END:
                continue
            if stroke.down and not stroke.repeat and stroke.kind in _EATEN_WITH_A_SCAN:
                eaten.add(stroke.key)
            elif not stroke.down and stroke.key in eaten:
                eaten.discard(stroke.key)
            elif stroke.key not in eaten:
                rest.append(stroke)
        self._eaten |= eaten
        return tuple(rest)


def _without_payment_keys(held: list[Stroke[E]]) -> tuple[Stroke[E], ...]:
    """Pad + and - belong to a scan only when the scanner types on the pad.

    Else they are the cashier's exact-payment keys, which wait for the decision like other keys.
    """
    if any(stroke.pad and stroke.counts and not stroke.eager for stroke in held):
        return tuple(held)
    return tuple(
        replace(stroke, kind=StrokeKind.OTHER) if stroke.pad and stroke.eager else stroke
        for stroke in held
    )


def _has_pair(found: Sequence[Sequence[Stroke[E]]]) -> bool:
    return any(sum(stroke.counts for stroke in part) > 1 for part in found)


def is_proved(code: str) -> bool:
    """Whether it can't be a part of a longer code of the same kind, as an EAN-8 can."""
    return is_whole(code) and len(code) not in _SHORT_GTINS
