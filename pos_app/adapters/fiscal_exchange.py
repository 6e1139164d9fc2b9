"""One HTTP exchange with the local API server: it is done, not delivered, or unknown.

Source: architecture.md, rule 11; exactly-once.md ("The open local server").
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx

from pos_app.adapters.install import Install
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown
from pos_app.wire.strict_json import dumps, loads

CONNECT_SECONDS = 3.0
_LONGEST_ANSWER = 4 * 1024 * 1024
"""Bytes; a receipt with its image has some 100 KB."""
_KEEP_SECONDS = 30.0
"""An idle connection is not used longer: the server closes it after 60 s."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer. body: the parsed JSON, None when it is not JSON."""

    status: int
    body: object

    @property
    def state(self) -> str | None:
        """The member "state", which answers without a receipt carry."""
        state = self.body.get("state") if isinstance(self.body, Mapping) else None
        return state if isinstance(state, str) else None


class LocalApi:
    """A client of this installation's server at `url`, over one connection at a time."""

    def __init__(
        self, url: str, install: Install, *, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.install = install
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

    async def ask(self, path: str, *, seconds: float, introduce: bool = True) -> Reply:
        """GET. introduce: tell the token, which only a proven server is told.

        Raises NotDelivered, OutcomeUnknown.
        """
        request = self._client.build_request("GET", path)
        if not introduce:
            del request.headers["X-Pos-Token"]
        return await self._exchange(request, seconds)

    async def tell(
        self,
        path: str,
        body: bytes | Mapping[str, object],
        *,
        seconds: float,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """POST a JSON body. Raises NotDelivered when surely no byte was written, OutcomeUnknown."""
        content = body if isinstance(body, bytes) else dumps(body)
        request = self._client.build_request(
            "POST",
            path,
            content=content,
            headers={"Content-Type": "application/json", **(headers or {})},
        )
        return await self._exchange(request, seconds)

    async def _exchange(self, request: httpx.Request, seconds: float) -> Reply:
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

    async def _send(self, request: httpx.Request) -> Reply:
        response = await self._client.send(request, stream=True)
        try:
            received = bytearray()
            async for part in response.aiter_raw():
                received += part
                if len(received) > _LONGEST_ANSWER:
                    raise OutcomeUnknown("The local server's answer has no end.")
        finally:
            await response.aclose()
        return Reply(response.status_code, _json(bytes(received)))

    async def close(self) -> None:
        """Close the connection."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _json(body: bytes) -> object:
    try:
        return loads(body)
    except Invalid:
        return None
