"""Accounts and keys of the platform, and copies of its database, by command line.

What serves is not loaded here: these commands are short.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from pos_app.adapters.clock import SystemClock
from pos_app.characters import is_blank
from pos_app.errors import Invalid, SettingsBroken
from pos_app.platform_api.accounts import all_accounts, make_account
from pos_app.platform_api.database.backup import copy_database
from pos_app.platform_api.database.engine import FILE, Database
from pos_app.platform_api.keys import (
    ALL_SCOPES,
    KnownKey,
    NewKey,
    keys_of,
    make_key_from,
    revoke_key,
)
from pos_app.settings import Settings

FOLDER = "platform"
"""In the data folder."""


async def add_account(settings: Settings, name: str) -> str:
    """Make an account; its id. Raises Invalid for a name of which nothing can be seen."""
    if is_blank(name):
        raise Invalid("The account needs a name.", field="name")
    async with opened_database(settings) as database, database.writing() as connection:
        return await make_account(connection, name=name, now=SystemClock().now())


async def accounts(settings: Settings) -> list[tuple[str, str]]:
    """Ids and names of all accounts, the oldest first."""
    async with opened_database(settings) as database, database.reading() as connection:
        return await all_accounts(connection)


async def add_key(
    settings: Settings,
    account_id: str,
    *,
    name: str = "command line",
    scopes: Sequence[str] = (),
) -> NewKey:
    """Make a key, with all scopes where none is named.

    Raises Invalid of name or scopes, NotFound for an unknown account.
    """
    wanted = {"name": name, "scopes": list(scopes or ALL_SCOPES)}
    async with opened_database(settings) as database, database.writing() as connection:
        return await make_key_from(connection, account_id, wanted, now=SystemClock().now())


async def keys(settings: Settings, account_id: str) -> list[KnownKey]:
    """All keys of an account, the oldest first. Raises NotFound for an unknown account."""
    async with opened_database(settings) as database, database.reading() as connection:
        return await keys_of(connection, account_id)


def key_as_json(key: KnownKey) -> dict[str, object]:
    """As the command line tells it; instants in UTC."""
    return {
        "key": key.id,
        "name": key.name,
        "scopes": [scope.value for scope in ALL_SCOPES if scope in key.scopes],
        "created_at": _told(key.created_at),
        "last_used_at": _told(key.last_used_at),
        "revoked_at": _told(key.revoked_at),
    }


async def revoke(settings: Settings, key_id: str) -> None:
    """Raises NotFound for an unknown key and for one that was revoked before."""
    async with opened_database(settings) as database, database.writing() as connection:
        await revoke_key(connection, key_id, now=SystemClock().now())


async def back_up(settings: Settings, copy: Path) -> None:
    """Copy the SQLite database, which may be in use. Raises SettingsBroken where it is PostgreSQL,
    NotFound where there is none, MachineError."""
    if settings.platform_server.database_url:
        raise SettingsBroken(
            "This platform's database is PostgreSQL, which is copied by its own program.",
            safe="Nothing was copied.",
            do="Run pg_dump.",
            kind="backup",
        )
    await copy_database(settings.data / FOLDER / FILE, copy)


@asynccontextmanager
async def opened_database(settings: Settings) -> AsyncIterator[Database]:
    """The platform's database; closed afterwards. Raises what the database raises."""
    folder = settings.data / FOLDER
    database = await Database.open(settings.platform_server.database_url, folder=folder)
    try:
        yield database
    finally:
        await database.close()


def _told(instant: datetime | None) -> str | None:
    return None if instant is None else instant.astimezone(UTC).isoformat(timespec="seconds")
