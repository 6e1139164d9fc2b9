"""The text of one burst of keys, and whether a hand could have pressed them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from pos_app.cashier.scanner.decoder import alt_char
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind

E = TypeVar("E")

HAND_MS = 35
"""A hand presses four keys with pauses as short as this only by rolling over them."""
WIRE_MS = 8
"""Only a machine makes pauses this short (a full-speed USB device reports every 1-8 ms)."""
TAP_MS = 35
"""A finger stays on a key for 50-120 ms, a scanner for less than this."""
LIGHT_TAP_MS = 20
"""No finger presses a key so briefly. This decides where there is no pause to measure."""
LONGEST_NUMBER = 4
"""The most digits typed with Alt for one character."""
LEAST_BY_PAUSES = 4
"""For this many keys or more, the pauses decide between machine and hand; for fewer, the time that
each key was down."""


def spell(
    strokes: Sequence[Stroke[E]],
    *,
    human_shifts: Collection[int] = (),
    human_controls: Collection[int] = (),
) -> str:
    """Return the text of a burst. A Shift that was down before the burst (`human_shifts`: its keys)
    or is still down after it is the cashier's, and is ignored, because a scanner releases each
    Shift that it presses. Keys under the cashier's Ctrl or Alt (`human_controls`) are read without
    that modifier; a scanner's own control codes are not read."""
    return "".join(_characters(strokes, set(human_shifts), human_controls))


def _characters(
    strokes: Sequence[Stroke[E]], human: set[int], human_controls: Collection[int]
) -> Iterator[str]:
    scanner_shifts: set[int] = set()
    digits, composed = "", ""
    released = {each.key: index for index, each in enumerate(strokes) if not each.down}
    for index, stroke in enumerate(strokes):
        if stroke.kind is StrokeKind.SHIFT and not stroke.down:
            scanner_shifts.discard(stroke.key)
        elif stroke.kind is StrokeKind.SHIFT:
            (scanner_shifts if released.get(stroke.key, -1) > index else human).add(stroke.key)
        elif stroke.kind is StrokeKind.ALT and not stroke.down:
            composed = alt_char(digits) if len(digits) <= LONGEST_NUMBER else digits
            digits = ""
            yield composed
        elif stroke.counts and stroke.kind is StrokeKind.ALT_DIGIT:
            digits += stroke.char
        elif stroke.counts and stroke.kind is StrokeKind.COMBINATION:
            yield "" if _is_control_code(strokes, index, human_controls) else stroke.plain
        elif stroke.counts:
            # Windows also sends the composed character itself, as a key without a number.
            echo = stroke.key == 0 and stroke.char == composed
            composed = ""
            if not echo:
                yield stroke.plain if human and not scanner_shifts else stroke.char
    yield digits


def under_a_held_key(strokes: Sequence[Stroke[E]], *, human_controls: Collection[int]) -> bool:
    """Tell whether somebody held Ctrl, Alt or the like. A scanner releases a modifier of its own
    before the next key, and Alt after the few digits of a character."""
    digits = 0
    for index, stroke in enumerate(strokes):
        if stroke.kind is StrokeKind.ALT and not stroke.down and stroke.key not in human_controls:
            digits = 0
        if not stroke.counts:
            continue
        is_combined = stroke.kind is StrokeKind.COMBINATION
        if is_combined and not _is_control_code(strokes, index, human_controls):
            return True
        digits += stroke.kind is StrokeKind.ALT_DIGIT
        if digits > LONGEST_NUMBER:
            return True
    return digits > 0


def _is_control_code(
    strokes: Sequence[Stroke[E]], index: int, human_controls: Collection[int]
) -> bool:
    """Tell whether the scanner itself pressed and released the Ctrl or Alt of this key."""
    for after in strokes[index + 1 :]:
        if after.counts:
            return False
        if after.kind in (StrokeKind.MODIFIER, StrokeKind.ALT) and not after.down:
            return after.key not in human_controls
    return False


def by_machine(strokes: Sequence[Stroke[E]], *, ended: bool) -> bool:
    """Tell whether a scanner pressed these keys; `ended`: an Enter or Tab came with them.

    | pauses between keys      | it is a scanner when                                          |
    |--------------------------|---------------------------------------------------------------|
    | half of them <= 8 ms     | always                                                        |
    | all <= 35 ms             | half of the keys were up before the next was pressed: a palm  |
    |                          | or a roll of fingers keeps them down                          |
    | longer (slow gap_ms set) | as above, half were released within 35 ms, and the suffix came|
    """
    presses = [stroke for stroke in strokes if stroke.counts]
    gaps = [max(b.at - a.at, 0) for a, b in pairwise(presses)]
    if not gaps or _middle(gaps) <= WIRE_MS:
        return True
    dwells = _dwells(strokes)
    tapped = sum(dwell <= gap for dwell, gap in zip(dwells, gaps, strict=False))
    if 2 * tapped < len(gaps):
        return False
    return max(gaps) <= HAND_MS or (ended and _middle(dwells) <= TAP_MS)


def _middle(times: Sequence[float]) -> float:
    """Return the low median, as `statistics.median_low` does, whose module takes a millisecond of
    each start."""
    return sorted(times)[(len(times) - 1) // 2]


def key_runs(strokes: Sequence[Stroke[E]], *, gap_ms: int) -> list[tuple[Stroke[E], ...]]:
    """Return the strokes, cut where a counting key came more than `gap_ms` after the one before
    it."""
    cuts, last = [0], None
    for index, stroke in enumerate(strokes):
        if stroke.counts:
            if last is not None and not 0 <= stroke.at - last <= gap_ms:
                cuts.append(index)
            last = stroke.at
    return [tuple(strokes[a:b]) for a, b in pairwise([*cuts, len(strokes)])]


def may_be_a_part(part: Sequence[Stroke[E]], *, ended: bool) -> bool:
    """Tell whether these keys, without a pause, may be a part of a scan. `ended`: see
    by_machine."""
    presses = [stroke for stroke in part if stroke.counts]
    if len(presses) >= LEAST_BY_PAUSES:
        return by_machine(part, ended=ended)
    if len(presses) > 1 and max(b.at - a.at for a, b in pairwise(presses)) <= WIRE_MS:
        return True
    return max(_dwells(part), default=0.0) <= LIGHT_TAP_MS


def _dwells(strokes: Sequence[Stroke[E]]) -> list[float]:
    dwells: list[float] = []
    down: dict[int, tuple[int, int]] = {}
    for stroke in strokes:
        if stroke.counts:
            down[stroke.key] = (len(dwells), stroke.at)
            dwells.append(float("inf"))
        elif not stroke.down and stroke.key in down:
            index, since = down.pop(stroke.key)
            dwells[index] = stroke.at - since
    return dwells
