"""Makes the platform's routes from the tables of endpoints, and reads requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.domain.receipt.receipt_identity import is_key
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.errors import NotFound
from pos_app.http_front.endpoint import Endpoint, Handlers, asked_of, by_path
from pos_app.http_front.errors import BodyTooLarge, InvalidPart, MalformedHeader
from pos_app.http_front.requests import is_json, is_uncoded
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.database.engine import WRITES_OF
from pos_app.platform_api.errors import NoHost
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.slow_work import SlowWork
from pos_app.wire.input import is_uuid
from pos_app.wire.strict_json import loads

BASE = "/v2"
MOST_BYTES = 1024 * 1024
"""The limit of a catalogue request's body in bytes."""


Once = Callable[[Request, KeyHolder, Callable[[Request], Awaitable[Response]]], Awaitable[Response]]
"""Answers a request by the given function, or with the earlier answer."""


def routes_to(
    handlers: Handlers, authentication: Authentication, once: Once | None = None
) -> list[Route]:
    """Make a route for each path, so that a caller with another method gets all of the path's
    methods. once: for POST, where a handler does not recognise repetitions itself."""
    return [
        _route(handlers, path, methods, authentication, once)
        for path, methods in by_path(handlers).items()
    ]


def _route(
    handlers: Handlers,
    path: str,
    methods: Mapping[str, Endpoint],
    authentication: Authentication,
    once: Once | None,
) -> Route:
    async def endpoint(request: Request) -> Response:
        asked = asked_of(methods, request)
        if not asked.scopes:
            return await asked.handler(handlers, request)
        check_host(request)
        caller = await authentication.caller(request, *asked.scopes)
        request.state.account_id, request.state.key_id = caller.account_id, caller.key_id
        WRITES_OF.set(caller.account_id)
        async with authentication.request_of(caller):
            if asked.method != "GET" and KeyScope.FISCALIZATION not in asked.scopes:
                await authentication.check_reserve()
            if once is not None and asked.method == "POST":
                handle = partial(_handled, asked, handlers, caller)
                return await once(request, caller, handle)
            return await asked.handler(handlers, request, caller)

    return Route(path, endpoint, methods=list(methods))


async def _handled(
    asked: Endpoint, handlers: Handlers, caller: KeyHolder, request: Request
) -> Response:
    return await asked.handler(handlers, request, caller)


def idempotency_key(request: Request) -> str | None:
    """Return the request's Idempotency-Key. Raises InvalidPart."""
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        return None
    if len(keys) > 1 or not is_key(keys[0]):
        kind = "once" if len(keys) > 1 else "key"
        raise InvalidPart(kind, field="Idempotency-Key", source="headers")
    return keys[0]


async def document_of(request: Request, caller: KeyHolder, slow_work: SlowWork) -> object:
    """Return the JSON of the caller's body, or {} where there is none. Raises MalformedJson,
    MalformedHeader, BodyTooLarge."""
    check_encoding(request)
    body = await body_of(request)
    if not body:
        return {}
    check_type(request)
    return await slow_work.done(caller.account_id, len(body), loads, body)


def check_encoding(request: Request) -> None:
    """Raises MalformedHeader."""
    if not is_uncoded(request.headers.getlist("content-encoding")):
        raise MalformedHeader("encoding", "Content-Encoding")


def check_type(request: Request) -> None:
    """Raises MalformedHeader."""
    types = request.headers.getlist("content-type")
    if len(types) != 1 or not is_json(types[0]):
        raise MalformedHeader("content_type", "Content-Type")


def check_host(request: Request) -> None:
    """Check that the caller names this platform; links in answers begin so. Raises NoHost."""
    if not request.headers.get("host"):
        raise NoHost("missing")


async def body_of(request: Request, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the body as it was sent. Raises BodyTooLarge as soon as that is certain."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length) > most_bytes:
        raise BodyTooLarge("most", most_bytes=most_bytes)
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most_bytes:
            raise BodyTooLarge("most", most_bytes=most_bytes)
        parts.append(part)
    return b"".join(parts)


def id_of(request: Request, noun: str) -> str:
    """Return the id of the path, a uuid in lower case. Raises NotFound for anything else."""
    row_id: str = request.path_params["id"].lower()
    if not is_uuid(row_id):
        raise NotFound("row", noun=noun)
    return row_id


def if_match(request: Request) -> str | None:
    """Return the version that a change was made from: the updatedAt in the header If-Match."""
    values = request.headers.getlist("if-match")
    if not values:
        return None
    value = values[0].strip()
    if len(values) > 1 or not (value.startswith('"') and value.endswith('"') and len(value) > 2):
        raise InvalidPart("if_match", field="If-Match", source="headers")
    return value[1:-1]
