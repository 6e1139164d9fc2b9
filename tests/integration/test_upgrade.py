"""`pos-app upgrade`: every database is brought to this version, or all are as they were before.

The files are this version's, and the programs that bring them further are the next one's, which has
a step more for each.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from pos_app import __version__, settings
from pos_app.adapters.data_folder import catalogue_file, upgrade_mark
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS, MARK, OPENED_BY
from pos_app.adapters.sqlite import shop_upgrade
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS
from pos_app.adapters.sqlite.copy_before_opening import copy_before_opening, is_of_another_version
from pos_app.adapters.sqlite.database import open_database, open_reader
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.shop_databases import ShopDatabase, databases
from pos_app.adapters.sqlite.shop_upgrade import KEPT
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.bootstrap.commands import upgrade as upgrade_module
from pos_app.bootstrap.commands.upgrade import DONE, PUT_BACK, upgrade_command
from pos_app.bootstrap.till.core import open_till_core
from tests.e2e.nursery import born, door
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.next_version import NEXT, become_next
from tests.fakes.small_disk import small_disk
from tests.integration.test_server_program import demo_shop, run, until
from tests.ports import free_port

ANOTHER = "ALTER TABLE meta ADD COLUMN of_a_later_version TEXT"
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


def test_a_new_shop_and_a_demo_are_no_update(tmp_path: Path) -> None:
    shop = demo_shop(tmp_path / "demo", has_own_port=True)
    ran_till(shop)
    assert run("demo", "--prepare", "--data", str(shop)).returncode == 0
    assert copies_of(shop) == []
    (shop / OPENED_BY).write_text("0.9.0\n", encoding="utf-8")
    assert run("demo", "--prepare", "--data", str(shop)).returncode == 0
    assert len(copies_of(shop)) == 1


@pytest.mark.parametrize("from_platform", [False, True])
def test_what_a_synchronisation_wrote_is_no_update(tmp_path: Path, from_platform: bool) -> None:
    """It makes the catalogue of a new shop; and an upgrade that was broken off, which the next one
    would put back over its rows, is over."""
    listed, data = tmp_path / "list.json", tmp_path / "shop"
    listed.write_text('{"products": []}', encoding="utf-8")
    with ForeignPlatform().open() as platform:
        platform.add(name="Хлеб", price=1)
        (data / BACKUPS).mkdir(parents=True)
        (data / MARK).write_text("{}", encoding="utf-8")
        told = f'[platform]\nurl = "{platform.url}"\nkey = "{platform.key}"\n'
        (data / "settings.toml").write_text(told, encoding="utf-8")
        write_private(data / "secrets.toml", f'platform_secret = "{platform.secret}"\n'.encode())
        done = run("sync", *([] if from_platform else [str(listed)]), "--data", str(data))
    assert done.returncode == 0, done.stderr
    assert catalogue_file(data).exists()
    assert not is_of_another_version(data)
    assert not (data / MARK).exists()


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


@contextmanager
def on_small_disk(shop: Path, megabytes: int) -> Iterator[Path]:
    with small_disk(shop.with_name("disk"), megabytes=megabytes) as disk:
        yield Path(shutil.copytree(shop, disk / "shop"))


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
