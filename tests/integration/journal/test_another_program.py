"""Another program, whose SQLite knows no checksums, opens and closes what a killed server left."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.adapters.sqlite.journal import SqliteJournal
from tests.integration.journal.test_journal import command, request

MANY = 40
LOOK = "import apsw, sys; c = apsw.Connection(sys.argv[1]); print(c.execute({0!r}).get); c.close()"
COUNT = "SELECT count(*) FROM commands"


def left_by_a_kill(folder: Path) -> Path:
    """A journal as a program that was killed leaves it: all of it in the log."""
    journal = SqliteJournal(folder / "live" / "journal.db")
    for number in range(1, MANY + 1):
        journal.accept(command(number), [request(number)])
    killed = folder / "killed"
    shutil.copytree(folder / "live", killed)
    journal.close()
    return killed / "journal.db"


def looked_at(path: Path, sql: str = COUNT) -> str:
    """What another program reads there."""
    words = [sys.executable, "-c", LOOK.format(sql), str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_look_after_a_kill_damages_nothing(folder: Path) -> None:
    path = left_by_a_kill(folder)
    assert looked_at(path) == str(MANY)
    assert not path.with_name("journal.db-wal").exists()
    journal = SqliteJournal(path)
    assert all(journal.request(f"c{number}") for number in range(1, MANY + 1))
    assert faults_of(journal._connection) == []
    journal.close()


def test_a_copy_by_another_program_is_taken(folder: Path) -> None:
    path = left_by_a_kill(folder)
    copy = folder / "copy" / "journal.db"
    copy.parent.mkdir()
    looked_at(path, f"VACUUM INTO '{copy}'")
    journal = SqliteJournal(copy)
    assert journal.request("c1") is not None
    assert faults_of(journal._connection) == []
    journal.close()


def test_our_own_log_stays_when_a_journal_is_closed(folder: Path) -> None:
    path = left_by_a_kill(folder)
    SqliteJournal(path).close()
    assert path.with_name("journal.db-wal").exists()
