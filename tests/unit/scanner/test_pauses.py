"""A scan that paused is one code or a misread: never another code, never typing, never an Enter."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pos_app.cashier.scanner.burst import PART_MS
from pos_app.cashier.scanner.decoder import ENTER
from pos_app.domain.article.barcodes import check_digit, is_whole
from tests.sweep import examples
from tests.unit.scanner.keyboard import Desk

EAN = "8609920500236"


def _gtin(length: int) -> st.SearchStrategy[str]:
    digits = st.text("0123456789", min_size=length - 1, max_size=length - 1)
    return digits.map(lambda some: some + check_digit(some))


_CODES = (
    st.sampled_from((8, 12, 13, 14)).flatmap(_gtin)
    | st.text("0123456789", min_size=4, max_size=30)
    | st.text("0123456789ABCxyz-/", min_size=4, max_size=60)
)


def _desk() -> Desk:
    """A desk whose scanner has sent its suffix before."""
    desk = Desk()
    desk.scan("4006")
    desk.now += 1_000
    desk.log.clear()
    return desk


def _scanned(
    desk: Desk, code: str, pauses: dict[int, int], *, gap: int = 4, loop_stalls: bool = False
) -> None:
    """Scan with pauses in ms before the character of each key; the length means the suffix."""
    cuts = sorted({0, len(code), *pauses})
    for begun, end in pairwise(cuts):
        _pause(desk, pauses.get(begun, 0), stalls=loop_stalls)
        desk.scan(code[begun:end], gap=gap, ends=())
    _pause(desk, pauses.get(len(code), 0), stalls=loop_stalls)
    desk.tap(ENTER, hold=2)
    desk.rest()


def _pause(desk: Desk, ms: int, *, stalls: bool) -> None:
    waits = {desk.rules.gap_ms + 5: desk.bursts.silence, PART_MS + 40: desk.bursts.end}
    for after, decide in waits.items():
        if not stalls and desk.bursts.pending is not None and ms > after:
            desk.note(decide())
    desk.now += ms


def _pauses(most: int) -> st.SearchStrategy[dict[int, int]]:
    return st.dictionaries(st.integers(1, 60), st.integers(20, most), min_size=1, max_size=4)


@settings(max_examples=examples(1_000, share=10))
@example(code=EAN, gap=4, pauses={8: 60}, stalls=False)
@given(code=_CODES, gap=st.integers(1, 8), pauses=_pauses(440), stalls=st.booleans())
def test_any_pauses(code: str, gap: int, pauses: dict[int, int], stalls: bool) -> None:
    desk = Desk()
    pauses = {at: ms for at, ms in pauses.items() if at <= len(code)}
    assume(len(pauses) < len(code))  # else each key comes at the pace of a hand
    _scanned(desk, code, pauses, gap=gap, loop_stalls=stalls)
    assert desk.codes in ([], [code])
    assert f"{ENTER} down" not in desk.log
    assert desk.codes or desk.presses or any(isinstance(entry, tuple) for entry in desk.log)
    if is_whole(code) and 1 not in pauses:
        assert desk.log == [("scan", code)]


@given(cut=st.integers(4, 13), pause=st.integers(451, 4_990))  # plus the time to the next key
def test_a_head_waits_for_the_tail_that_proves_it(cut: int, pause: int) -> None:
    """The pause was too long to wait in silence: the head is reported, and with its tail it is the
    scan; a lone Enter is its suffix as long as nobody scans again."""
    desk = _desk()
    _scanned(desk, EAN, {cut: pause})
    told = [entry for entry in desk.log if isinstance(entry, tuple)]
    if cut == len(EAN):
        assert told == [("scan", EAN)]
    else:
        assert told == [("misread", EAN[:cut]), ("scan", EAN)]
        assert desk.presses == ""
    other, code = _desk(), "lot-17-08"
    if cut < len(code) and pause <= 4_000:
        _scanned(other, code, {cut: pause})
        assert other.log == [("misread", code[:cut]), ("misread", code[cut:])], "it proves nothing"
