"""Tells the requests of web pages from those of programs, and the own page from pages of others.

A browser may send a key that it kept with what any page asks, and any page reaches the loopback.
Browsers say of a request which page made it (`Origin`), and how the page's address and this one
compare (`Sec-Fetch-Site`); no page can change these headers, and programs do not send them.
Source: RFC 6454, Fetch Metadata.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

READING = frozenset({"GET", "HEAD"})
ORIGIN, SITE = "origin", "sec-fetch-site"
_BY_A_PERSON, _SAME = "none", "same-origin"
_OF_A_BROWSER = (ORIGIN, SITE, "sec-fetch-mode")
_PLAIN = {"ws": "http", "wss": "https"}
DEFAULT_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+)(?::(?P<port>[0-9]{1,5}))?")
_ORIGIN = re.compile(r"(?P<scheme>[A-Za-z][0-9A-Za-z+.-]*)://(?P<authority>[^/\s]+)")
_HEADS = frozenset({"http.response.start", "websocket.http.response.start"})
_TURNS = 3
"""The turns of the loop that uvicorn needs to end a refused connection."""


def foreign_by(
    origins: Sequence[str],
    sites: Collection[str],
    *,
    named: Collection[str | None] = (),
    own: Collection[str | None] = (),
) -> str:
    """Return the header by which a request is one of a foreign page, or "".

    origins, sites: the values of the two headers. named: origins that may call. own: the origins of
    this server, where it has pages of its own; the browser has to agree that a page is one of them.
    """
    origin = as_origin(origins[0]) if len(origins) == 1 else None
    if origin is not None and origin in named:
        return ""
    if origins and (origin is None or origin not in own):
        return ORIGIN
    return SITE if set(sites) - {_BY_A_PERSON, *({_SAME} if own else ())} else ""


def guarded(app: ASGIApp, refusal: Response, *, public_url: str) -> ASGIApp:
    """Return the application, which foreign pages may only read. Its challenge (`WWW-Authenticate`)
    goes to programs alone: a browser would keep the key that a person types for it.

    refusal: the answer to foreign pages. public_url: an address by which callers reach the
    application behind a proxy, or "".
    """
    published = as_origin("/".join(public_url.split("/")[:3]))

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if any(name in headers for name in _OF_A_BROWSER):
            send = _without_challenge(send)
        is_read = scope["type"] == "http" and scope["method"] in READING
        if is_read or not _is_foreign(HTTPConnection(scope), published):
            await app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            await deny(WebSocket(scope, receive, send), refusal)

    return guard


async def deny(websocket: WebSocket, answer: Response) -> None:
    """Refuse a websocket's handshake with an HTTP answer."""
    await websocket.send_denial_response(answer)
    for _ in range(_TURNS):  # without these turns uvicorn reports the missing handshake
        await asyncio.sleep(0)


def _is_foreign(asked: HTTPConnection, published: str | None) -> bool:
    sites, host = asked.headers.getlist(SITE), asked.headers.get("host", "")
    schemes = {_PLAIN.get(asked.scope["scheme"], asked.scope["scheme"])}
    if sites == [_SAME]:  # the browser knows its scheme, which a proxy may have hidden
        schemes |= DEFAULT_PORTS.keys()
    own = {published, *(as_origin(f"{scheme}://{host}") for scheme in schemes)}
    return bool(foreign_by(asked.headers.getlist(ORIGIN), sites, own=own))


def _without_challenge(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] in _HEADS:
            message["headers"] = list(message.get("headers", ()))
            del MutableHeaders(scope=message)["www-authenticate"]
        await send(message)

    return sender


# --- how hosts and origins are compared --------------------------------------------------------
# Source: RFC 9110 4.2.3 and 7.2 (hosts and default ports), RFC 6454 6 (an origin's text).


def split_authority(text: str) -> tuple[str, int | None] | None:
    found = _AUTHORITY.fullmatch(text)
    if found is None:
        return None
    port = found["port"]
    return found["name"].lower(), None if port is None else int(port)


def as_origin(text: str) -> str | None:
    """Return an origin in normal form for comparison, or None for "null" and for an invalid one."""
    found = _ORIGIN.fullmatch(text.strip().rstrip("/"))
    authority = split_authority(found["authority"]) if found else None
    if found is None or authority is None:
        return None
    scheme, (name, port) = found["scheme"].lower(), authority
    if port is None or port == DEFAULT_PORTS.get(scheme):
        return f"{scheme}://{name}"
    return f"{scheme}://{name}:{port}"
