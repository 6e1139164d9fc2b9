"""Limits the use of the platform by one account, and by one of its keys.

A request that comes too soon waits for up to a second. So a program that sends one request after
another is slowed down and never refused. A request that would have to wait longer is refused, and
the answer says when to try again. Each worker counts its own requests; clients, rows and bytes are
counted in the database. A quota of 0 is no limit.
Source: platform-contract.md 5.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.clock import Clock
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.audit import check_account
from pos_app.platform_api.database import tables
from pos_app.platform_api.database.engine import READERS, Database
from pos_app.platform_api.database.stored import put_together, stored_by
from pos_app.platform_api.errors import QuotaReached, TooManyLists
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.slow_work import Turns

MOST_WAIT_SECONDS = 1.0
BURST_SECONDS = 5.0
"""After a pause of this length a caller may send as many requests at once as this time allows."""
AGAIN_SECONDS = 1
_MOST_REMEMBERED = 10_000
_MORE = "have the operator of the platform raise the quota"
_MOST_PARTS = 64
"""From so many rows of an account in `stored` on, they are put together."""
_LOOKED_SECONDS = 5.0
"""The time for which an account that had room for receipts has room."""
_WITH_RECEIPTS = 1.1

MOST_LISTS = READERS // 2
MOST_OF_AN_ACCOUNT = MOST_LISTS // 2


@dataclass(frozen=True, slots=True)
class Quota:
    """A limit. of_account, of_key: 0 allows any number."""

    of_account: int = 0
    of_key: int = 0


@dataclass(frozen=True, slots=True)
class Quotas:
    """All limits. applications: applications connected at once. requests: requests under way at
    once. a_second: requests in a second. clients: clients registered and not deleted. rows: rows of
    the catalogue, also deleted ones. stored_bytes: bytes of all rows, and of files in all
    sizes."""

    applications: Quota = Quota()
    requests: Quota = Quota()
    a_second: Quota = Quota()
    clients: int = 0
    rows: int = 0
    stored_bytes: int = 0


class QuotaKeeper:
    """Enforces the limits. report: called with the name of each quota that refuses a
    request."""

    def __init__(self, quotas: Quotas, clock: Clock, report: Callable[[str], None]) -> None:
        self._quotas = quotas
        self._clock = clock
        self._report = report
        self._requests: Counter[str] = Counter()
        self._applications: Counter[str] = Counter()
        self._turns: OrderedDict[str, float] = OrderedDict()
        self._looked_at: OrderedDict[str, float] = OrderedDict()

    @asynccontextmanager
    async def request(self, caller: KeyHolder) -> AsyncIterator[None]:
        """Count a request while inside. Raises QuotaReached."""
        with self._counted(self._requests, caller, self._quotas.requests, "requests under way"):
            await self._turn(caller)
            yield

    @asynccontextmanager
    async def application(self, caller: KeyHolder) -> AsyncIterator[None]:
        """Count an application while inside; connecting is a request too. Raises QuotaReached."""
        await self._turn(caller)
        with self._counted(self._applications, caller, self._quotas.applications, "applications"):
            yield

    @contextmanager
    def _counted(
        self, counts: Counter[str], caller: KeyHolder, quota: Quota, what: str
    ) -> Iterator[None]:
        names = [caller.account_id, caller.key_id]
        for name, most, whose in (
            (caller.account_id, quota.of_account, "account"),
            (caller.key_id, quota.of_key, "key"),
        ):
            if most and counts[name] >= most:
                raise self._reached(what, f"This {whose} has {most} {what} at once", AGAIN_SECONDS)
        counts.update(names)
        try:
            yield
        finally:
            counts.subtract(names)
            for name in names:
                if not counts[name]:
                    del counts[name]

    async def _turn(self, caller: KeyHolder) -> None:
        now, quota = self._clock.seconds(), self._quotas.a_second
        turns = {
            name: max(self._turns.get(name, 0.0), now - BURST_SECONDS) + 1 / most
            for name, most in ((caller.account_id, quota.of_account), (caller.key_id, quota.of_key))
            if most
        }
        wait = max((at - now for at in turns.values()), default=0.0)
        if wait > MOST_WAIT_SECONDS:
            words = "More requests a second are asked than the quota"
            raise self._reached("requests a second", words, math.ceil(wait))
        for name, at in turns.items():
            self._turns[name] = at
            self._turns.move_to_end(name)
        while len(self._turns) > _MOST_REMEMBERED:
            self._turns.popitem(last=False)
        if wait > 0:
            await asyncio.sleep(wait)

    async def check_client(self, connection: AsyncConnection, account: str, client: str) -> None:
        """Check that an unknown or deleted client may register. Raises QuotaReached."""
        most = self._quotas.clients
        registered = select(tables.CLIENT.c.id).where(tables.CLIENT.c.deleted_at.is_(None))
        known = registered.where(tables.CLIENT.c.id == client)
        if (await connection.execute(known)).first() is not None:
            return
        self._check_bytes((await stored_by(connection, account)).byte_count)
        if not most:
            return
        last = registered.where(tables.CLIENT.c.account_id == account).offset(most - 1).limit(1)
        if (await connection.execute(last)).first() is not None:
            raise self._reached("clients", f"This account has {most} clients", AGAIN_SECONDS)

    @asynccontextmanager
    async def storing(self, connection: AsyncConnection, account: str) -> AsyncIterator[None]:
        """Check that a write, in the transaction of `connection`, makes an account grow no further
        than its quotas. An account beyond them may still shrink. Raises QuotaReached, which undoes
        the write."""
        before = await stored_by(connection, account)
        yield
        after = await stored_by(connection, account)
        if after.rows > before.rows:
            self._check_rows(after.rows)
        if after.byte_count > before.byte_count:
            self._check_bytes(after.byte_count)
        if after.row_parts > _MOST_PARTS:
            await put_together(connection, account)

    async def check_room(self, database: Database, account: str, size: int) -> None:
        """Check that so many bytes may be stored. Raises QuotaReached."""
        if self._quotas.stored_bytes:
            async with database.reading() as connection:
                self._check_bytes((await stored_by(connection, account)).byte_count + size)

    async def check_receipt(self, database: Database, account: str) -> None:
        """Check that a receipt's command may be stored: an account that is full of other things may
        still sell, up to a share more. Raises QuotaReached."""
        most, now = self._quotas.stored_bytes, self._clock.seconds()
        if not most or self._looked_at.get(account, -_LOOKED_SECONDS) + _LOOKED_SECONDS > now:
            return
        async with database.reading() as connection:
            stored = await stored_by(connection, account)
        if stored.byte_count > most * _WITH_RECEIPTS:
            self._check_bytes(stored.byte_count)
        self._looked_at[account] = now
        if len(self._looked_at) > _MOST_REMEMBERED:
            self._looked_at.popitem(last=False)
        if stored.row_parts > _MOST_PARTS:
            async with database.writing() as connection:
                await check_account(connection, account, lock=True)
                await put_together(connection, account)

    def _check_rows(self, rows: int) -> None:
        most = self._quotas.rows
        if most and rows > most:
            words = f"This account has {most} rows (quota_rows), deleted ones too: {_MORE}"
            raise self._reached("rows", words, AGAIN_SECONDS)

    def _check_bytes(self, size: int) -> None:
        most = self._quotas.stored_bytes
        if most and size > most:
            words = (
                f"This account would store more than {most / 1_000_000:g} MB (quota_megabytes): "
                f"delete pictures, or shorten descriptions, or {_MORE}"
            )
            raise self._reached("stored bytes", words, AGAIN_SECONDS)

    def _reached(self, quota: str, words: str, seconds: int) -> QuotaReached:
        self._report(quota)
        return QuotaReached(seconds=seconds, words=words)


class ListSlots:
    """Limits the large lists that one worker sends at once: each keeps a connection to the database
    for minutes. An account has at most half of the limit, so that others always find room."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._beginning = Turns()

    def beginning(self, account_id: str) -> AbstractAsyncContextManager[object]:
        """Hold it until it is known whether a list is large. The lists of an account begin one
        after the other, so those that wait keep no connection to the database."""
        return self._beginning.of(account_id)

    @contextmanager
    def taken(self, account_id: str) -> Iterator[None]:
        """Count a list while inside. Raises TooManyLists at once where the limit is reached."""
        mine = self._taken[account_id]
        if mine >= MOST_OF_AN_ACCOUNT or self._taken.total() >= MOST_LISTS:
            raise TooManyLists("of_account" if mine >= MOST_OF_AN_ACCOUNT else "of_all")
        self._taken[account_id] += 1
        try:
            yield
        finally:
            self._taken[account_id] -= 1
            if not self._taken[account_id]:
                del self._taken[account_id]
