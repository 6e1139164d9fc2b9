"""Reads how much an account stores: the sum of its rows in `stored`, which triggers write."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database.tables import STORED

_STORED = STORED.c


@dataclass(frozen=True, slots=True)
class Stored:
    """rows: rows of the catalogue, also deleted ones. byte_count: bytes of all rows and files.
    row_parts: the rows in `stored` that add up to this."""

    rows: int
    byte_count: int
    row_parts: int


async def stored_by(connection: AsyncConnection, account_id: str) -> Stored:
    sums = select(func.sum(_STORED.row_count), func.sum(_STORED.byte_count), func.count())
    found = (await connection.execute(sums.where(_STORED.account_id == account_id))).one()
    return Stored(int(found[0] or 0), int(found[1] or 0), found[2])


async def put_together(connection: AsyncConnection, account_id: str) -> None:
    """Put the rows of an account together into one, in a writing transaction. Those that others add
    meanwhile stay."""
    gone = delete(STORED).where(_STORED.account_id == account_id)
    parts = (await connection.execute(gone.returning(_STORED.row_count, _STORED.byte_count))).all()
    await connection.execute(
        insert(STORED).values(
            account_id=account_id,
            row_count=sum(part.row_count for part in parts),
            byte_count=sum(part.byte_count for part in parts),
        )
    )
