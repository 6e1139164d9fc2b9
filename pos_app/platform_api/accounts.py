"""Accounts: whose rows are whose, and the order of what an account's catalogue is written.

One write at a time: each locks the row of its account, and takes from it the next revision and an
instant later than that of the write before. So whoever asks for what changed since an instant that
it was told misses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.platform_api.database.tables import ACCOUNT

_MILLISECOND = timedelta(milliseconds=1)


async def make_account(connection: AsyncConnection, *, name: str, now: datetime) -> str:
    """The id of the new account."""
    account_id = str(uuid4())
    await connection.execute(
        insert(ACCOUNT).values(
            id=account_id, name=name, created_at=now, revision=0, written_at=now, last_sku=0
        )
    )
    return account_id


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a write gives to the rows that it writes."""

    revision: int
    at: datetime


class CatalogueWrite:
    """One write to the catalogue of an account, inside a writing transaction."""

    def __init__(self, connection: AsyncConnection, account_id: str, now: datetime) -> None:
        self.connection = connection
        self.account_id = account_id
        self.now = now
        self._stamp: Stamp | None = None

    async def lock(self) -> None:
        """Wait for the writes before this one; call it before anything is read."""
        query = select(ACCOUNT.c.id).where(ACCOUNT.c.id == self.account_id).with_for_update()
        await self.connection.execute(query)

    async def stamp(self) -> Stamp:
        """The account's next revision and instant; the same one each time it is asked."""
        if self._stamp is None:
            mine = ACCOUNT.c.id == self.account_id
            query = select(ACCOUNT.c.revision, ACCOUNT.c.written_at).where(mine)
            before = (await self.connection.execute(query)).one()
            now = self.now.replace(microsecond=self.now.microsecond // 1000 * 1000)
            at = max(now, before.written_at + _MILLISECOND)
            self._stamp = Stamp(before.revision + 1, at)
            await self.connection.execute(
                update(ACCOUNT).where(mine).values(revision=before.revision + 1, written_at=at)
            )
        return self._stamp
