"""A record of the log is one line, whatever its text, and contains no terminal commands."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app import log


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


# --- the log that a till keeps of its server stays small, however long anything is away ----------


MOST = 40_000


def test_days_of_the_same_line_keep_within_the_bound(folder: Path) -> None:
    path, largest = folder / "server.log", 0
    with path.open("a+", encoding="utf-8") as file:
        log.configure(as_json=True, stream=file, most_bytes=MOST)
        for second in range(5_000):
            log.get("pos_app.mail").warning("поштански сервер не одговара, %d", second)
            largest = max(largest, path.stat().st_size)
    assert largest <= MOST
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) > 50
    assert all(line.startswith('{"time"') for line in lines)
    assert lines[-1].endswith('4999"}')
    unread = folder / "own.log"
    with unread.open("a", encoding="utf-8") as file:
        log.configure(stream=file, most_bytes=100)
        for number in range(9):
            log.get("pos_app.test").warning("line %d", number)
    assert len(unread.read_text(encoding="utf-8").splitlines()) == 9, "it can't be read"


def test_the_server_of_a_till_bounds_its_own_log(folder: Path) -> None:
    program = (
        "import argparse, pathlib, sys; from pos_app.bootstrap import programs; import logging;"
        "programs._server = lambda given: [logging.error('x' * 1000) for _ in range(9500)] and 0;"
        "programs.run(argparse.Namespace(program='server', log_json=True, for_till=True,"
        " data=pathlib.Path(sys.argv[1])))"
    )
    path = folder / "server.log"
    with path.open("a+b") as file:
        subprocess.run([sys.executable, "-c", program, str(folder)], stderr=file, check=True)
    assert log.MOST_BYTES // 4 < path.stat().st_size <= log.MOST_BYTES
