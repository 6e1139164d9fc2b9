"""The table of what was tried, which is written down when a run ends."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests import proofs
from tests.proofs import Proof


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


def test_rows_of_other_tests_stay(written: Path) -> None:
    proofs.write([Proof("cuts", tried=1)])
    proofs.write([Proof("reads", tried=7)])
    proofs.write([Proof("cuts", tried=2)])
    rows = json.loads(written.read_text(encoding="utf-8"))["rows"]
    assert rows == [asdict(Proof("cuts", tried=2)), asdict(Proof("reads", tried=7))]
