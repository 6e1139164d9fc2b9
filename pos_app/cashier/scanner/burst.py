"""Distinguishes a scan from typing by the keys' time stamps alone, in plain Python without Qt or a
clock.

A scanner's keys follow each other faster than a hand can type. Each key that could begin a scan is
held until the next one, a pause or an Enter decides; then the held keys are either one scan, or
typing that is replayed in order.

| state     | key                        | becomes                                              |
|-----------|----------------------------|------------------------------------------------------|
| idle      | character                  | held; a burst is under way                           |
| idle      | Enter, Tab right after a scan | eaten: the scanner's second suffix, or a late one; |
|           |                            | a hand's is told, at once after a serial scan        |
| idle      | pad + - right after a scan | eaten and told                                       |
| idle      | pad + - later              | passes at once                                       |
| idle      | anything else              | passes at once                                       |
| burst     | character in time          | held                                                 |
| burst     | Enter, Tab                 | ends it: a scan and eaten, or typing and passes      |
| burst     | anything else              | waits, and acts after the decision; of a scan, pad   |
|           |                            | + - that came before its end are eaten and told      |
| burst     | any key after a pause      | continues it, if it may be the first part of a scan  |
|           |                            | and the pause is short enough; else ends it first    |
| burst     | silence (a timer)          | ends it; the first part of a scan only after a while |
| burst     | a press of a pointer       | ends it, so that typing acts before the press; with  |
|           |                            | a scan the press is eaten and told                   |

A character with Ctrl, Alt, AltGr or the Windows key is held, too. It is a command typed by hand,
which acts a moment later, or part of a scan while the cashier held that key. Such a scan is a
misread.

A scan that paused (a busy machine, a radio) arrives in parts. The parts are one code if a check
digit proves that, else a misread, but never two codes and never typing. Keys at machine speed soon
after a misread are still part of the misread. Once a scanner has sent its suffix, a code that comes
without suffix and has no check digit is a misread, too. Keys at machine speed right after a code
without a suffix are not typing, however few they are.

A code without its suffix and without a check digit waits for its tail for five seconds, or until
something else is scanned or typed by a hand. If a check digit proves code and tail together they
are the scan, else the tail is part of a misread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, Literal, TypeVar

from pos_app.cashier.scanner import spelling
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind
from pos_app.domain.article.barcodes import is_whole
from pos_app.lazy_dataclass import dataclass

E = TypeVar("E")

LATE_SUFFIX_MS = 150
"""The time in which a second suffix belongs to the scan, and in which + and - of the pad do not
pay, because the hand was under way before the item could be seen."""
PART_MS = 450
"""The longest pause between two parts of one scan, or before its suffix."""
REST_MS = 700
"""The time in which keys at machine speed belong to the misread before; nobody scans again so
soon."""

HEAD_MS = 5000
"""The time for which the head of a scan waits for its tail. Some radios needed two seconds. It is
no longer, because what a finger enters meanwhile is not seen here."""

_OTHER_CLOCK_MS = 60_000
"""A key whose stamp is that much before a scan's was stamped by another clock, or after an
overflow."""
_SHORT_GTINS = (8, 12)
_MODIFIERS = frozenset({StrokeKind.SHIFT, StrokeKind.ALT, StrokeKind.MODIFIER})
_EATEN_WITH_A_SCAN = _MODIFIERS | {
    StrokeKind.CHAR,
    StrokeKind.ALT_DIGIT,
    StrokeKind.COMBINATION,
    StrokeKind.END,
}


@dataclass(frozen=True, slots=True)
class Rules:
    """gap_ms: the longest pause inside a scan. least: the fewest characters of a scan, prefix
    included."""

    gap_ms: int = 35
    least: int = 4
    prefix: str = ""
    suffix: Literal["enter", "tab", "none"] = "enter"


@dataclass(frozen=True, slots=True)
class Replay(Generic[E]):
    """Strokes typed by hand; they act now, in this order."""

    strokes: tuple[Stroke[E], ...]


@dataclass(frozen=True, slots=True)
class Scan(Generic[E]):
    """code: without prefix. at: the stamp of the last key in ms. ended_by: the key of the Enter or
    Tab that ended the scan, 0 for silence. misread: a part of the code may be missing, so the code
    is not looked up. rest_of: the part of the same scan that was reported before as misread; a
    misread code continues that part, any other code contains it. key_held: somebody held a
    modifier, so the scan is a misread."""

    code: str
    at: int
    strokes: tuple[Stroke[E], ...]
    ended_by: int = 0
    misread: bool = False
    rest_of: str = ""
    key_held: bool = False


@dataclass(frozen=True, slots=True)
class KeyTooSoon:
    """A key of a person that was struck too soon after a scan, or during it; it does nothing."""


KEY_TOO_SOON = KeyTooSoon()
Step = Replay[E] | Scan[E] | KeyTooSoon


@dataclass(frozen=True, slots=True)
class StrokeDecision(Generic[E]):
    """steps: the decisions now due, in order. passes: the key itself acts after them; else it is
    held or eaten, and must not act."""

    steps: tuple[Step[E], ...]
    passes: bool


class Bursts(Generic[E]):
    """The state machine. Feed it every key of the keyboard, down and up, in order. Call `silence`
    when no key came for `gap_ms`, and `end` when no key came for PART_MS after that."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._held: list[Stroke[E]] = []
        self._last: Stroke[E] | None = None  # last press that counted or ended a scan
        self._eaten: set[int] = set()  # keys down whose press was not passed on
        self._modifiers: dict[int, Stroke[E]] = {}  # modifiers that are down, by their keys
        self._human_shifts: frozenset[int] = frozenset()  # Shift keys down before the burst began
        # Ctrl, Alt and other modifiers down before the burst began
        self._human_controls: frozenset[int] = frozenset()
        self._suffix_until: int | None = None
        self._scanned_at: int | None = None  # the last key of the last scan, whole or not
        self._noted_at: int | None = None  # when the last scan came that came by no keys
        self._suffix_since: dict[int, int] = {}  # second suffixes that are down
        self._rest_until: int | None = None  # until then keys at machine speed are a scan's rest
        self._bare_until: int | None = None  # the last scan had no suffix
        self._typed_until: int | None = None  # typed keys may have been a scan's first part
        self._suffix_was_seen = False
        self._code_so_far = ""  # code of the scan whose rest may come
        self._head = ""  # code of a scan without its suffix, which waits for its tail
        self._head_until = 0
        self._is_head_reported = False  # as misread; else it was looked up as a code

    @property
    def pending(self) -> Stroke[E] | None:
        return self._last if self._held else None

    def feed(self, stroke: Stroke[E]) -> StrokeDecision[E]:
        steps = self._pause_before(stroke)
        if stroke.at > self._head_until and not self._held:
            self._head = ""
        if stroke.repeat and self._bounced(stroke):
            stroke = replace(stroke, repeat=False)
        if stroke.kind in _MODIFIERS:
            self._note_modifier(stroke)
        if not stroke.down or stroke.repeat:
            return StrokeDecision(steps + self._told(stroke), self._follow(stroke))
        self._eaten.discard(stroke.key)
        if not self._held and (self._pays_too_soon(stroke) or self._ends_too_soon(stroke)):
            self._eaten.add(stroke.key)
            return StrokeDecision((*steps, KEY_TOO_SOON), passes=False)
        if stroke.kind is StrokeKind.END:
            more, passes = self._end(stroke)
            return StrokeDecision(steps + more, passes)
        return StrokeDecision(steps, self._press(stroke))

    def _pays_too_soon(self, stroke: Stroke[E]) -> bool:
        """Tell whether a key of payment was struck during the last scan or too soon after it."""
        is_struck = stroke.pad and stroke.eager and stroke.down and not stroke.repeat
        return is_struck and _is_soon_after(self._scanned_at, stroke)

    def _ends_too_soon(self, stroke: Stroke[E]) -> bool:
        """Tell whether Enter or Tab was struck too soon after a scan that came by no keys: no
        suffix of it comes, so the key is a hand's."""
        return stroke.kind is StrokeKind.END and _is_soon_after(self._noted_at, stroke)

    def _told(self, released: Stroke[E]) -> tuple[KeyTooSoon, ...]:
        """Tell of an eaten Enter or Tab that was down for as long as a hand keeps a key down."""
        if released.down:
            return ()
        since = self._suffix_since.pop(released.key, released.at)
        return (KEY_TOO_SOON,) if released.at - since > spelling.TAP_MS else ()

    def point(self, at: int) -> StrokeDecision[E]:
        """Decide about the held keys because a pointer is pressed at this time. While a scan may
        still be under way, or where it ends with the press, the press is not taken: the screen is
        another one then than the finger was meant for."""
        if not self._held or self._last is None:
            return StrokeDecision((), passes=True)
        if self._in_time(at, self._last.at):
            return StrokeDecision((KEY_TOO_SOON,), passes=False)
        steps = self.end()
        if any(isinstance(step, Scan) for step in steps):
            return StrokeDecision((*steps, KEY_TOO_SOON), passes=False)
        return StrokeDecision(steps, passes=True)

    def silence(self) -> tuple[Step[E], ...]:
        """Decide about the held keys, unless more of a scan may come."""
        return () if self._may_go_on() else self.end()

    def note_scan(self, at: int) -> None:
        """Note a scan that came by no keys."""
        self._scanned_at = self._noted_at = at

    def note_typed(self) -> None:
        """Note that the last scan was typing after all, so that nothing is its rest or its tail. An
        Enter soon after it is its suffix all the same."""
        self._head = ""
        self._rest_until = self._bare_until = self._typed_until = None

    def end(self) -> tuple[Step[E], ...]:
        """Decide about the held keys, without waiting for more."""
        return self._decide(None)[0] if self._held else ()

    def _pause_before(self, stroke: Stroke[E]) -> tuple[Step[E], ...]:
        if not self._held or self._last is None or self._in_time(stroke.at, self._last.at):
            return ()
        is_foreign = stroke.kind is StrokeKind.END and self._rules.suffix == "none"
        in_parts = 0 <= stroke.at - self._last.at <= PART_MS and not is_foreign
        if in_parts and self._may_go_on():
            return ()
        return self.end()

    def _may_go_on(self) -> bool:
        held = _without_payment_keys(self._held)
        found = spelling.key_runs(held, gap_ms=self._rules.gap_ms)
        if not held or not spelling.may_be_a_part(found[-1], ended=False):
            return False
        if self._rules.suffix == "none" and is_proved(self._code(held)):
            return False
        return len(found) == 1 or _has_pair(found)

    def _in_time(self, at: int, since: int) -> bool:
        # A stamp that goes backwards comes from another clock or an overflow; it counts as a pause.
        return 0 <= at - since <= self._rules.gap_ms

    def _bounced(self, stroke: Stroke[E]) -> bool:
        """Tell whether the platform reported a doubled character as a key held down. X takes "up
        and down in the same millisecond" for a repeat, and a fast scanner sends just that. A real
        repeat begins after a far longer pause than a scan's gap."""
        last = self._last
        return last is not None and last.key == stroke.key and self._in_time(stroke.at, last.at)

    def _note_modifier(self, stroke: Stroke[E]) -> None:
        if not stroke.down:
            self._modifiers.pop(stroke.key, None)
        elif not stroke.repeat:
            self._modifiers[stroke.key] = stroke
            self._human_controls -= {stroke.key}

    def _press(self, stroke: Stroke[E]) -> bool:
        if not self._held:
            if stroke.eager and stroke.counts:
                self._head = ""  # something else is entered
            if not stroke.counts or stroke.eager:
                return True
            gap = self._rules.gap_ms
            by_hand = [one for one in self._modifiers.values() if stroke.at - one.at > gap]
            shifts = frozenset(one.key for one in by_hand if one.kind is StrokeKind.SHIFT)
            self._human_shifts = shifts
            self._human_controls = frozenset(one.key for one in by_hand) - shifts
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

    def _end(self, stroke: Stroke[E]) -> tuple[tuple[Step[E], ...], bool]:
        if not self._held:
            eaten = self._suffix_until is not None and stroke.at <= self._suffix_until
            if eaten:
                self._suffix_since[stroke.key] = stroke.at
                self._eat_suffix(stroke)
            else:
                self._head = ""
            return (), not eaten
        steps, ended = self._decide(stroke)
        if ended:
            self._scanned_at = stroke.at
            self._suffix_until = stroke.at + self._late_suffix_ms(ended=True)
            self._eat_suffix(stroke)
        return steps, not ended

    def _eat_suffix(self, stroke: Stroke[E]) -> None:
        self._eaten.add(stroke.key)
        self._last = stroke
        self._suffix_until = max(self._suffix_until or 0, stroke.at + self._rules.gap_ms)

    def _decide(self, end: Stroke[E] | None) -> tuple[tuple[Step[E], ...], bool]:
        """Return the steps for the held keys, and whether `end` (Enter, Tab) belongs to a scan
        among them."""
        held, self._held = _without_payment_keys(self._held), []
        found = spelling.key_runs(held, gap_ms=self._rules.gap_ms)
        if len(found) > 1 and not spelling.may_be_a_part(found[-1], ended=end is not None):
            typed = found.pop()  # typed by hand during the wait for the rest of a scan
            steps = self._read(found, None)
            self._suffix_until, self._head = None, ""
            return (*steps, Replay(typed)), False
        steps = self._read(found, end)
        return steps, isinstance(steps[0], Scan)

    def _read(
        self, key_runs: list[tuple[Stroke[E], ...]], end: Stroke[E] | None
    ) -> tuple[Step[E], ...]:
        held = tuple(stroke for part in key_runs for stroke in part)
        begun, ended = held[0].at, end is not None
        scan = Scan(
            code=self._code(held),
            at=max(stroke.at for stroke in held if stroke.counts),
            strokes=held,
            ended_by=end.key if end else 0,
            key_held=spelling.under_a_held_key(held, human_controls=self._human_controls),
        )
        machine = (
            spelling.by_machine(held, ended=ended) if len(key_runs) == 1 else _has_pair(key_runs)
        )
        if len(self._text(held)) < self._rules.least or not scan.code or not machine:
            return self._read_few(scan, key_runs, end)
        is_rest = _is_until(begun, self._rest_until)
        if scan.key_held:
            return self._misread(scan, is_rest=is_rest)
        if with_head := self._with_head(scan):
            return with_head
        is_doubtful = is_rest or _is_until(begun, self._typed_until)
        if not self._is_sure(scan.code, in_parts=len(key_runs) > 1, ended=ended) or (
            is_doubtful and not is_proved(scan.code)
        ):
            return self._misread(scan, is_rest=is_rest)
        return self._whole(scan)

    def _read_few(
        self, scan: Scan[E], key_runs: list[tuple[Stroke[E], ...]], end: Stroke[E] | None
    ) -> tuple[Step[E], ...]:
        """Return the steps for few keys, or for keys pressed by a hand: they are typing, unless
        they are the tail of a scan."""
        begun, ended = scan.strokes[0].at, end is not None
        if not spelling.may_be_a_part(key_runs[-1], ended=ended):
            self._head = ""
            return (Replay(scan.strokes),)
        if scan.code and not scan.key_held and (with_head := self._with_head(scan)):
            return with_head
        is_rest = _is_until(begun, self._rest_until)
        is_after_bare = bool(self._head) or _is_until(begun, self._bare_until)
        is_after_part = is_after_bare or _is_until(begun, self._typed_until)
        if not ended:
            self._typed_until = scan.at + REST_MS
        at_once = end is not None and (self._is_head_reported or self._in_time(end.at, scan.at))
        if is_rest or (is_after_part and (at_once or _has_pair(key_runs))):
            return self._misread(scan, is_rest=is_rest or is_after_bare)
        return (Replay(scan.strokes),)

    def _with_head(self, scan: Scan[E]) -> tuple[Step[E], ...]:
        """Return the steps for the tail of a scan whose head was reported before; none if the scan
        is no tail. A code that begins as the head does is no tail but the same goods, scanned once
        more."""
        code, ended = scan.code, bool(scan.ended_by)
        if not self._head or is_proved(code):
            return ()
        whole = self._head + code
        if is_whole(whole) and (ended or (self._is_head_reported and is_proved(whole))):
            if not self._is_head_reported:
                return self._misread(scan, is_rest=True)  # the head was looked up as a code
            return self._whole(replace(scan, code=whole, rest_of=self._head))
        is_long = ended and len(code) >= self._rules.least and self._is_head_reported
        if is_long and not is_whole(code) and not code.startswith(self._head):
            return self._misread(scan, is_rest=True)
        return ()

    def _whole(self, scan: Scan[E]) -> tuple[Step[E], ...]:
        """Return the steps for a code that seems to be whole."""
        ended = bool(scan.ended_by)
        is_bare = self._rules.suffix != "none" and not ended
        self._suffix_until = scan.at + self._late_suffix_ms(ended=ended)
        self._bare_until = scan.at + REST_MS if is_bare else None
        self._rest_until = self._bare_until if self._suffix_was_seen else None
        self._code_so_far = scan.code
        self._head = scan.code if is_bare and not is_proved(scan.code) else ""
        self._head_until = scan.at + HEAD_MS
        self._is_head_reported = False
        self._typed_until = None
        self._suffix_was_seen |= ended and self._rules.suffix != "none"
        return self._without_scan(scan)

    def _late_suffix_ms(self, *, ended: bool) -> int:
        return LATE_SUFFIX_MS if ended or self._rules.suffix == "none" else REST_MS

    def _misread(self, scan: Scan[E], *, is_rest: bool) -> tuple[Step[E], ...]:
        self._suffix_until = self._rest_until = scan.at + REST_MS
        before = self._code_so_far if is_rest else ""
        self._code_so_far = before + scan.code
        self._head = "" if scan.ended_by else self._code_so_far
        self._head_until = scan.at + HEAD_MS
        self._is_head_reported = True
        return self._without_scan(replace(scan, misread=True, rest_of=before))

    def _is_sure(self, code: str, *, in_parts: bool, ended: bool) -> bool:
        is_complete = ended or not self._suffix_was_seen or is_proved(code)
        return is_complete and (not in_parts or is_whole(code))

    def _without_scan(self, scan: Scan[E]) -> tuple[Step[E], ...]:
        self._scanned_at = scan.at
        rest = self._eat(scan.strokes)
        no_part = (stroke for stroke in scan.strokes if stroke.kind is StrokeKind.OTHER)
        told = (KEY_TOO_SOON,) if any(map(self._pays_too_soon, no_part)) else ()
        return (scan, *told, Replay(rest)) if rest else (scan, *told)

    def _code(self, held: tuple[Stroke[E], ...]) -> str:
        return self._text(held).removeprefix(self._rules.prefix)

    def _text(self, held: tuple[Stroke[E], ...]) -> str:
        return spelling.spell(
            held, human_shifts=self._human_shifts, human_controls=self._human_controls
        )

    def _eat(self, held: tuple[Stroke[E], ...]) -> tuple[Stroke[E], ...]:
        """Eat the scanner's strokes and the keys of payment that came with them, and return the
        others. The repeats of a held Enter are dropped, because they must not confirm a dialog that
        the scan opened."""
        rest: list[Stroke[E]] = []
        eaten: set[int] = set()
        for stroke in held:
            if stroke.repeat and stroke.down and stroke.kind is StrokeKind.END:
                continue
            is_eaten = stroke.kind in _EATEN_WITH_A_SCAN or self._pays_too_soon(stroke)
            if stroke.down and not stroke.repeat and is_eaten:
                eaten.add(stroke.key)
            elif not stroke.down and stroke.key in eaten:
                eaten.discard(stroke.key)
            elif stroke.key not in eaten:
                rest.append(stroke)
        self._eaten |= eaten
        return tuple(rest)


def _without_payment_keys(held: list[Stroke[E]]) -> tuple[Stroke[E], ...]:
    """Return the strokes. Pad + and - stay keys of a scan only if the scanner types on the pad;
    else they are the cashier's keys for exact payment, which wait for the decision like other
    keys."""
    if any(stroke.pad and stroke.counts and not stroke.eager for stroke in held):
        return tuple(held)
    return tuple(
        replace(stroke, kind=StrokeKind.OTHER) if stroke.pad and stroke.eager else stroke
        for stroke in held
    )


def _is_soon_after(scanned_at: int | None, stroke: Stroke[E]) -> bool:
    """Tell whether a key was struck during a scan or too soon after it. A scan of a serial port is
    noted when it is carried out, which on a busy machine may be after the key was struck."""
    if scanned_at is None:
        return False
    return -_OTHER_CLOCK_MS < stroke.at - scanned_at <= LATE_SUFFIX_MS


def _is_until(at: int, until: int | None) -> bool:
    return until is not None and at <= until


def _has_pair(key_runs: Sequence[Sequence[Stroke[E]]]) -> bool:
    return any(sum(stroke.counts for stroke in part) > 1 for part in key_runs)


def is_proved(code: str) -> bool:
    """Tell whether the code is surely whole. A code of 8 or 12 digits is not, because it can be the
    beginning of a longer one."""
    return is_whole(code) and len(code) not in _SHORT_GTINS
