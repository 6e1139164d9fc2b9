"""Repeats, for a day, the answers to POST requests with an Idempotency-Key, except for receipts.

The key, the hash of the request and the answer are committed with the request's writes, so that a
repetition finds everything or nothing, however the program ended. An answer may hold a secret, so
it is sealed with the secret of the caller's API key. Source: platform-contract.md 2.8.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from cryptography.fernet import Fernet
from sqlalchemy import and_, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from pos_app.errors import NotAllowed
from pos_app.http_front.endpoint import JSON
from pos_app.platform_api.authentication import credentials
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.tables import KEPT_POST
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.routing import idempotency_key

KEPT = timedelta(hours=24)
_SEALED_IN_TIME_OF_READ = 8
"""The bytes that are sealed in the time in which one character is read (measured: 1 ms for 400 KB).
"""
_MOST_DROPPED = 100
"""The most old answers that one new answer drops."""

Handle = Callable[[Request], Awaitable[Response]]


class _Repeated(Exception):
    """The key exists already."""


class _ErrorAnswered(Exception):
    """The answer is an error, so its writes are undone."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


class KeptPosts:
    def __init__(self, context: PlatformContext) -> None:
        self._context = context

    async def answer(self, request: Request, caller: KeyHolder, handle: Handle) -> Response:
        """Return the answer of `handle`, or its earlier answer to the same key and body. Errors are
        not kept: a repetition is a new try. Raises NotAllowed where the key stands for another
        body."""
        key = idempotency_key(request)
        if key is None:
            return await handle(request)
        asked, now = _HashedRequest(request), self._context.clock.now()
        row, seal = _KeptPost(caller, key), _Seal(request, key)

        async def begin(connection: AsyncConnection) -> None:
            await row.add(connection, asked.digest(), now)

        try:
            async with self._context.database.one_write(begin) as write:
                answer = await handle(asked.request)
                if write.connection is None:
                    return answer
                if answer.status_code >= 300:
                    raise _ErrorAnswered(answer)
                body, done_locked = bytes(answer.body), self._context.slow_work.done_locked
                closed = await done_locked(_size(body), seal.closed, body)
                await row.save_answer(write.connection, answer.status_code, closed)
                return answer
        except _ErrorAnswered as refused:
            return refused.answer
        except _Repeated:
            async with self._context.database.reading() as connection:
                status, closed = await row.again(connection, asked.digest())
            size, done = _size(closed), self._context.slow_work.done
            opened = await done(caller.account_id, size, seal.opened, closed)
            return Response(opened, status, media_type=JSON)


def _size(answer: bytes) -> int:
    """The characters whose reading takes as long as sealing or opening the answer."""
    return len(answer) // _SEALED_IN_TIME_OF_READ


class _KeptPost:
    def __init__(self, caller: KeyHolder, key: str) -> None:
        self._of = {"api_key": caller.key_id, "key": key}
        self._is_it = and_(KEPT_POST.c.api_key == caller.key_id, KEPT_POST.c.key == key)

    async def add(self, connection: AsyncConnection, body_hash: bytes, now: datetime) -> None:
        """Add the row. Raises _Repeated for an existing row, after waiting for a request that is
        adding it now."""
        old = KEPT_POST.c.made_at <= now - KEPT
        await connection.execute(delete(KEPT_POST).where(and_(self._is_it, old)))
        some = select(KEPT_POST.c.made_at).where(old).order_by(KEPT_POST.c.made_at)
        last = some.limit(_MOST_DROPPED).subquery()
        await connection.execute(delete(KEPT_POST).where(KEPT_POST.c.made_at.in_(select(last))))
        dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
        added = dialect.insert(KEPT_POST).values(**self._of, body_hash=body_hash, made_at=now)
        added = added.on_conflict_do_nothing().returning(KEPT_POST.c.key)
        if (await connection.execute(added)).first() is None:
            raise _Repeated

    async def save_answer(self, connection: AsyncConnection, status: int, closed: bytes) -> None:
        values = {"status": status, "answer": closed}
        await connection.execute(update(KEPT_POST).where(self._is_it).values(**values))

    async def again(self, connection: AsyncConnection, body_hash: bytes) -> tuple[int, bytes]:
        """Return the status of the earlier answer, and the sealed answer. Raises NotAllowed."""
        found = (await connection.execute(select(KEPT_POST).where(self._is_it))).first()
        if found is None or found.body_hash != body_hash:
            raise NotAllowed("key_of_request")
        return found.status, bytes(found.answer)


class _Seal:
    """Seals an answer with the secret of the API key, which the next request will send again."""

    def __init__(self, request: Request, key: str) -> None:
        found = credentials(request.headers.getlist("authorization"))
        secret = "" if found is None else found[1]
        made = hashlib.sha256(f"{secret}\0{key}".encode()).digest()
        self._fernet = Fernet(base64.urlsafe_b64encode(made))

    def closed(self, answer: bytes) -> bytes:
        return self._fernet.encrypt(answer)

    def opened(self, kept: bytes) -> bytes:
        return self._fernet.decrypt(kept)


class _HashedRequest:
    """A request whose body is hashed as it is read: with its path and query, and without the
    boundary of a form, which a repeating program makes anew."""

    def __init__(self, request: Request) -> None:
        self._receive = request.receive
        self.request = Request(request.scope, self._hashing)
        _, _, boundary = request.headers.get("content-type", "").partition("boundary=")
        self._boundary = boundary.partition(";")[0].strip().strip('"').encode("latin-1")
        self._rest = b""
        self._hash = hashlib.sha256(f"{request.url.path}?{request.url.query}\0".encode())

    async def _hashing(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._add(message.get("body", b""))
        return message

    def _add(self, part: bytes) -> None:
        if not self._boundary:
            self._hash.update(part)
            return
        read = (self._rest + part).replace(self._boundary, b"")
        end = max(0, len(read) - len(self._boundary) + 1)
        self._hash.update(read[:end])
        self._rest = read[end:]

    def digest(self) -> bytes:
        whole = self._hash.copy()
        whole.update(self._rest)
        return whole.digest()
