"""Accounts and keys of the platform, and copies of its database, for the command line.

The serving modules are not loaded here: these commands are short.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.private_files import mend_platform
from pos_app.domain.text.instant import from_text
from pos_app.errors import SettingsBroken
from pos_app.platform_api.accounts import account_name, all_accounts, make_account
from pos_app.platform_api.audit import entries_of
from pos_app.platform_api.database.backup import copy_database
from pos_app.platform_api.database.engine import FILE, Database
from pos_app.platform_api.keys import (
    ALL_SCOPES,
    KnownKey,
    NewKey,
    key_terms,
    keys_of,
    make_key,
    revoke_key,
    rotate_key,
)
from pos_app.settings import Settings

FOLDER = "platform"


async def add_account(settings: Settings, name: str) -> str:
    """Make an account, and the database where there is none; return the account's id. Raises
    Invalid for the name."""
    right = account_name(name)  # checked before a database is made
    async with opened_database(settings) as database, database.writing() as connection:
        return await make_account(connection, name=right, now=SystemClock().now())


async def accounts(settings: Settings) -> list[tuple[str, str]]:
    """Return ids and names of all accounts, the oldest first. Raises NotFound without a
    database."""
    async with _existing(settings) as database, database.reading() as connection:
        return await all_accounts(connection)


async def add_key(
    settings: Settings,
    account_id: str,
    *,
    name: str = "command line",
    scopes: Sequence[str] = (),
    each_order_is_a_sale: bool = False,
    one_client: bool = False,
) -> NewKey:
    """Make a key, with all scopes where none is named; see `KeyTerms`. Raises Invalid for name or
    scopes, NotFound for an unknown account and without a database."""
    read = key_terms(name, scopes or ALL_SCOPES)
    terms = replace(read, each_order_is_a_sale=each_order_is_a_sale, one_client=one_client)
    async with _existing(settings) as database, database.writing() as connection:
        return await make_key(connection, account_id, terms, now=SystemClock().now())


async def keys(settings: Settings, account_id: str) -> list[KnownKey]:
    """Return all keys of an account, the oldest first. Raises NotFound for an unknown account and
    without a database."""
    async with _existing(settings) as database, database.reading() as connection:
        return await keys_of(connection, account_id)


def key_as_json(key: KnownKey) -> dict[str, object]:
    """Describe a key for the command line; instants in UTC."""
    return {
        "key": key.id,
        "name": key.terms.name,
        "scopes": [scope.value for scope in ALL_SCOPES if scope in key.terms.scopes],
        "each_order_is_a_sale": key.terms.each_order_is_a_sale,
        "one_client": key.terms.one_client,
        "created_at": moment_shown(key.created_at),
        "last_used_at": moment_shown(key.last_used_at),
        "revoked_at": moment_shown(key.revoked_at),
    }


async def revoke(settings: Settings, key_id: str) -> datetime | None:
    """Revoke a key; return when it had been revoked already, or None. Raises NotFound for an
    unknown key and without a database."""
    async with _existing(settings) as database, database.writing() as connection:
        return await revoke_key(connection, key_id, now=SystemClock().now())


async def rotate(settings: Settings, key_id: str) -> NewKey:
    """Make a successor of a key; the old key is refused from the first use of the new one. Raises
    NotFound for an unknown key, and without a database."""
    async with _existing(settings) as database, database.writing() as connection:
        return (await rotate_key(connection, key_id, now=SystemClock().now()))[0]


async def audit_of(
    settings: Settings, account_id: str, *, since: str | None
) -> AsyncIterator[tuple[str, str]]:
    """Iterate over the entries of an account's audit log as JSON and as a line, the oldest first.
    since: an instant, or None for all. Raises Invalid, NotFound for an unknown account and without
    a database."""
    from_then = None if since is None else from_text(since)
    async with _existing(settings) as database, database.reading() as connection:
        async for values in entries_of(connection, account_id, from_then):
            yield values


async def note_seen(settings: Settings, *, by: str) -> list[str]:
    """Note that a person handled the warnings of `check` and health; return them. Raises Invalid
    for the person's name, NotFound without a database."""
    async with _existing(settings) as database:
        return await database.losses_seen(by=by, now=SystemClock().now())


async def back_up(settings: Settings, copy: Path) -> None:
    """Copy the SQLite database, also one in use. Raises SettingsBroken where it is PostgreSQL,
    NotFound where there is none, MachineError."""
    if settings.platform_server.database_url:
        raise SettingsBroken("backup")
    await copy_database(settings.data / FOLDER / FILE, copy)


def _existing(settings: Settings) -> AbstractAsyncContextManager[Database]:
    """Open an existing database: a misspelt folder or database is not made."""
    return opened_database(settings, make=False)


@asynccontextmanager
async def opened_database(settings: Settings, *, make: bool = True) -> AsyncIterator[Database]:
    """Open the platform's database; it is closed afterwards. make: it is made where there is none.
    Raises what the database raises, and NotFound."""
    address, folder = settings.platform_server.database_url, settings.data / FOLDER
    database = await Database.open(address, folder=folder, make=make)
    mend_platform(settings.data, tells=make)
    try:
        yield database
    finally:
        await database.close()


def moment_shown(instant: datetime | None) -> str | None:
    return None if instant is None else instant.astimezone(UTC).isoformat(timespec="seconds")
