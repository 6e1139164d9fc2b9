"""A front declares a route once: for Starlette, for the rules of access, for the OpenAPI document.

The table of a class is a classmethod, so that the document is made from it without an object.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.openapi.paths import Served

JSON = "application/json"
_ID = re.compile(r"\{(id|reference)(:path)?\}")
"""The parameters that a document calls `Id`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method of a path. handler: a method of the class whose table has it.

    operation: its operationId in the document; "" keeps the route out of the document. scopes: the
    scopes of which a key of the platform needs one; without any the route is open to all. The local
    API's guard uses the paths.
    """

    method: str
    path: str
    handler: Callable[..., Awaitable[Response]]
    operation: str = ""
    scopes: tuple[KeyScope, ...] = ()


class Handlers(Protocol):
    """A class with the handlers of some endpoints."""

    @classmethod
    def endpoints(cls) -> list[Endpoint]: ...


def routes_of(handlers: Handlers) -> list[Route]:
    """Make a route for each path, in the order of the table: the first that fits answers, and a
    caller with another method gets all of the path's methods."""
    return [_route(handlers, path, methods) for path, methods in by_path(handlers).items()]


def by_path(handlers: Handlers) -> dict[str, dict[str, Endpoint]]:
    """Return the endpoints of each path by their method."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for each in handlers.endpoints():
        paths.setdefault(each.path, {})[each.method] = each
    return paths


def _route(handlers: Handlers, path: str, methods: Mapping[str, Endpoint]) -> Route:
    async def endpoint(request: Request) -> Response:
        return await asked_of(methods, request).handler(handlers, request)

    return Route(path, endpoint, methods=list(methods))


def asked_of(methods: Mapping[str, Endpoint], request: Request) -> Endpoint:
    """Return the endpoint of a path that a request asks. HEAD asks that of GET; the server leaves
    the body off."""
    return methods["GET" if request.method == "HEAD" else request.method]


def served(classes: Iterable[type[Handlers]]) -> list[Served]:
    """Describe the endpoints for the document."""
    return [
        Served(one.operation, one.method, _ID.sub("{Id}", one.path), is_open=not one.scopes)
        for handlers in classes
        for one in handlers.endpoints()
        if one.operation
    ]
