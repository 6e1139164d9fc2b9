"""A damaged or full disk under the platform: nothing damaged is served as whole."""

from __future__ import annotations

import os
import shutil
import sqlite3  # noqa: TID251 - a page is damaged by hand
from collections.abc import Callable
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
from tests.integration.platform_api.hosted import Hosted, Place, hosted, many_stores

_PAGE = 4096
_KEPT_CELLS = 18


@pytest.fixture
def place(folder: Path) -> Place:
    """Return the program's own folder, so that `pos-app check` finds the database."""
    home = folder / FOLDER
    home.mkdir(parents=True)
    return Place("", home)


async def sixty_stores(platform: Hosted) -> None:
    await many_stores(platform.context.database, platform.account, 60, 8)


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


def sqlite_value(file: Path, query: str) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return str(connection.execute(query).fetchone()[0])


def misled(file: Path) -> None:
    """Change the pointer to the cells of the stores' first page."""
    content = bytearray(file.read_bytes())
    root = int(sqlite_value(file, "SELECT rootpage FROM sqlite_master WHERE name = 'store'"))
    content[(root - 1) * _PAGE + 5] ^= 0xFF
    file.write_bytes(content)


def changed(file: Path) -> None:
    content = file.read_bytes()
    assert content.count(b'"17 xxxxxxxx"') == 1
    file.write_bytes(content.replace(b'"17 xxxxxxxx"', b'"77 xxxxxxxx"'))


SINCE = "?updatedSince=2000-01-01T00:00:00.000Z"
SPOILT: list[tuple[Callable[[Path], None], str, str, str]] = [
    (lambda file: lose_cells(file, "store_by_number"), "", "missing", "platform.db: damaged"),
    (lambda file: lose_cells(file, "store_by_change"), SINCE, "missing", "platform.db: damaged"),
    (changed, "", "damaged", "not as it was written"),
    (misled, "", "", "platform.db: damaged"),
    (lambda file: os.truncate(file, _PAGE * 3 + 100), "", "", "platform.db: damaged"),
    (lambda file: os.truncate(file, 5000), "", "", "platform.db: damaged"),
    (lambda file: os.truncate(file, 50), "", "", "platform.db: damaged"),
    (lambda file: os.truncate(file, 0), "", "", "damaged: it is empty"),
]
"""Who spoils the file, what is asked for and answered then, and what `check` tells."""


async def test_what_is_damaged_is_told_and_never_served_as_whole(place: Place) -> None:
    file = place.folder / FILE
    async with hosted(place) as platform:
        await sixty_stores(platform)
        await platform.context.database.look_for_damage()
        assert (await platform.client.get("http://platform.example/health")).status_code == 200
    assert checked(place.folder.parent)[0] == check.WHOLE
    all_in_the_file(file)
    undamaged = file.read_bytes()
    for spoil, query, answered, told in SPOILT:
        for left_over in ("-wal", "-shm"):
            file.with_name(FILE + left_over).unlink(missing_ok=True)
        file.write_bytes(undamaged)
        account = sqlite_value(file, "SELECT account_id FROM store")
        spoil(file)
        if answered:
            async with hosted(place) as platform:
                caller = platform.caller(await platform.key_of(account))
                answer = await caller.get(f"/stores{query}")
                assert answer.status_code == httpx.codes.INTERNAL_SERVER_ERROR, told
                assert answered in answer.json()["message"]
        if spoil is misled:
            async with hosted(place) as platform:
                await platform.context.database.look_for_damage()
                health = await platform.client.get("http://platform.example/health")
                assert health.status_code == httpx.codes.SERVICE_UNAVAILABLE
                assert health.json()["database"] == "The platform's database is damaged."
        exit_code, words = checked(place.folder.parent)
        assert (exit_code, told in words) == (check.DAMAGED, True), words


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
    place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alone = tmp_path / "alone" / FOLDER
    alone.mkdir(parents=True)
    async with hosted(place) as platform, platform.context.database.served():
        await sixty_stores(platform)
        shutil.copy(place.folder / FILE, alone)
    shop = settings.load(alone.parent)
    assert len(await accounts(shop)) == 1  # the first program that opens it need not serve it
    async with hosted(Place("", alone)) as platform:
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
    assert sqlite_value(alone / FILE, "SELECT seen_by FROM lost_log") == "Ана"
    async with hosted(Place("", alone)) as platform, platform.context.database.served():
        shutil.copy(alone / FILE, tmp_path)  # for the same loss again
        assert await warnings_of(platform) == []
    shutil.copy(tmp_path / FILE, alone)
    assert_told(alone, is_lost=True, name="again")


async def test_a_copy_of_a_killed_platforms_log_is_whole(place: Place, tmp_path: Path) -> None:
    killed = {name: tmp_path / name / FOLDER for name in ("backup", "opened")}
    async with hosted(place) as platform, platform.context.database.served():
        await sixty_stores(platform)
        for folder in killed.values():
            folder.mkdir(parents=True)
            for name in (FILE, f"{FILE}-wal"):
                shutil.copy(place.folder / name, folder / name)
    await copy_database(killed["backup"] / FILE, tmp_path / "copy.db")
    async with hosted(Place("", killed["opened"])):
        pass
    for name, folder in killed.items():
        assert not (folder / f"{FILE}-wal").exists()
        assert LOST not in checked(folder.parent)[1], name
