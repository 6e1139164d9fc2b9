"""The local API server: joins journal, lane, processor and HTTP front into one program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, closing
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from pos_app import __version__, log
from pos_app.adapters.clock import SYSTEM_CLOCK
from pos_app.adapters.data_folder import JOURNAL, RECEIPT_INDEX, catalogue_file
from pos_app.adapters.data_folder.install import Install, open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.running_mark import marked
from pos_app.adapters.data_folder.settings_file import keep_good
from pos_app.adapters.data_folder.upgrade_mark import take_mark_away
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import serve, stop_on_signals
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.earlier_processor import EarlierProcessor
from pos_app.adapters.pfr.vpfr_access import VpfrAccess
from pos_app.adapters.platform_http.other_tills import OtherTillsHttp
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.qr_picture import draw_gif
from pos_app.adapters.secrets.lan_token import lan_token
from pos_app.adapters.secrets.reading import check_secrets
from pos_app.adapters.server_process.address import SERVER_LOCK, forget_address, remember_address
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.journal.set_aside import SetAsideJournals
from pos_app.adapters.sqlite.receipt_index.receipt_index import ReceiptIndex
from pos_app.adapters.sqlite.till.acts_view import TillActsView
from pos_app.bootstrap.issuing import processor_access
from pos_app.bootstrap.issuing.devices import Devices, devices_of
from pos_app.bootstrap.issuing.issuing import (
    Issuing,
    begin_deliveries,
    end,
    issuer_of,
    open_issuing,
    open_journal,
)
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.server.mail_setup import MailSetupInFiles
from pos_app.bootstrap.server.preload import warm
from pos_app.bootstrap.server.printer_setup import PrinterSetupInFiles
from pos_app.bootstrap.server.processor_setup import ProcessorSetupInFiles
from pos_app.bootstrap.server.public_mode import PublicModeProgram, public_mode_of
from pos_app.bootstrap.server.without_till import SynchronisationProgram, back_up_each_day
from pos_app.clock import Clock
from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.handover.drawer_pulse import Drawer
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from pos_app.fiscalization.handover.handover_queue import DeviceQueues
from pos_app.fiscalization.handover.trial_page import TrialPages
from pos_app.fiscalization.open_work import has_work, is_issuing
from pos_app.fiscalization.orphan_server import IdleTime, stop_when_alone
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.errors import late_body
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.app import busy, create_app, reserve
from pos_app.local_api.context import ApiContext, HandoverServices, ProcessorLabel
from pos_app.local_api.error_responses import malformed_http
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.refused_requests import RefusedRequests
from pos_app.local_api.request_log import RequestLog
from pos_app.local_api.till_status import processor_status
from pos_app.settings import Settings

if TYPE_CHECKING:
    import httpx

    from pos_app.adapters.printers.transport import Transport

_log = log.get(__name__)

_DRAW_PDF = {JobMethod.A4, JobMethod.EMAIL}


async def run_server(
    settings: Settings,
    *,
    ready: Callable[[str], None],
    for_till: bool = False,
    reread: Callable[[int], Settings] | None = None,
) -> None:
    """Serve the local API until SIGTERM or the till's request; return when everything is closed.

    for_till: a till started the server, may stop and replace it, and synchronises. reread: returns
    the present settings with a port; the shop is opened anew with them when a manager changed them.
    ready: called once. Raises AlreadyRunning, PortTaken, SettingsBroken and what the databases
    raise.
    """
    ended, tell = asyncio.Event(), ready
    asked = AskedBefore()
    with stop_on_signals(ended), marked("server", settings.data):
        while True:
            port = await _serve_shop(settings, ended, tell, asked, for_till=for_till)
            if ended.is_set() or port is None or reread is None:
                return
            _log.info("the shop is opened anew with changed settings")
            settings, tell = reread(port), _drop_address


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """The requests of other programs since the program started, however often the shop is
    opened."""

    refused_requests: RefusedRequests = field(default_factory=RefusedRequests)
    request_log: RequestLog = field(default_factory=RequestLog)


@dataclass(frozen=True, slots=True)
class Outside:
    """What a server has of the world around it. transport: the way to the processor, in place of
    the network. to_printer: the way to the receipt printer, in place of its own."""

    clock: Clock = SYSTEM_CLOCK
    transport: httpx.AsyncBaseTransport | None = None
    to_printer: Transport | None = None


_OUTSIDE = Outside()


def _drop_address(address: str) -> None:
    """Drop the address, which was reported at the first opening."""


async def _forward(ended: asyncio.Event, stop: asyncio.Event) -> None:
    await ended.wait()
    stop.set()


def _beside(stack: AsyncExitStack, work: Coroutine[Any, Any, None], name: str) -> None:
    stack.push_async_callback(end, asyncio.create_task(work, name=name))


async def _serve_shop(
    settings: Settings,
    ended: asyncio.Event,
    ready: Callable[[str], None],
    asked: AskedBefore,
    *,
    for_till: bool,
) -> int | None:
    """Open a shop, serve it and close it. Return the port of its next opening with settings that
    were changed meanwhile, else None."""
    stop, reopens, port = asyncio.Event(), False, 0
    asked_port: int | None = None

    def reopen(at: int | None) -> None:
        nonlocal reopens, asked_port
        reopens, asked_port = True, at
        stop.set()

    def on_ready(address: str) -> None:
        nonlocal port
        port = urlsplit(address).port or 0
        remember_address(settings.data, address, by_hand=not for_till)
        keep_good(settings)
        _log.info("ready", extra={"fields": {"address": address}})
        ready(address)

    async with AsyncExitStack() as stack:
        _beside(stack, _forward(ended, stop), "stop")
        app, context = await open_shop(settings, stack, stop, reopen, asked, for_till=for_till)
        if context.catalogue.is_newer():
            _log.warning("catalogue.db was written by a newer version, and is read by its views")
        limits = ConnectionLimits(
            is_reserved=reserve(context), busy=busy, malformed=malformed_http, late=late_body
        )
        server = settings.server
        await serve(
            app, host=server.host, port=server.port, ready=on_ready, stop=stop, limits=limits
        )
    return (asked_port or port) if reopens else None


async def open_shop(
    settings: Settings,
    stack: AsyncExitStack,
    stop: asyncio.Event,
    reopen: Callable[[int | None], None],
    asked: AskedBefore,
    *,
    for_till: bool,
    outside: Outside = _OUTSIDE,
) -> tuple[ASGIApp, ApiContext]:
    """Open everything behind the HTTP front in order; the stack closes it in the opposite order."""
    check_secrets(data := settings.data)
    access = processor_access.check_processor(settings)
    install = open_install(data, environment=settings.environment)
    lock = stack.enter_context(FolderLock(data / SERVER_LOCK, what="server"))
    catalogue = stack.enter_context(closing(CatalogueView(catalogue_file(data))))
    journal = open_journal(stack, data, lock, clock=outside.clock)
    issuing, client, url = await _issuing(
        settings, stack, install, access, journal, outside=outside
    )
    take_mark_away(data)
    pdf = _papers(settings, stack)
    devices = devices_of(settings, pdf, to_printer=outside.to_printer)
    deliveries = begin_deliveries(stack, issuing, devices.handovers)
    silence = _silence(stack, data, issuing, alone=stop if for_till else None)
    receipts = await _receipt_index(stack, data, issuing, silence)
    service = _service(settings, issuing, catalogue, devices)
    public_mode = public_mode_of(settings, install)
    _load_ahead(stack, issuing, silence, pdf, _wants_pdf(asked, devices, public_mode, pdf))
    synchronisation = SynchronisationProgram(settings, for_till=for_till)
    context = _context(settings, install, access, url, pdf, asked=asked, stop=stop.set)
    context = replace(
        context,
        heard=silence.heard,
        handover=_handover_services(devices, issuing, deliveries),
        processor_setup=_processor_setup(settings, client, context.processor, service, journal),
        printer_setup=_printer_setup(settings, devices, pdf, issuing, deliveries),
        mail_setup=MailSetupInFiles(settings, clock=issuing.clock, papers=pdf),
        receipt_list=receipts,
        reopen=reopen,
        public_mode=public_mode.status,
        synchronisation=synchronisation.status,
        catalogue=catalogue,
    )
    door = ReceiptDoor(service=service, context=context)
    app = create_app(service=service, context=context, door=door)
    stack.callback(forget_address, data)
    await stack.enter_async_context(public_mode.relaying(door))
    await stack.enter_async_context(synchronisation.running())
    return app, context


async def _issuing(
    settings: Settings,
    stack: AsyncExitStack,
    install: Install,
    access: VpfrAccess | None,
    journal: SqliteJournal,
    *,
    outside: Outside,
) -> tuple[Issuing, PfrClient, str]:
    """Join the issuing; return it with the client and the address of the processor in use. The
    journal names a processor by its address, and the server's own development processor by ""."""
    processor, address = settings.processor, processor_access.address_of(settings, access)
    processor_access.check_kind(settings, install, journal)
    url = address or await _development_processor(stack, settings.data / "processor")
    client = PfrClient(url, access=access, labels=processor.label_map, transport=outside.transport)
    stack.push_async_callback(client.close)

    def connect(earlier: str) -> EarlierProcessor:
        client = processor_access.client_at(earlier, settings)
        stack.push_async_callback(client.close)
        return client

    issuing = await open_issuing(
        stack,
        journal=journal,
        data=settings.data,
        processor=client,
        address=address,
        rule=DoubtRule(processor.quiet_seconds, processor.used_here_alone),
        connect=connect,
        clock=outside.clock,
    )
    return issuing, client, url


async def _development_processor(stack: AsyncExitStack, folder: Path) -> str:
    """Serve the development processor, and return its address. A server with another processor does
    not load it, because it takes 9 MiB with its libraries."""
    from pos_app.bootstrap.development_processor import development_processor

    return await stack.enter_async_context(development_processor(folder))


async def _receipt_index(
    stack: AsyncExitStack, data: Path, issuing: Issuing, silence: IdleTime
) -> ReceiptIndex:
    """Make the list of the journal's receipts, which grows by itself until the stack is closed."""
    index = ReceiptIndex(data / RECEIPT_INDEX, data / JOURNAL)
    feeding = index.fed(issuing.lane.changes, quiet_seconds=lambda: silence.seconds)
    await stack.enter_async_context(feeding)
    return index


def _service(
    settings: Settings, issuing: Issuing, catalogue: CatalogueView, devices: Devices
) -> FiscalService:
    refuses = settings.mail.when_missing == "refuse"
    return FiscalService(
        issuing.journal,
        issuing.lane,
        catalogue,
        issuing.clock,
        issuer_of(settings, seller_pib=settings.esir.seller_pib),
        AvailableHandover(catalogue, frozenset(devices.handovers), refuses_without_mail=refuses),
        SetAsideJournals(settings.data, issuing.journal.identity),
        TillActsView(settings.data),
    )


def _silence(
    stack: AsyncExitStack, data: Path, issuing: Issuing, *, alone: asyncio.Event | None
) -> IdleTime:
    """Measure how long nobody has asked for anything. alone: a till's server gets an event, set
    when the till is gone and there is no work left; another server gets None, and makes the backups
    that a till would make."""
    journal, clock = issuing.journal, issuing.clock
    silence = IdleTime(clock)
    if alone is not None:
        watch = stop_when_alone(
            silence, has_work=lambda: has_work(journal), clock=clock, stop=alone
        )
        _beside(stack, watch, "end when alone")
    else:
        _beside(stack, back_up_each_day(data, silence), "daily backup")
    return silence


def _papers(settings: Settings, stack: AsyncExitStack) -> StorePdf:
    pdf = StorePdf(settings, not_fiscal=settings.processor.kind == "development")
    stack.callback(pdf.close)
    return pdf


def _wants_pdf(
    asked: AskedBefore, devices: Devices, public_mode: PublicModeProgram, pdf: StorePdf
) -> Callable[[], bool]:
    """Return a function that tells whether PDFs are wanted: by other programs, for letters and
    printers of pages, or because one was opened. A till alone makes links that most buyers never
    open."""
    draws = public_mode.status() is not None or bool(_DRAW_PDF & devices.handovers.keys())
    return lambda: draws or pdf.has_drawn or asked.request_log.has_any


def _load_ahead(
    stack: AsyncExitStack,
    issuing: Issuing,
    silence: IdleTime,
    pdf: StorePdf,
    wants_pdf: Callable[[], bool],
) -> None:
    is_busy, clock = partial(is_issuing, issuing.journal), issuing.clock
    fonts = warm(pdf.warm, silence, is_issuing=is_busy, clock=clock)
    _beside(stack, fonts, "load the font of papers")
    pages = warm(pdf.warm_pdf, silence, is_issuing=is_busy, clock=clock, is_wanted=wants_pdf)
    _beside(stack, pages, "load what draws a PDF")


def _handover_services(
    devices: Devices, issuing: Issuing, deliveries: DeviceQueues
) -> HandoverServices:
    at = deliveries.of(JobMethod.DRAWER) if devices.has_drawer else None
    jobs, clock = issuing.journal.jobs, issuing.clock
    return HandoverServices(
        wake=deliveries.wake,
        prints=JobMethod.THERMAL in devices.handovers,
        prints_pages=JobMethod.A4 in devices.handovers,
        drawer=None if at is None else Drawer(jobs, clock, at.wake, at.ended),
    )


def _processor_setup(
    settings: Settings,
    client: PfrClient,
    label: ProcessorLabel,
    service: FiscalService,
    journal: SqliteJournal,
) -> ProcessorSetupInFiles:
    return ProcessorSetupInFiles(
        settings,
        client=client,
        url=label.url,
        service=service,
        is_fiscal=journal.is_fiscal,
        status=lambda: processor_status(service, label),
    )


def _printer_setup(
    settings: Settings, devices: Devices, pdf: StorePdf, issuing: Issuing, deliveries: DeviceQueues
) -> PrinterSetupInFiles:
    ended = {one: deliveries.of(one).ended for one in (JobMethod.THERMAL, JobMethod.A4)}
    pages = TrialPages(issuing.journal.jobs, issuing.clock, deliveries.wake, ended)
    return PrinterSetupInFiles(settings, devices=devices, papers=pdf, pages=pages)


def _context(
    settings: Settings,
    install: Install,
    access: VpfrAccess | None,
    url: str,
    pdf: StorePdf,
    *,
    asked: AskedBefore,
    stop: Callable[[], None],
) -> ApiContext:
    kind = settings.processor.kind
    return ApiContext(
        install=install,
        version=__version__,
        access=AccessSettings(
            install_id=install.install_id,
            till_token=install.token,
            lan_token=lan_token(settings),
            names=settings.server.names,
            origins=settings.server.origins,
            api_enabled=settings.server.api_enabled,
        ),
        processor=ProcessorLabel(
            kind=kind,
            url=url,
            is_configured=True,
            is_fiscal=kind != "development",
            certificate_ends=None if access is None else access.certificate.expires,
        ),
        cashier=settings.server.cashier,
        stop=stop,
        platform_setup=PlatformSetupInFiles(settings),
        other_tills=OtherTillsHttp(settings),
        draw_qr=draw_gif,
        pdf=pdf,
        refused_requests=asked.refused_requests,
        request_log=asked.request_log,
    )
