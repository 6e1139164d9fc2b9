"""Tells the till about other programs, and keeps the secrets for them: the service "local_api"."""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.receipt.server_status import KeptSecret, LoggedRequest, RefusedCaller
from pos_app.errors import NotFound
from pos_app.local_api.context import ApiContext, ProcessorAtServer


class CallerDesk:
    """Implements domain.setup.local_api_service.LocalApiService."""

    def __init__(self, context: ApiContext) -> None:
        self._context = context

    @property
    def _secrets(self) -> ProcessorAtServer:
        if self._context.processor_setup is None:
            raise NotFound("processor_setup")
        return self._context.processor_setup

    async def refused_callers(self) -> Sequence[RefusedCaller]:
        return self._context.refused_requests.latest()

    async def requests(self, *, number: int | None = None) -> Sequence[LoggedRequest]:
        request_log = self._context.request_log
        return request_log.latest() if number is None else request_log.whole(number)

    async def secrets(self) -> Sequence[KeptSecret]:
        return await self._secrets.secrets()

    async def keep_secret(self, name: str, value: str, *, by: str) -> None:
        await self._secrets.keep_secret(name, value, by=by)
