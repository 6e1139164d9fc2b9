"""Scans and typing are told apart by the time stamps of the keys."""

from __future__ import annotations

import string
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.cashier.scanner import burst, decoder
from pos_app.cashier.scanner.burst import LATE_SUFFIX_MS, Rules
from pos_app.cashier.scanner.decoder import ENTER, KEYPAD_PLUS, LEFT_SHIFT, TAB, US
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind
from tests.sweep import each, examples
from tests.unit.scanner import keyboard
from tests.unit.scanner.keyboard import F12, place_of

EAN = "8600123450144"
PAD = {digit: place for place, digit in decoder.KEYPAD_DIGITS.items()}
URL = "https://suf.purs.gov.rs/v/?vl=" + "AzQ+9/x=" * 121


@each("gap", [1, 2, 4, 8, 12, 20, 30, 35])
@each("code", ["4006", EAN, "Ab-12/z", "(01)09506000134352", URL])
def test_a_scan_is_one_code_and_nothing_acts(code: str, gap: int) -> None:
    desk = keyboard.Desk()
    desk.scan(code, gap=gap)
    desk.silence()
    # The first Shift goes down before anything shows that a scan begins.
    shift = ["42 down", "42 up"] if keyboard.place_of(code[0])[1] else []
    assert [entry for entry in desk.log if entry not in shift] == [("scan", code)]


def test_the_enter_of_a_scan_never_acts_nor_its_repeats_nor_its_release() -> None:
    desk = keyboard.Desk()
    desk.scan(EAN, ends=())
    desk.key(decoder.ENTER)
    for _ in range(5):
        desk.now += 300
        desk.key(decoder.ENTER, repeat=True)
    desk.key(decoder.ENTER, down=False)
    assert desk.log == [("scan", EAN)]
    desk.now += 300
    desk.tap(decoder.ENTER, hold=60)
    assert desk.log == [("scan", EAN), "28 down", "28 up"]


@each("ends", [(decoder.TAB,), (decoder.ENTER, decoder.ENTER), (decoder.ENTER, decoder.TAB), (96,)])
def test_other_and_doubled_suffixes_are_eaten(ends: tuple[int, ...]) -> None:
    desk = keyboard.Desk()
    desk.scan(EAN, ends=())
    for place in ends:
        desk.feed(Stroke(at=desk.now, key=place, kind=StrokeKind.END, event="end"))
        desk.now += 4
    assert desk.log == [("scan", EAN)]


def _with_ctrl(desk: keyboard.Desk, text: str, *, gap: int, hold: int = 0) -> None:
    """Press keys while Ctrl is down."""
    for char in text:
        place = keyboard.place_of(char)[0]
        kind = StrokeKind.END if place == decoder.ENTER else StrokeKind.COMBINATION
        for down in (True, False):
            name = f"ctrl+{char} {'down' if down else 'up'}"
            desk.feed(Stroke(desk.now, place, kind, name, char, char, down))
            desk.now += hold if down else gap - hold


@each("gap", [1, 8, 35])
@each("pause", [0, 300])
def test_a_scan_under_a_held_ctrl_is_misread_and_pays_nothing(gap: int, pause: int) -> None:
    desk = keyboard.Desk()
    desk.key(decoder.LEFT_CTRL)
    desk.now += 200
    _with_ctrl(desk, EAN, gap=gap)
    desk.now += pause
    _with_ctrl(desk, "\r", gap=gap)
    assert desk.log == ["29 down", ("misread", EAN)]
    desk.now += 800
    _with_ctrl(desk, "\r", gap=gap)
    assert desk.log[-2:] == ["ctrl+\r down", "ctrl+\r up"]


def test_a_ctrl_pressed_during_the_scan_is_a_misread_and_that_of_a_scanner_is_neither() -> None:
    for begun in range(1, 13):
        desk = keyboard.Desk()
        desk.scan(EAN[:begun], ends=())
        desk.key(decoder.LEFT_CTRL)
        _with_ctrl(desk, f"{EAN[begun:]}\r", gap=4)
        desk.key(decoder.LEFT_CTRL, down=False)
        assert desk.log == [("misread", EAN)], begun
    desk = keyboard.Desk()
    desk.scan("0106", ends=())
    desk.key(decoder.LEFT_CTRL)
    _with_ctrl(desk, "d", gap=2)  # a control code
    desk.key(decoder.LEFT_CTRL, down=False)
    desk.scan("17A")
    assert desk.log == [("scan", "010617A")]


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


def test_a_scan_without_suffix_ends_with_silence() -> None:
    desk = keyboard.Desk(Rules(suffix="none"))
    desk.scan(EAN, ends=())
    assert desk.log == []
    desk.silence()
    assert desk.log == [("scan", EAN)]
    desk.scan("lot-17", ends=())
    desk.silence()
    assert desk.codes == [EAN]
    desk.rest()
    assert desk.codes == [EAN, "lot-17"]
    for pause in (60, 200, 440):
        late = keyboard.Desk(Rules(suffix="enter"))
        late.scan("lot-17", ends=())
        late.silence()
        assert late.log == []
        late.now += pause - 40
        late.tap(decoder.ENTER, hold=2)
        assert late.log == [("scan", "lot-17")], "a missing suffix that comes late ends it"


def test_without_the_suffix_that_is_known_only_a_code_that_proves_itself_is_one() -> None:
    desk = keyboard.Desk(Rules(suffix="enter"))
    desk.scan("lot-17", ends=())
    desk.rest()
    desk.scan("lot-18")
    assert desk.log == [("scan", "lot-17"), ("scan", "lot-18")]
    desk.log.clear()
    desk.now += 1_000
    for code in (EAN, "lot-17", EAN[:12], "96385074"):
        desk.scan(code, ends=())
        desk.rest()
        desk.now += 1_000
        desk.tap(decoder.ENTER, hold=60)
    enter = ["28 down", "28 up"]
    misread = [[("misread", code), *enter] for code in ("lot-17", EAN[:12], "96385074")]
    assert desk.log == [("scan", EAN), *enter, *misread[0], *misread[1], *misread[2]]


@each(
    ("gap", "hold", "ends", "is_scan"),
    [
        (60, 10, (decoder.ENTER,), True),  # Bluetooth scanner
        (100, 20, (decoder.ENTER,), True),
        (60, 10, (), False),  # no suffix: not sure enough
        (110, 75, (decoder.ENTER,), False),  # a fast typist
        (90, 120, (decoder.ENTER,), False),  # rolling over the keys
    ],
)
def test_a_slow_scanner_against_a_fast_typist(
    gap: int, hold: int, ends: tuple[int, ...], is_scan: bool
) -> None:
    desk = keyboard.Desk(Rules(gap_ms=150))
    moves = []
    for place in [*(keyboard.place_of(char)[0] for char in "12345"), *ends]:
        moves += [(desk.now, place, True), (desk.now + hold, place, False)]
        desk.now += gap
    for at, place, down in sorted(moves):
        desk.now = at
        desk.key(place, down=down)
    desk.silence()
    assert desk.codes == (["12345"] if is_scan else [])
    assert desk.presses == ("" if is_scan else "12345" + "28" * len(ends))


@each("place", [decoder.KEYPAD_PLUS, decoder.KEYPAD_MINUS])
def test_a_key_of_payment_inside_a_scan_or_just_after_it_is_told(place: int) -> None:
    for hold in (5, 60):
        desk = keyboard.Desk()
        desk.scan(EAN[:6], ends=())
        desk.key(place)
        desk.scan(EAN[6:])
        desk.now += hold
        desk.key(place, down=False)
        assert desk.log == [("scan", EAN), "too soon"]
        desk.tap(place, hold=60)
        assert desk.log == [("scan", EAN), "too soon", "too soon"]
        desk.now += LATE_SUFFIX_MS
        desk.log.clear()
        desk.tap(place, hold=60)
        assert [str(entry)[2:] for entry in desk.log] == ["down", "up"]


@each("code", [EAN, "lot-17"])
def test_a_hands_enter_that_a_late_suffix_would_be_is_told(code: str) -> None:
    desk = keyboard.Desk()
    desk.scan(code)
    for hold, told in ((2, []), (60, ["too soon"])):
        desk.log.clear()
        desk.now += 40
        desk.tap(decoder.ENTER, hold=hold)
        assert desk.log == told
    desk.now += LATE_SUFFIX_MS
    desk.tap(decoder.ENTER, hold=60)
    assert desk.log == ["too soon", "28 down", "28 up"]


@each("shift", [decoder.LEFT_SHIFT, decoder.RIGHT_SHIFT])
def test_a_shift_held_by_the_cashier_does_not_change_the_code(shift: int) -> None:
    desk = keyboard.Desk()
    press = Stroke(at=desk.now, key=shift, kind=StrokeKind.SHIFT, event="shift down")
    desk.feed(press)
    desk.shift = True
    desk.now += 400
    desk.scan(EAN)
    desk.now += 50
    desk.feed(Stroke(at=desk.now, key=shift, kind=StrokeKind.SHIFT, event="shift up", down=False))
    assert desk.log == ["shift down", ("scan", EAN), "shift up"]


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

Event = tuple[str, str]  # source and description, or the name of the stroke


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
