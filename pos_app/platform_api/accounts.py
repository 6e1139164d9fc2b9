"""Accounts: the owners of rows, and the order of the writes to an account's catalogue.

The writes of an account follow one another. Each locks the row of its account, and takes from it
the next revision, and an instant later than the instant of the write before. So a caller that asks
for changes since the instant in an earlier answer misses nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.errors import NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import ACCOUNT, CATALOGUE_WRITE
from pos_app.wire.keys_and_clients import read_account_name

_MILLISECOND = timedelta(milliseconds=1)
REMEMBERED_WRITES = 20_000
"""The most writes of an account that are remembered. A caller whose list is older gets the whole
list."""


def account_name(given: str) -> str:
    """Check the name of an account to be made, and return it. Raises Invalid."""
    return read_account_name(given)


async def make_account(connection: AsyncConnection, *, name: str, now: datetime) -> str:
    account_id = str(uuid4())
    await connection.execute(
        insert(ACCOUNT).values(
            id=account_id, name=name, created_at=now, revision=0, written_at=now, last_sku=0
        )
    )
    return account_id


async def all_accounts(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Return id and name of each account, the oldest first."""
    query = select(ACCOUNT.c.id, ACCOUNT.c.name).order_by(ACCOUNT.c.created_at, ACCOUNT.c.id)
    return [(row.id, row.name) for row in await connection.execute(query)]


@dataclass(frozen=True, slots=True)
class Stamp:
    """The revision and instant that a write gives to its rows."""

    revision: int
    at: datetime


class CatalogueWrite:
    """One write to the catalogue of an account, inside a writing transaction. last_sku: the last
    assigned sku; code that assigns another one sets it."""

    def __init__(self, connection: AsyncConnection, account: Row[Any], now: datetime) -> None:
        self.connection = connection
        self.account_id: str = account.id
        self.last_sku: int = account.last_sku
        self._account = account
        self._now = now.replace(microsecond=now.microsecond // 1000 * 1000)
        self._stamp: Stamp | None = None

    def stamp(self) -> Stamp:
        """The account's next revision and instant; they stay the same for this write."""
        if self._stamp is None:
            at = max(self._now, self._account.written_at + _MILLISECOND)
            self._stamp = Stamp(self._account.revision + 1, at)
        return self._stamp

    async def finish(self) -> None:
        if self._stamp is None:
            return
        await self.connection.execute(
            update(ACCOUNT)
            .where(ACCOUNT.c.id == self.account_id)
            .values(
                revision=self._stamp.revision, written_at=self._stamp.at, last_sku=self.last_sku
            )
        )
        await self.connection.execute(
            insert(CATALOGUE_WRITE).values(
                account_id=self.account_id, revision=self._stamp.revision, at=self._stamp.at
            )
        )
        await self.connection.execute(
            delete(CATALOGUE_WRITE)
            .where(CATALOGUE_WRITE.c.account_id == self.account_id)
            .where(CATALOGUE_WRITE.c.revision <= self._stamp.revision - REMEMBERED_WRITES)
        )


@asynccontextmanager
async def catalogue_write(
    database: Database, account_id: str, now: datetime
) -> AsyncIterator[CatalogueWrite]:
    """Run a transaction on the catalogue of an account, after the earlier ones; an exception undoes
    it. Raises NotFound for an account that is gone."""
    query = select(ACCOUNT).where(ACCOUNT.c.id == account_id).with_for_update()
    async with database.writing() as connection:
        account = (await connection.execute(query)).first()
        if account is None:
            raise NotFound("account")
        write = CatalogueWrite(connection, account, now)
        yield write
        await write.finish()
