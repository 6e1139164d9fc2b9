"""Another program reads our files while they are in use, and nothing of ours is lost by it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.till.till import open_till

_READ = """
import sqlite3, sys
for words in sys.argv[2:]:
    connection = sqlite3.connect(sys.argv[1])
    for one in words.split(";"):
        try:
            connection.execute(one).fetchall()
        except sqlite3.OperationalError as error:
            print(error)
    connection.close()
"""
LOOKS = (
    "SELECT count(*) FROM sqlite_schema",
    "BEGIN EXCLUSIVE; ROLLBACK",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "VACUUM",
)


def foreign(path: Path, *words: str) -> str:
    """Run these statements on the file, each on a connection of its own, in a program with Python's
    own sqlite3; return what it prints."""
    child = [sys.executable, "-c", _READ, str(path), *words]
    return subprocess.run(child, capture_output=True, text=True, check=True, timeout=60).stdout


def journal(folder: Path) -> tuple[Path, Callable[[], None]]:
    path = folder / "journal.db"
    return path, SqliteJournal(path).close


def till(folder: Path) -> tuple[Path, Callable[[], None]]:
    opened = open_till(folder, till_id="till")
    return folder / "till.db", opened.close


@pytest.mark.parametrize("made", [journal, till])
def test_the_log_that_we_write_to_stays(
    tmp_path: Path, made: Callable[[Path], tuple[Path, Callable[[], None]]]
) -> None:
    """Without a lock of ours the other program would take itself for the last to close the file."""
    path, close = made(tmp_path)
    try:
        log = path.with_name(f"{path.name}-wal")
        before = log.stat().st_ino
        foreign(path, *LOOKS)
        assert log.stat().st_ino == before
    finally:
        close()


def test_a_reader_of_ours_lets_nobody_take_the_file(tmp_path: Path) -> None:
    """A second connection of one program takes no lock from the first."""
    path, close = journal(tmp_path)
    try:
        open_reader(path).close()
        told = foreign(path, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE")
        assert "locked" in told
    finally:
        close()
    with closing(apsw.Connection(str(path))) as connection:
        assert connection.pragma("integrity_check") == "ok"
