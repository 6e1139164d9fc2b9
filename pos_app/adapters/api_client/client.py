"""The HTTP client of the local API server. It is loaded late: `exchange` says why."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping

import httpx

from pos_app.adapters.data_folder.install import Install
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown
from pos_app.wire.strict_json import loads

CONNECT_SECONDS = 3.0
_LONGEST_ANSWER = 4 * 1024 * 1024
"""Bytes; a receipt with its image has some 100 KB."""
_KEEP_SECONDS = 30.0
"""An idle connection is not used longer: the server closes it after 60 s."""

_UNDER_WAY = "ask the local server"
StatusAndBody = tuple[int, object]
"""The status, and the parsed JSON: None when it is not JSON."""


class FiscalClient:
    """One connection at a time to the server at `url`, as this installation."""

    def __init__(
        self, url: str, install: Install, transport: httpx.AsyncBaseTransport | None
    ) -> None:
        self._under_way: set[asyncio.Task[StatusAndBody]] = set()
        self._client = httpx.AsyncClient(
            base_url=url,
            headers={
                "X-Pos-Token": install.token,
                "X-Pos-Install": install.install_id,
                "X-Till": install.till_id,
                "Accept-Encoding": "identity",
            },
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS),
            limits=httpx.Limits(
                max_connections=1, max_keepalive_connections=1, keepalive_expiry=_KEEP_SECONDS
            ),
            trust_env=False,
            follow_redirects=False,
            http2=False,
            # No authorities are loaded, which takes 30 ms: this is plain HTTP on this machine.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            transport=transport,
        )

    async def ask(
        self, path: str, *, seconds: float, introduce: bool, headers: Mapping[str, str]
    ) -> StatusAndBody:
        """GET, with or without the token. Raises NotDelivered, OutcomeUnknown."""
        request = self._client.build_request("GET", path, headers=headers)
        if not introduce:
            del request.headers["X-Pos-Token"]
        return await self._exchange(request, seconds)

    async def tell(
        self,
        path: str,
        content: bytes,
        *,
        seconds: float,
        headers: Mapping[str, str],
        method: str = "POST",
    ) -> StatusAndBody:
        """POST or PUT JSON. Raises NotDelivered when surely no byte was written, OutcomeUnknown."""
        request = self._client.build_request(
            method, path, content=content, headers={"Content-Type": "application/json", **headers}
        )
        return await self._exchange(request, seconds)

    async def _exchange(self, request: httpx.Request, seconds: float) -> StatusAndBody:
        """Whoever no longer waits does not cut it off: the pool would count its only connection as
        taken for good (httpcore 1.0.9), and nothing more could be asked."""
        exchange = asyncio.create_task(self._exchanged(request, seconds), name=_UNDER_WAY)
        self._under_way.add(exchange)
        exchange.add_done_callback(self._forget)
        return await asyncio.shield(exchange)

    def _forget(self, exchange: asyncio.Task[StatusAndBody]) -> None:
        self._under_way.discard(exchange)
        if not exchange.cancelled():
            exchange.exception()  # it was told to whoever waited; of others it needs nobody

    async def _exchanged(self, request: httpx.Request, seconds: float) -> StatusAndBody:
        try:
            async with asyncio.timeout(seconds):
                return await self._send(request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise NotDelivered(
                f"The local server can't be reached: {error}.", safe="Nothing was sent."
            ) from error
        except (httpx.RequestError, TimeoutError) as error:
            raise OutcomeUnknown(
                f"The local server gave no answer ({type(error).__name__})."
            ) from error

    async def _send(self, request: httpx.Request) -> StatusAndBody:
        response = await self._client.send(request, stream=True)
        try:
            received = bytearray()
            async for part in response.aiter_raw():
                received += part
                if len(received) > _LONGEST_ANSWER:
                    raise OutcomeUnknown("The local server's answer has no end.")
        finally:
            await response.aclose()
        return response.status_code, _json(bytes(received))

    async def close(self) -> None:
        under_way = tuple(self._under_way)
        for exchange in under_way:
            exchange.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self._client.aclose()


def _json(body: bytes) -> object:
    try:
        return loads(body)
    except Invalid:
        return None
