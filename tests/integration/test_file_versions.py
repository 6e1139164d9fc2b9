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
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.copy_before_opening import (
    MIGRATIONS,
    is_of_another_version,
    is_to_be_copied,
    is_unreleased,
)
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.shop_databases import databases
from pos_app.adapters.sqlite.till.till import open_till
from tests.e2e.nursery import door
from tests.fakes.faulty_disk import settle
from tests.fakes.next_version import STEP, become_next
from tests.integration.test_server_program import run

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


def made_in(shop: Path) -> Path:
    (made,) = (one for one in (shop / "backups").iterdir() if one.name[0].isdigit())
    return made


STATES: list[tuple[Callable[[Path], None], int, str]] = [
    (make_newer, 1, NEWER),
    (make_newer_by_another_sqlite, 1, NEWER),
    (make_strange, 1, STRANGER),
    (empty, 1, EMPTY),
]


@pytest.mark.parametrize(("make", "status", "words"), STATES)
def test_check_says_which_version_made_a_file(
    shop: Path, make: Callable[[Path], None], status: int, words: str
) -> None:
    paths = [one.path for one in databases()]
    for path in paths:
        make(shop / path)
    before = [(shop / path).read_bytes() for path in paths]
    told = run("check", "--data", str(shop))
    assert told.returncode == status, told.stdout
    for path in paths:
        line = next(one for one in told.stdout.splitlines() if one.startswith(str(path)))
        assert words in line
        assert ("damaged" in line.replace("not damaged", "")) == (words in (STRANGER, EMPTY))
    assert [(shop / path).read_bytes() for path in paths] == before, "they are only read"


def test_each_program_says_that_a_file_is_newer(shop: Path) -> None:
    for one in databases():
        make_newer(shop / one.path)
    before = [(shop / one.path).read_bytes() for one in databases()]
    upgraded = run("upgrade", "--data", str(shop))
    assert upgraded.returncode == 20
    assert WRITTEN_BY_NEWER in upgraded.stdout + upgraded.stderr
    for command in ("forget-pin", "server"):
        assert WRITTEN_BY_NEWER in run(command, "--data", str(shop)).stderr
    assert [(shop / one.path).read_bytes() for one in databases()] == before
    assert not (shop / "backups").exists(), "no copy is made by an older version"
    assert run("backup", "--data", str(shop)).returncode == 0, "a copy is made of any version"
    made = made_in(shop)
    of_set = run("check", "--data", str(made))
    assert (of_set.returncode, of_set.stdout.count(NEWER)) == (1, 3)
    assert "damaged:" not in of_set.stdout
    restored = run("restore", made.name, "--data", str(shop))
    assert restored.returncode != 0
    assert WRITTEN_BY_NEWER in restored.stdout + restored.stderr


@pytest.mark.parametrize("command", ["check", "backup", "upgrade"])
def test_whole_files_that_another_sqlite_wrote_are_taken_over(shop: Path, command: str) -> None:
    for one in databases():
        write_by_another_sqlite(shop / one.path)
    told = run(command, "--data", str(shop))
    assert told.returncode == 0, told.stdout + told.stderr
    assert "damaged" not in told.stdout + told.stderr
    assert run("check", "--data", str(shop)).stdout.count(": whole.") == 3


def close_by_another_sqlite(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("INSERT INTO lanes (name, is_counted) VALUES ('shop', 0)")
        killed = {one: one.read_bytes() for one in (path, log)}
    for one, content in killed.items():
        one.write_bytes(content)
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM lanes").fetchall() == [("shop",)]
    assert not log.exists()


def test_a_look_at_the_version_leaves_no_log_that_hides_what_another_sqlite_did(shop: Path) -> None:
    """Each start looks at it first, and then takes over what another SQLite moved from the log."""
    note_version(shop)
    close_by_another_sqlite(shop / "journal" / "journal.db")
    assert not is_to_be_copied(shop)
    SqliteJournal(shop / "journal" / "journal.db").close()
    with closing(with_checksums(shop / "journal" / "journal.db")) as connection:
        assert connection.execute("SELECT name FROM lanes").fetchall() == [("shop",)]


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


def test_older_files_are_whole_and_put_back(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("backup", "--data", str(shop)).returncode == 0
    become_next(monkeypatch, door())
    made = made_in(shop)
    for data in (shop, made):
        told = run("check", "--data", str(data))
        assert (told.returncode, told.stdout.count(OLDER)) == (0, len(databases())), told.stdout
    assert run("restore", made.name, "--data", str(shop)).returncode == 0
