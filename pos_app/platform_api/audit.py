"""The audit log of people's acts, written in the transactions of these acts.

An account's entries are numbered, and each is later than the one before, so that a caller who asks
for entries since an instant misses none. Issuing a receipt writes no entry.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.clock import Clock
from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.errors import NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.log import REQUEST_ID
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import ACCOUNT, AUDIT_ENTRY
from pos_app.platform_api.keep_dropping import keep_dropping
from pos_app.wire.audit import Change, entry_line, entry_text

DROP_SECONDS = 3600.0
MOST_DROPPED = 500
"""The most entries in one transaction."""
_MILLISECOND = timedelta(milliseconds=1)
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Audited:
    """An act. name: the object's name for people. by: the key, or None for the operator."""

    kind: AuditKind
    act: AuditAct
    object_id: str
    name: str = ""
    by: str | None = None
    changes: Sequence[Change] = ()


async def check_account(
    connection: AsyncConnection, account_id: str, *, lock: bool = False
) -> None:
    """Check that an account exists. Raises NotFound. lock: nobody else writes an entry of the
    account until this transaction ends."""
    query = select(ACCOUNT.c.id).where(ACCOUNT.c.id == account_id)
    if (await connection.execute(query.with_for_update() if lock else query)).first() is None:
        raise NotFound("account_id", account_id=account_id)


async def record(
    connection: AsyncConnection, account_id: str, done: Audited, *, now: datetime
) -> None:
    """Write the entry, in the writing transaction of `connection`, which has locked the account."""
    entry = AUDIT_ENTRY.c
    last = select(entry.number, entry.updated_at).where(entry.account_id == account_id)
    before = (await connection.execute(last.order_by(entry.number.desc()).limit(1))).first()
    at = now.replace(microsecond=now.microsecond // 1000 * 1000)
    number = 1
    if before is not None:
        number, at = before.number + 1, max(at, before.updated_at + _MILLISECOND)
    entry_id = str(uuid4())
    text = entry_text(
        entry_id=entry_id,
        at=at,
        kind=done.kind,
        act=done.act,
        object_id=done.object_id,
        name=done.name,
        by_key=done.by,
        request_id=REQUEST_ID.get(),
        changes=done.changes,
    )
    await connection.execute(
        insert(AUDIT_ENTRY).values(
            id=entry_id,
            account_id=account_id,
            number=number,
            revision=number,
            created_at=at,
            updated_at=at,
            document=text,
        )
    )


async def entries_of(
    connection: AsyncConnection, account_id: str, since: datetime | None
) -> AsyncIterator[tuple[str, str]]:
    """Iterate over the entries as JSON and as a line for a person, the oldest first. Raises
    NotFound for an unknown account."""
    await check_account(connection, account_id)
    query = select(AUDIT_ENTRY.c.document).where(AUDIT_ENTRY.c.account_id == account_id)
    if since is not None:
        query = query.where(AUDIT_ENTRY.c.updated_at >= since)
    async with connection.stream(query.order_by(AUDIT_ENTRY.c.number)) as found:
        async for rows in found.partitions(_ROWS_AT_ONCE):
            for row in rows:
                yield row.document, entry_line(row.document)


async def drop_old(database: Database, *, before: datetime, most: int) -> int:
    entry = AUDIT_ENTRY.c
    old = select(entry.id).where(entry.updated_at < before).order_by(entry.updated_at).limit(most)
    async with database.writing() as connection:
        gone = delete(AUDIT_ENTRY).where(entry.id.in_(old)).returning(entry.id)
        return len((await connection.execute(gone)).all())


async def drop_outlived(database: Database, clock: Clock, days: int) -> None:
    """Drop entries older than so many days, until cancelled."""

    async def some() -> int:
        before = clock.now() - timedelta(days=days)
        return await drop_old(database, before=before, most=MOST_DROPPED)

    await keep_dropping(some, MOST_DROPPED, "entries of the audit log", every_seconds=DROP_SECONDS)
