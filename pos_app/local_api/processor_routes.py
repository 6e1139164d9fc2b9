"""The routes of the processor's page: setup, trials, changes; the card's PIN; secrets.

All need the install token. Secrets come in and never go out. Source: exactly-once.md, step 10;
"Other holes".
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.receipt.server_status import LISTS, KeptSecret
from pos_app.errors import NotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.access_rules import TILL
from pos_app.local_api.context import ApiContext, ProcessorAtServer, then_reopened
from pos_app.wire import records, server
from pos_app.wire.reading import read
from pos_app.wire.strict_json import loads


class ProcessorRoutes:
    def __init__(self, *, service: FiscalService, context: ApiContext) -> None:
        self._service = service
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", TILL + LISTS[KeptSecret], cls.secrets),
            Endpoint("POST", "/till/secrets/{name}", cls.secret),
        ]

    @property
    def _setup_service(self) -> ProcessorAtServer:
        setup_service = self._context.processor_setup
        if setup_service is None:
            raise NotFound("processor_setup")
        return setup_service

    async def secrets(self, request: Request) -> Response:
        """GET /till/secrets: the names of the secrets that are set."""
        kept = await self._setup_service.secrets()
        return Response(records.written_list(KeptSecret, kept), media_type=JSON)

    async def secret(self, request: Request) -> Response:
        """POST /till/secrets/{name}: seals a secret, and opens the shop anew; "" forgets it."""
        body = read(server.SecretBody, loads(await request.body()))
        await self._setup_service.keep_secret(request.path_params["name"], body.value, by=body.by)
        return then_reopened(self._context)
