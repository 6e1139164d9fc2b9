"""Serves an ASGI application over HTTP until it is asked to stop.

Several servers may run in one process and on one loop: nothing here is global but the signal
handlers, which a program installs once with `stop_on_signals`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import ssl
import sys
from collections.abc import Awaitable, Callable, Iterator
from types import FrameType
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from pos_app.adapters.http_server.listening import is_in_use, listen, reachable
from pos_app.adapters.http_server.protocol import ConnectionLimits, LimitedConfig, TimedH11
from pos_app.adapters.open_files import most_open_files
from pos_app.errors import PortTaken, SettingsBroken

GRACE_SECONDS = 25
"""The time for requests in flight after the server was asked to stop."""
_KEPT_WAITING = 2048
"""The most connections that wait in the system to be accepted; it may allow fewer."""
_WEBSOCKETS_END_SECONDS = 2.0
"""The time for websockets, and for requests past their grace, to end."""
_LOOK_SECONDS = 0.01
_ASK_WITHIN_SECONDS = 3.0
_LARGEST_FRAME = 16 * 1024 * 1024
"""The largest message of a websocket in bytes: an answer with its PDFs."""
_BEAT_SECONDS = 20.0
"""The pause between two pings of a websocket; the other end must answer within half of it."""
_MOST_ANSWER_BYTES = 64 * 1024

_OPTIONS: dict[str, Any] = {
    "lifespan": "off",
    "interface": "asgi3",
    "log_config": None,
    "log_level": "error",
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    # Each request gets a context of its own. Otherwise a request whose reading was resumed by
    # another request would go on in the context of that other request.
    "reset_contextvars": True,
}


async def serve(
    app: ASGIApp,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    stop: asyncio.Event,
    limits: ConnectionLimits | None = None,
    http: type[H11Protocol] = TimedH11,
    websockets: bool = False,
    grace_seconds: int = GRACE_SECONDS,
    tls: ssl.SSLContext | None = None,
    sockets: list[socket.socket] | None = None,
    setting: str = "server.port",
    before_websockets_end: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve `app` until `stop` is set; then answer requests in flight, and close websockets.

    sockets: sockets that listen already, in place of host and port; they are closed at the end.
    setting: the name of the port's setting. ready: called once with the final address,
    "http://127.0.0.1:9999", when requests are answered. The loopback is both 127.0.0.1 and ::1. The
    application gets no lifespan events. tls: HTTPS is served with it. before_websockets_end:
    awaited within the grace, once no request is in flight and while websockets are still open.
    Raises PortTaken (value `by`: "ourselves" or "stranger"), SettingsBroken for an address that is
    not this machine's.
    """
    sockets = sockets or await listening(host, port, setting=setting)
    address = _address(host, sockets[0].getsockname()[1], tls)
    allowed = (limits or ConnectionLimits()).within(most_open_files())
    config = _config(
        app, allowed, http, websockets=websockets, grace_seconds=grace_seconds, tls=tls
    )

    def on_started() -> None:
        for each in sockets:
            each.listen(_KEPT_WAITING)  # asyncio gave the system its own backlog
        ready(address)

    server = _Server(config, stop=stop, on_started=on_started, on_answered=before_websockets_end)
    try:
        await server.serve(sockets=sockets)
    finally:
        await _let_go(server, sockets)


def _config(
    app: ASGIApp,
    allowed: ConnectionLimits,
    http: type[H11Protocol],
    *,
    websockets: bool,
    grace_seconds: int,
    tls: ssl.SSLContext | None,
) -> LimitedConfig:
    return LimitedConfig(
        app,
        limits=allowed,
        backlog=allowed.backlog,
        http=http,
        **_websockets(websockets),
        **_OPTIONS,
        timeout_graceful_shutdown=grace_seconds,
        ssl_context_factory=None if tls is None else lambda config, usual: tls,
    )


def _address(host: str, port: int, tls: ssl.SSLContext | None) -> str:
    return f"{'http' if tls is None else 'https'}://{reachable(host)}:{port}"


def _websockets(has_any: bool) -> dict[str, Any]:
    if not has_any:
        return {"ws": "none"}
    return {
        "ws": "websockets-sansio",
        "ws_max_size": _LARGEST_FRAME,
        "ws_ping_interval": _BEAT_SECONDS,
        "ws_ping_timeout": _BEAT_SECONDS / 2,
        "ws_per_message_deflate": False,
    }


@contextlib.contextmanager
def stop_on_signals(stop: asyncio.Event) -> Iterator[None]:
    """While inside, SIGTERM and SIGINT (on Windows Ctrl+Break too) set `stop`.

    Enter it in the main thread, on the running loop. A program that is stopped in this way ends by
    itself, with exit code 0.
    """
    loop = asyncio.get_running_loop()

    def on_signal(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    numbers = [signal.SIGTERM, signal.SIGINT]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Server(uvicorn.Server):
    """A uvicorn server that installs no signal handlers and ends without delay. uvicorn itself
    checks only every 0.1 s whether it was asked to stop and whether its connections are gone."""

    def __init__(
        self,
        config: LimitedConfig,
        *,
        stop: asyncio.Event,
        on_started: Callable[[], None],
        on_answered: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(config)
        self._stop = stop
        self._on_started = on_started
        self._on_answered = on_answered

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Catch no signals: uvicorn would raise them again, and the exit code would not be 0."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    async def main_loop(self) -> None:
        """Renew the header Date each second, until the server is asked to stop."""
        while not self._stop.is_set():
            await self.on_tick(0)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._stop.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more callers; answer requests in flight as long as the grace lasts. Answers may
        come by the websockets, so these end last."""
        state = self.server_state
        state.default_headers.append((b"connection", b"close"))
        await self._accept_the_last(sockets or [])
        for connection in self._requests():
            connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                while self._requests():  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_SECONDS)
                if self._on_answered is not None:
                    await self._on_answered()
        for each_left in list(state.connections):
            each_left.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_WEBSOCKETS_END_SECONDS):
                while state.connections or state.tasks:  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_SECONDS)

    async def _accept_the_last(self, sockets: list[socket.socket]) -> None:
        """Stop listening, and serve callers that connected but were not accepted yet: closing the
        listener would reset them, and nobody would know what became of their requests."""
        listeners = [one.dup() for listener in self.servers for one in listener.sockets]
        for listener in self.servers:
            listener.close()
        for each in sockets:
            each.close()
        waiting = [caller for one in listeners for caller in _accepted_waiting(one)]
        loop = asyncio.get_running_loop()
        for caller in waiting:
            with contextlib.suppress(OSError):
                await loop.connect_accepted_socket(self._connection, caller, ssl=self.config.ssl)

    def _connection(self) -> asyncio.Protocol:
        protocol = cast("type[H11Protocol]", self.config.http_protocol_class)
        return protocol(self.config, self.server_state, self.lifespan.state)

    def _requests(self) -> list[H11Protocol]:
        return [one for one in self.server_state.connections if isinstance(one, H11Protocol)]


def _accepted_waiting(listener: socket.socket) -> list[socket.socket]:
    """Accept the callers that wait at a listener, and close it."""
    found = list[socket.socket]()
    with listener:
        listener.setblocking(False)
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return found
            caller.setblocking(False)
            found.append(caller)


async def _let_go(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
    """Close everything that an error, a cancellation or an exceeded grace left open."""
    for listener in getattr(server, "servers", []):
        listener.close()
    for each in sockets:
        each.close()
    for connection in list(server.server_state.connections):
        if isinstance(connection, H11Protocol) and connection.transport is not None:
            connection.transport.abort()
    tasks = set(server.server_state.tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# --- the address -------------------------------------------------------------------------------


async def listening(
    host: str, port: int, *, setting: str = "server.port", waits: Callable[[], bool] = lambda: False
) -> list[socket.socket]:
    """Return sockets that listen at `host` and `port`. waits: while another program has the port,
    tells whether to try again. Raises PortTaken and SettingsBroken as `serve` does."""
    while True:
        try:
            return listen(host, port)
        except OSError as error:
            if not is_in_use(error) or not waits():
                raise await _not_listening(error, host, port, setting) from error
        await asyncio.sleep(_LOOK_SECONDS)


async def _not_listening(
    error: OSError, host: str, port: int, setting: str
) -> PortTaken | SettingsBroken:
    if is_in_use(error):
        return await _port_taken(host, port, setting)
    return SettingsBroken("address", host=host, port=port, why=error.strerror or error)


async def _port_taken(host: str, port: int, setting: str) -> PortTaken:
    ours = await _is_our_server(f"http://{reachable(host)}:{port}/health")
    by = "ourselves" if ours else "stranger"
    return PortTaken(by, by=by, port=port, setting=setting)


async def _is_our_server(url: str) -> bool:
    import httpx  # noqa: PLC0415 - only where a port is taken

    from pos_app.wire.server import SERVICE  # noqa: PLC0415

    body = b""
    try:
        async with (
            asyncio.timeout(_ASK_WITHIN_SECONDS),
            httpx.AsyncClient(trust_env=False) as client,
            client.stream("GET", url) as answer,
        ):
            async for part in answer.aiter_raw():
                body += part
                if len(body) > _MOST_ANSWER_BYTES:
                    return False
        document = json.loads(body)
    except (httpx.HTTPError, TimeoutError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("service") == SERVICE
