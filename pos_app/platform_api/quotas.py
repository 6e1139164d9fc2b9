"""Limits the use of the platform by one account, and by one of its keys.

A request that comes too soon waits for up to a second. So a program that sends one request after
another is slowed down and never refused. A request that would have to wait longer is refused, and
the answer says when to try again. Each worker counts its own requests; clients and bytes are
counted in the database, and so are rows from nine tenths of their quota on. A quota of 0 is no
limit.
Source: platform-contract.md 5.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.clock import Clock
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database import tables
from pos_app.platform_api.database.engine import READERS
from pos_app.platform_api.errors import QuotaReached, TooManyLists
from pos_app.platform_api.keys import Caller

MOST_WAIT_SECONDS = 1.0
BURST_SECONDS = 5.0
"""After a pause of this length a caller may send as many requests at once as this time allows."""
AGAIN_SECONDS = 1
_MOST_REMEMBERED = 10_000
_ROWS = (tables.PRODUCT, tables.STORE, tables.UNIT, tables.CATEGORY, tables.CASHIER, tables.FILE)
_SHARE_COUNTED = 0.9
"""From this share of the quota on, an account's rows are counted at each new row."""

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
    the catalogue, also deleted ones. stored_bytes: bytes of files in all sizes."""

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
        self._rows: OrderedDict[str, int] = OrderedDict()

    @asynccontextmanager
    async def request(self, caller: Caller) -> AsyncIterator[None]:
        """Count a request while inside. Raises QuotaReached."""
        with self._one(self._requests, caller, self._quotas.requests, "requests under way"):
            await self._turn(caller)
            yield

    @asynccontextmanager
    async def application(self, caller: Caller) -> AsyncIterator[None]:
        """Count an application while inside; connecting is a request too. Raises QuotaReached."""
        await self._turn(caller)
        with self._one(self._applications, caller, self._quotas.applications, "applications"):
            yield

    @contextmanager
    def _one(self, counts: Counter[str], caller: Caller, quota: Quota, what: str) -> Iterator[None]:
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

    async def _turn(self, caller: Caller) -> None:
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
        if not most or (await connection.execute(known)).first() is not None:
            return
        last = registered.where(tables.CLIENT.c.account_id == account).offset(most - 1).limit(1)
        if (await connection.execute(last)).first() is not None:
            raise self._reached("clients", f"This account has {most} clients", AGAIN_SECONDS)

    async def check_row(self, connection: AsyncConnection, account: str) -> None:
        """Check that one more row may be stored. Raises QuotaReached."""
        most = self._quotas.rows
        if not most:
            return
        known = self._rows.get(account)
        if known is None or known >= most * _SHARE_COUNTED:
            known = 0
            for table in _ROWS:
                mine = select(func.count()).where(table.c.account_id == account)
                known += (await connection.execute(mine)).scalar_one()
        if known >= most:
            raise self._reached("rows", f"This account has {most} rows", AGAIN_SECONDS)
        self._rows[account] = known + 1
        if len(self._rows) > _MOST_REMEMBERED:
            self._rows.popitem(last=False)

    async def check_bytes(self, connection: AsyncConnection, account: str, size: int) -> None:
        """Check that files of so many bytes may be stored. Raises QuotaReached."""
        most = self._quotas.stored_bytes
        if not most:
            return
        mine = select(func.sum(tables.FILE_CONTENT.c.bytes)).where(
            tables.FILE_CONTENT.c.account_id == account
        )
        if ((await connection.execute(mine)).scalar() or 0) + size > most:
            words = f"This account has files of {most // 1_000_000} MB"
            raise self._reached("stored bytes", words, AGAIN_SECONDS)

    def _reached(self, quota: str, words: str, seconds: int) -> QuotaReached:
        self._report(quota)
        return QuotaReached(seconds=seconds, words=words)


class ListSlots:
    """Limits the large lists that one worker sends at once: each keeps a connection to the database
    for minutes. An account has at most half of the limit, so that others always find room."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

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
