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
    """The ledger is read while the program runs; after a kill the folder is free."""
    answers = []
    for turn in range(3):
        with program(tmp_path) as (url, process):
            for _ in range(3):
                headers = {"RequestId": f"r{turn}"}
                answer = httpx.post(url, json=sale, headers=headers, timeout=10, verify=NO_TLS)
                answers.append(answer)
                assert len(read_entries(tmp_path / "processor")) == len(answers)
            process.kill()
            process.wait(10)
    numbers = [answer.json()["invoiceNumber"] for answer in answers]
    assert [entry.number for entry in read_entries(tmp_path / "processor")] == numbers
    assert [number.rpartition("-")[2] for number in numbers] == [str(n) for n in range(1, 10)]
    processor = Processor.open(folder=tmp_path / "processor")
    assert processor.find("r2") == answers[-1].text
    processor.close()
