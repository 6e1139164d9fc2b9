"""A commit reported as failed is not found after a crash, though all of it stood in the log."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.errors import DiskFailed
from tests.fakes import faulty_disk
from tests.sweep import pairs

TABLE = "CREATE TABLE told (number INTEGER PRIMARY KEY, body TEXT) STRICT"


def store(connection: apsw.Connection, number: int, size: int = 10) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO told VALUES (?, ?)", (number, "x" * size))


def found(folder: Path) -> list[int]:
    with closing(open_database(folder / "a.db", migrations=[TABLE])) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM told ORDER BY number")]


@pytest.mark.parametrize(
    ("kind", "size", "checkpointed"),
    pairs([faulty_disk.WRITE, faulty_disk.SYNC], [10, 30_000], [False, True]),
)
def test_a_commit_told_as_failed_is_undone(
    tmp_path: Path, kind: str, size: int, checkpointed: bool
) -> None:
    path = tmp_path / "live" / "a.db"
    with (
        faulty_disk.faulty(path) as disk,
        closing(open_database(path, migrations=[TABLE])) as connection,
    ):
        store(connection, 1)
        if checkpointed:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        nth = 0
        told, uncertain = [1], 0
        while True:
            nth += 1
            disk.fail(kind, nth)
            before = len(disk.failed)
            try:
                store(connection, 1 + nth, size)
            except DiskFailed as error:
                uncertain += error.kind == "uncertain"
            else:
                told.append(1 + nth)
            assert found(faulty_disk.crashed(path.parent, tmp_path / f"{nth}")) == told
            if len(disk.failed) == before:
                break
        assert (nth > 1, uncertain) == (True, 0)
        disk.mend()
        store(connection, 1000)
        assert found(faulty_disk.crashed(path.parent, tmp_path / "after")) == [*told, 1000]


def test_what_can_not_be_undone_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "live" / "a.db"
    with (
        faulty_disk.faulty(path) as disk,
        closing(open_database(path, migrations=[TABLE])) as connection,
    ):
        disk.fail(faulty_disk.SYNC, 1, times=1000)
        with pytest.raises(DiskFailed) as told:
            store(connection, 1)
        assert told.value.kind == "uncertain"
        disk.mend()
        store(connection, 2)
        assert found(faulty_disk.crashed(path.parent, tmp_path / "after")) == [2]


def test_a_disk_that_fails_is_not_told_as_full(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with faulty_disk.faulty(path) as disk:
        open_database(path, migrations=[TABLE]).close()
        disk.fail(faulty_disk.READ, 1, times=1000)
        with pytest.raises(DiskFailed, match="disk does not give the file"):
            open_database(path, migrations=[TABLE])
