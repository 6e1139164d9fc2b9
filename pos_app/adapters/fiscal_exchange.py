"""One HTTP exchange with the local API server: it is done, not delivered, or unknown.

Source: architecture.md, rule 11; exactly-once.md ("The open local server").
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pos_app.adapters.install import Install
from pos_app.wire.strict_json import dumps

if TYPE_CHECKING:
    import httpx

    from pos_app.adapters.fiscal_client import FiscalClient


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
    """A client of this installation's server at `url`, over one connection at a time.

    The HTTP client is loaded by the first exchange, in a thread: that takes 60 to 150 ms, in
    which the till already sells.
    """

    def __init__(
        self, url: str, install: Install, *, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.install = install
        self.url = url
        self._transport = transport
        self._opened: FiscalClient | None = None

    async def ask(self, path: str, *, seconds: float, introduce: bool = True) -> Reply:
        """GET. introduce: tell the token, which only a proven server is told.

        Raises NotDelivered, OutcomeUnknown.
        """
        client = await self._client()
        return Reply(*await client.ask(path, seconds=seconds, introduce=introduce))

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
        client = await self._client()
        return Reply(*await client.tell(path, content, seconds=seconds, headers=headers or {}))

    async def close(self) -> None:
        """Close the connection."""
        if self._opened is not None:
            await self._opened.close()

    async def _client(self) -> FiscalClient:
        if self._opened is None:
            loaded = await asyncio.to_thread(
                importlib.import_module, "pos_app.adapters.fiscal_client"
            )
            if self._opened is None:  # nobody else opened it meanwhile
                self._opened = loaded.FiscalClient(self.url, self.install, self._transport)
        return self._opened

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
