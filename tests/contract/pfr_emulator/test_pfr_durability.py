"""A receipt that was answered exists, whatever happens to the program afterwards."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.fakes.no_tls import NO_TLS

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import socket, sys
from pathlib import Path
import uvicorn
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.processor import Processor

processor = Processor.open(folder=Path(sys.argv[1]))
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
config = uvicorn.Config(create_app(processor), http=CuttableH11, log_config=None, lifespan="off")
uvicorn.Server(config).run(sockets=[listener])
"""


@contextmanager
def program(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The processor as a program of its own: its address, and the program to kill."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    with process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/api/v3/invoices", process
        finally:
            process.kill()


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
    assert [entry.number for entry in read_entries(tmp_path)] == numbers
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
        processor = Processor.open(folder=tmp_path)
        assert processor.find("r1") == answer
        processor.close()


def test_the_ledger_is_read_while_the_program_runs(tmp_path: Path, sale: dict[str, Any]) -> None:
    with program(tmp_path) as (url, _):
        for count in range(1, 4):
            httpx.post(url, json=sale, timeout=10, verify=NO_TLS)
            assert len(read_entries(tmp_path)) == count
