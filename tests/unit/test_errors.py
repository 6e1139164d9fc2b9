"""An error that one program reports and another repeats."""

from __future__ import annotations

import json
import zoneinfo
from pathlib import Path

import pytest

from pos_app import errors
from pos_app.characters import is_blank
from tests.sweep import each

TOLD: list[errors.MachineError] = [
    errors.DatabaseTooNew(
        what="It is newer.", safe="Left as it is.", do="Install.", path=Path("/d/j.db")
    ),
    errors.PortTaken("stranger", what="Taken.", by="stranger", port=9999),
    errors.SettingsBroken(what="Broken."),
]


@pytest.mark.parametrize("error", TOLD, ids=lambda e: e.code)
def test_it_is_the_same_on_the_other_side(error: errors.MachineError) -> None:
    told = errors.from_members(json.loads(json.dumps(errors.as_members(error))))
    assert type(told) is type(error)
    assert (told.what, told.safe, told.do) == (error.what, error.safe, error.do)
    assert {name: str(value) for name, value in told.values.items()} == {
        name: str(value) for name, value in error.values.items()
    }
    for other in (errors.Invalid(what="No.", field="a"), errors.PosError(what="Odd.")):
        kept = errors.from_members(errors.as_members(other))
        assert (type(kept), kept.what) == (errors.ServerEnded, other.what), "its words are kept"
    odd = errors.from_members({"code": "no_such", "values": ["a"]})
    assert (odd.what, odd.safe, odd.do, odd.values) == ("", "", "", {}), "passed over"


UNSEEN = (
    *("", " \t", "\u00a0\u3000", "\u200b\u200c\u200d\u2060\ufeff", "\u00ad"),
    *("\u200e\u200f\u202a\u202e\u2066\u2069\u061c", "\u0301\u0302", "\ufe0f", "\U000e0041"),
    *("\u115f\u1160\u3164\uffa0", "\u2800", "\x00\x1b", "\ue000"),
)


@each("text", UNSEEN)
def test_nothing_of_it_can_be_seen(text: str) -> None:
    assert is_blank(text)
    assert not any(is_blank(f"{text}{seen}") for seen in ("а", "e\u0301", "🍞", "漢", "-"))


# --- the shop's zone comes from a package where the system has no zones, as Windows --------------


def test_belgrade_is_known_without_the_system() -> None:
    try:
        zoneinfo.reset_tzpath(to=())
        assert zoneinfo.ZoneInfo.no_cache("Europe/Belgrade").key == "Europe/Belgrade"
    finally:
        zoneinfo.reset_tzpath()
