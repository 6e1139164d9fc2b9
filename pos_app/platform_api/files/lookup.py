"""Finds files for other rows of their account, and the products that show a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import and_, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.domain.article.product import File
from pos_app.platform_api.database.tables import FILE, PRODUCT, PRODUCT_IMAGE
from pos_app.platform_api.resource import kept_members
from pos_app.wire.file import file_from_json

_ASKED_AT_ONCE = 500


async def files_of(
    connection: AsyncConnection, account_id: str, ids: Collection[str]
) -> dict[str, File]:
    """Return the account's files among these ids. Their addresses begin with HERE_MARK."""
    found: dict[str, File] = {}
    wanted = list(ids)
    for at in range(0, len(wanted), _ASKED_AT_ONCE):
        some = wanted[at : at + _ASKED_AT_ONCE]
        query = select(FILE).where(
            and_(FILE.c.account_id == account_id, FILE.c.id.in_(some), FILE.c.deleted_at.is_(None))
        )
        for row in await connection.execute(query):
            members: dict[str, Any] = {"id": row.id, **kept_members(row.document)}
            file = file_from_json(members)
            found[row.id] = replace(file, created_at=row.created_at, updated_at=row.updated_at)
    return found


async def note_images(
    connection: AsyncConnection, product_id: str, file_ids: Iterable[str], *, is_new: bool
) -> None:
    if not is_new:
        old = PRODUCT_IMAGE.c.product_id == product_id
        await connection.execute(delete(PRODUCT_IMAGE).where(old))
    rows = [{"product_id": product_id, "file_id": each} for each in file_ids]
    if rows:
        await connection.execute(insert(PRODUCT_IMAGE), rows)


async def shown_by(connection: AsyncConnection, file_id: str) -> str | None:
    query = (
        select(PRODUCT.c.id)
        .join(PRODUCT_IMAGE, PRODUCT_IMAGE.c.product_id == PRODUCT.c.id)
        .where(and_(PRODUCT_IMAGE.c.file_id == file_id, PRODUCT.c.deleted_at.is_(None)))
        .order_by(PRODUCT.c.number)
        .limit(1)
    )
    found: str | None = (await connection.execute(query)).scalar()
    return found
