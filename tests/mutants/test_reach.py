"""The tests that are run for a mutant: those that reach its line, the fastest first."""

from __future__ import annotations

from pathlib import Path

import pytest
from coverage import CoverageData

from tests.mutants.reach import Reach

PATH = "pos_app/domain/example.py"
CONSTANT, LINE, ELSEWHERE = 1, 5, 9


@pytest.fixture
def reach(tmp_path: Path) -> Reach:
    data = CoverageData(str(tmp_path / "coverage"))
    for context, lines in (
        ("", [CONSTANT]),
        ("tests/test_a.py::test_slow|run", [LINE]),
        ("tests/test_a.py::test_fast|run", [LINE]),
        ("tests/test_b.py::test_other|setup", [LINE]),
        ("tests/test_b.py::test_elsewhere|run", [ELSEWHERE]),
        ("tests/test_c.py::test_slowest|run", [LINE]),
    ):
        data.set_context(context)
        data.add_lines({PATH: lines})
    seconds = {
        "tests/test_a.py::test_slow": 9.0,
        "tests/test_a.py::test_fast": 0.1,
        "tests/test_b.py::test_other": 2.0,
        "tests/test_c.py::test_slowest": 50.0,
    }
    return Reach(data, seconds)


def test_the_fastest_are_chosen_and_then_each_file_has_its_turn(reach: Reach) -> None:
    fast, slow = "tests/test_a.py::test_fast", "tests/test_a.py::test_slow"
    other, slowest = "tests/test_b.py::test_other", "tests/test_c.py::test_slowest"
    assert reach.chosen(PATH, [LINE], 70) == [fast, other, slow, slowest]
    assert reach.chosen(PATH, [LINE], 54) == [fast, other, slow], "the last one has no time left"
    assert reach.chosen(PATH, [LINE], 10) == [fast, other]
    assert reach.chosen(PATH, [LINE], 0) == [fast]
    reach.seconds[slow] = 48.0
    reach.seconds[slowest] = 50.0
    assert reach.chosen(PATH, [LINE], 60) == [fast, other, slowest], "a file that had no turn"


def test_the_one_that_noticed_a_mutant_before_is_first_if_it_is_still_there(reach: Reach) -> None:
    slow, slowest = "tests/test_a.py::test_slow", "tests/test_c.py::test_slowest"
    chosen = reach.chosen(PATH, [LINE], 54)
    assert reach.chosen(PATH, [LINE], 54, first=slow)[0] == slow
    assert {*reach.chosen(PATH, [LINE], 54, first=slow)} == {*chosen}
    assert reach.chosen(PATH, [LINE], 0, first=slowest) == [slowest]
    assert reach.chosen(PATH, [LINE], 54, first="tests/test_d.py::test_gone") == chosen


def test_a_constant_is_tried_by_every_test_of_its_module(reach: Reach) -> None:
    assert len(reach.chosen(PATH, [CONSTANT], 70)) == 5
    assert reach.chosen("pos_app/domain/unknown.py", [LINE], 60) == []
