"""The HTTP client of the local API server. It is loaded late: see `exchange`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from pos_app.adapters import http_exchange
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
"""The status, the parsed JSON or None, and the id of the request."""


class FiscalClient:
    """Speaks to the server at `url` as this installation, over one connection at a time."""

    def __init__(
        self, url: str, install: Install, connection: http_exchange.HttpExchange | None
    ) -> None:
        self._known = {"X-Pos-Install": install.install_id, "X-Till": install.till_id}
        self._token = {"X-Pos-Token": install.token}
        self._exchanges = connection or http_exchange.HttpExchange(
            url,
            trust=None,
            connect_seconds=CONNECT_SECONDS,
            headers={"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "pos-app"},
            kept=1,
            kept_seconds=_KEEP_SECONDS,
        )
        self._turn = asyncio.Lock()

    async def ask(
        self, path: str, *, seconds: float, introduce: bool, headers: Mapping[str, str]
    ) -> StatusAndBody:
        """GET, with or without the token. Raises NotDelivered, OutcomeUnknown."""
        token = self._token if introduce else {}
        return await self._exchange("GET", path, None, {**token, **headers}, seconds)

    async def send(
        self, path: str, content: bytes, *, seconds: float, headers: Mapping[str, str]
    ) -> StatusAndBody:
        """POST JSON. Raises NotDelivered when surely no byte was written, OutcomeUnknown."""
        sent_headers = {**self._token, "Content-Type": "application/json", **headers}
        return await self._exchange("POST", path, content, sent_headers, seconds)

    async def _exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], seconds: float
    ) -> StatusAndBody:
        try:
            async with asyncio.timeout(min(seconds, CONNECT_SECONDS)):
                await self._turn.acquire()
        except TimeoutError as error:
            raise NotDelivered("server_busy") from error
        request_id = short_request_id()
        sent_headers = {**self._known, **headers, HEADER: request_id}
        try:
            async with asyncio.timeout(seconds):
                answer = await self._exchanges.ask(
                    method, path, largest=_LONGEST_ANSWER, headers=sent_headers, body=body
                )
        except http_exchange.NotConnected as error:
            raise NotDelivered("server", why=error) from error
        except http_exchange.TooLarge as error:
            raise OutcomeUnknown("server_endless") from error
        except (http_exchange.AnswerLost, TimeoutError) as error:
            raise OutcomeUnknown(
                "server_silent", request=request_id, fault=type(error).__name__
            ) from error
        finally:
            self._turn.release()
        return answer.status, _json(answer.content), request_id

    async def close(self) -> None:
        await self._exchanges.close()


def _json(body: bytes) -> object:
    try:
        return loads(body)
    except Invalid:
        return None
