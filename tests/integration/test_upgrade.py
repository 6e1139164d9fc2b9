"""`pos-app upgrade`: every database is brought to this version, or all are as they were before.

The files are this version's, and the programs that bring them further are the next one's, which has
a step more for each.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from pos_app import __version__, settings
from pos_app.adapters.backup import sets
from pos_app.adapters.data_folder import catalogue_file, upgrade_mark
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.upgrade_mark import (
    BACKUPS,
    MARK,
    OPENED_BY,
    SETUP_MARK,
    opened_by,
)
from pos_app.adapters.sqlite import shop_upgrade
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS
from pos_app.adapters.sqlite.copy_before_opening import copy_before_opening
from pos_app.adapters.sqlite.database import open_database, open_reader
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.shop_databases import ShopDatabase, databases
from pos_app.adapters.sqlite.shop_upgrade import KEPT, copy_once
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.bootstrap.commands import upgrade as upgrade_module
from pos_app.bootstrap.commands.stop import BUSY
from pos_app.bootstrap.commands.upgrade import DONE, PUT_BACK, upgrade_command
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.sale.sell import start
from tests.e2e.nursery import Life, born, door
from tests.fakes.next_version import NEXT, STEP, THIS, become_next
from tests.fakes.small_disk import PAGE, fill, make_room, small_disk
from tests.integration.test_server_program import demo_shop, run, until
from tests.ports import free_port
from tests.sweep import sampled

ANOTHER = "ALTER TABLE meta ADD COLUMN of_a_later_version TEXT"
ROOT = Path(__file__).parents[2]
SETUP = ROOT / "packaging" / "windows" / "setup.nsi"
COPIED = "shown Подаци се копирају пре него што их нова верзија отвори … "
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its setup makes the copy")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a shop as this version left it; its programs are the next version's from here on."""
    data = tmp_path / "shop"
    install = open_install(data, environment="production")
    open_till(data / "till", till_id=install.till_id).close()
    SqliteJournal(data / "journal" / "journal.db").close()
    open_database(catalogue_file(data), migrations=MIGRATIONS).close()
    become_next(monkeypatch, door())
    words = f'[till]\nname = "Каса 7"\n[server]\nport = {free_port()}\n'
    (data / "settings.toml").write_text(words, encoding="utf-8")
    return data


def with_steps(*steps: str) -> tuple[ShopDatabase, ...]:
    return tuple(
        replace(one, migrations=(*one.migrations, *steps)) if one.path.name == "till.db" else one
        for one in databases()
    )


def upgraded(data: Path) -> tuple[int, str]:
    told = StringIO()
    return upgrade_command(data, out=told), told.getvalue()


def status_of_fork(act: Callable[[], object]) -> int:
    pid = os.fork()
    if pid == 0:
        act()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def version(path: Path) -> int:
    with closing(open_reader(path)) as connection:
        return int(connection.execute("PRAGMA user_version").get)


def contents(data: Path) -> dict[str, object]:
    found: dict[str, object] = {"settings": (data / "settings.toml").read_bytes()}
    for one in databases():
        with closing(open_reader(data / one.path)) as connection:
            tables = connection.execute(
                "SELECT name, sql FROM sqlite_schema ORDER BY name"
            ).fetchall()
            rows = {
                name: connection.execute(f'SELECT * FROM "{name}"').fetchall()
                for name, sql in tables
                if sql and sql.startswith("CREATE TABLE")
            }
            found[one.path.name] = (version(data / one.path), tables, rows)
    return found


def test_an_earlier_version_s_databases_are_brought_to_this_one(shop: Path) -> None:
    before = contents(shop)
    status, told = upgraded(shop)
    assert status == DONE, told
    assert version(catalogue_file(shop)) == NEXT
    (copies,) = (shop / BACKUPS).iterdir()
    assert copies.name in told
    assert not (shop / MARK).exists()
    for one in databases():
        (shop / one.path).unlink()
        (shop / one.path).with_name(f"{one.path.name}-wal").unlink()
        (copies / one.path).replace(shop / one.path)
    assert contents(shop) == before
    with open_till_core(settings.load(shop)) as core:
        assert core.catalogue is not None


def copies_of(data: Path) -> list[Path]:
    return list((data / BACKUPS).glob("before-*"))


def bring_without_copies(data: Path) -> None:
    assert upgraded(data)[0] == DONE
    for path in copies_of(data):
        shutil.rmtree(path)


def ran_till(data: Path, program: str = "till") -> None:
    said, address = data.with_name(f"{program}.said"), data / "journal" / "server.address"
    with said.open("ab") as errors:
        till = born(program, "--data", str(data), errors=errors, QT_QPA_PLATFORM="offscreen")
    try:
        until(lambda: address.is_file() or till.poll() is not None)
        assert till.poll() is None, f"it ended with {till.poll()}: {said.read_text()[-3000:]}"
    finally:
        assert run("stop", "--data", str(data), "--wait", "60").returncode == 0
        till.communicate(60)


def list_of_articles(data: Path) -> Path:
    file = data.with_name("articles.json")
    file.write_text('{"products": []}', encoding="utf-8")
    return file


FIRST_PROGRAMS: dict[str, Callable[[Path], object]] = {
    "till": ran_till,
    "server": lambda data: ran_till(data, "server"),
    "sync": lambda data: run("sync", str(list_of_articles(data)), "--data", str(data)),
    "forget-pin": lambda data: run("forget-pin", "--data", str(data)),
    "upgrade": lambda data: run("upgrade", "--data", str(data)),
}


@pytest.mark.parametrize("first", FIRST_PROGRAMS)
def test_each_update_makes_one_copy_though_its_tables_are_the_same(shop: Path, first: str) -> None:
    """As setup does on Windows at each update, whichever program is the first of the newer one."""
    bring_without_copies(shop)
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")
    FIRST_PROGRAMS[first](shop)
    (copies,) = copies_of(shop)
    assert copies.name == f"before-{__version__}"
    for again in ("sync", "forget-pin"):
        FIRST_PROGRAMS[again](shop)
    assert copies_of(shop) == [copies], "one copy for one update"


def test_a_first_program_that_opens_a_part_of_the_databases_makes_the_only_copy(shop: Path) -> None:
    """The catalogue lacks a step until the till opens it."""
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")
    FIRST_PROGRAMS["forget-pin"](shop)
    (copies,) = copies_of(shop)
    assert (opened_by(shop), version(catalogue_file(shop))) == (__version__, THIS)
    older = catalogue_file(shop).read_bytes()
    ran_till(shop)
    assert version(catalogue_file(shop)) == NEXT
    assert copies_of(shop) == [copies], "one copy for one update"
    catalogue_file(shop).with_name("catalogue.db-wal").unlink(missing_ok=True)
    catalogue_file(shop).write_bytes(older)
    ran_till(shop)
    assert len(copies_of(shop)) == 2, "what an earlier version wrote since is not in the copy"


def test_a_second_start_while_the_shop_is_copied_calls_the_first_to_the_front(shop: Path) -> None:
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")
    log = shop / "logs" / "till.log"
    with Path(os.devnull).open("wb") as nowhere:
        with FolderLock(shop / sets.LOCK, what="backup"):
            words = ("till", "--data", str(shop))
            first = born(*words, errors=nowhere, QT_QPA_PLATFORM="offscreen")
            until(lambda: log.exists() and "this one waits" in log.read_text("utf-8"), 20)
            second = born(*words, errors=nowhere, QT_QPA_PLATFORM="offscreen")
            second.communicate(20)
            assert second.wait() == 0
            assert "it was called to the front" in log.read_text("utf-8")
            done = run("stop", "--data", str(shop), "--wait", "1")
            assert (done.returncode, opened_by(shop)) == (BUSY, "0.9.0")
            assert "writes a file or a backup" in done.stderr
            assert first.poll() is None
        until((shop / "journal" / "server.address").is_file)
        assert run("stop", "--data", str(shop), "--wait", "60").returncode == 0
        first.communicate(60)
    assert len(copies_of(shop)) == 1


LARGE = 60 << 20
"""The bytes of a catalogue whose copy takes some tenths of a second."""


def make_large(shop: Path, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    with closing(open_database(catalogue_file(shop), migrations=migrations)) as catalogue:
        catalogue.execute("CREATE TABLE large AS SELECT zeroblob(?) AS content", (LARGE,))
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")


def updated_till(shop: Path, *words: str) -> Life:
    module = "tests.integration.till.updated_till"
    return Life(door(), ["-m", module, str(shop), *words], env=os.environ)


@pytest.mark.parametrize("words", [(), ("demo",)], ids=["till", "demo"])
def test_a_person_sees_how_far_it_is(shop: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    if words:
        shop = demo_shop(tmp_path / "demo", has_own_port=True)
    make_large(shop, (*MIGRATIONS, STEP) if words else MIGRATIONS)
    till = updated_till(shop, *words)
    told = till.communicate(60)[0].splitlines()
    assert till.wait() == 0
    *parts, opens, opened = told
    percents = [int(one.removeprefix(COPIED).removesuffix(" %")) for one in parts]
    assert len(percents) > 2, told
    assert percents == sorted(percents)
    assert (percents[0], opens, opened) == (0, "shown Каса се отвара …", "opened ")
    assert len(copies_of(shop)) == 1


@pytest.mark.parametrize("copied", sampled([0, 1 << 20, LARGE // 2, LARGE]))
def test_a_copy_that_is_killed_does_not_count_and_leaves_nothing(shop: Path, copied: int) -> None:
    """copied: the bytes that were copied or read again at the kill."""
    make_large(shop)

    def die(done: int, _: int) -> None:
        if done >= copied:
            os.kill(os.getpid(), signal.SIGKILL)

    assert status_of_fork(lambda: copy_once(shop, report_progress=die)) == -signal.SIGKILL
    assert opened_by(shop) == "0.9.0"
    name = f"before-{__version__}"
    assert [one.name for one in (shop / BACKUPS).iterdir()] == [f"{name}{sets.PART}"]
    ran_till(shop)
    (copies,) = (shop / BACKUPS).iterdir()
    assert copies.name == name
    assert version(copies / catalogue_file(Path())) == THIS


def test_a_set_that_a_kill_left_half_thrown_away_goes_later(shop: Path) -> None:
    for _ in range(KEPT):
        assert upgraded(shop)[0] == DONE

    def throw(folder: Path, ignore_errors: bool = False) -> None:
        next(one for one in Path(folder).rglob("*") if one.is_file()).unlink()
        os._exit(9)

    def die() -> None:
        shutil.rmtree = throw  # type: ignore[assignment]
        upgraded(shop)

    assert status_of_fork(die) == 9
    assert upgraded(shop)[0] == DONE
    found = {one.name for one in (shop / BACKUPS).iterdir()}
    assert found == {one.name for one, _ in sets.sets_in(shop / BACKUPS)}
    assert len(found) == KEPT


def test_a_new_shop_and_a_demo_are_no_update(tmp_path: Path) -> None:
    shop = demo_shop(tmp_path / "demo", has_own_port=True)
    ran_till(shop)
    assert run("demo", "--prepare", "--data", str(shop)).returncode == 0
    assert copies_of(shop) == []
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")
    assert run("demo", "--prepare", "--data", str(shop)).returncode == 0
    assert len(copies_of(shop)) == 1


def test_a_shop_that_can_t_be_copied_is_opened_all_the_same(shop: Path) -> None:
    journal = shop / "journal" / "journal.db"
    content = bytearray(journal.read_bytes())
    content[5 * 4096 + 100] ^= 0x41
    journal.write_bytes(content)
    copy_before_opening(shop)
    assert not (shop / BACKUPS).exists()
    (shop / OPENED_BY).mkdir()
    with open_till_core(settings.load(shop)) as core:
        assert core.catalogue is not None


@pytest.mark.parametrize("programs", [("sync",), ("server", "forget-pin")], ids=str)
def test_programs_wait_for_the_copy_of_another(shop: Path, programs: tuple[str, ...]) -> None:
    """One of two makes the copy, and the other opens the shop after that."""
    if len(programs) > 1:
        bring_without_copies(shop)
    earlier = version(catalogue_file(shop))
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")
    words = {"sync": ("sync", str(list_of_articles(shop)))}
    told = shop.with_name("told.txt")
    with told.open("wb") as errors:
        with FolderLock(shop / sets.LOCK, what="backup"):
            where = ("--data", str(shop))
            lives = [born(*words.get(one, (one,)), *where, errors=errors) for one in programs]
            until(lambda: told.read_text("utf-8").count("this one waits") == len(programs), 20)
            assert opened_by(shop) == "0.9.0", "it opened the shop without a copy"
            assert version(catalogue_file(shop)) == earlier
        until(lambda: opened_by(shop) == __version__)
        if programs[0] != "sync":
            until((shop / "journal" / "server.address").is_file)
            for life in lives[1:]:
                life.communicate(60)
            assert run("stop", "--data", str(shop), "--wait", "60").returncode == 0
        for life in lives:
            life.communicate(60)
    (copies,) = copies_of(shop)
    assert version(copies / catalogue_file(Path())) == earlier


def test_a_program_that_waited_in_vain_opens_the_shop(
    shop: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(shop_upgrade, "WAIT_SECONDS", 0.3)
    with FolderLock(shop / sets.LOCK, what="backup"):
        copy_before_opening(shop)
    assert copies_of(shop) == []
    assert [text.partition(":")[0] for text in caplog.messages] == [
        "another program copies the shop, and this one waits before it opens it",
        "no copy could be made before the upgrade",
    ]


def test_there_is_one_copy_though_no_program_can_note_its_version(shop: Path) -> None:
    (shop / OPENED_BY).mkdir()
    for _ in range(KEPT + 2):
        copy_before_opening(shop)
        with open_till_core(settings.load(shop)) as core:
            assert core.catalogue is not None
    (copies,) = copies_of(shop)
    assert version(copies / catalogue_file(Path())) == THIS
    (copies / catalogue_file(Path())).unlink()
    copy_before_opening(shop)
    assert len(copies_of(shop)) == 2, "half a copy is none"


def test_an_update_after_a_return_is_copied(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring_without_copies(shop)
    for many in (1, 2):
        with monkeypatch.context() as earlier:
            earlier.setattr(upgrade_mark, "__version__", "0.9.0")
            upgrade_mark.take_mark_away(shop)
        for _ in range(2):
            copy_before_opening(shop)
            assert len(copies_of(shop)) == many


def test_a_failing_step_leaves_all_as_it_was(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, wrong = contents(shop), with_steps(ANOTHER, "ALTER TABLE not_there ADD COLUMN x")
    monkeypatch.setattr(upgrade_module, "databases", lambda: wrong)
    status, told = upgraded(shop)
    assert status == PUT_BACK
    assert "as they were before" in told
    assert contents(shop) == before
    assert not (shop / BACKUPS).exists()


def test_one_that_is_killed_in_the_midst_is_begun_anew(shop: Path) -> None:
    unbroken = Path(shutil.copytree(shop, shop.with_name("unbroken")))
    assert upgraded(unbroken)[0] == DONE
    whole = vars(shop_upgrade)["_bring"]

    def bring(path: Path, database: object) -> None:
        whole(path, database)
        if path.name == "till.db":
            os._exit(9)

    def die() -> None:
        vars(shop_upgrade)["_bring"] = bring
        vars(upgrade_module)["databases"] = lambda: with_steps(ANOTHER)
        upgraded(shop)

    assert status_of_fork(die) == 9
    assert version(shop / "till" / "till.db") == NEXT + 1
    assert (shop / MARK).exists()
    status, told = upgraded(shop)  # as another version could do
    assert status == DONE, told
    assert contents(shop) == contents(unbroken)
    assert not (shop / MARK).exists()


def test_what_was_sold_since_a_broken_upgrade_is_never_put_back_over(shop: Path) -> None:
    copies = shop / BACKUPS / "before-x"
    assert upgraded(shop)[0] == DONE
    next((shop / BACKUPS).iterdir()).rename(copies)
    (shop / MARK).write_text('{"copies": "before-x"}')
    (shop / SETUP_MARK).touch()
    with open_till_core(settings.load(shop)) as core:
        cart = start(till=core.till, cashier="x").id
    assert not (shop / MARK).exists()
    assert not (shop / SETUP_MARK).exists()
    assert str(SETUP_MARK).replace("/", "\\") in SETUP.read_text(encoding="utf-8")
    assert upgraded(shop)[0] == DONE
    with open_till_core(settings.load(shop)) as core:
        assert start(till=core.till, cashier="x").id == cart


def test_a_damaged_database_is_not_touched(shop: Path) -> None:
    path = shop / "journal" / "journal.db"
    content = bytearray(path.read_bytes())
    content[5 * 4096 + 100] ^= 0x41
    path.write_bytes(content)
    status, told = upgraded(shop)
    assert status == PUT_BACK
    assert "journal.db" in told
    assert "checksum" in told
    assert path.read_bytes() == content
    assert version(catalogue_file(shop)) == THIS


def test_three_copies_are_kept_and_no_folder_for_nothing(shop: Path, tmp_path: Path) -> None:
    for _ in range(KEPT + 2):
        assert upgraded(shop)[0] == DONE
    kept = sorted(one.name for one in (shop / BACKUPS).iterdir())
    assert len(kept) == KEPT
    assert kept[-1].endswith(f"-{KEPT + 2}")
    assert upgraded(tmp_path / "nothing")[0] == DONE
    assert not (tmp_path / "nothing").exists()


@contextmanager
def on_small_disk(shop: Path, megabytes: int) -> Iterator[Path]:
    with small_disk(shop.with_name("disk"), megabytes=megabytes) as disk:
        yield Path(shutil.copytree(shop, disk / "shop"))


@pytest.mark.parametrize("fills", [False, True])
def test_a_till_without_room_for_the_copy_says_so(shop: Path, *, fills: bool) -> None:
    make_large(shop)
    with on_small_disk(shop, 460 if fills else 200) as data:
        before = contents(data)["journal.db"]
        till = updated_till(data)
        if fills:
            part = data / BACKUPS / f"before-{__version__}{sets.PART}" / catalogue_file(Path())
            until(lambda: part.exists() and part.stat().st_size > 8 << 20, pause=0.005)
            till.send_signal(signal.SIGSTOP)
            fill(data.parent)
            till.send_signal(signal.SIGCONT)
        told = till.communicate(60)[0].splitlines()
        assert till.wait() == 0, told
        assert told[-1].startswith("opened Није било места за копију података"), told
        assert "ништа није изгубљено" in told[-1]
        assert version(catalogue_file(data)) == NEXT
        assert contents(data)["journal.db"] == before
        assert not (data / BACKUPS).exists()


@pytest.mark.parametrize(("megabytes", "fills"), [(3, False), (3, True), (200, False)])
def test_on_a_full_disk_all_is_as_it_was(
    shop: Path, megabytes: int, monkeypatch: pytest.MonkeyPatch, *, fills: bool
) -> None:
    """fills: while it copies. 200 MB have room for the copies, not for what stays free."""
    with on_small_disk(shop, megabytes) as data:
        before = contents(data)
        if fills:
            monkeypatch.setattr(shop_upgrade, "_check_room", lambda *_: None)
            make_room(fill(data.parent), 300_000 // PAGE)
        status, told = upgraded(data)
        assert status == PUT_BACK
        assert "room" in told or "disk" in told
        assert contents(data) == before
        assert not list((data / BACKUPS).glob("before-*"))


def test_the_oldest_copy_makes_room_for_a_new_one_and_two_stay(shop: Path) -> None:
    with on_small_disk(shop, 280) as data:
        for _ in range(KEPT):
            assert upgraded(data)[0] == DONE
        oldest = data / BACKUPS / f"before-{__version__}"
        (oldest / "catalogue" / "files").mkdir()
        (oldest / "catalogue" / "files" / "photo").write_bytes(bytes(40 << 20))
        assert upgraded(data)[0] == DONE
        assert not oldest.exists()
        (data.parent / "full").write_bytes(bytes(40 << 20))
        for _ in range(2):
            assert upgraded(data)[0] == PUT_BACK
            assert len(copies_of(data)) == KEPT - 1, "no more than one goes for a copy that fails"
