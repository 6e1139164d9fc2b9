"""Compresses answers in gzip for callers that take it: JSON and plain text above 1 KB.

The two forms of an answer have two tags, as strong validators differ with the encoding (RFC 9110,
8.8.3): the tag of the one in gzip ends with `-gzip`. A caller that has either form is answered 304.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEAST_BYTES = 1024
_LEVEL, _LEVEL_OF_LARGE = 6, 1
"""The first makes a list a ninth of its length. The second makes it a seventh, in half the time
(measured)."""
_GZIP = 31
"""zlib's code for the form of RFC 1952 with the largest window."""
_BESIDE_BYTES = 32 * 1024
"""Longer bodies are compressed in a thread, so that the other answers go on."""
_KINDS = frozenset({"application/json", "text/plain"})
_SUFFIX = "-gzip"
_KNOWN = 304
_NO_BODY = frozenset({204, 206, _KNOWN})
_TAG_IN_GZIP = re.compile(rb'-gzip"')
_REFUSED = re.compile(r"0(\.0{0,3})?")


Beside = Callable[[Scope, Callable[[bytes], bytes], bytes], Awaitable[bytes]]
"""Does the work of a request's answer in a thread."""


async def in_any_thread(scope: Scope, work: Callable[[bytes], bytes], body: bytes) -> bytes:
    return await asyncio.to_thread(work, body)


def compressing(app: ASGIApp, beside: Beside = in_any_thread) -> ASGIApp:
    """Return the application with its answers in gzip where that is requested. beside: compresses
    the long ones."""

    async def compressed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        scope.setdefault("state", {})  # the application notes there whose request it is
        answer = _Answer(scope, send, partial(beside, scope))
        await app(_with_plain_tags(scope), receive, answer.take)

    return compressed


def takes_gzip(headers: Headers) -> bool:
    """Tell whether Accept-Encoding names gzip or `*` without refusing it."""
    accepted: dict[str, bool] = {}
    for each in ",".join(headers.getlist("accept-encoding")).split(","):
        coding, _, weight = (part.strip().lower() for part in each.partition(";"))
        is_taken = not _REFUSED.fullmatch(weight.removeprefix("q=").strip())
        accepted.setdefault(coding, is_taken)
    return accepted.get("gzip", accepted.get("x-gzip", accepted.get("*", False)))


def _with_plain_tags(scope: Scope) -> Scope:
    """Remove the ending of gzip's tags: the application knows only those of the plain form."""
    asked = b"if-none-match"
    if not any(name == asked and _TAG_IN_GZIP.search(value) for name, value in scope["headers"]):
        return scope
    headers = [
        (name, _TAG_IN_GZIP.sub(b'"', value) if name == asked else value)
        for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


_InThread = Callable[[Callable[[bytes], bytes], bytes], Awaitable[bytes]]


class _Answer:
    """One answer on its way. The head is sent only with the first part of the body, which decides
    whether the answer is compressed."""

    def __init__(self, scope: Scope, send: Send, beside: _InThread) -> None:
        self._headers = Headers(scope=scope)
        self._beside = beside
        self._is_head = scope["method"] == "HEAD"
        self._send = send
        self._start: Message | None = None
        self._stream: _Stream | None = None

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] != "http.response.body":
            await self._send(message)
        elif self._start is not None:
            start, self._start = self._start, None
            await self._begin(start, message)
        elif self._stream is not None:
            await self._go_on(message)
        else:
            await self._send(message)

    async def _begin(self, start: Message, first: Message) -> None:
        start["headers"] = list(start["headers"])
        headers, body = MutableHeaders(scope=start), first.get("body", b"")
        may_be = _may_be_compressed(start["status"], headers)
        if may_be or start["status"] == _KNOWN:
            headers.add_vary_header("Accept-Encoding")
        if start["status"] == _KNOWN:
            self._declare_known_tag(headers)
        length = headers.get("content-length")
        if may_be and takes_gzip(self._headers):
            if length == str(len(body)) and len(body) >= LEAST_BYTES:
                body = await _done(self._beside, _whole, body)
                _declare_gzip(headers)
                headers["Content-Length"] = str(len(body))
                first = {**first, "body": body}
            elif length is None and first.get("more_body") and not self._is_head:
                _declare_gzip(headers)
                self._stream = _Stream(self._beside)
        await self._send(start)
        await (self._send(first) if self._stream is None else self._go_on(first))

    async def _go_on(self, message: Message) -> None:
        assert self._stream is not None
        more = message.get("more_body", False)
        body = await self._stream.next(message.get("body", b""), is_last=not more)
        if body or not more:
            await self._send({"type": "http.response.body", "body": body, "more_body": more})

    def _declare_known_tag(self, headers: MutableHeaders) -> None:
        """In a 304, name the form that the caller has."""
        tag, known = headers.get("etag", ""), ",".join(self._headers.getlist("if-none-match"))
        in_gzip = _in_gzip(tag)
        if tag and tag not in known and in_gzip in known:
            headers["ETag"] = in_gzip


def _may_be_compressed(status: int, headers: Headers) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind in _KINDS and status not in _NO_BODY and "content-encoding" not in headers


def _declare_gzip(headers: MutableHeaders) -> None:
    headers["Content-Encoding"] = "gzip"
    if tag := headers.get("etag"):
        headers["ETag"] = _in_gzip(tag)


def _in_gzip(tag: str) -> str:
    return f'{tag.removesuffix(chr(34))}{_SUFFIX}"'


class _Stream:
    """A body that is compressed as it comes."""

    def __init__(self, beside: _InThread) -> None:
        self._beside = beside
        self._made = zlib.compressobj(_LEVEL_OF_LARGE, wbits=_GZIP)

    async def next(self, part: bytes, *, is_last: bool) -> bytes:
        body = await _done(self._beside, self._made.compress, part)
        return body + self._made.flush() if is_last else body


def _whole(body: bytes) -> bytes:
    level = _LEVEL if len(body) < _BESIDE_BYTES else _LEVEL_OF_LARGE
    return zlib.compress(body, level, wbits=_GZIP)


async def _done(beside: _InThread, work: Callable[[bytes], bytes], body: bytes) -> bytes:
    return work(body) if len(body) < _BESIDE_BYTES else await beside(work, body)
