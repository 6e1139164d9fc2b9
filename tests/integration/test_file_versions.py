"""Each program says of a database whether an older or a newer version made it, or whether it is
damaged, empty or another program's, and never takes one for the other."""

from __future__ import annotations

import sqlite3  # noqa: TID251 - the platform's
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.data_folder import CATALOGUE
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.upgrade_mark import note_version
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.adapters.sqlite.copy_before_opening import (
    MIGRATIONS,
    is_of_another_version,
    is_unreleased,
)
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.shop_databases import databases
from pos_app.adapters.sqlite.till.till import open_till
from tests.fakes.faulty_disk import settle
from tests.fakes.next_version import STEP

NEWER, OLDER, STRANGER, EMPTY = (
    "made by a newer version",
    "whole, of an earlier version",
    "is not a database of this product",
    "is empty",
)
WRITTEN_BY_NEWER = "was written by a newer version of this product"


@pytest.fixture
def shop(folder: Path) -> Path:
    install = open_install(folder, environment="production")
    SqliteJournal(folder / "journal" / "journal.db").close()
    open_till(folder / "till", till_id=install.till_id).close()
    open_writer(folder / "catalogue" / "catalogue.db", durable=True).close()
    for one in databases():
        settle(folder / one.path)
    return folder


def make_newer(path: Path) -> None:
    with closing(with_checksums(path)) as connection:
        connection.pragma("user_version", connection.pragma("user_version") + 1)


def write_by_another_sqlite(path: Path, *, newer: int = 0) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute(f"PRAGMA user_version={version + newer}")
        connection.execute("VACUUM")
    assert not path.with_name(f"{path.name}-wal").exists(), "sqlite3 moves the log into the file"


def make_newer_by_another_sqlite(path: Path) -> None:
    write_by_another_sqlite(path, newer=1)


def make_strange(path: Path) -> None:
    empty(path)
    with closing(apsw.Connection(str(path), vfs="unix")) as connection:
        connection.execute("CREATE TABLE notes (text); INSERT INTO notes VALUES ('a')")


def empty(path: Path) -> None:
    for one in path.parent.glob(f"{path.name}*"):
        one.unlink()
    path.write_bytes(b"")


def write(path: Path, statements: str) -> None:
    with closing(with_checksums(path)) as connection:
        connection.execute(statements)


def be_of_another_program(path: Path) -> None:
    write(path, "PRAGMA application_id=1; PRAGMA user_version=5")


def be_unreleased(path: Path) -> None:
    write(path, "PRAGMA user_version=5")


def wear_mark_of_another(path: Path) -> None:
    write(path, "UPDATE made_by SET steps = ''")


def write_text(path: Path) -> None:
    path.write_bytes(b"text" * 2000)


NEITHER = (False, False)
KINDS: list[tuple[Callable[[Path], object], tuple[bool, bool], tuple[bool, bool]]] = [
    (settle, NEITHER, (True, False)),
    (Path.unlink, NEITHER, NEITHER),
    (empty, NEITHER, NEITHER),
    (write_text, NEITHER, NEITHER),
    (make_strange, NEITHER, NEITHER),
    (be_of_another_program, NEITHER, NEITHER),
    (be_unreleased, (True, True), (True, True)),
    (wear_mark_of_another, (False, True), (True, True)),
    (make_newer, NEITHER, (False, True)),  # the next version has another mark with this number
    (make_newer_by_another_sqlite, NEITHER, NEITHER),
]


@pytest.mark.parametrize(("make", "now", "afterwards"), KINDS)
def test_a_start_tells_what_is_copied_or_set_aside(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], object],
    now: tuple[bool, bool],
    afterwards: tuple[bool, bool],
) -> None:
    """now: whether the file is of another version, and of an unreleased build. afterwards: the same
    for the next version, which has one step more."""
    open_writer(folder / CATALOGUE, durable=True).close()
    note_version(folder)
    make(folder / CATALOGUE)
    assert (is_of_another_version(folder), is_unreleased(folder)) == now
    monkeypatch.setitem(MIGRATIONS, CATALOGUE, (*MIGRATIONS[CATALOGUE], STEP))
    assert (is_of_another_version(folder), is_unreleased(folder)) == afterwards
