"""A receipt that was answered exists, whatever happens to the program afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.e2e.nursery import Life, born
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key


@contextmanager
def program(data: Path) -> Iterator[tuple[str, Life]]:
    """The processor as a program of its own: its address, and the program to kill."""
    give_key(data / "processor")
    process = born("processor", "--data", str(data), "--port", "0")
    try:
        yield f"{process.stdout.readline().strip()}/api/v3/invoices", process
    finally:
        process.kill()
        process.communicate()


def test_a_kill_right_after_the_answer_loses_nothing(tmp_path: Path, sale: dict[str, Any]) -> None:
    numbers = []
    for turn in range(4):
        with program(tmp_path) as (url, process):
            for _ in range(3):
                answer = httpx.post(
                    url, json=sale, headers={"RequestId": f"r{turn}"}, timeout=10, verify=NO_TLS
                )
                numbers.append(answer.json()["invoiceNumber"])
            process.kill()
    assert [entry.number for entry in read_entries(tmp_path / "processor")] == numbers
    assert [number.rpartition("-")[2] for number in numbers] == [str(n) for n in range(1, 13)]


def test_after_a_kill_the_folder_is_free_and_the_receipt_is_found(
    tmp_path: Path, sale: dict[str, Any]
) -> None:
    with program(tmp_path) as (url, process):
        answer = httpx.post(
            url, json=sale, headers={"RequestId": "r1"}, timeout=10, verify=NO_TLS
        ).text
        process.kill()
        process.wait(10)
        processor = Processor.open(folder=tmp_path / "processor")
        assert processor.find("r1") == answer
        processor.close()


def test_the_ledger_is_read_while_the_program_runs(tmp_path: Path, sale: dict[str, Any]) -> None:
    with program(tmp_path) as (url, _):
        for count in range(1, 4):
            httpx.post(url, json=sale, timeout=10, verify=NO_TLS)
            assert len(read_entries(tmp_path / "processor")) == count
