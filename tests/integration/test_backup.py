"""`pos-app backup` and `pos-app restore` on real files: whole sets only, nothing lost by either."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import apsw
import pytest

from pos_app import __main__ as command_line
from pos_app import errors, settings
from pos_app.adapters.backup import making
from pos_app.adapters.backup.contents import NOT_COUNTED, lacking_with
from pos_app.adapters.backup.making import make_set
from pos_app.adapters.backup.process import BackupProcess, DailyBackup
from pos_app.adapters.backup.restoring import plan
from pos_app.adapters.backup.sets import (
    MANIFEST,
    PART,
    Manifest,
    found_sets,
    last_try,
    manifest_of,
    name_of,
    newest,
    write_manifest,
)
from pos_app.adapters.data_folder import CATALOGUE, JOURNAL, TILL, catalogue_file
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS, RESTORE_MARK
from pos_app.adapters.secrets.keepers import KeyFile
from pos_app.adapters.secrets.sealed_file import SealedFile
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.copies import copy_held, held_readers
from pos_app.adapters.sqlite.database import open_database, open_reader
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.bootstrap.commands import backup
from pos_app.bootstrap.commands import backup as backup_commands
from pos_app.bootstrap.commands.backup import put_back as put_back_of_till
from pos_app.bootstrap.commands.check import DAMAGED, WHOLE, check_command
from pos_app.bootstrap.till.core import open_till_core
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.article.product import USUAL_UNITS
from pos_app.domain.receipt.states import AnswerClass, RequestState, RestoreFound
from pos_app.domain.setup.backup import BackupWhy, Lacking, LastTry, Outlook
from pos_app.selling.backups import AskedBack
from pos_app.selling.file_work import FileDone
from pos_app.selling.sale.sale import JOURNAL_RESTORED, UNCONFIRMED, PendingReason
from pos_app.selling.sale.sell import start
from pos_app.selling.sale.state import SaleState
from tests.e2e.nursery import BACKUP_WORK, child
from tests.fakes.faulty_disk import PAGE, flip, settle
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import open_ready, ready_catalogue, ready_journal
from tests.fakes.small_disk import fill, small_disk
from tests.integration.journal.test_journal import NOW, bring_to
from tests.integration.till.killed_till import sell
from tests.proofs import Proof

OF_FILES = frozenset({"os.rename", "os.remove", "os.mkdir", "os.link", "os.rmdir", "os.truncate"})
WRONG = PendingReason(AnswerClass.FIX, "40010001", "wrong")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return made_shop(tmp_path / "shop")


def made_shop(data: Path) -> Path:
    """Make a shop with an open cart, a note in its journal, a photo, and settings of its own."""
    install = open_install(data, environment="production")
    open_ready(data / "till", till_id=install.till_id).close()
    SqliteJournal(ready_journal(data / JOURNAL)).close()
    open_database(ready_catalogue(catalogue_file(data)), migrations=MIGRATIONS).close()
    (data / "settings.toml").write_text('[till]\nname = "Каса 7"\n', encoding="utf-8")
    photos = data / "catalogue" / "files"
    photos.mkdir()
    (photos / "0123.png").write_bytes(b"a photo")
    write_on(data, "first")
    return data


def write_on(data: Path, words: str) -> None:
    with closing(with_checksums(data / JOURNAL, make=False)) as journal:
        keep_log(journal)
        journal.execute("INSERT INTO notes VALUES (0, 'test', NULL, ?)", (words,))
    with closing(with_checksums(data / TILL, make=False)) as till:
        keep_log(till)
        till.execute("INSERT INTO acts (at, by_name, done) VALUES ('2026', 'x', ?)", (words,))


def state_of(data: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, rows in (
        (JOURNAL, "SELECT words FROM notes WHERE what = 'test'"),
        (TILL, "SELECT done FROM acts WHERE done != 'put_back'"),
        (CATALOGUE, "SELECT count(*) FROM article"),
    ):
        if (data / name).exists():
            with closing(open_reader(data / name)) as connection:
                found[name.name] = [row[0] for row in connection.execute(rows)]
    return found


async def until(check: Callable[[], bool]) -> None:
    """Wait for a process that only gets the machine when nobody else wants it."""
    async with asyncio.timeout(55):
        while True:
            if check():
                return
            await asyncio.sleep(0.002)


def put_back(data: Path, given: object = None, **more: Any) -> tuple[int, str]:
    told = StringIO()
    words = None if given is None else str(given)
    status = backup.restore_command(
        data, words, only=more.get("only", ()), accepted=more.get("accepted", False), out=told
    )
    return status, told.getvalue()


def put_back_at_till(data: Path, place: Path, **more: Any) -> None:
    lacking = replace(plan(data, place, ()).lacking, **more)
    asked = AskedBack(str(place), datetime(2026, 11, 24, 13, tzinfo=UTC), lacking, "Мира", "Ана")
    put_back_of_till(data, asked, lambda *_: None)


def acts_of(data: Path) -> list[tuple[str, str, str]]:
    with closing(open_reader(data / TILL)) as connection:
        return list(connection.execute("SELECT done, by_name, lifted_by FROM acts ORDER BY id"))


def made(data: Path, folder: str = "") -> Path:
    place = make_set(data, BackupWhy.HAND, folder=folder, shop="Каса 7")
    assert place is not None
    return place


def tried(data: Path) -> LastTry:
    last = last_try(data)
    assert last is not None
    return last


def told_by(place: Path) -> Manifest:
    manifest = manifest_of(place)
    assert manifest is not None
    return manifest


# --- a set ---------------------------------------------------------------------------------------
def test_a_set_is_whole_says_what_it_is_and_has_no_key_and_no_token(shop: Path) -> None:
    told = StringIO()
    SealedFile(shop, [lambda: KeyFile(shop)]).change({"mail_password": "hidden-in-the-set"})
    (shop / "secrets.toml").write_text('lan_token = "hidden-in-the-set"\n')
    (shop / "secrets.toml").chmod(0o600)
    token = json.loads((shop / "install.json").read_text())["token"]
    assert backup.backup_command(settings.load(shop), out=told) == backup.DONE
    (one,) = found_sets(shop, "")
    assert one.folder in told.getvalue()
    manifest = told_by(Path(one.folder))
    assert {file.name for file in manifest.files} == {
        "journal/journal.db",
        "till/till.db",
        "catalogue/catalogue.db",
        "catalogue/files/0123.png",
        "install.json",
        "secrets.sealed",
        "settings.toml",
    }
    assert manifest.shop == "Каса 7"
    assert one.holds is not None
    assert check_command(Path(one.folder), out=StringIO()) == WHOLE
    assert sorted(path.name for path in (shop / BACKUPS).iterdir()) == [one.name, "last-try.json"]
    for path in Path(one.folder).rglob("*"):
        if path.is_file():
            assert token.encode() not in path.read_bytes()
            assert b"hidden-in-the-set" not in path.read_bytes()


@pytest.mark.parametrize("what", ["flipped", "missing", "cut"])
def test_a_set_that_is_not_what_was_written_is_told(shop: Path, what: str) -> None:
    place = made(shop)
    path = place / JOURNAL
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    match what:
        case "flipped":
            path.write_bytes(content)
        case "cut":
            path.write_bytes(content[:4096])
        case _:
            path.unlink()
    assert check_command(place, out=StringIO()) == DAMAGED
    before = state_of(shop)
    with pytest.raises(errors.DatabaseDamaged):
        put_back(shop, place)
    assert state_of(shop) == before
    assert not list((shop / BACKUPS).glob("set-aside*"))


def test_older_sets_are_thrown_away_once_a_new_one_is_whole(shop: Path) -> None:
    place = made(shop)
    manifest = told_by(place)
    now = datetime.now(UTC)
    for days in range(1, 30):
        at = now - timedelta(days=days)
        older = shutil.copytree(place, place.with_name(name_of(at)))
        write_manifest(older, replace(manifest, made_at=at))
    upgrade = shutil.copytree(place, place.with_name("before-0.1"))
    at = now - timedelta(days=900)
    write_manifest(upgrade, replace(manifest, made_at=at, why=BackupWhy.UPGRADE))
    assert len(found_sets(shop, "")) == 31
    made(shop)
    left = found_sets(shop, "")
    assert 7 + 4 <= len(left) <= 7 + 8
    assert left[-1].why is BackupWhy.UPGRADE
    assert now - left[6].made_at < timedelta(days=6)


def test_a_damaged_database_is_told_and_costs_no_earlier_set(shop: Path) -> None:
    earlier = made(shop)
    path = shop / JOURNAL
    content = bytearray(path.read_bytes())
    content[5 * 4096 + 100] ^= 0x41
    path.write_bytes(content)
    for _ in range(9):
        with pytest.raises(errors.MachineError):
            made(shop)
    told = tried(shop)
    assert isinstance(told.error, errors.DatabaseDamaged)
    assert [one.folder for one in found_sets(shop, "")] == [str(earlier)]
    assert not list((shop / BACKUPS).glob(f"*{PART}"))
    assert check_command(earlier, out=StringIO()) == WHOLE
    assert path.read_bytes() == content


@pytest.mark.parametrize("is_looked_at", [True, False])
def test_on_a_full_disk_nothing_is_made_and_nothing_lost(
    shop: Path, tmp_path: Path, is_looked_at: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(tmp_path / "disk", megabytes=8) as disk:
        data = Path(shutil.copytree(shop, disk / "shop"))
        if not is_looked_at:  # the disk fills while the set is written
            monkeypatch.setattr(making, "_check_room", lambda _: None)
        before = state_of(data)
        fill(disk)
        with pytest.raises(errors.DiskFull):
            made(data)
        assert found_sets(data, "") == ()
        assert not list(data.rglob(f"*{PART}"))
        assert state_of(data) == before


# --- a second place ------------------------------------------------------------------------------
def test_a_set_is_in_the_second_place_too(shop: Path, tmp_path: Path) -> None:
    second = tmp_path / "drive"
    second.mkdir()
    place = made(shop, str(second))
    here, there = sorted(found_sets(shop, str(second)), key=lambda one: one.is_second)
    assert (here.folder, here.name) == (str(place), there.name)
    assert Path(there.folder).is_relative_to(second)
    assert check_command(Path(there.folder), out=StringIO()) == WHOLE
    shutil.rmtree(shop)
    assert put_back(tmp_path / "new", there.folder)[0] == backup.DONE
    assert state_of(tmp_path / "new")["till.db"] == ["first"]


@pytest.mark.parametrize("how", ["away", "a file", "full"])
def test_a_second_place_that_fails_costs_no_set(shop: Path, tmp_path: Path, how: str) -> None:
    second = tmp_path / "drive"
    told = StringIO()
    (shop / "settings.toml").write_text(f'[backup]\nfolder = "{second}"\n')
    if how == "full":
        with small_disk(second, megabytes=1) as disk:
            fill(disk)
            assert backup.backup_command(settings.load(shop), out=told) == backup.WARNED
            assert not list(disk.rglob(f"*{PART}"))
    else:
        if how == "a file":
            second.write_text("")
        assert backup.backup_command(settings.load(shop), out=told) == backup.WARNED
    assert "not in the second place" in told.getvalue()
    (one,) = found_sets(shop, str(second))
    assert not one.is_second
    last = tried(shop)
    assert (last.error, bool(last.second_words)) == (None, True)


def test_no_set_goes_into_the_folder_of_a_pulled_drive(shop: Path, tmp_path: Path) -> None:
    second, told = tmp_path / "drive", StringIO()
    (shop / "settings.toml").write_text(f'[backup]\nfolder = "{second / "shop"}"\n')
    with small_disk(second, megabytes=20):
        (second / "shop").mkdir()
        assert backup.backup_command(settings.load(shop), out=told) == backup.DONE
    (second / "shop").mkdir()  # below it the drive's own folder is hidden while it is connected
    assert backup.backup_command(settings.load(shop), out=told) == backup.WARNED
    assert f"no drive is connected at {second}" in told.getvalue()
    assert not list((second / "shop").iterdir())
    last = tried(shop)
    assert str(second) in last.second_words
    shutil.rmtree(second)
    with small_disk(second, megabytes=20):  # another drive
        (second / "shop").mkdir()
        assert backup.backup_command(settings.load(shop), out=told) == backup.DONE


# --- put back ------------------------------------------------------------------------------------
def test_a_set_is_put_back_into_an_empty_folder(
    shop: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place, new = made(shop), tmp_path / "new"
    before = state_of(shop)
    status, told = put_back(new, place)
    assert status == backup.DONE, told
    assert "set-aside-" not in told + caplog.text, "nothing stood there"
    assert not list((new / BACKUPS).glob("set-aside-*"))
    assert state_of(new) == before
    assert (new / "settings.toml").read_bytes() == (shop / "settings.toml").read_bytes()
    assert (new / "catalogue" / "files" / "0123.png").read_bytes() == b"a photo"
    old, identity = (json.loads((one / "install.json").read_text()) for one in (shop, new))
    assert old.pop("token") != identity.pop("token")
    assert old == identity
    with closing(SqliteJournal(new / JOURNAL)) as journal:
        mark = journal.restores.restored()
        assert mark.why is RestoreFound.PUT_BACK
    with open_till_core(settings.load(new)) as core:
        assert start(till=core.till, cashier="x").id


@pytest.mark.parametrize("state", [RequestState.QUEUED, RequestState.SENDING])
def test_what_was_under_way_in_a_set_is_older_than_the_restore(
    shop: Path, tmp_path: Path, state: RequestState
) -> None:
    """It may have been signed since, though the start of the server ends it behind the mark."""
    with closing(SqliteJournal(shop / JOURNAL)) as journal:
        bring_to(journal, state)
    place, new = made(shop), tmp_path / "new"
    assert put_back(new, place)[0] == backup.DONE
    with closing(SqliteJournal(new / JOURNAL)) as journal:
        journal.recover(now=NOW)  # as at each start of the server
        assert journal.restores.is_from_before("c1")


@pytest.mark.parametrize("many", [1, 2])
def test_what_would_be_missing_is_told_in_the_right_number(many: int) -> None:
    at, sale = datetime(2026, 11, 24, 13, tzinfo=UTC), 6 + many
    lacking = Lacking(
        receipts=many, first_receipt=at, last_receipt=at + timedelta(hours=many - 1), doubts=many,
        sales=many, first_sale=7, last_sale=sale, waiting=many, carts=many, edits=many,
        shifts=many, cash_moves=many, collected=many, acts=many,
    )  # fmt: skip
    told = backup.lacking_words(lacking)
    assert len(told) == 10
    only = backup.lacking_words(lacking, with_processor=True)[0]
    assert "on paper" in only
    assert "processor" not in only
    if many == 1:
        assert told[0].startswith("1 receipt that was signed (2026-11-24 14:00:00): it exists")
        assert "1 sale that was confirmed at the till (number 7)" in told
        assert "1 entry of money that came in later" in told
        assert not [one for one in told if re.match(r"1 \w+s ", one)]
    else:
        assert told[0].startswith("2 receipts that were signed (2026-11-24 14:00:00 to 2026-")
        assert "2 sales that were confirmed at the till (numbers 7 to 8)" in told
        assert "2 entries of money that came in later" in told


def test_what_is_newer_is_told_and_stays_until_somebody_says_so(shop: Path) -> None:
    place = made(shop)
    with open_till_core(settings.load(shop)) as core:
        start(till=core.till, cashier="x")
    write_on(shop, "second")
    before = state_of(shop)
    status, told = put_back(shop, place.name)
    assert status == backup.ASKED
    assert "of what was done at the till" in told
    assert "--accept-missing" in told
    assert state_of(shop) == before
    token = json.loads((shop / "install.json").read_text())["token"]
    (shop / "witness.json").write_text("{}")
    status, told = put_back(shop, place.name, accepted=True)
    assert status == backup.DONE, told
    assert state_of(shop)["till.db"] == ["first"]
    (aside,) = (shop / BACKUPS).glob("set-aside-*")
    assert state_of(aside) == before
    assert str(aside) in told
    assert (aside / "witness.json").exists()
    assert not (shop / "witness.json").exists()
    assert json.loads((shop / "install.json").read_text())["token"] == token
    assert not (shop / RESTORE_MARK).exists()


def test_one_database_alone_is_put_back(shop: Path) -> None:
    """The journal goes on: its signed receipts stay known."""
    place = made(shop)
    write_on(shop, "second")
    (shop / "witness.json").write_text("{}")
    (shop / TILL).write_bytes(b"damaged")
    status, told = put_back(shop, place, only=["till"])
    assert status == backup.ASKED
    assert "can't be read" in told
    status, told = put_back(shop, place, only=["till"], accepted=True)
    assert status == backup.DONE, told
    state = state_of(shop)
    assert state["till.db"] == ["first"]
    assert state["journal.db"] == ["first", "second"]
    assert (shop / "witness.json").exists()
    with closing(SqliteJournal(shop / JOURNAL)) as journal:
        assert journal.restores.restored() is None


def test_settings_are_put_back_where_they_are_asked_for_or_lost(shop: Path) -> None:
    place = made(shop)
    assert "--only settings" not in put_back(shop, place)[1], "they are the same"
    newer = '[till]\nname = "Каса 8"\n'
    (shop / "settings.toml").write_text(newer, encoding="utf-8")
    status, told = put_back(shop, place)
    assert status == backup.DONE
    assert "--only settings" in told
    assert (shop / "settings.toml").read_text(encoding="utf-8") == newer
    assert put_back(shop, place, only=["settings"])[0] == backup.DONE
    assert "Каса 7" in (shop / "settings.toml").read_text(encoding="utf-8")
    (shop / "settings.toml").unlink()
    (shop / "install.json").write_text("")
    assert put_back(shop, place)[0] == backup.DONE
    assert settings.load(shop).till.name == "Каса 7"
    assert open_install(shop, environment="production").till_id


@pytest.mark.parametrize(
    ("stands", "gives_way"),
    [
        ('[till]\r\nlanguage = "sr-Latn"\r\n', True),
        ("", True),
        ('[till]\nlanguage = "en"\nname = "Каса 8"\n', False),
        ('[processor]\nurl = "http://127.0.0.1:1"\n', False),
        ("damaged", False),
    ],
)
def test_what_windows_s_setup_wrote_gives_way_to_a_set_s_settings(
    shop: Path, tmp_path: Path, stands: str, gives_way: bool
) -> None:
    place, new = made(shop), tmp_path / "new"
    new.mkdir()
    (new / "settings.toml").write_bytes(stands.encode())
    status, told = put_back(new, place)
    assert status == backup.DONE, told
    expected = (shop / "settings.toml").read_bytes() if gives_way else stands.encode()
    assert (new / "settings.toml").read_bytes() == expected
    assert ("--only settings" in told) is not gives_way
    assert len(list((new / BACKUPS).glob("set-aside-*/settings.toml"))) == gives_way


CART = (
    "INSERT INTO carts (id, key, kind, state, cashier, opened_at, moved_at)"
    f" VALUES (1, '{'0' * 32}', 'sale', '{{}}', 'x', '2026', '2026');"
)
SALE = CART.format("done") + (
    "INSERT INTO sales (key, sequence, cart_id, kind, body, total, change, rounding,"
    f" cashier, frozen_at, changed_at) VALUES ('{'0' * 32}', 1, 1, 'sale', x'00', 1, 0, 0, 'x',"
    " '2026', '2026');"
)
LINE = (
    "INSERT INTO cart_lines (cart_id, line, position, article_id, name, label, unit, by_weight,"
    " article_price, price, quantity, removed)"
    " VALUES (1, 1, 1, 'x', 'x', 'Ђ', 'x', 0, 1, 1, 1, 0);"
)
HELD = "UPDATE carts SET state = 'held'"
PEOPLE = "INSERT INTO people (name, role) VALUES ('Ана', 'manager'){}"


def written(path: Path, sql: str) -> None:
    with closing(with_checksums(path, make=False)) as connection:
        keep_log(connection)
        connection.execute(sql)


@pytest.mark.parametrize("lacks", [None, TILL, JOURNAL])
def test_a_till_that_was_only_set_up_gives_way_to_a_shop(
    shop: Path, tmp_path: Path, lacks: Path | None
) -> None:
    """Also to a set without one of the databases, as of a server without a till."""
    if lacks is not None:
        (shop / lacks).unlink()
    place = made(shop)
    new = made_shop(tmp_path / "new")
    written(new / TILL, PEOPLE.format("") + ";" + CART.format("open"))
    (new / "settings.last-good.toml").write_text("[server]\nport = 1\n")
    (new / "client.json").write_text("{}")
    stood = (new / "settings.toml").read_bytes()
    status, told = put_back(new, place)
    assert status == backup.DONE, told
    assert open_install(new, environment="production").till_id == told_by(place).till_id
    assert state_of(new) == state_of(shop)
    (aside,) = (new / BACKUPS).glob("set-aside-*")
    assert (aside / "settings.toml").read_bytes() == stood
    assert (aside / TILL).exists()
    for name in ("settings.last-good.toml", "client.json"):
        assert (aside / name).exists()
        assert not (new / name).exists(), "it is another shop's"
    assert check_command(new, out=StringIO()) != DAMAGED


MADE_AT_THE_FIRST_START = (
    "INSERT INTO unit VALUES ('0fbf24a8-30e6-55c7-a9bc-a4dd919609e1', 'комад', 'ком', 0)",
    "INSERT INTO category VALUES (1, 'd8db4e46-194f-5992-b28f-eb7c2e0b3d05', 'Пекара', 1)",
    f"INSERT INTO unit VALUES ('{USUAL_UNITS[1].id}', '{USUAL_UNITS[1].name}', 'kg', 0)",
)
STANDS: dict[str, tuple[Path, str, str]] = {
    "a cart": (TILL, CART.format("open") + LINE, "1 open or suspended cart"),
    "a held cart": (TILL, CART.format("open") + LINE + HELD, "1 open or suspended cart"),
    "a shift": (
        TILL,
        (
            "INSERT INTO shifts (opened_at, opened_by, float, float_is, told_after, moved_after)"
            " VALUES ('2026', 'x', 0, 'typed', 0, 0)"
        ),
        "1 opening, count or closing of a shift",
    ),
    "a person": (
        TILL,
        PEOPLE.format(", ('Мира', 'cashier')"),
        "1 change of a person, with PIN and badge",
    ),
    "an edit": (
        CATALOGUE,
        (
            "INSERT INTO edit (key, kind, product_uuid, article_uuid, base, document, by, made_at,"
            f" state, state_at) VALUES ('{'0' * 32}', 'add', 'x', 'x', '', '', 'x', '2026',"
            " 'waiting', '2026')"
        ),
        "1 change of an article",
    ),
}


@pytest.mark.parametrize("what", STANDS)
def test_what_another_till_has_is_told_first(shop: Path, tmp_path: Path, what: str) -> None:
    place, other = made(shop), made_shop(tmp_path / "other")
    name, sql, words = STANDS[what]
    written(other / name, sql)
    status, told = put_back(other, place)
    expected = (backup.ASKED, [f"- {words}"])
    assert (status, [one for one in told.splitlines() if one.startswith("- ")]) == expected
    assert not list((other / BACKUPS).glob("*"))
    assert put_back(other, place, accepted=True)[0] == backup.DONE
    assert list((other / BACKUPS).glob(f"set-aside-*/{name}"))


@pytest.mark.parametrize("is_damaged", [False, True])
def test_another_shop_is_never_replaced(shop: Path, tmp_path: Path, is_damaged: bool) -> None:
    place, other, told = made(shop), made_shop(tmp_path / "other"), StringIO()
    words = "1 sale that was confirmed at the till"
    if is_damaged:
        (other / TILL).write_bytes(b"damaged")
        words = "all that is in till/till.db: it can't be read"
    else:
        written(other / TILL, ";".join((SALE, PEOPLE.format(""))))
        for row in MADE_AT_THE_FIRST_START:
            write_rows(other, CATALOGUE, row)
    with pytest.raises(errors.NotAllowed, match="another till") as refused:
        backup.restore_command(other, str(place), only=(), accepted=True, out=told)
    assert words in told.getvalue()
    assert "categories" not in told.getvalue()
    assert "person" not in told.getvalue()
    assert "receipts were issued" not in str(refused.value)
    assert not list((other / BACKUPS).glob("*"))


def test_secrets_are_put_back_where_they_can_be_opened(shop: Path, tmp_path: Path) -> None:
    def sealed(data: Path) -> SealedFile:
        return SealedFile(data, [lambda: KeyFile(data)])

    sealed(shop).change({"mail_password": "first"})
    place = made(shop)
    sealed(shop).change({"mail_password": "newer"})
    assert put_back(shop, place)[0] == backup.DONE
    assert sealed(shop).open("mail_password") == "newer"
    (shop / "secrets.sealed").unlink()
    assert put_back(shop, place)[0] == backup.DONE
    assert sealed(shop).open("mail_password") == "first"
    status, told = put_back(tmp_path / "new", place)
    assert status == backup.DONE
    assert "type in anew" in told
    assert not (tmp_path / "new" / "secrets.sealed").exists()


def test_a_set_that_is_not_there_is_told_with_those_that_are(shop: Path) -> None:
    assert "There are no backups" in put_back(shop)[1]
    place = made(shop)
    assert str(place) in put_back(shop)[1]
    with pytest.raises(errors.NotFound, match=place.name):
        put_back(shop, "another")
    (place / MANIFEST).unlink()
    with pytest.raises(errors.NotFound):
        put_back(shop, place)


REGISTERS = {
    "buyers": (TILL, "INSERT INTO buyers VALUES ('10:1', {}, '', '', 0, 0, NULL)", "buyers"),
    "people": (TILL, "INSERT INTO people (name, role) VALUES ({}, 'lead')", None),
    "rights": (TILL, "INSERT INTO rights VALUES ('refund', 'lead', {})", "rights"),
    "shifts": (TILL, "INSERT INTO float_counts VALUES (0, json_quote({}))", None),
    "decisions": (TILL, "INSERT INTO pair_decisions VALUES ('1', {}, 'x', 0, 1, 'x', '1')", None),
    "names": (CATALOGUE, "INSERT INTO unit VALUES ('1', {}, 'x', 0)", "unit"),
    "planned_prices": (
        CATALOGUE,
        "INSERT INTO planned_price VALUES ('1', 1, '', {}, NULL, 'x', '2026', 0, NULL)",
        "planned_price",
    ),
    "labels": (CATALOGUE, "INSERT INTO label_print VALUES ('1', '', {}, NULL)", "label_print"),
    "stores": (
        CATALOGUE,
        "INSERT INTO store_edit VALUES ('1', {}, '', '-', 'x', '2026', '', '', NULL)",
        None,
    ),
    "edits": (
        CATALOGUE,
        """INSERT INTO edit (key, kind, product_uuid, article_uuid, base, document, by, made_at,
        state, state_at) VALUES (printf('%032d', 7), 'note', '1', '1', '', '', {}, '', 'kept', '')
        """,
        None,
    ),
}  # fmt: skip
"""What a person confirms since the set: its count, the file, the row, the table if rows go."""


def write_rows(data: Path, path: Path, sql: str) -> None:
    with closing(with_checksums(data / path, make=False)) as connection:
        keep_log(connection)
        connection.execute(sql)


def counted(numbers: dict[str, Any]) -> Lacking:
    return replace(Lacking(), **numbers)


def test_what_is_confirmed_since_is_told_with_its_number(shop: Path) -> None:
    """A set that has more than what is here, as on a new computer, lacks nothing."""
    bare = made(shop)
    for row in MADE_AT_THE_FIRST_START:
        write_rows(shop, CATALOGUE, row)
    assert plan(shop, bare, ()).lacking.is_nothing, "nobody changed these"
    write_rows(shop, CATALOGUE, "DELETE FROM unit; DELETE FROM category")
    for path, sql, _ in REGISTERS.values():
        write_rows(shop, path, sql.format("'x'"))
    assert plan(shop, bare, ()).lacking == counted(dict.fromkeys(REGISTERS, 1))
    status, told = put_back(shop, bare)
    assert status == backup.ASKED
    assert told.count("\n- 1 ") == len(REGISTERS), told
    write_on(shop, "second")
    full = made(shop)
    assert plan(shop, full, ()).lacking.is_nothing
    for path, _, table in REGISTERS.values():
        if table:
            write_rows(shop, path, f"DELETE FROM {table}")
    gone = {name: 1 for name, (*_, table) in REGISTERS.items() if table}
    assert plan(shop, full, ()).lacking == counted(gone)
    assert put_back(shop, bare, accepted=True)[0] == backup.DONE
    assert plan(shop, full, ()).lacking.is_nothing


def test_each_table_is_counted_or_named_as_not(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loss of a later table's rows is thought of, too."""
    place, read = made(shop), set[str]()

    def note_reads(connection: apsw.Connection) -> None:
        def allow(act: int, table: str | None, *_: str | None) -> int:
            read.update([table] if act == apsw.SQLITE_READ and table else [])
            return apsw.SQLITE_OK

        connection.authorizer = allow

    monkeypatch.setattr(apsw, "connection_hooks", [note_reads])
    for path in (TILL, CATALOGUE):
        with closing(open_reader(shop / path)) as connection:
            tables = {
                name
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_schema WHERE type = 'table'"
                    " AND name NOT LIKE 'sqlite_%' AND name NOT GLOB 'search_*'"
                )
            }
        read.clear()
        assert not lacking_with(shop, place, [path]).unread
        assert tables - read - NOT_COUNTED[path].keys() == set()
        assert NOT_COUNTED[path].keys() <= tables


# --- at the till ----------------------------------------------------------------------------------
@pytest.mark.parametrize("more", [{"sales": 1}, {"waiting": 1}, {"edits": 2}])
def test_nothing_is_put_back_where_more_is_missing(shop: Path, more: dict[str, int]) -> None:
    place = made(shop)
    write_on(shop, "second")
    new = state_of(shop)
    with pytest.raises(errors.NotAllowed, match="since it was told"):
        put_back_at_till(shop, place, **more)
    assert state_of(shop) == new
    assert not list((shop / BACKUPS).glob("set-aside-*"))


def queue_of(data: Path) -> list[tuple[object, ...]]:
    with closing(open_reader(data / TILL)) as till:
        return list(
            till.execute(
                "SELECT key, sequence, state, attempts, total FROM sales"
                " WHERE state NOT IN ('done', 'cancelled') ORDER BY sequence"
            )
        )


def test_what_is_paid_and_has_no_receipt_goes_along(shop: Path) -> None:
    place = made(shop)
    with open_till_core(settings.load(shop)) as core:
        sold = [sell(core.till) for _ in range(4)]
        now = datetime(2026, 11, 25, tzinfo=UTC)
        tried, refused, unsure = sold[1:]
        core.database.sales.move(tried.key, SaleState.SENDING, at=now)
        core.database.sales.move(refused.key, SaleState.REFUSED, at=now, reason=WRONG)
        connection_of(core.database).execute("UPDATE meta SET unconfirmed = ?", (unsure.key,))
        lines = [core.till.carts.cart_of(one.cart_id).cart.active for one in sold]
    lacking = plan(shop, place, ()).lacking
    assert (lacking.sales, lacking.waiting, lacking.taken_along) == (0, 0, 4)
    put_back_at_till(shop, place)
    assert queue_of(shop) == [
        (one.key, one.sequence, state, tries, int(one.total.amount * 100))
        for one, state, tries in zip(
            sold, ("frozen", "doubt", "refused", "refused"), (0, 1, 0, 0), strict=True
        )
    ]
    with open_till_core(settings.load(shop)) as core:
        sales = core.database.sales
        read = [sales.sale(one.key) for one in sold]
        expected = [None, JOURNAL_RESTORED, WRONG.code, UNCONFIRMED]
        assert [one.reason and one.reason.code for one in read] == expected
        assert [one.money_taken for one in read] == [one.money_taken for one in sold]
        assert all(sales.body(one.key) for one in sold)
        carts = core.till.carts
        assert [carts.cart_of(one.cart_id).cart.active for one in read] == lines
        assert sell(core.till).sequence > sold[-1].sequence
    told = StringIO()
    check_command(shop, out=told)
    assert "till/till.db: whole." in told.getvalue()


def opened_shift(shop: Path, hour: int) -> None:
    at = moment_text(datetime(2026, 11, 25, hour, tzinfo=UTC))
    with open_till_core(settings.load(shop)) as core:
        connection_of(core.database).execute(
            "INSERT INTO shifts (opened_at, opened_by, float, float_is, told_after, moved_after)"
            " VALUES (?, 'Мира', 0, 'typed', 0, 0)",
            (at,),
        )


@pytest.mark.parametrize("is_another", [False, True])
def test_what_goes_along_counts_in_its_own_shift(shop: Path, is_another: bool) -> None:
    """A later shift may have the same number because an earlier set was put back."""
    before_it = made(shop)
    opened_shift(shop, 7)
    place = made(shop)
    if is_another:
        put_back_at_till(shop, before_it)
        opened_shift(shop, 14)
    with open_till_core(settings.load(shop)) as core:
        sold = sell(core.till)
    put_back_at_till(shop, place)
    with closing(open_reader(shop / TILL)) as till:
        (found,) = till.execute("SELECT shift_id FROM sales WHERE key = ?", (sold.key,))
    assert found == ((None,) if is_another else (1,))


@pytest.mark.faults
def test_what_a_damaged_file_still_tells_goes_along(shop: Path, times: int, proof: Proof) -> None:
    """Only the sales on the page of the flipped byte may be missing."""
    place = made(shop)
    with open_till_core(settings.load(shop)) as core:
        keys = {sell(core.till).key for _ in range(40)}
    settle(shop / TILL)
    content, saved = (shop / TILL).read_bytes(), list[int]()
    for page in range(0, len(content) // PAGE, 1 if times >= 100 else 9):
        data = shop.parent / f"page {page}"
        shutil.copytree(shop, data)
        flip(data / TILL, page, 1361 % PAGE)
        code, _ = put_back(data, place, only=["till"], accepted=True)
        assert code == backup.DONE
        found = {row[0] for row in queue_of(data)}
        assert found <= keys
        saved.append(len(found))
        proof.tried += 1
        shutil.rmtree(data)
    whole = sum(count == len(keys) for count in saved)
    assert whole >= len(saved) // 2, saved
    assert sum(count == 0 for count in saved) <= 10, (
        "where the tables are described, and their root"
    )


def test_nothing_is_put_back_beside_others(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_commands, "_END_SECONDS", 0.3)
    place = made(shop)
    new = state_of(shop)
    lock = FolderLock(shop / SERVER_LOCK, what="server")
    with closing(lock), pytest.raises(errors.AlreadyRunning):
        put_back_at_till(shop, place)
    assert state_of(shop) == new


# --- killed --------------------------------------------------------------------------------------
def killed_at(step: int, act: Callable[[], object]) -> bool:
    pid = os.fork()
    if pid == 0:
        _die_at(step, act)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"step {step}: {status}"
    return os.WIFEXITED(status)


def _stride(times: int) -> int:
    return 1 if times >= 100 else 17


def _die_at(step: int, act: Callable[[], object]) -> NoReturn:
    count, whole = 0, os.fsync

    def at_one() -> None:
        nonlocal count
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def synced(file: int) -> None:
        at_one()
        whole(file)

    os.fsync = synced  # type: ignore[assignment]
    sys.addaudithook(lambda event, _: at_one() if event in OF_FILES else None)
    try:
        act()
    except BaseException as error:  # noqa: BLE001 - the parent sees the status alone
        sys.stderr.write(repr(error))
        os._exit(7)
    os._exit(0)


@pytest.mark.skipif(sys.platform != "linux", reason="it forks")
@pytest.mark.faults
def test_a_killed_backup_leaves_none(shop: Path, tmp_path: Path, times: int, proof: Proof) -> None:
    second = tmp_path / "drive"
    second.mkdir()
    first = made(shop, str(second))
    before, step = state_of(shop), 0
    while True:
        step += _stride(times)
        lived = killed_at(step, lambda: made(shop, str(second)))
        proof.tried += 1
        assert state_of(shop) == before
        sets = found_sets(shop, str(second))
        assert {one.name for one in sets} >= {first.name}
        assert all(check_command(Path(one.folder), out=StringIO()) == WHOLE for one in sets)
        if lived:
            break
        for one in sets:
            if one.name != first.name:
                shutil.rmtree(one.folder)
    assert step > 20
    assert not list(shop.rglob(f"*{PART}"))
    assert not list(second.rglob(f"*{PART}"))


@pytest.mark.skipif(sys.platform != "linux", reason="it forks")
@pytest.mark.faults
def test_a_killed_restore_goes_on(shop: Path, tmp_path: Path, times: int, proof: Proof) -> None:
    place = made(shop)
    old = state_of(shop)
    write_on(shop, "second")
    new, step, ends = state_of(shop), 0, set[str]()
    while True:
        step += _stride(times)
        data = Path(shutil.copytree(shop, tmp_path / f"at{step}"))
        lived = killed_at(step, partial(put_back_at_till, data, place))
        killed_at(step % 7 + 1, partial(backup.finish_restore, data))  # and killed again
        backup.finish_restore(data)
        proof.tried += 1
        state = state_of(data)
        assert state in (old, new)
        ends.add("old" if state == old else "new")
        if state == old:
            assert acts_of(data) == [("first", "x", ""), ("put_back", "Мира", "Ана")], step
            (aside,) = (data / BACKUPS).glob("set-aside-*")
            assert state_of(aside) == new, step
            with closing(SqliteJournal(data / JOURNAL)) as journal:
                assert journal.restores.restored() is not None
        else:
            assert put_back(data, place, accepted=True)[0] == backup.DONE
            assert state_of(data) == old
        assert not (data / RESTORE_MARK).exists()
        assert not (data / BACKUPS / "putting-back").exists()
        shutil.rmtree(data)
        if lived:
            break
    assert step > 20
    assert ends == {"old", "new"}


def test_a_restore_that_stops_half_way_goes_on(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills between two files: the error must not say that nothing was changed."""
    place = made(shop)
    old = state_of(shop)
    write_on(shop, "second")
    moved, times = Path.replace, count()

    def moves(self: Path, target: Path) -> Path:
        if "putting-back" in self.parts and next(times) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return moved(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", moves)
        with pytest.raises(errors.DataFolderNotWritable) as told:
            put_back(shop, place, accepted=True)
    assert "half way" in told.value.what
    assert "set-aside-" in told.value.safe
    words = Texts("sr-Cyrl").error(told.value)
    assert words.happened == "Враћање копије је стало на пола"
    assert "set-aside-" in words.safe
    backup.finish_restore(shop)
    assert state_of(shop) == old


# --- by itself -----------------------------------------------------------------------------------
async def test_of_two_programs_one_makes_the_set_of_the_day(shop: Path) -> None:
    daily, other = (DailyBackup(shop, command=child(BACKUP_WORK)) for _ in range(2))
    assert not daily.is_due(240.0)
    assert daily.is_due(360.0)
    done = await asyncio.gather(daily.make(), other.make())
    assert True in done
    (one,) = found_sets(shop, "")
    assert one.why is BackupWhy.DAILY
    assert not daily.is_due(360.0)
    assert newest(shop) == one.made_at


@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_till_tells_that_it_makes_the_set_of_the_day(shop: Path, is_cut: bool) -> None:
    with closing(BackupProcess(shop, command=child(BACKUP_WORK))) as backups:
        assert not backups.makes_daily
        making = asyncio.create_task(backups.daily.make())
        await until(lambda: backups.makes_daily or making.done())
        if is_cut:
            making.cancel()
        await asyncio.wait([making])
        assert making.cancelled() is is_cut
        assert not backups.makes_daily


def test_no_set_of_the_day_is_due_where_the_shop_wants_none(shop: Path) -> None:
    (shop / "settings.toml").write_text("[backup]\ndaily = false\n")
    assert not DailyBackup(shop).is_due(36000.0)
    (shop / "settings.toml").write_text('environment = "demo"\n')
    assert not DailyBackup(shop).is_due(36000.0)
    (shop / "settings.toml").write_text("[backup]\ndaily = 7\n")
    assert not DailyBackup(shop).is_due(36000.0)


async def test_the_page_s_process_makes_one_and_tells_what_it_lacks(shop: Path) -> None:
    with closing(BackupProcess(shop, command=child(BACKUP_WORK))) as backups:
        work = backups.begin()
        await until(lambda: work.result() is not None)
        assert work.result() == FileDone(1)
        here = await backups.here()
        (one,) = here.sets
        assert here.free

        async def read() -> object:
            work = backups.look_into(one)
            await until(lambda: work.result() is not None)
            return work.result()

        assert await read() == Outlook(Lacking())
        write_on(shop, "second")
        assert await read() == Outlook(Lacking(acts=1))
        (Path(one.folder) / TILL).write_bytes(b"something else")
        assert isinstance(await read(), errors.DatabaseDamaged)
        shutil.rmtree(one.folder)
        assert isinstance(await read(), errors.NotFound)


def test_any_start_ends_it(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = made(shop)
    write_on(shop, "second")
    step = 0
    while not (shop / RESTORE_MARK).exists():
        step += 10
        assert not killed_at(step, lambda: put_back(shop, place, accepted=True))
    assert command_line.main(["check", "--data", str(shop)]) == 4
    assert "it was put back from a backup" in capsys.readouterr().out
    assert state_of(shop)["till.db"] == ["first"]


def test_what_is_in_a_log_alone_is_copied_with_its_checksums(tmp_path: Path) -> None:
    """The log holds more than a connection has in memory, and the file itself none of it."""
    path, table = tmp_path / "large.db", "CREATE TABLE large (body BLOB) STRICT"
    with closing(open_database(path, migrations=[table])) as connection:
        connection.execute("PRAGMA wal_autocheckpoint=0").fetchall()
        for size in (9_000, 700):  # the second write changes many pages
            connection.execute("DELETE FROM large")
            connection.execute(
                "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                " INSERT INTO large SELECT randomblob(?) FROM n",
                (size,),
            )
        with held_readers([path]) as (reader,):
            copy_held(reader, path, tmp_path / "copy.db")
        rows = connection.execute("SELECT body FROM large ORDER BY rowid").fetchall()
    with closing(open_reader(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT body FROM large ORDER BY rowid").fetchall() == rows
