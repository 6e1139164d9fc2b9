"""A scan that paused is one code or a misread: never another code, never typing, never an Enter."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pos_app.cashier.scanner.burst import PART_MS
from pos_app.cashier.scanner.decoder import ENTER
from pos_app.domain.article.barcodes import check_digit, is_whole
from tests.sweep import each, examples
from tests.unit.scanner.keyboard import Desk

EAN = "8609920500236"
PAUSES = range(20, 401, 60)


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


@each("pause", PAUSES)
@each("code", [EAN, "96385074", "036000291452", "15400141288763"])
def test_a_code_with_a_check_digit_is_scanned_wherever_it_paused(code: str, pause: int) -> None:
    for stalls in (False, True):
        for cut in range(1, len(code) + 1):
            desk = Desk()
            _scanned(desk, code, {cut: pause}, loop_stalls=stalls)
            assert desk.log == [("scan", code)], cut


@each("pause", [60, 300, 400])
@each("code", ["lot-17/a", "1234567", "86099205002368"])
def test_a_code_without_one_is_misread(code: str, pause: int) -> None:
    for cut in range(1, len(code)):
        desk = Desk()
        _scanned(desk, code, {cut: pause})
        assert desk.log == [("misread", code)], cut


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


@each("cut", range(4, 13))
def test_the_first_scan_of_a_day_that_broke_sells_nothing_else(cut: int) -> None:
    """No scanner has sent a suffix yet, so the head is looked up as it is; its tail is reported."""
    desk = Desk()
    _scanned(desk, EAN, {cut: 1_500})
    assert desk.log == [("scan", EAN[:cut]), ("misread", EAN[cut:])]


@each("other", [EAN, "96385074", "lot-17"])
def test_a_head_that_is_scanned_once_more_or_followed_by_a_proved_code(other: str) -> None:
    desk = _desk()
    desk.scan("lot-1", ends=())
    desk.rest()
    desk.now += 1_000
    desk.scan(other)
    assert desk.log == [("misread", "lot-1"), ("scan", other)]
    desk.now += 1_000
    desk.scan("11")  # no tail waits for it any more
    assert desk.presses == "1128"


@each("typed", ["34\r", "4\r", "0700134\r"])
def test_a_number_that_a_hand_types_after_a_head_is_its_number(typed: str) -> None:
    desk = _desk()
    desk.scan(EAN[: 14 - len(typed)], ends=())
    desk.rest()
    for gap, hold in ((120, 60), (60, 30), (45, 25)):
        desk.log.clear()
        desk.now += 1_000
        desk.type(typed, gap=gap, hold=hold)
        desk.rest()
        assert desk.presses == typed[:-1] + "28"
        assert not [entry for entry in desk.log if isinstance(entry, tuple)]


def test_a_remote_desktop_and_a_hand_while_the_rest_is_waited_for_type() -> None:
    """A remote desktop presses and releases at once, key by key at the pace of a hand."""
    desk = Desk()
    desk.type("jabuka 12\r", gap=130, hold=0)
    desk.rest()
    assert (desk.presses, desk.codes) == ("jabuka 1228", [])
    desk = _desk()
    desk.scan("lot-17", ends=())
    desk.silence()
    desk.type("5\r", gap=130)
    assert desk.log == [("misread", "lot-17"), "5 down", "5 up", "28 down", "28 up"]
