"""Answers whole lists. A small list is read before it is answered, so a slow caller keeps nothing
open. A large list is copied out in parts, so its size costs time and no memory. Each part is a
piece of slow work, so the lists of an account hold up nobody else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, nullcontext
from datetime import datetime
from functools import partial
from typing import Any
from zlib import crc32

from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    Row,
    Select,
    Table,
    bindparam,
    case,
    cast,
    func,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncResult
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app import log
from pos_app.errors import DatabaseDamaged, Invalid, MachineError
from pos_app.http_front.endpoint import JSON
from pos_app.http_front.errors import InvalidPart
from pos_app.http_front.requests import query_of
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database import tables
from pos_app.platform_api.database.engine import IS_WRITING
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.slow_work import SlowWork
from pos_app.wire.row import LIST_QUERY, updated_since

LONGEST_SECONDS = 300.0
"""The limit for a caller to read a list, which keeps a connection to the database meanwhile."""
SMALL_BYTES = 1024 * 1024
"""Lists up to this size are answered from memory."""
WHOLE = "X-Catalogue-Whole"
"""The header of a whole list that answers a request for changes."""
_NO_ROWS = "0"
_TAG = re.compile(r"([0-9]{1,18})-[0-9]{1,18}", re.ASCII)
_FIRST_ROWS, _ROWS_AT_ONCE = 50, 500
"""The first rows of a list are read at once, as any small answer; the others are slow work."""
_LONG = 4 * 1024
"""The characters from which a row is read by itself, so that a part has a bounded size."""
_IN_PARTS = {"yield_per": _ROWS_AT_ONCE}
_PIECE = 128 * 1024
"""The bytes of one piece; the server's limit for writing applies to each piece."""

_log = log.get(__name__)


async def answer_list(
    context: PlatformContext, table: Table, request: Request, caller: KeyHolder
) -> Response:
    """Answer 200 with the rows of the caller's account in one array, or 304; for HEAD no row is
    read.

    Deleted rows are left out, except where `updatedSince` asks for changes. The answer is the whole
    list, with WHOLE, where this database was restored since the caller's list. Raises TooManyLists
    for a large list.
    """
    since, callers = _since(request), _tags_of(request)
    account = caller.account_id
    if callers:
        async with context.database.reading() as connection:
            tag, present = await _tag_and_revision(connection, table, caller)
        if tag in callers or "*" in callers:
            return Response(status_code=304, headers=_headers(tag, present))
    async with context.list_slots.beginning(account), AsyncExitStack() as stack:
        if await request.is_disconnected():
            raise ClientDisconnect
        reading = context.database.reading(one_state=True)
        connection = await stack.enter_async_context(reading)
        tag, present = await _tag_and_revision(connection, table, caller)
        headers = _headers(tag, present)
        if since is not None and callers and not await _wrote(connection, table, caller, callers):
            since = None
            headers[WHOLE] = "true"
        if request.method == "HEAD":
            return _head(headers)
        base = here(context, request).encode()
        rows = _ListedRows(context.slow_work, connection, table, account, since, base)
        parts = await stack.enter_async_context(aclosing(rows.pieces()))
        begun = b""
        async for part in parts:
            begun += part
            if len(begun) > SMALL_BYTES:
                stack.enter_context(context.list_slots.taken(account))
                return _CopiedList(begun, parts, headers=headers, stack=stack.pop_all())
    return Response(begun, headers=headers, media_type=JSON)


def _headers(tag: str, present: int) -> dict[str, str]:
    return {
        "ETag": f'"{tag}"',
        "Cache-Control": "private, no-cache",
        "X-Catalogue-Revision": str(present),
    }


def _head(headers: Mapping[str, str]) -> Response:
    """Answer without the length, for which the rows would have to be read."""
    answer = Response(headers=headers, media_type=JSON)
    del answer.headers["content-length"]
    return answer


@dataclass(frozen=True, slots=True)
class _ListedRows:
    """The rows of one list, read in one transaction. base: the platform's address."""

    slow_work: SlowWork
    connection: AsyncConnection
    table: Table
    account: str
    since: datetime | None
    base: bytes

    async def pieces(self) -> AsyncGenerator[bytes]:
        """Iterate over the JSON of the list, some rows or one long row at a time. Raises
        DatabaseDamaged, before the end of the list."""
        before, count = b"[", 0
        found = await self.connection.stream(self._query(), execution_options=_IN_PARTS)
        try:
            most, more = _FIRST_ROWS, _FIRST_ROWS
            while more == most:
                turn = self.slow_work.turn(self.account) if count else nullcontext()
                async with turn:
                    most = _ROWS_AT_ONCE if count else _FIRST_ROWS
                    pieces, more = await self._next(found, most)
                count += more
                for piece in pieces:
                    yield before + (piece if isinstance(piece, bytes) else await self._long(piece))
                    before = b","
        finally:  # it does not close itself after an exception
            await found.close()
        if self._is_sqlite and count != await self._counted():
            raise DatabaseDamaged("rows")
        yield b"[]" if before == b"[" else b"]"

    async def _next(self, result: AsyncResult[Any], most: int) -> tuple[list[Any], int]:
        rows = await result.fetchmany(most)
        size = sum(len(row.document or "") for row in rows)
        return await self.slow_work.done_in_turn(size, _joined, rows, self.base), len(rows)

    @property
    def _document(self) -> ColumnElement[Any]:
        """The document; SQLite's as bytes, which it holds, so that nothing is decoded and encoded
        again."""
        column = self.table.c.document
        return cast(column, LargeBinary) if self._is_sqlite else column

    @property
    def _is_sqlite(self) -> bool:
        return self.connection.dialect.name == "sqlite"

    def _query(self) -> Select[Any]:
        of = self.table.c
        short = case((func.length(of.document) <= _LONG, self._document))
        query = select(of.id, of.checksum, short.label("document"))
        query = query.where(of.account_id == self.account)
        if self.since is None:
            return query.where(of.deleted_at.is_(None)).order_by(of.number)
        return query.where(of.updated_at >= self.since).order_by(of.updated_at)

    async def _long(self, row: Row[Any]) -> bytes:
        query = select(self._document).where(self.table.c.id == row.id)
        async with self.slow_work.turn(self.account):
            document = (await self.connection.execute(query)).scalar_one()
            one, size = [(row.id, row.checksum, document)], len(document)
            (piece,) = await self.slow_work.done_in_turn(size, _joined, one, self.base)
        assert isinstance(piece, bytes)
        return piece

    async def _counted(self) -> int:
        """Count the list's rows by another index than the one by which they are read: a damaged
        page of SQLite's may silently lack rows. PostgreSQL checks its pages itself."""
        index, which = "change", "deleted_at IS NULL"
        if self.since is not None:
            index, which = "number", "updated_at >= :since"
        name = self.table.name
        query = text(
            f"SELECT count(*) FROM {name} INDEXED BY {name}_by_{index}"
            f" WHERE account_id = :account AND {which}"
        )
        values: dict[str, object] = {"account": self.account}
        if self.since is not None:
            query = query.bindparams(bindparam("since", type_=tables.Instant))
            values["since"] = self.since
        counted: int = (await self.connection.execute(query, values)).scalar_one()
        return counted


def _joined(rows: Sequence[Any], base: bytes) -> list[Any]:
    """Return the JSON of the rows, without brackets: as bytes what stands together, and the long
    rows themselves, which have no document here. Raises DatabaseDamaged."""
    pieces: list[Any] = []
    together: list[bytes] = []
    for row in rows:
        _, checksum, document = row
        if document is None:
            if together:
                pieces.append(_with_base(together, base))
                together = []
            pieces.append(row)
            continue
        one = document if isinstance(document, bytes) else document.encode()
        if crc32(one) != checksum:
            raise DatabaseDamaged("row_of_platform")
        together.append(one)
    return [*pieces, _with_base(together, base)] if together else pieces


def _with_base(documents: Sequence[bytes], base: bytes) -> bytes:
    return b",".join(documents).replace(tables.HERE.encode(), base)


class _CopiedList(Response):
    """Copies rows out of the database as fast as the caller reads them. A list that can't be
    completed is cut, so that it is never taken for a whole one."""

    def __init__(
        self,
        begun: bytes,
        pieces: AsyncIterator[bytes],
        *,
        headers: dict[str, str],
        stack: AsyncExitStack,
    ) -> None:
        super().__init__(headers=headers, media_type=JSON)
        del self.headers["content-length"]
        self._begun = begun
        self._pieces = pieces
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
                part = await anext(self._pieces)
            except StopAsyncIteration:
                break
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer_one(
    context: PlatformContext, request: Request, text: str, *, status: int = 200
) -> Response:
    """Answer with a row. A POST with a key is answered within its transaction, where it must not
    wait for a turn of slow work."""
    base, slow = here(context, request).encode(), context.slow_work
    done = slow.done_locked if IS_WRITING.get() else partial(slow.done, request.state.account_id)
    body = await done(len(text), _of_one, text, base)
    return Response(body, status, media_type=JSON)


def _of_one(text: str, base: bytes) -> bytes:
    return text.encode().replace(tables.HERE.encode(), base)


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
    connection: AsyncConnection, table: Table, caller: KeyHolder
) -> tuple[str, int]:
    """Return the tag of the account's last write, of the audit log that of its last entry, and the
    number of the account's writes. A restored database counts on from the copy, but has other
    instants."""
    of, audit = tables.ACCOUNT.c, tables.AUDIT_ENTRY.c
    query = select(of.revision, of.written_at).where(of.id == caller.account_id)
    present, at = (await connection.execute(query)).one()
    last = present
    if table is tables.AUDIT_ENTRY:
        entry = (
            select(audit.revision, audit.updated_at)
            .where(audit.account_id == caller.account_id)
            .order_by(audit.updated_at.desc())
            .limit(1)
        )
        row = (await connection.execute(entry)).first()
        last, at = (0, at) if row is None else row
    return _tag(last, at) if last else _NO_ROWS, present


def _tag(revision: int, at: datetime) -> str:
    return f"{revision}-{tables.milliseconds(at)}"


async def _wrote(
    connection: AsyncConnection, table: Table, caller: KeyHolder, tags: Collection[str]
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


def _tags_of(request: Request) -> frozenset[str]:
    header = ",".join(request.headers.getlist("if-none-match"))
    tags = (each.strip().removeprefix("W/").strip('"') for each in header.split(","))
    return frozenset(one for one in tags if one)
