"""The routes of the till's services, `POST /till/{service}/{method}`: one for a method of a port.

A call's arguments and result are JSON by the annotations of the port (`wire.port_calls`). All need
the install token. Secrets come in and never go out, except that of a new key, once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from starlette.requests import Request
from starlette.responses import Response

from pos_app.documents.server_papers import ServerPapers
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.receipt.server_jobs import ServerJobs
from pos_app.domain.setup.local_api_service import LocalApiService
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.printer_setup import PrinterSetupService
from pos_app.domain.setup.processor_setup import ProcessorSetupService
from pos_app.errors import NotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.access_rules import TILL
from pos_app.local_api.caller_desk import CallerDesk
from pos_app.local_api.context import ApiContext, PlatformAtServer, then_reopened
from pos_app.local_api.job_desk import JobDesk
from pos_app.local_api.journal_desk import JournalDesk
from pos_app.local_api.paper_desk import PaperDesk
from pos_app.local_api.receipt_response import ReceiptResponses
from pos_app.wire.port_calls import PortCall, call_of, methods_of


@dataclass(frozen=True, slots=True)
class TillService:
    """port: names the methods and their types. carrier_of: returns what carries them out, or None
    where this server has none. lacking: the kind of the error then. reopening: the methods after
    whose answer the shop is opened anew. repeated: those whose result is long and often the
    same."""

    name: str
    port: type
    carrier_of: Callable[[PortRoutes], object | None]
    lacking: str = ""
    reopening: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


class PortRoutes:
    def __init__(
        self, *, service: FiscalService, context: ApiContext, answers: ReceiptResponses
    ) -> None:
        self.context = context
        self.callers: LocalApiService = CallerDesk(context)
        self.jobs: ServerJobs = JobDesk(service=service, handover=context.handover)
        self.papers: ServerPapers = PaperDesk(
            service=service, handover=context.handover, answers=answers
        )
        self.journal: ServerReceipts = JournalDesk(service=service, context=context)

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint(
                "POST", f"{TILL}{each.name}/{name}", partial(cls.call, till_service=each, name=name)
            )
            for each in SERVICES
            for name in methods_of(each.port)
        ]

    async def call(self, request: Request, *, till_service: TillService, name: str) -> Response:
        """POST /till/{service}/{method}: the method's result."""
        carrier = till_service.carrier_of(self)
        if carrier is None:
            raise NotFound(till_service.lacking)
        call = call_of(till_service.port, name)
        arguments = call.arguments(await request.body())
        result = await getattr(carrier, name)(**arguments)
        write = _written_once if name in till_service.repeated else PortCall.answered
        answer = write(call, result)
        if name in till_service.reopening:
            return then_reopened(self.context, body=answer)
        return Response(answer, media_type=JSON)


@lru_cache(maxsize=1)
def _written_once(call: PortCall, result: object) -> bytes:
    """Write the answer, which is cached while it stays the same: a thousand advances take 13 ms."""
    return call.answered(result)


SERVICES = (
    TillService("jobs", ServerJobs, lambda routes: routes.jobs),
    TillService(
        "local_api", LocalApiService, lambda routes: routes.callers, reopening=("keep_secret",)
    ),
    TillService("papers", ServerPapers, lambda routes: routes.papers),
    TillService("receipts", ServerReceipts, lambda routes: routes.journal, repeated=("advances",)),
    TillService(
        "platform",
        PlatformAtServer,
        lambda routes: routes.context.platform_setup,
        lacking="platform_setup",
        reopening=("change",),
    ),
    TillService(
        "mail",
        MailSetupService,
        lambda routes: routes.context.mail_setup,
        lacking="no_mail",
        reopening=("keep_password",),
    ),
    TillService(
        "processor",
        ProcessorSetupService,
        lambda routes: routes.context.processor_setup,
        lacking="processor_setup",
        reopening=("change",),
    ),
    TillService(
        "printers",
        PrinterSetupService,
        lambda routes: routes.context.printer_setup,
        lacking="printer_setup",
        reopening=("change",),
    ),
)
