"""Whole lists, copied out row by row: their size costs time, never memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import datetime

from sqlalchemy import Select, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pos_app.errors import Invalid
from pos_app.http_front.errors import JSON, InvalidPart
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import ACCOUNT
from pos_app.platform_api.keys import Caller
from pos_app.platform_api.resource import query_of
from pos_app.wire.record import LIST_QUERY, updated_since

HERE = "\x01"
"""Stands in a kept JSON text for the platform's address, which each caller may know by another
name. No JSON holds this character as it is."""
HERE_MARK = "\x01platform\x01"
"""Stands for it in a member that is to be kept."""
LONGEST_SECONDS = 300.0
"""How long a caller may take to read a list: it keeps a connection to the database meanwhile."""
_ROWS_AT_ONCE = 500


async def answer_list(
    context: PlatformContext, table: Table, request: Request, caller: Caller
) -> Response:
    """200 with the rows of the caller's account in one array, or 304.

    Deleted rows are left out, except where `updatedSince` asks for what changed. A list that the
    server can't end is cut, so that it is never taken for a whole one.
    """
    since = _since(request)
    stack = AsyncExitStack()
    try:
        connection = await stack.enter_async_context(context.database.reading(snapshot=True))
        revision = await _revision(connection, table, caller.account_id)
        headers = {"ETag": f'"{revision}"', "Cache-Control": "private, no-cache"}
        headers["X-Catalogue-Revision"] = str(await _revision_of_account(connection, caller))
        if _is_known(request, headers["ETag"]):
            await stack.aclose()
            return Response(status_code=304, headers=headers)
        query = _rows(table, caller.account_id, since)
    except BaseException:
        await stack.aclose()
        raise
    body = _copied(connection, query, here(context, request).encode(), stack)
    return StreamingResponse(body, headers=headers, media_type=JSON)


def answer_one(
    context: PlatformContext, request: Request, text: str, *, status: int = 200
) -> Response:
    """The answer with one row, as it is kept."""
    return Response(text.replace(HERE, here(context, request)), status, media_type=JSON)


def here(context: PlatformContext, request: Request) -> str:
    """The platform's address as the caller knows it, without a slash at its end."""
    if context.public_url:
        return context.public_url
    return f"{request.url.scheme}://{request.url.netloc}"


def _since(request: Request) -> datetime | None:
    try:
        return updated_since(query_of(request, LIST_QUERY))
    except InvalidPart:
        raise
    except Invalid as error:
        raise InvalidPart(error.what, field=error.field, source="query") from error


async def _revision(connection: AsyncConnection, table: Table, account_id: str) -> int:
    """The account's revision when a row of this table was last written; 0 for an empty table."""
    query = (
        select(table.c.revision)
        .where(table.c.account_id == account_id)
        .order_by(table.c.updated_at.desc())
        .limit(1)
    )
    return (await connection.execute(query)).scalar() or 0


async def _revision_of_account(connection: AsyncConnection, caller: Caller) -> int:
    query = select(ACCOUNT.c.revision).where(ACCOUNT.c.id == caller.account_id)
    return (await connection.execute(query)).scalar() or 0


def _is_known(request: Request, tag: str) -> bool:
    told = ",".join(request.headers.getlist("if-none-match"))
    known = {each.strip().removeprefix("W/") for each in told.split(",")}
    return tag in known or "*" in known


def _rows(table: Table, account_id: str, since: datetime | None) -> Select[tuple[str]]:
    query = select(table.c.document).where(table.c.account_id == account_id)
    if since is None:
        return query.where(table.c.deleted_at.is_(None)).order_by(table.c.number)
    return query.where(table.c.updated_at >= since).order_by(table.c.updated_at)


async def _copied(
    connection: AsyncConnection, query: Select[tuple[str]], base: bytes, stack: AsyncExitStack
) -> AsyncIterator[bytes]:
    async with stack, asyncio.timeout(LONGEST_SECONDS):
        before = b"["
        async with connection.stream(query) as found:
            async for rows in found.partitions(_ROWS_AT_ONCE):
                text = ",".join([row.document for row in rows])
                part = text.encode().replace(HERE.encode(), base)
                yield before + part
                before = b","
        yield b"[]" if before == b"[" else b"]"
