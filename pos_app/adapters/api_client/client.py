"""The HTTP client of the local API server. It is loaded late: `exchange` says why."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from functools import partial
from typing import Any

import httpx

from pos_app.adapters.data_folder.install import Install
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown
from pos_app.wire.request_id import HEADER, short_request_id
from pos_app.wire.strict_json import loads

CONNECT_SECONDS = 3.0
_LONGEST_ANSWER = 4 * 1024 * 1024
"""Bytes; a receipt with its image has some 100 KB."""
_KEEP_SECONDS = 30.0
"""An idle connection is not used longer: the server closes it after 60 s."""

StatusAndBody = tuple[int, object, str]
"""The status, the parsed JSON: None when it is not JSON, and the id of the request."""


class FiscalClient:
    """One connection at a time to the server at `url`, as this installation."""

    def __init__(
        self, url: str, install: Install, transport: httpx.AsyncBaseTransport | None
    ) -> None:
        self._made = partial(
            httpx.AsyncClient,
            base_url=url,
            headers={
                "X-Pos-Token": install.token,
                "X-Pos-Install": install.install_id,
                "X-Till": install.till_id,
                "Accept-Encoding": "identity",
            },
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
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
        self._client = self._made()
        self._turn = asyncio.Lock()

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
        try:
            async with asyncio.timeout(min(seconds, CONNECT_SECONDS)):
                await self._turn.acquire()
        except TimeoutError as error:
            raise NotDelivered(
                "The local server is still asked for something else.", safe="Nothing was sent."
            ) from error
        try:
            return await self._exchange_now(request, seconds)
        finally:
            self._turn.release()

    async def _exchange_now(self, request: httpx.Request, seconds: float) -> StatusAndBody:
        request_id = request.headers[HEADER] = short_request_id()
        sending = asyncio.create_task(self._send(request), name="an exchange")
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({sending})
            return sending.result()
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise NotDelivered(
                f"The local server can't be reached: {error}.", safe="Nothing was sent."
            ) from error
        except (httpx.RequestError, TimeoutError) as error:
            raise OutcomeUnknown(
                f"The local server gave no answer ({type(error).__name__}).", request=request_id
            ) from error
        finally:
            if not sending.done():
                await _end_of(asyncio.create_task(self._leave(sending), name="leave an exchange"))

    async def _leave(self, sending: asyncio.Task[StatusAndBody]) -> None:
        """Nobody waits for this exchange any more: its connection goes with its client. httpcore
        takes a connection for one in use for ever where a cancel meets it at some moments, and no
        other is made beside it."""
        sending.cancel()
        await _end_of(sending)
        left, self._client = self._client, self._made()
        await left.aclose()

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
        return response.status_code, _json(bytes(received)), request.headers[HEADER]

    async def close(self) -> None:
        await self._client.aclose()


async def _end_of(task: asyncio.Task[Any]) -> None:
    """Wait for its end, however it ends; whoever is cancelled meanwhile hears of it afterwards."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if not task.cancelled():
        task.exception()  # asyncio warns of one that nobody looked at
    if cancelled is not None:
        raise cancelled


def _json(body: bytes) -> object:
    try:
        return loads(body)
    except Invalid:
        return None
