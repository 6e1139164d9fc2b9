"""Files as other rows of their account show them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Row, and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.domain.product import File
from pos_app.platform_api.database.tables import FILE
from pos_app.platform_api.listing import HERE_MARK

PATH = "/files"
SIZES = ("original", "64x64", "128x128", "256x256", "512x512", "1024x1024")


async def files_of(
    connection: AsyncConnection, account_id: str, ids: Collection[str]
) -> dict[str, File]:
    """Those of the files that the account has, by id."""
    if not ids:
        return {}
    query = select(FILE).where(
        and_(FILE.c.account_id == account_id, FILE.c.id.in_(ids), FILE.c.deleted_at.is_(None))
    )
    return {row.id: file_of(row) for row in await connection.execute(query)}


def file_of(row: Row[Any]) -> File:
    """The file of a row. Its addresses begin with HERE_MARK."""
    return File(
        id=row.id,
        filename=row.filename,
        original_filename=row.original_filename,
        mimetype_filename=row.mimetype,
        size=row.size,
        reference=row.reference,
        reference_id=row.reference_id,
        private=row.private,
        urls=tuple((size, f"{HERE_MARK}{PATH}/{row.id}/{size}") for size in SIZES),
        created_at=row.created_at,
        updated_at=row.updated_at,
        deleted_at=row.deleted_at,
    )
