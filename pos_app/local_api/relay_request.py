"""One relayed command as a request to the local API, without a socket."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Scope

from pos_app.domain.operations import Operation
from pos_app.local_api.relay_caller import RelayCaller, mark_relayed
from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.relay import AnswerMessage, CommandMessage, PdfContent

LEAST_SECONDS = 1.5
"""Left of a command's time, below which it is not begun."""
NO_TIME = "The time to answer ran out before it was begun."
_NOWHERE = ("relay", 0)


@dataclass(frozen=True, slots=True)
class RelayedRequest:
    """gone: set when the connection is lost that it came by. is_gone: whether its answer can't
    arrive any more. answer: sends it; raises where that fails: then it counts as not delivered."""

    command: CommandMessage
    caller: RelayCaller
    gone: asyncio.Event
    is_gone: Callable[[], bool]
    answer: Callable[[int, bytes], Awaitable[None]]


def answer_of(
    command: CommandMessage, caller: RelayCaller, status: int, body: bytes
) -> AnswerMessage:
    """The local API's answer for the platform, with the files that it names."""
    pdfs = tuple(
        PdfContent(receipt_id=receipt_id, content=base64.b64encode(content).decode())
        for receipt_id, content in caller.pdfs.items()
    )
    return AnswerMessage(
        command_id=command.command_id,
        attempt=command.attempt,
        status=status,
        body=body.decode(),
        pdf=pdfs,
    )


async def run(app: ASGIApp, request: RelayedRequest) -> None:
    """Ask the local API, and answer once its answer is whole."""
    body = request.command.body.encode()
    is_read = False
    answer = _Collected(request.answer)

    async def receive() -> Message:
        nonlocal is_read
        if not is_read:
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}
        if not request.is_gone():
            await request.gone.wait()
        return {"type": "http.disconnect"}

    await app(scope_of(request.command, request.caller), receive, answer.send)


def scope_of(command: CommandMessage, caller: RelayCaller) -> Scope:
    operation = command.receipt_operation
    path = raw = RECEIPTS
    if command.target is not None:
        path, raw = f"{path}/{command.target}", f"{raw}/{quote(command.target, safe=':')}"
    if operation not in (None, Operation.ISSUE):
        path, raw = f"{path}/{operation}", f"{raw}/{operation}"
    headers = [(b"host", b"relay")]
    if operation is not None:
        headers += [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(command.body.encode())).encode()),
            (b"idempotency-key", command.key.encode()),
        ]
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET" if operation is None else "POST",
        "scheme": "http",
        "path": path,
        "raw_path": raw.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": _NOWHERE,
        "server": _NOWHERE,
    }
    mark_relayed(scope, caller)
    return scope


class _Collected:
    """The parts of an answer. It is told as soon as all bytes are there: what the application does
    after that depends on whether its caller got them."""

    def __init__(self, told: Callable[[int, bytes], Awaitable[None]]) -> None:
        self._told = told
        self._status, self._length = 500, 0
        self._parts: list[bytes] = []
        self._is_told = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._length = int(Headers(raw=message["headers"])["content-length"])
            return
        self._parts.append(message.get("body", b""))
        if not self._is_told and sum(map(len, self._parts)) >= self._length:
            self._is_told = True
            await self._told(self._status, b"".join(self._parts))
