"""The table of attempts, and the file that each run of tests writes for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from tests import proofs
from tests.proofs import KINDS, Proof, kind_of


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "build" / "faults.json"
    monkeypatch.setattr(proofs, "WRITTEN", path)
    return path


def test_rows_of_one_name_are_added_up() -> None:
    tests = Proof("cuts", tried=2, lost=1, recovered=[0.5]), Proof("cuts", tried=3, in_flight=2)
    assert proofs.summed(map(asdict, tests)) == {
        "cuts": Proof("cuts", tried=5, in_flight=2, lost=1, recovered=[0.5])
    }


def test_each_key_is_counted_by_its_receipts() -> None:
    proof = Proof("keys")
    for signed, is_open in ((1, False), (0, False), (3, False), (0, True)):
        proof.count(signed=signed, is_open=is_open)
    assert proof == Proof("keys", tried=4, lost=1, doubled=2, stuck=1)


def test_a_test_that_failed_leaves_no_clean_row() -> None:
    assert proofs.failed(asdict(Proof("cuts")))["stuck"] == 1
    told = asdict(Proof("cuts", tried=4, lost=1))
    assert proofs.failed(told) == told


CUTS, READS = "test_each_kind_has_its_files", "test_rows_of_one_name_are_added_up"


def write(*rows: Proof, of_all: bool = False) -> None:
    proofs.write({row.name: row for row in rows}, of_all=of_all)


def read(written: Path) -> list[str]:
    rows = json.loads(written.read_text(encoding="utf-8"))["rows"]
    return [f"{row['name']} {row['tried']}" for row in rows]


def test_rows_of_other_tests_stay_but_for_those_that_are_no_more(written: Path) -> None:
    write(Proof(CUTS, tried=1), Proof("test_that_was_renamed"))
    write(Proof(READS, tried=7))
    write(Proof(CUTS, tried=2))
    assert read(written) == [f"{CUTS} 2", f"{READS} 7"]
    write(Proof(READS), of_all=True)
    assert read(written) == [f"{READS} 0"]


ALL = [Proof(f"test_of_{kind}", kind, tried=2, in_flight=1, recovered=[0.25, 3]) for kind in KINDS]


def table(
    capsys: pytest.CaptureFixture[str], rows: Sequence[Proof], *failed: str
) -> tuple[int, list[str]]:
    write(*rows)
    status = proofs.main(failed)
    return status, capsys.readouterr().out.splitlines()


def test_the_table_has_a_row_a_kind(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, (head, *rows) = table(capsys, ALL)
    assert (status, len(rows)) == (0, len(KINDS))
    assert " ".join(head.split()) == "tried in flight lost doubled stuck person p50 p99"
    assert " ".join(rows[0].split()) == "kills 2 1 0 0 0 0 0.25 s 3.00 s"


@pytest.mark.parametrize("harm", ["lost", "doubled", "stuck"])
def test_harm_is_told_by_its_test(
    written: Path, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    bad = Proof("test_bad", "cuts", tried=1, **{harm: 1})  # type: ignore[arg-type]
    status, lines = table(capsys, [*ALL, bad])
    assert (status, lines[-1]) == (1, f"test_bad: {harm} 1")


def test_a_kind_of_which_nothing_was_tried_is_told(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = table(capsys, ALL[1:])
    assert (status, lines[-1]) == (1, "kills: nothing was tried")


def test_each_kind_has_its_files() -> None:
    """A file that is renamed does not leave its kind unseen."""
    files = [kind_of(path) for path in proofs.TESTS.rglob("test_*.py")]
    assert set(files) == set(KINDS)
    assert kind_of(proofs.TESTS / "e2e" / "test_restored.py") == "restores"
    assert kind_of(proofs.TESTS / "shop" / "test_core_machine.py") == "machines"
