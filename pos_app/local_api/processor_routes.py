"""The routes of the processor's page: setup, trials, changes; the card's PIN; secrets.

All need the install token. Secrets come in and never go out. Source: exactly-once.md, step 10;
"Other holes".
"""

from __future__ import annotations

import base64
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.receipt.server_status import LISTS, KeptSecret
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorSetup, ProcessorTrial
from pos_app.errors import Invalid, NotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.access_rules import TILL
from pos_app.local_api.context import ApiContext, ProcessorAtServer, then_reopened
from pos_app.local_api.till_status import processor_status
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
            Endpoint("GET", "/till/processor", cls.setup),
            Endpoint("PUT", "/till/processor", cls.change),
            Endpoint("POST", "/till/processor/test", cls.try_out),
            Endpoint("POST", "/till/processor/pin", cls.pin),
            Endpoint("GET", TILL + LISTS[KeptSecret], cls.secrets),
            Endpoint("POST", "/till/secrets/{name}", cls.secret),
        ]

    @property
    def _setup_service(self) -> ProcessorAtServer:
        setup_service = self._context.processor_setup
        if setup_service is None:
            raise NotFound("processor_setup")
        return setup_service

    async def setup(self, request: Request) -> Response:
        """GET /till/processor: the setup, and the processor's state."""
        status = processor_status(self._service, self._context.processor)
        opened = await self._setup_service.setup()
        setup = replace(opened, status=status)
        return Response(records.written(ProcessorSetup, setup), media_type=JSON)

    async def change(self, request: Request) -> Response:
        """PUT /till/processor: a manager's act; the server opens the shop anew after the answer."""
        body = read(server.ProcessorChangeBody, loads(await request.body()))
        await self._setup_service.change(_change_of(body), by=body.by)
        return then_reopened(self._context)

    async def try_out(self, request: Request) -> Response:
        """POST /till/processor/test: the processor's answer to the typed setup. Nothing changes."""
        body = read(server.ProcessorBody, loads(await request.body()))
        trial = await self._setup_service.try_out(_change_of(body))
        return Response(records.written(ProcessorTrial, trial), media_type=JSON)

    async def pin(self, request: Request) -> Response:
        """POST /till/processor/pin: gives a PIN to the card once, and does not keep it."""
        body = read(server.PinBody, loads(await request.body()))
        if not (body.pin.isascii() and body.pin.isdigit()):
            raise Invalid("pin_figures", field="pin")
        result = await self._setup_service.enter_pin(body.pin, by=body.by)
        return Response(server.written(server.PinAnswer(result=result.value)), media_type=JSON)

    async def secrets(self, request: Request) -> Response:
        """GET /till/secrets: the names of the secrets that are set."""
        kept = await self._setup_service.secrets()
        return Response(records.written_list(KeptSecret, kept), media_type=JSON)

    async def secret(self, request: Request) -> Response:
        """POST /till/secrets/{name}: seals a secret, and opens the shop anew; "" forgets it."""
        body = read(server.SecretBody, loads(await request.body()))
        await self._setup_service.keep_secret(request.path_params["name"], body.value, by=body.by)
        return then_reopened(self._context)


def _change_of(body: server.ProcessorBody) -> ProcessorChange:
    return ProcessorChange(
        kind=body.kind,
        url=None if body.url is None else body.url.strip().rstrip("/"),
        used_here_alone=body.used_here_alone,
        label_map=body.label_map,
        esir_ib=None if body.esir_ib is None else body.esir_ib.strip(),
        pfx=None if body.pfx is None else _bytes_of(body.pfx, "pfx"),
        password=body.password,
        pac=None if body.pac is None else body.pac.strip(),
        ca=None if body.ca is None else _bytes_of(body.ca, "ca"),
    )


def _bytes_of(text: str, name: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise Invalid("is_base64", field=name) from None
