"""A route as a front declares it, once: for Starlette, for who may ask, for the OpenAPI document.

The table of a room is a classmethod, so that the document is made of it without the room.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from starlette.responses import Response
from starlette.routing import Route

from pos_app.domain.key_scope import KeyScope
from pos_app.wire.openapi.paths import Served

_ID = re.compile(r"\{(id|reference)(:path)?\}")
"""What a document calls `Id`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method of a path. handler: a method of the room that the table is of.

    operation: its operationId in the document; "" keeps it out of there. scopes: of the platform,
    one of them lets a key in; without any it is open to all. The local API's guard goes by paths.
    """

    method: str
    path: str
    handler: Callable[..., Awaitable[Response]]
    operation: str = ""
    scopes: tuple[KeyScope, ...] = ()


class Room(Protocol):
    """Handlers of some endpoints."""

    @classmethod
    def endpoints(cls) -> list[Endpoint]: ...


def routes_of(room: Room) -> list[Route]:
    """A route for each endpoint, in the order of the table: the first that fits answers."""
    return [
        Route(each.path, partial(each.handler, room), methods=[each.method])
        for each in room.endpoints()
    ]


def served(rooms: Iterable[type[Room]]) -> Iterator[Served]:
    """What the document tells of these rooms."""
    for room in rooms:
        for one in room.endpoints():
            if one.operation:
                path = _ID.sub("{Id}", one.path)
                yield Served(one.operation, one.method, path, is_open=not one.scopes)
