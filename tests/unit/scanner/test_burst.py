"""Scans and typing are told apart by the time stamps of the keys, whoever stamps them."""

from __future__ import annotations

import ctypes
import string
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.scanner import burst, decoder
from pos_app.cashier.scanner.decoder import ENTER, KEYPAD_PLUS, LEFT_SHIFT, TAB, US, alt_char
from pos_app.cashier.scanner.stamps import MessageTimes, WindowsMessage
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind
from tests.sweep import each, examples
from tests.unit.scanner import keyboard
from tests.unit.scanner.keyboard import F12, place_of

EAN = "8600123450144"
PAD = {digit: place for place, digit in decoder.KEYPAD_DIGITS.items()}


@each("code", ["2088", EAN])
def test_a_scan_on_the_pad_under_a_held_alt_is_misread(code: str) -> None:
    """The same keys with Alt are the number of a character where a scanner presses them."""
    desk = keyboard.Desk()
    desk.key(decoder.LEFT_ALT)
    desk.now += 200
    for char in code:
        place = PAD[char]
        for down in (True, False):
            kind = StrokeKind.ALT_DIGIT
            desk.feed(Stroke(desk.now, place, kind, f"alt+{char}", char, char, down, pad=True))
        desk.now += 4
    desk.tap(decoder.ENTER, hold=2)
    assert desk.log == ["56 down", ("misread", code)]


def test_doubled_characters_that_look_like_repeats_are_kept() -> None:
    """X reports "up and down in the same millisecond" as a repeat; a fast scanner does that."""
    desk = keyboard.Desk()
    for char, repeat in [("8", False), *[("0", i > 0) for i in range(30)], ("1", False)]:
        place = keyboard.place_of(char)[0]
        desk.key(place, repeat=repeat)
        desk.now += 1
        desk.key(place, down=False, repeat=char == "0")
    desk.key(decoder.ENTER)
    assert desk.log == [("scan", "8" + "0" * 30 + "1")]


# --- any interleaving of typing and scans --------------------------------------------------------


@dataclass(frozen=True)
class Press:
    """A human's key, pressed `after` ms after the event before, down for `hold` ms."""

    after: int
    hold: int
    place: int


@dataclass(frozen=True)
class Code:
    """A scan that begins `after` ms later. gaps: the milliseconds between its keys."""

    after: int
    text: str
    gaps: tuple[int, ...]


_CHARS = "".join(sorted(set(string.printable) - set(string.whitespace))) + " "
_KEYS = st.sampled_from([*range(2, 14), *range(16, 26), 57, ENTER, TAB, KEYPAD_PLUS, F12])
_TOO_SOON = (ENTER, TAB, KEYPAD_PLUS)
"""These keys of a hand are not taken right after a scan."""
_PRESSES = st.builds(Press, after=st.integers(60, 400), hold=st.integers(30, 300), place=_KEYS)
_CODES = st.text(_CHARS, min_size=4, max_size=40).flatmap(
    lambda text: st.builds(
        Code,
        after=st.integers(60, 400),
        text=st.just(text),
        gaps=st.tuples(*[st.integers(1, 20) for _ in range(len(text) + 1)]),
    )
)
_SCRIPTS = st.lists(_PRESSES | _CODES, min_size=1, max_size=25)


def _strokes(script: list[Press | Code], *, enter: bool) -> list[Stroke[str]]:
    """The whole stream in order of time. Human strokes are named h<n>, the scanner's s."""
    now = 10_000
    moves: list[tuple[int, int, Stroke[str]]] = []
    busy: dict[int, int] = {}
    scanned = 0

    def move(at: int, place: int, name: str, *, down: bool, shift: bool = False) -> None:
        moves.append((at, len(moves), _stroke(at, place, name, down=down, shift=shift)))

    for number, part in enumerate(script):
        now += part.after
        if isinstance(part, Press):
            now = max(now, busy.get(part.place, 0) + 1)
            if part.place in _TOO_SOON:
                now = max(now, scanned + burst.LATE_SUFFIX_MS + 1)
            move(now, part.place, f"h{number}", down=True)
            busy[part.place] = now + part.hold
            move(now + part.hold, part.place, f"h{number}", down=False)
            continue
        now = max([now, *(until + 60 for until in busy.values())])
        if not enter:  # nothing but a pause ends such a scan
            now += burst.PART_MS
        for char, gap in zip(part.text, part.gaps, strict=False):
            place, shift = place_of(char)
            if shift:
                move(now, LEFT_SHIFT, "s", down=True)
            move(now, place, "s", down=True, shift=shift)
            move(now + gap // 2, place, "s", down=False)
            if shift:
                move(now + gap // 2, LEFT_SHIFT, "s", down=False)
            now += gap
        if enter:
            move(now, ENTER, "s", down=True)
            move(now + 1, ENTER, "s", down=False)
        scanned = now
    return [stroke for _, _, stroke in sorted(moves, key=lambda each: each[:2])]


def _stroke(at: int, place: int, name: str, *, down: bool, shift: bool) -> Stroke[str]:
    plain, shifted = US.keys.get(place, ("", ""))
    ends = place in (ENTER, TAB)
    kind = StrokeKind.END if ends else StrokeKind.SHIFT if place == LEFT_SHIFT else StrokeKind.OTHER
    return Stroke(
        at=at,
        key=place,
        kind=StrokeKind.CHAR if plain else kind,
        event=f"{name} {'down' if down else 'up'}",
        char=shifted if shift else plain,
        plain=plain,
        down=down,
        eager=place == KEYPAD_PLUS,
        pad=place == KEYPAD_PLUS,
    )


def _run(strokes: list[Stroke[str]], rules: burst.Rules, timer_runs: list[bool]) -> list[str]:
    """The effects in order. timer_runs: whether the loop notices each silence, or is stalled."""
    bursts: burst.Bursts[str] = burst.Bursts(rules)
    acted: list[str] = []

    def note(steps: tuple[burst.Step[str], ...]) -> None:
        for step in steps:
            if isinstance(step, burst.KeyTooSoon):
                acted.append("too soon")
            elif isinstance(step, burst.Scan):
                acted.append(f"scan {step.code}")
            else:
                acted.extend(stroke.event for stroke in step.strokes)

    for number, stroke in enumerate(strokes):
        pending = bursts.pending
        waited = 0 if pending is None else stroke.at - pending.at - 5
        if timer_runs[number % len(timer_runs)]:
            note(bursts.silence() if waited > rules.gap_ms else ())
            note(bursts.end() if waited > burst.PART_MS else ())
        verdict = bursts.feed(stroke)
        note(verdict.steps)
        if verdict.passes:
            acted.append(stroke.event)
    note(bursts.end())
    return acted


@settings(max_examples=examples(400))
@given(
    script=_SCRIPTS,
    enter=st.booleans(),
    timer_runs=st.lists(st.booleans(), min_size=1, max_size=50),
)
def test_typing_and_scans_are_split_exactly(
    script: list[Press | Code], enter: bool, timer_runs: list[bool]
) -> None:
    rules = burst.Rules(suffix="enter" if enter else "none")
    strokes = _strokes(script, enter=enter)
    acted = _run(strokes, rules, timer_runs)

    scanned = [each.removeprefix("scan ") for each in acted if each.startswith("scan ")]
    assert scanned == [part.text for part in script if isinstance(part, Code)]
    typed = [each for each in acted if each.startswith("h")]
    assert typed == [stroke.event for stroke in strokes if stroke.event.startswith("h")]
    # A Shift that opens a scan may act (it changes nothing); no other key of a scanner does.
    shifts = sum(stroke.key == LEFT_SHIFT and stroke.event == "s down" for stroke in strokes)
    assert acted.count("s down") <= shifts
    assert acted.count("s up") <= acted.count("s down")
    # Every press keeps its position before, between or after the same scans.
    order = [each for each in acted if each.startswith("scan ") or each.endswith("down")]
    expected = [
        f"scan {part.text}" if isinstance(part, Code) else f"h{number} down"
        for number, part in enumerate(script)
    ]
    assert [each for each in order if each != "s down"] == expected


@each(
    ("digits", "char"),
    [
        ("052", "4"), ("65", "A"), ("0065", "A"), ("0138", "Š"), ("138", "è"), ("0154", "š"),
        ("029", "\x1d"), ("321", "A"), ("0129", ""), ("", ""),
    ],
)  # fmt: skip
def test_alt_with_a_number(digits: str, char: str) -> None:
    assert alt_char(digits) == char


DOWN, UP, MOUSE = 0x0100, 0x0101, 0x0200
A = 0x1E


def post(times: MessageTimes, message: int, scan_code: int, at: int) -> None:
    native = WindowsMessage(
        window=None, message=message, key=0, detail=scan_code << 16 | 1, time=at
    )
    taken = times.nativeEventFilter(b"windows_generic_MSG", ctypes.addressof(native))
    assert taken == (False, 0)


def event(kind: QEvent.Type, scan_code: int, *, repeat: bool = False, at: int = 9) -> QKeyEvent:
    none = Qt.KeyboardModifier.NoModifier
    made = QKeyEvent(kind, Qt.Key.Key_A, none, scan_code, 0, 0, "a", repeat)
    made.setTimestamp(at)
    return made


PRESS, RELEASE = QEvent.Type.KeyPress, QEvent.Type.KeyRelease


def test_a_repeat_makes_two_events_of_one_message() -> None:
    times = MessageTimes()
    for message, at in [(DOWN, 100), (DOWN, 400), (UP, 450)]:
        post(times, message, A, at)
    assert times.of(event(PRESS, A)) == 100
    assert times.of(event(RELEASE, A, repeat=True)) == 100
    assert times.of(event(PRESS, A, repeat=True)) == 400
    assert times.of(event(RELEASE, A)) == 450
