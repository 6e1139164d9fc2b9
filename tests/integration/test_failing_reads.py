"""A disk that does not give a file, a missing right, and damage are three faults: each has its own
words, in the programs and in `check`, and neither of the first two is ever reported as damage."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.data_folder.install import make_again
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.bootstrap.commands.check import check_command
from pos_app.errors import DatabaseBusy, DiskFailed, FilesReplaced, MachineError
from tests.fakes.faulty_disk import PAGE, READ, FaultyDisk, faulty, settle
from tests.integration.test_server_program import demo
from tests.integration.test_server_program import run as command
from tests.sweep import sampled, turns

__all__ = ["demo"]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "tests" / "fakes" / "failing_reads.c"
ALWAYS = 1_000_000
SOME = 200
"""From this number of faults on each read fails once."""
NOBODY = 65_534
TILL = "3f0c5a52-6f0e-4f5b-9b5c-2d1f6a7c8e90"
NO_DAMAGE = ("damaged", "malformed", "move it away", "restore", "checksum")


def till(path: Path) -> None:
    open_till(path.parent, till_id=TILL).close()


def journal(path: Path) -> None:
    SqliteJournal(path).close()


def catalogue(path: Path) -> None:
    SqliteCatalogue(path).close()


def view(path: Path) -> None:
    with closing(CatalogueView(path)) as articles:
        articles.articles(1)


OPENINGS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "till": ("till/till.db", till),
    "journal": ("journal/journal.db", journal),
    "catalogue": ("catalogue/catalogue.db", catalogue),
    "catalogue at the server": ("catalogue/catalogue.db", view),
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    make_again(folder, environment="production", known={"till_id": TILL})
    for name, opened in OPENINGS.values():
        opened(folder / name)
        settle(folder / name)
    return folder


def no_damage_in(words: str) -> None:
    for told in NO_DAMAGE:
        assert told not in words, words


@pytest.mark.faults
@pytest.mark.parametrize(("what", "has_log"), turns(OPENINGS, [True, False]))
def test_each_read_of_an_opening(
    shop: Path, caplog: pytest.LogCaptureFixture, what: str, has_log: bool, times: int
) -> None:
    """A failed read is tried again; a disk that goes on failing is reported as such."""
    name, opened = OPENINGS[what]
    path, log = shop / name, (shop / name).with_name(f"{Path(name).name}-wal")
    told = before = 0
    with faulty(path) as disk:
        for nth in range(1, 1000, 1 if times >= SOME else 3):
            for often in (1, ALWAYS):
                if not has_log:
                    log.unlink(missing_ok=True)
                before = len(disk.failed)
                disk.fail(READ, nth, often)
                try:
                    opened(path)
                except DiskFailed as error:
                    assert often == ALWAYS
                    no_damage_in(str(error))
                    told += 1
                disk.mend()
                if len(disk.failed) == before:
                    break
            if len(disk.failed) == before:
                break
    assert told > (3 if times >= SOME else 0)
    no_damage_in(caplog.text)
    opened(path)


CUT = (("till/till.db", -PAGE), ("journal/journal.db", 5000), ("catalogue/catalogue.db", 50))
"""The bytes that are left of a file; a negative number of them is missing at its end."""


@pytest.mark.parametrize(("name", "left"), CUT)
def test_a_cut_file_is_damaged_for_each_command(shop: Path, name: str, left: int) -> None:
    """The disk gives all that is left of the file, so no restart of the computer helps."""
    path = shop / name
    os.truncate(path, left if left > 0 else path.stat().st_size + left)
    commands = [["check"], ["backup"], ["upgrade"], ["forget-pin"]]
    if name.startswith("journal"):
        commands.append(["server", "--port", "0"])
    told = {}
    for words in commands:
        done = command(*words, "--data", str(shop))
        told[words[0]] = done.stdout + done.stderr
        assert "restart the computer" not in told[words[0]], words
        assert "does not give" not in told[words[0]], words
        assert "the disk failed" not in told[words[0]], words
    assert f"{name}: damaged: " in told["check"]
    for one in ("backup", "upgrade", "server" if "server" in told else "backup"):
        assert f"{name} is damaged" in told[one], told[one]


@pytest.mark.faults
@pytest.mark.parametrize("name", sorted({name for name, _ in OPENINGS.values()}))
def test_check_tells_a_disk_that_fails(shop: Path, name: str, times: int) -> None:
    """Each read of a check fails; with few faults every fortieth."""
    before = 0
    with faulty(shop / name) as disk:
        for nth in range(1, 1000, 1 if times >= SOME else 40):
            for often in (1, ALWAYS):
                before = len(disk.failed)
                disk.fail(READ, nth, often)
                out = StringIO()
                status = check_command(shop, out=out)
                disk.mend()
                line = next(one for one in out.getvalue().splitlines() if one.startswith(name))
                no_damage_in(out.getvalue())
                if len(disk.failed) == before:
                    break
                assert line == f"{name}: whole." or f"{name}: not checked: The disk" in line
                assert (status == 0) is ("not checked: The disk" not in out.getvalue())
            if len(disk.failed) == before:
                break
    assert nth > 3


def grow_and_read(connection: apsw.Connection, disk: FaultyDisk) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO kept VALUES (zeroblob(100000))")
        disk.fail(READ, 1, ALWAYS)
        connection.execute("SELECT sum(length(hex(value))) FROM kept").fetchall()


def test_a_read_that_failed_is_no_other_program(tmp_path: Path) -> None:
    """SQLite then reads everything anew, and counts that as if another program had written."""
    path = tmp_path / "till" / "till.db"
    with faulty(path) as disk, closing(FolderLock(path.with_name("lock"), what="till")) as lock:
        made = ("CREATE TABLE kept (value BLOB) STRICT;",)
        with closing(open_database(path, migrations=made, lock=lock)) as connection:
            with transaction(connection):
                connection.execute("INSERT INTO kept VALUES (zeroblob(200000))")
            connection.execute("PRAGMA shrink_memory")
            with pytest.raises(DiskFailed):
                grow_and_read(connection, disk)
            assert len(disk.failed) > 1
            disk.mend()
            with transaction(connection):
                connection.execute("INSERT INTO kept VALUES (zeroblob(1))")
            assert connection.execute("SELECT count(*) FROM kept").get == 2


@pytest.mark.parametrize("when", ["before", "after"])
def test_another_program_around_a_failed_read_is_seen(tmp_path: Path, when: str) -> None:
    path = tmp_path / "till" / "till.db"
    made = ("CREATE TABLE kept (value BLOB) STRICT;",)
    with ExitStack() as opened:
        disk = opened.enter_context(faulty(path))
        lock = opened.enter_context(closing(FolderLock(path.with_name("lock"), what="till")))
        till = opened.enter_context(closing(open_database(path, migrations=made, lock=lock)))
        other = opened.enter_context(closing(with_checksums(path)))
        copy = opened.enter_context(closing(with_checksums(tmp_path / "copy.db")))
        with copy.backup("main", till, "main") as backup:
            backup.step(-1)
        with transaction(till):
            till.execute("INSERT INTO kept VALUES (zeroblob(200000))")
        till.execute("PRAGMA shrink_memory")
        if when == "before":
            other.execute("DELETE FROM kept")
            other.execute("INSERT INTO kept VALUES (zeroblob(300000))")
        with pytest.raises(DiskFailed):
            grow_and_read(till, disk)
        disk.mend()
        if when == "after":
            with other.backup("main", copy, "main") as backup:
                backup.step(-1)
        with pytest.raises(FilesReplaced), transaction(till):
            till.execute("INSERT INTO kept VALUES (zeroblob(1))")


def test_a_copy_put_back_by_who_holds_the_file_is_another_program(tmp_path: Path) -> None:
    """A write that finds the file in use fails without reading anything anew."""
    path = tmp_path / "till" / "till.db"
    made = ("CREATE TABLE kept (value BLOB) STRICT;",)
    with closing(FolderLock(path.with_name("lock"), what="till")) as lock, ExitStack() as opened:
        till = opened.enter_context(closing(open_database(path, migrations=made, lock=lock)))
        till.set_busy_timeout(10)
        copy = opened.enter_context(closing(with_checksums(tmp_path / "copy.db")))
        with copy.backup("main", till, "main") as backup:
            backup.step(-1)
        with transaction(till):
            till.execute("INSERT INTO kept VALUES (x'01')")
        other = opened.enter_context(closing(with_checksums(path)))
        with other.backup("main", copy, "main") as backup:
            backup.step(1)
            with pytest.raises(DatabaseBusy), transaction(till):
                till.execute("INSERT INTO kept VALUES (x'02')")
            backup.step(-1)
        with pytest.raises(FilesReplaced), transaction(till):
            till.execute("INSERT INTO kept VALUES (x'03')")


# --- real programs, whose reads the system refuses ----------------------------------------------
@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("there is no C compiler")
    made = tmp_path_factory.mktemp("shim") / "failing_reads.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, SOURCE, "-ldl"], check=True)
    return made


def run(
    *words: str, shim: Path, file: str, nth: int, count: int
) -> subprocess.CompletedProcess[str]:
    failing = {"FAILING_FILE": file, "FAILING_FROM": str(nth), "FAILING_COUNT": str(count)}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | failing | {"LD_PRELOAD": str(shim)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "file",
    sampled(["journal/journal.db", "till/till.db", "install.json", "catalogue/catalogue.db"]),
)
def test_programs_tell_of_the_disk(demo: Path, tmp_path: Path, shim: Path, file: str) -> None:
    shop = shutil.copytree(demo, tmp_path / "shop")
    journal(shop / "journal" / "journal.db")
    till(shop / "till" / "till.db")
    words = ["-m", "pos_app", "check", "--data", str(shop)]
    done = run(*words, shim=shim, file=f"/{file}", nth=1, count=ALWAYS)
    no_damage_in(done.stdout + done.stderr)
    assert done.returncode != 0
    assert f"The disk does not give the file {shop / file}" in done.stdout
    if not file.startswith(("catalogue", "till")):
        words = ["-m", "pos_app", "server", "--data", str(shop), "--port", "0"]
        done = run(*words, shim=shim, file=f"/{file}", nth=1, count=ALWAYS)
        assert done.returncode == 1
        assert f"The disk does not give the file {shop / file}" in done.stderr
        no_damage_in(done.stderr)


def told_to_nobody(path: Path, opened: Callable[[Path], None]) -> str:
    """Return the result for a program of a user without rights; the tests run as root."""
    forks = multiprocessing.get_context("fork")
    here, there = forks.Pipe()

    def open_it() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            opened(path)
        except MachineError as error:
            there.send(f"{type(error).__name__}: {error}")
        else:
            there.send("opened")

    child = forks.Process(target=open_it)
    child.start()
    words = str(here.recv())
    child.join()
    here.close()
    there.close()
    return words


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root takes rights away")
def test_a_missing_right_is_told_as_that(shop: Path) -> None:
    with tempfile.TemporaryDirectory() as open_to_all:
        Path(open_to_all).chmod(0o755)
        folder = shutil.copytree(shop, Path(open_to_all, "shop"))
        for one in (folder, *folder.rglob("*")):
            os.chown(one, NOBODY, NOBODY)
        for name, opened in OPENINGS.values():
            assert told_to_nobody(folder / name, opened) == "opened"
            (folder / name).chmod(0)
            words = told_to_nobody(folder / name, opened)
            (folder / name).chmod(0o600)
            assert words.startswith("DataFolderNotWritable"), words
            no_damage_in(words)
