"""Answers whole lists. A small list is read before it is answered, so a slow caller keeps nothing
open. A large list is copied out row by row, so its size costs time and no memory."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from functools import partial
from zlib import crc32

from sqlalchemy import Select, Table, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncResult
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app import log
from pos_app.errors import DatabaseDamaged, Invalid, MachineError
from pos_app.http_front.endpoint import JSON
from pos_app.http_front.errors import InvalidPart
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database import tables
from pos_app.platform_api.keys import Caller
from pos_app.platform_api.routing import query_of
from pos_app.wire.row import LIST_QUERY, updated_since

LONGEST_SECONDS = 300.0
"""The limit for a caller to read a list, which keeps a connection to the database meanwhile."""
SMALL_BYTES = 1024 * 1024
"""Lists up to this size are answered from memory."""
WHOLE = "X-Catalogue-Whole"
"""The header of a whole list that answers a request for changes."""
_NO_ROWS = "0"
_TAG = re.compile(r"([0-9]{1,18})-[0-9]{1,18}", re.ASCII)
_ROWS_AT_ONCE = 500
_PIECE = 128 * 1024
"""The bytes of one piece; the server's limit for writing applies to each piece."""

_log = log.get(__name__)


async def answer_list(
    context: PlatformContext, table: Table, request: Request, caller: Caller
) -> Response:
    """Answer 200 with the rows of the caller's account in one array, or 304; for HEAD no row is
    read.

    Deleted rows are left out, except where `updatedSince` asks for changes. The answer is the whole
    list, with WHOLE, where this database was restored since the caller's list. Raises TooManyLists
    for a large list.
    """
    since = _since(request)
    async with AsyncExitStack() as stack:
        reading = context.database.reading(one_state=True)
        connection = await stack.enter_async_context(reading)
        tag, present = await _tag_and_revision(connection, table, caller)
        headers = {
            "ETag": f'"{tag}"',
            "Cache-Control": "private, no-cache",
            "X-Catalogue-Revision": str(present),
        }
        callers = _tags_of(request)
        if tag in callers or "*" in callers:
            return Response(status_code=304, headers=headers)
        wrote = partial(_wrote, connection, table, caller, callers)
        if since is not None and callers and not await wrote():
            since = None
            headers[WHOLE] = "true"
        if request.method == "HEAD":
            return _head(headers)
        query = _rows(table, caller.account_id, since)
        expected = await _counted(connection, table, caller.account_id, since)
        found = await connection.stream(query)
        stack.push_async_callback(found.close)  # it does not close itself after an exception
        copied = _parts(found, here(context, request).encode(), expected)
        parts = await stack.enter_async_context(aclosing(copied))
        begun = b""
        async for part in parts:
            begun += part
            if len(begun) > SMALL_BYTES:
                stack.enter_context(context.list_slots.taken(caller.account_id))
                return _CopiedList(begun, parts, headers=headers, stack=stack.pop_all())
    return Response(begun, headers=headers, media_type=JSON)


def _head(headers: Mapping[str, str]) -> Response:
    """Answer without the length, for which the rows would have to be read."""
    answer = Response(headers=headers, media_type=JSON)
    del answer.headers["content-length"]
    return answer


async def _parts(
    found: AsyncResult[tuple[str, int]], base: bytes, expected: int | None
) -> AsyncGenerator[bytes]:
    """Iterate over the JSON of the list, some rows at a time; expected: the number of rows, or None
    for any. Raises DatabaseDamaged, before the end of the list."""
    before, count = b"[", 0
    async for rows in found.partitions(_ROWS_AT_ONCE):
        documents = [row.document.encode() for row in rows]
        if [crc32(one) for one in documents] != [row.checksum for row in rows]:
            raise DatabaseDamaged("row_of_platform")
        yield before + b",".join(documents).replace(tables.HERE.encode(), base)
        before, count = b",", count + len(rows)
    if expected is not None and count != expected:
        raise DatabaseDamaged("rows")
    yield b"[]" if before == b"[" else b"]"


class _CopiedList(Response):
    """Copies rows out of the database as fast as the caller reads them. A list that can't be
    completed is cut, so that it is never taken for a whole one."""

    def __init__(
        self,
        begun: bytes,
        parts: AsyncIterator[bytes],
        *,
        headers: dict[str, str],
        stack: AsyncExitStack,
    ) -> None:
        super().__init__(headers=headers, media_type=JSON)
        del self.headers["content-length"]
        self._begun = begun
        self._parts = parts
        self._stack = stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.create_task(_disconnected(receive), name="caller of a list is gone")
        try:
            async with self._stack, asyncio.timeout(LONGEST_SECONDS):
                await self._copy(send, gone)
        except (TimeoutError, MachineError) as error:
            _log.warning("a list was cut: %s", str(error) or "its caller read too slowly")
        finally:
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)

    async def _copy(self, send: Send, gone: asyncio.Task[None]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        part = self._begun
        while True:
            for start in range(0, len(part), _PIECE):
                if gone.done():
                    return
                piece = part[start : start + _PIECE]
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            try:
                part = await anext(self._parts)
            except StopAsyncIteration:
                break
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def answer_one(
    context: PlatformContext, request: Request, text: str, *, status: int = 200
) -> Response:
    return Response(text.replace(tables.HERE, here(context, request)), status, media_type=JSON)


def here(context: PlatformContext, request: Request) -> str:
    """Return the platform's address as the caller knows it, without a slash at its end."""
    if context.public_url:
        return context.public_url
    return f"{request.url.scheme}://{request.url.netloc}"


def _since(request: Request) -> datetime | None:
    try:
        return updated_since(query_of(request, LIST_QUERY))
    except InvalidPart:
        raise
    except Invalid as error:
        raise InvalidPart(what=error.what, field=error.field, source="query") from error


async def _tag_and_revision(
    connection: AsyncConnection, table: Table, caller: Caller
) -> tuple[str, int]:
    """Return the tag of the last write to a row of this table, and the number of the account's
    writes. A restored database counts on from the copy, but has other instants."""
    last = (
        select(table.c.revision, table.c.updated_at)
        .where(table.c.account_id == caller.account_id)
        .order_by(table.c.updated_at.desc())
        .limit(1)
    )
    row = (await connection.execute(last)).first()
    query = select(tables.ACCOUNT.c.revision).where(tables.ACCOUNT.c.id == caller.account_id)
    present = (await connection.execute(query)).scalar_one()
    return _NO_ROWS if row is None else _tag(row.revision, row.updated_at), present


def _tag(revision: int, at: datetime) -> str:
    return f"{revision}-{tables.milliseconds(at)}"


async def _wrote(
    connection: AsyncConnection, table: Table, caller: Caller, tags: Collection[str]
) -> bool:
    """Tell whether one of these tags belongs to a remembered write of this database. Each entry of
    the audit log is a write of its own."""
    if _NO_ROWS in tags:
        return True
    numbers = [int(one[1]) for one in map(_TAG.fullmatch, tags) if one is not None]
    is_audit = table is tables.AUDIT_ENTRY
    write = tables.AUDIT_ENTRY.c if is_audit else tables.CATALOGUE_WRITE.c
    at = tables.AUDIT_ENTRY.c.updated_at if is_audit else tables.CATALOGUE_WRITE.c.at
    query = select(write.revision, at.label("at")).where(
        write.account_id == caller.account_id, write.revision.in_(numbers)
    )
    return any(_tag(row.revision, row.at) in tags for row in await connection.execute(query))


async def _counted(
    connection: AsyncConnection, table: Table, account_id: str, since: datetime | None
) -> int | None:
    """Count the list's rows by another index than the one by which they are read: a damaged page of
    SQLite's may silently lack rows. It returns None for PostgreSQL, which checks its pages
    itself."""
    if connection.dialect.name != "sqlite":
        return None
    index, which = ("change", "deleted_at IS NULL") if since is None else ("number", _CHANGED)
    query = text(
        f"SELECT count(*) FROM {table.name} INDEXED BY {table.name}_by_{index}"
        f" WHERE account_id = :account AND {which}"
    )
    values: dict[str, object] = {"account": account_id}
    if since is not None:
        query = query.bindparams(bindparam("since", type_=tables.Instant))
        values["since"] = since
    counted: int = (await connection.execute(query, values)).scalar_one()
    return counted


_CHANGED = "updated_at >= :since"


def _tags_of(request: Request) -> frozenset[str]:
    header = ",".join(request.headers.getlist("if-none-match"))
    tags = (each.strip().removeprefix("W/").strip('"') for each in header.split(","))
    return frozenset(one for one in tags if one)


def _rows(table: Table, account_id: str, since: datetime | None) -> Select[tuple[str, int]]:
    query = select(table.c.document, table.c.checksum).where(table.c.account_id == account_id)
    if since is None:
        return query.where(table.c.deleted_at.is_(None)).order_by(table.c.number)
    return query.where(table.c.updated_at >= since).order_by(table.c.updated_at)
