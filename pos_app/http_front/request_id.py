"""The id of a request: in its answer, in its log lines, and where it is relayed.

A caller's own id is taken, so that its log and ours name the request alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pos_app.log import REQUEST_ID
from pos_app.wire.request_id import HEADER, new_request_id

_NAME = HEADER.lower().encode()
_WELL_FORMED = re.compile(rb"[0-9A-Za-z._-]{1,64}")
_STATE = "request_id"
_HEADS = frozenset({"http.response.start", "websocket.http.response.start", "websocket.accept"})


def request_id_of(scope: Scope) -> str:
    """Return the caller's id where it sent a well-formed one, else a new one."""
    sent: list[bytes] = [value for name, value in scope["headers"] if name == _NAME]
    if len(sent) == 1 and _WELL_FORMED.fullmatch(sent[0]):
        return sent[0].decode("ascii")
    return new_request_id()


def id_given(scope: Mapping[str, Any]) -> str:
    """Return the id that `identified` gave to a request, else ""."""
    return str(scope.get("state", {}).get(_STATE, ""))


def identified(app: ASGIApp) -> ASGIApp:
    """Give each request of the application an id. This is the outermost layer, which sees every
    answer."""

    async def with_id(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await app(scope, receive, send)
            return
        request_id = request_id_of(scope)

        async def sender(message: Message) -> None:
            if message["type"] in _HEADS:
                message["headers"] = list(message.get("headers", ()))
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        # The id stays set, because the server logs a bug later, in the task of the same request.
        REQUEST_ID.set(request_id)
        scope.setdefault("state", {})[_STATE] = request_id
        await app(scope, receive, sender)

    return with_id
