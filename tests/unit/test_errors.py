"""An error that one program reports and another repeats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pos_app import errors

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


@pytest.mark.parametrize(
    "error", [errors.Invalid(what="No.", field="a"), errors.PosError(what="Odd.")]
)
def test_what_is_no_fault_of_the_machine_keeps_its_words(error: errors.PosError) -> None:
    told = errors.from_members(errors.as_members(error))
    assert (type(told), told.what) == (errors.ServerEnded, error.what)


def test_members_that_are_missing_or_odd_are_passed_over() -> None:
    told = errors.from_members({"code": "no_such", "values": ["a"]})
    assert (told.what, told.safe, told.do, told.values) == ("", "", "", {})
