"""A damaged or full disk under the platform: nothing damaged is served as whole."""

from __future__ import annotations

import os
import shutil
import sqlite3  # noqa: TID251 - a page is damaged by hand
from contextlib import closing
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import httpx
import pytest

from pos_app import settings
from pos_app.bootstrap.commands import check
from pos_app.bootstrap.platform.accounts import FOLDER, accounts, note_seen
from pos_app.errors import Invalid
from pos_app.platform_api.database.backup import copy_database
from pos_app.platform_api.database.engine import FILE
from pos_app.platform_api.database.lost_log import LOST
from tests.integration.platform_api.hosted import DatabasePlace, Hosted, hosted
from tests.integration.platform_api.test_products import add

_PAGE = 4096
_KEPT_CELLS = 18


@pytest.fixture
def place(folder: Path) -> DatabasePlace:
    """Return the program's own folder, so that `pos-app check` finds the database."""
    home = folder / FOLDER
    home.mkdir(parents=True)
    return DatabasePlace("", home)


async def sixty_stores(platform: Hosted) -> None:
    for number in range(60):
        made = await platform.client.post("/stores", json={"name": f"Store-{number:02}"})
        assert made.status_code == httpx.codes.CREATED


def all_in_the_file(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def lose_cells(file: Path, index: str) -> None:
    """Let the only page of an index state fewer cells than it has."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,))
        start = (found.fetchone()[0] - 1) * _PAGE
    content = bytearray(file.read_bytes())
    assert content[start] == 0x0A  # a leaf
    content[start + 3 : start + 5] = _KEPT_CELLS.to_bytes(2, "big")
    file.write_bytes(content)


def checked(folder: Path) -> tuple[int, str]:
    out = StringIO()
    return check.check_command(folder, out=out), out.getvalue()


async def test_a_list_that_lost_rows_is_not_served_as_whole(place: DatabasePlace) -> None:
    file = place.folder / FILE
    async with hosted(place) as platform:
        await sixty_stores(platform)
        await platform.context.database.look_for_damage()
        assert (await platform.client.get("http://platform.example/health")).status_code == 200
    assert checked(place.folder.parent)[0] == check.WHOLE
    all_in_the_file(file)
    undamaged = file.read_bytes()
    for index, query in (("store_by_number", ""), ("store_by_change", "?updatedSince=2000-01-01")):
        file.write_bytes(undamaged)
        lose_cells(file, index)
        async with hosted(place) as platform:
            account = sqlite_value(file, "SELECT account_id FROM store")
            caller = platform.caller(await platform.key_of(account))
            answer = await caller.get(f"/stores{query}{'T00:00:00.000Z' if query else ''}")
            assert answer.status_code == httpx.codes.INTERNAL_SERVER_ERROR, index
            assert "missing" in answer.json()["message"]
            await platform.context.database.look_for_damage()
        exit_code, words = checked(place.folder.parent)
        assert (exit_code, "platform.db: damaged" in words) == (check.DAMAGED, True)


def sqlite_value(file: Path, query: str) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return str(connection.execute(query).fetchone()[0])


async def test_a_row_that_the_disk_changed_is_not_served(place: DatabasePlace) -> None:
    file = place.folder / FILE
    async with hosted(place) as platform:
        await sixty_stores(platform)
        all_in_the_file(file)
        content = file.read_bytes()
        assert content.count(b"Store-17") == 2  # in its row and in its audit entry
    file.write_bytes(content.replace(b"Store-17", b"Store-77"))
    for left_over in ("-wal", "-shm"):
        file.with_name(FILE + left_over).unlink(missing_ok=True)
    async with hosted(place) as platform:
        account = sqlite_value(file, "SELECT account_id FROM store")
        caller = platform.caller(await platform.key_of(account))
        answer = await caller.get("/stores")
        assert answer.status_code == httpx.codes.INTERNAL_SERVER_ERROR
        assert "damaged" in answer.json()["message"]
    exit_code, words = checked(place.folder.parent)
    assert (exit_code, "not as it was written" in words) == (check.DAMAGED, True)


async def test_health_tells_what_the_look_at_the_start_found(place: DatabasePlace) -> None:
    file = place.folder / FILE
    async with hosted(place) as platform:
        await sixty_stores(platform)
        all_in_the_file(file)
    content = bytearray(file.read_bytes())
    root = int(sqlite_value(file, "SELECT rootpage FROM sqlite_master WHERE name = 'store'"))
    content[(root - 1) * _PAGE + 5] ^= 0xFF  # the pointer to its cells
    file.write_bytes(content)
    async with hosted(place) as platform:
        await platform.context.database.look_for_damage()
        told = await platform.client.get("http://platform.example/health")
        assert (told.status_code, told.json()["database"]) == (
            httpx.codes.SERVICE_UNAVAILABLE,
            "The platform's database is damaged.",
        )


async def test_a_file_without_its_log_serves_and_tells_so(
    place: DatabasePlace, tmp_path: Path
) -> None:
    """Some copies were made, and some files left, while a platform served; those without the log
    lost rows."""
    file, log = place.folder / FILE, place.folder / f"{FILE}-wal"
    names = ("whole", "alone", "backup", "ended", "copy of alone")
    copies = {name: tmp_path / name / FOLDER for name in names}
    for folder in copies.values():
        folder.mkdir(parents=True)
    async with hosted(place) as platform, platform.context.database.served():
        await sixty_stores(platform)
        for name in ("whole", "alone"):
            shutil.copy(file, copies[name])
        shutil.copy(log, copies["whole"])
        await copy_database(file, copies["backup"] / FILE)
    shutil.copy(file, copies["ended"])
    await copy_database(copies["alone"] / FILE, copies["copy of alone"] / FILE)
    for name, folder in copies.items():
        is_lost = "alone" in name
        for _ in range(2):  # a look changes nothing
            assert_told(folder, is_lost=is_lost, name=name)
        for _ in range(2):  # neither do a start and a clean end
            again = hosted(DatabasePlace("", folder))
            async with again as platform, platform.context.database.served():
                told = await warnings_of(platform)
                assert [one.startswith(LOST) for one in told] == [True] * is_lost, name
                assert_told(folder, is_lost=is_lost, name=f"{name}, while it serves")
            assert_told(folder, is_lost=is_lost, name=f"{name}, started and ended")


def assert_told(folder: Path, *, is_lost: bool, name: str) -> None:
    exit_code, words = checked(folder.parent)
    expected = (check.WARNED, 1) if is_lost else (check.WHOLE, 0)
    assert (exit_code, words.count(LOST)) == expected, name


async def warnings_of(platform: Hosted) -> list[str]:
    told = await platform.client.get("http://platform.example/health")
    assert told.status_code == httpx.codes.OK
    warnings: list[str] = told.json()["warnings"]
    return warnings


async def test_a_lost_log_is_told_until_a_person_has_seen_to_it(
    place: DatabasePlace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alone = tmp_path / "alone" / FOLDER
    alone.mkdir(parents=True)
    async with hosted(place) as platform, platform.context.database.served():
        await sixty_stores(platform)
        shutil.copy(place.folder / FILE, alone)
    shop = settings.load(alone.parent)
    assert len(await accounts(shop)) == 1  # the first program that opens it need not serve it
    async with hosted(DatabasePlace("", alone)) as platform:
        (told,) = await warnings_of(platform)
        assert f"It was found at {datetime.now(UTC):%Y-%m-%d}" in told
        assert "the last that is there is of 2026-09-01 05:30:00 UTC" in told
        assert told in checked(alone.parent)[1]
        assert told in caplog.text
        with pytest.raises(Invalid) as nobody:
            await note_seen(shop, by="\n")
        assert nobody.value.field == "by"
        assert await note_seen(shop, by="Ана") == [told]  # also while it is open
        assert await warnings_of(platform) == []
        assert_told(alone, is_lost=False, name="seen")
        assert await note_seen(shop, by="Ана") == []
    kept = "SELECT seen_by FROM lost_log"
    assert sqlite_value(alone / FILE, kept) == "Ана"
    async with hosted(DatabasePlace("", alone)) as platform, platform.context.database.served():
        shutil.copy(alone / FILE, tmp_path)  # for the same loss again
        assert await warnings_of(platform) == []
    shutil.copy(tmp_path / FILE, alone)
    assert_told(alone, is_lost=True, name="again")


async def test_a_command_that_copies_a_killed_platforms_log_loses_nothing(
    place: DatabasePlace, tmp_path: Path
) -> None:
    killed = {name: tmp_path / name / FOLDER for name in ("backup", "opened")}
    async with hosted(place) as platform, platform.context.database.served():
        await sixty_stores(platform)
        for folder in killed.values():
            folder.mkdir(parents=True)
            for name in (FILE, f"{FILE}-wal"):
                shutil.copy(place.folder / name, folder / name)
    await copy_database(killed["backup"] / FILE, tmp_path / "copy.db")
    async with hosted(DatabasePlace("", killed["opened"])):
        pass
    for name, folder in killed.items():
        assert not (folder / f"{FILE}-wal").exists()
        assert LOST not in checked(folder.parent)[1], name


@pytest.mark.parametrize("left", [_PAGE * 3 + 100, 5000, 50])
async def test_a_truncated_file_is_told_in_a_sentence(place: DatabasePlace, left: int) -> None:
    file = place.folder / FILE
    async with hosted(place) as platform:
        await sixty_stores(platform)
        all_in_the_file(file)
    os.truncate(file, left)
    exit_code, words = checked(place.folder.parent)
    assert (exit_code, "platform.db: damaged" in words) == (check.DAMAGED, True)


async def test_an_emptied_file_is_not_told_whole(place: DatabasePlace) -> None:
    async with hosted(place) as platform:
        await sixty_stores(platform)
    file = place.folder / FILE
    for left_over in ("-wal", "-shm"):
        file.with_name(FILE + left_over).unlink(missing_ok=True)
    file.write_bytes(b"")
    exit_code, words = checked(place.folder.parent)
    assert (exit_code, "damaged: it is empty" in words) == (check.DAMAGED, True), words


async def test_a_list_of_before_a_restore_is_not_taken_for_the_present_one(
    place: DatabasePlace, tmp_path: Path
) -> None:
    """The restored account goes on counting its writes from the copy: the same numbers, other
    lists."""
    file, copy = place.folder / FILE, tmp_path / "copy.db"
    async with hosted(place) as platform:
        client = platform.client
        first = await add(platform)
        await copy_database(file, copy)
        undone = await add(platform)
        listed = await client.get("/products")
        had = {"If-None-Match": listed.headers["ETag"]}
        changed = {"updatedSince": undone["updatedAt"]}
        assert (await client.get("/products", headers=had)).status_code == 304
        with closing(sqlite3.connect(copy)) as kept, closing(sqlite3.connect(file)) as present:
            kept.backup(present)
        again = listed
        for written in (0, 1, 2):  # since the restore
            if written:
                platform.clock.forward(60)
                await add(platform)
            again = await client.get("/products", headers=had, params=changed)
            assert again.status_code == 200, written
            assert again.headers["X-Catalogue-Whole"] == "true"
            names = [one["id"] for one in again.json()]
            assert (names[0], len(names)) == (first["id"], 1 + written)
            assert undone["id"] not in names
        known = {"If-None-Match": again.headers["ETag"]}
        platform.clock.forward(60)
        news = await add(platform)
        told = await client.get(
            "/products", headers=known, params={"updatedSince": news["updatedAt"]}
        )
        assert ([one["id"] for one in told.json()], "X-Catalogue-Whole" in told.headers) == (
            [news["id"]],
            False,
        )


async def test_a_full_disk_is_told_as_such(place: DatabasePlace) -> None:
    async with hosted(place) as platform:
        async with platform.context.database.writing() as connection:
            pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
            await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        answer = await platform.client.post("/stores", json={"name": "Прва"})
        while answer.status_code == httpx.codes.CREATED:
            answer = await platform.client.post("/stores", json={"name": "x" * 200})
        assert (answer.status_code, answer.json()["code"]) == (400, 40010002)
        assert answer.json()["message"] == "The disk of the platform's database is full."
