"""A disk that does not give a file, a missing right, and damage are three faults: each has its own
words, in the programs and in `check`, and neither of the first two is ever reported as damage."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path

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
from pos_app.errors import DatabaseBusy, DiskFailed, FilesReplaced
from tests.fakes.faulty_disk import READ, faulty, settle
from tests.integration.test_server_program import demo
from tests.sweep import turns

__all__ = ["demo"]

ALWAYS = 1_000_000
SOME = 200
"""From this number of faults on each read fails once."""
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
