"""The table of attempts that is written when a run ends."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests import proofs
from tests.proofs import Proof
from tests.sweep import LONG

ADDS_TIMES = "def pytest_addoption(parser): parser.addoption('--times', type=int)"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "build" / "faults.json"
    monkeypatch.setattr(proofs, "WRITTEN", path)
    return path


def test_rows_of_one_name_are_added_up() -> None:
    one, other = Proof("cuts", tried=2, lost=1), Proof("cuts", tried=3, doubled=1, stuck=2)
    assert proofs.summed([asdict(one), asdict(other)]) == [Proof("cuts", 5, 1, 1, 2)]


def test_each_key_is_counted_by_its_receipts() -> None:
    proof = Proof("keys")
    for signed, is_open in ((1, False), (0, False), (3, False), (0, True)):
        proof.count(signed=signed, is_open=is_open)
    assert proof == Proof("keys", tried=4, lost=1, doubled=2, stuck=1)


def test_a_test_that_failed_leaves_no_clean_row() -> None:
    assert proofs.failed(asdict(Proof("cuts")))["stuck"] == 1
    told = asdict(Proof("cuts", tried=4, lost=1))
    assert proofs.failed(told) == told


CUTS, READS = "test_rows_of_other_tests_stay", "test_rows_of_one_name_are_added_up"
GONE = "test_that_was_renamed"


def names(written: Path) -> list[str]:
    return [row["name"] for row in json.loads(written.read_text(encoding="utf-8"))["rows"]]


def test_rows_of_other_tests_stay(written: Path) -> None:
    proofs.write([Proof(CUTS, tried=1)])
    proofs.write([Proof(READS, tried=7)])
    proofs.write([Proof(CUTS, tried=2)])
    rows = json.loads(written.read_text(encoding="utf-8"))["rows"]
    assert rows == [asdict(Proof(READS, tried=7)), asdict(Proof(CUTS, tried=2))]


def test_rows_of_tests_that_are_no_more_go(written: Path) -> None:
    proofs.write([Proof(CUTS), Proof(GONE)])
    proofs.write([Proof(READS)])
    assert names(written) == [READS, CUTS]


def test_a_whole_run_begins_the_file_anew(written: Path) -> None:
    proofs.write([Proof(CUTS)])
    proofs.write([Proof(READS)], of_all=True)
    assert names(written) == [READS]


@pytest.mark.parametrize(
    ("words", "is_whole"),
    [
        (["--times", "3"], True),
        (["tests/unit/test_proofs.py"], False),
        (["-k", "cuts"], False),
        pytest.param([], True, marks=LONG),
        pytest.param(["-m", "faults"], False, marks=LONG),
        pytest.param(["--lf"], False, marks=LONG),
    ],
)
def test_a_run_of_some_tests_is_not_whole(
    pytester: pytest.Pytester, words: list[str], is_whole: bool
) -> None:
    pytester.makeini("[pytest]\ntestpaths = tests")
    pytester.makepyfile(
        **{"tests/conftest": ADDS_TIMES, "tests/unit/test_proofs": "def test_cuts(): ..."}
    )
    config = pytester.parseconfig(*words)
    assert proofs.is_whole(config) is is_whole
