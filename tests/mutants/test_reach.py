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


def test_each_file_has_its_turn_before_a_file_has_a_second_one(reach: Reach) -> None:
    fast, slow = "tests/test_a.py::test_fast", "tests/test_a.py::test_slow"
    other = "tests/test_b.py::test_other"
    slowest = "tests/test_c.py::test_slowest"
    assert reach.chosen(PATH, [LINE], 70) == [fast, other, slowest, slow]
    assert reach.chosen(PATH, [LINE], 10) == [fast, other]
    assert reach.chosen(PATH, [LINE], 0) == [fast]


def test_one_that_takes_too_long_keeps_no_faster_one_out(reach: Reach) -> None:
    chosen = reach.chosen(PATH, [LINE], 20)
    assert "tests/test_c.py::test_slowest" not in chosen
    assert chosen[-1] == "tests/test_a.py::test_slow"


def test_a_constant_is_tried_by_every_test_of_its_module(reach: Reach) -> None:
    assert len(reach.chosen(PATH, [CONSTANT], 70)) == 5
    assert reach.chosen("pos_app/domain/unknown.py", [LINE], 60) == []
