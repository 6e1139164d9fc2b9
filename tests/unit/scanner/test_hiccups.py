"""A day of scans from a source that hiccups: each scan is its article or reported, and never
another article."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from pos_app.cashier.scanner.burst import REST_MS
from pos_app.cashier.scanner.decoder import ENTER
from pos_app.domain.article.barcodes import check_digit
from tests.proofs import Proof
from tests.unit.scanner.keyboard import Desk

SCANS_AT_A_TIME = 100
LONGEST_MS = 400
GAPS = (1, 2, 4, 8, 16, 30)


@pytest.mark.faults
def test_scans_that_hiccup(times: int, proof: Proof) -> None:
    """Pauses between the keys, stalls of the loop, and both at once, at the rate of a bad radio."""
    for seed in range(times // 2):
        chance = Random(seed)
        desk = _desk(chance)
        gap = chance.choice(GAPS)
        for _ in range(SCANS_AT_A_TIME):
            code = _code(chance)
            told = _scanned(desk, code, gap, chance)
            read = [one for one in told if isinstance(one, tuple)]
            typed = "".join(str(one)[0] for one in told if str(one).endswith(" down"))
            proof.count(signed=len(read))
            assert read == [("scan", code)] or _is_misread(read, code, typed), (seed, code, told)


def _desk(chance: Random) -> Desk:
    """A desk whose scanner has sent its suffix before."""
    desk = Desk()
    desk.scan(_gtin(chance, 13))
    desk.now += 1_000
    desk.log.clear()
    return desk


def _scanned(desk: Desk, code: str, gap: int, chance: Random) -> list[object]:
    hiccups = {
        at: chance.randrange(20, LONGEST_MS)
        for at in range(1, len(code) + 1)
        if chance.random() < 0.1
    }
    for begun, end in pairwise(sorted({0, len(code), *hiccups})):
        _pause(desk, hiccups.get(begun, 0), stalls=chance.random() < 0.5)
        desk.scan(code[begun:end], gap=gap, ends=())
    _pause(desk, hiccups.get(len(code), 0), stalls=chance.random() < 0.5)
    desk.tap(ENTER, hold=1)
    desk.rest()
    desk.now += REST_MS
    told, desk.log = desk.log, []
    return told


def _pause(desk: Desk, ms: int, *, stalls: bool) -> None:
    """During a stall of the loop no timer is served: the stamps of the keys alone count."""
    if not stalls and desk.bursts.pending is not None and ms > desk.rules.gap_ms + 5:
        desk.note(desk.bursts.silence())
    desk.now += ms


def _is_misread(read: Sequence[object], code: str, typed: str) -> bool:
    """Whether a code was reported as misread, in one or more parts. First keys that came one by one
    are typing: one key does not show whether a machine or a hand pressed it."""
    parts = [part for name, part in map(_named, read) if name == "misread"]
    return bool(parts) and len(parts) == len(read) and typed + "".join(parts) == code


def _named(told: object) -> tuple[str, str]:
    assert isinstance(told, tuple)
    return told


def _code(chance: Random) -> str:
    if chance.random() < 0.1:
        return f"lot-{chance.randrange(10_000):04}"
    return _gtin(chance, chance.choice((8, 12, 13, 13, 13, 14)))


def _gtin(chance: Random, length: int) -> str:
    body = str(chance.randrange(10 ** (length - 2), 10 ** (length - 1)))
    return body + check_digit(body)
