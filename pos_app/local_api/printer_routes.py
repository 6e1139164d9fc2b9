"""The routes of the printers' page: setup, search, trials, changes; a trial page.

All need the install token. Only the server opens printers, and lists those that it sees.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app.characters import has_controls
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.setup import printer_setup
from pos_app.errors import Invalid, NotFound
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.context import ApiContext, then_reopened
from pos_app.wire import reading, records, server, strict_json


class PrinterRoutes:
    def __init__(self, *, context: ApiContext) -> None:
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", "/till/printers", cls.setup),
            Endpoint("PUT", "/till/printers", cls.change),
            Endpoint("GET", "/till/printers/found", cls.found),
            Endpoint("POST", "/till/printers/test", cls.try_out),
            Endpoint("POST", "/till/printers/page", cls.page),
        ]

    @property
    def _setup_service(self) -> printer_setup.PrinterSetupService:
        setup_service = self._context.printer_setup
        if setup_service is None:
            raise NotFound("printer_setup")
        return setup_service

    async def setup(self, request: Request) -> Response:
        """GET /till/printers: the setup."""
        setup = await self._setup_service.setup()
        return Response(records.written(printer_setup.PrinterSetup, setup), media_type=JSON)

    async def found(self, request: Request) -> Response:
        """GET /till/printers/found: printers and ports on this server's machine."""
        return Response(
            records.written_list(printer_setup.FoundPrinter, await self._setup_service.found()),
            media_type=JSON,
        )

    async def try_out(self, request: Request) -> Response:
        """POST /till/printers/test: a printer's answer to the typed setup. Nothing is printed."""
        document = strict_json.loads(await request.body())
        body = reading.read(server.PrinterUseBody, document)
        change = _change(document)
        trial = await self._setup_service.try_out(printer_setup.PrinterUse(body.use), change)
        return Response(records.written(printer_setup.PrinterTrial, trial), media_type=JSON)

    async def page(self, request: Request) -> Response:
        """POST /till/printers/page: a trial page through the printer's queue, now or not at all."""
        body = reading.read(server.TrialPageBody, strict_json.loads(await request.body()))
        job = await self._setup_service.print_page(
            printer_setup.PrinterUse(body.use), key=body.key, by=body.by
        )
        return Response(records.written(DeliveryJob, job), media_type=JSON)

    async def change(self, request: Request) -> Response:
        """PUT /till/printers: a manager's act; the server opens the shop anew after the answer."""
        document = strict_json.loads(await request.body())
        body = reading.read(server.DecidedByBody, document)
        await self._setup_service.change(_change(document), by=body.by)
        return then_reopened(self._context)


def _change(document: object) -> printer_setup.PrinterChange:
    """Read a change. Raises Invalid, also for a name of a printer that no system has."""
    change = records.from_json(printer_setup.PrinterChange, document)
    for field, typed in (("address", change.address), ("a4Queue", change.a4_queue)):
        if typed is not None and has_controls(typed):
            raise Invalid("control_characters", field=field)
    return change
