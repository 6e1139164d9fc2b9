"""A real HTTP server in a thread, before any ASGI application, that fails on demand."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn

from tests.ports import free_port

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Send], Awaitable[None]]


@dataclass
class FaultyFront:
    """asks: method and path with query of every request, in order.

    faults: what happens to the next requests that change something, one each: "lost" or a status
    before it is done, "lost-after" or "500-after" once it is done; "" lets one pass. cut_list: that
    many bytes of a list of products are sent, then the connection is cut. lose_answer: of all
    requests from now on, the one of this number is done and its answer lost. before_write: called
    once before the next request that changes something. page: HTML that answers every request.
    bodies: by path, what changes the body of its answer of 200 to GET.
    """

    asks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    cut_list: int = 0
    lose_answer: int = 0
    page: str = ""
    bodies: dict[str, Callable[[bytes], bytes]] = field(default_factory=dict)
    before_write: list[Callable[[], object]] = field(default_factory=list)
    url: str = ""

    def writes(self) -> list[str]:
        return [one for one in self.asks if not one.startswith("GET")]

    @contextmanager
    def serving(self, opened: Callable[[], AbstractAsyncContextManager[App]]) -> Iterator[str]:
        """Serve in a thread; yields the base address. opened: makes the application on its loop."""
        port = free_port()
        ready = threading.Event()
        servers: list[uvicorn.Server] = []

        async def serve() -> None:
            async with opened() as app:
                config = uvicorn.Config(
                    self._guarded(app), port=port, log_level="critical", lifespan="off"
                )
                server = _Told(config, ready)
                servers.append(server)
                await server.serve()

        thread = threading.Thread(target=lambda: asyncio.run(serve()))
        thread.start()
        assert ready.wait(20)
        self.url = f"http://127.0.0.1:{port}/v2"
        try:
            yield self.url
        finally:
            servers[0].should_exit = True
            thread.join()

    def _guarded(self, app: App) -> App:
        async def guarded(scope: Any, receive: Any, send: Send) -> None:
            query = scope["query_string"].decode()
            path = f"{scope['path']}?{query}" if query else scope["path"]
            if dict(scope["headers"]).get(b"x-test") is None:
                self.asks.append(f"{scope['method']} {path}")
                if self.page:
                    return await self._show_page(send)
                self.lose_answer -= 1
                if self.lose_answer == 0:
                    await app(scope, receive, _nowhere)
                    return await _cut_line(send)
                if scope["method"] != "GET":
                    return await self._write(app, scope, receive, send)
                if (change := self.bodies.get(scope["path"])) is not None:
                    return await _changed(change, app, scope, receive, send)
                if scope["path"].endswith("/products") and self.cut_list:
                    return await self._cut(app, scope, receive, send)
            return await app(scope, receive, send)

        return guarded

    async def _write(self, app: App, scope: Any, receive: Any, send: Send) -> None:
        if self.before_write:
            await asyncio.to_thread(self.before_write.pop())
        fault = self.faults.pop(0) if self.faults else ""
        if fault.endswith("-after"):
            await app(scope, receive, _nowhere)
        elif not fault:
            return await app(scope, receive, send)
        status = fault.removesuffix("-after")
        if status == "lost":
            return await _cut_line(send)
        body = json.dumps({"message": "a fault"}).encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "headers": headers, "status": int(status)})
        await send({"type": "http.response.body", "body": body})
        return None

    async def _show_page(self, send: Send) -> None:
        headers = [(b"content-type", b"text/html; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.page.encode()})

    async def _cut(self, app: App, scope: Any, receive: Any, send: Send) -> None:
        left, is_list = self.cut_list, False

        async def some(message: Message) -> None:
            nonlocal left, is_list
            is_list |= message.get("status") == 200
            if message["type"] == "http.response.body" and is_list:
                piece = message.get("body", b"")[:left]
                left -= len(piece)
                message = {**message, "body": piece, "more_body": True}
            await send(message)

        await app(scope, receive, some)


class _Told(uvicorn.Server):
    """A server that sets an event when it answers."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()


async def _changed(
    change: Callable[[bytes], bytes], app: App, scope: Any, receive: Any, send: Send
) -> None:
    """Answer as the application does, but with another body and length."""
    answer: list[Message] = []

    async def keep(message: Message) -> None:
        answer.append(message)

    await app(scope, receive, keep)
    body = change(b"".join(one.get("body", b"") for one in answer))
    headers = [(name, value) for name, value in answer[0]["headers"] if name != b"content-length"]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({**answer[0], "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _cut_line(send: Send) -> None:
    """Promise bytes that do not come: uvicorn cuts the connection then."""
    headers = [(b"content-length", b"9")]
    await send({"type": "http.response.start", "headers": headers, "status": 200})


async def _nowhere(message: Message) -> None:
    """Drop the message."""
