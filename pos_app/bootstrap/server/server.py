"""The local API server: journal, lane, processor and HTTP front joined into one program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlsplit

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
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
from pos_app.adapters.platform_http.setup import PlatformSetupInFiles
from pos_app.adapters.qr import draw_gif
from pos_app.adapters.secrets.lan_token import lan_token
from pos_app.adapters.secrets.reading import check_secrets
from pos_app.adapters.server_process.address import SERVER_LOCK, forget_address, remember_address
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue.catalogue import catalogue_file
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.bootstrap.development_processor import development_processor
from pos_app.bootstrap.issuing.devices import Devices, devices_of
from pos_app.bootstrap.issuing.issuing import (
    Issuing,
    begin_deliveries,
    end,
    issuer_of,
    open_issuing,
    open_journal,
)
from pos_app.bootstrap.issuing.processor_access import (
    address_of,
    check_kind,
    check_processor,
    client_at,
)
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.server.preload import warm
from pos_app.bootstrap.server.printer_setup import PrinterSetupInFiles
from pos_app.bootstrap.server.processor_setup import ProcessorSetupInFiles
from pos_app.bootstrap.server.public_mode import PublicModeProgram, public_mode_of
from pos_app.bootstrap.server.synchronising import SynchronisationProgram
from pos_app.clock import Clock
from pos_app.domain.states import JobMethod
from pos_app.fiscalization.handover.drawer_pulse import Drawer
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from pos_app.fiscalization.handover.handover_queue import DeviceQueues
from pos_app.fiscalization.handover.trial_page import TrialPages
from pos_app.fiscalization.jobs import DeliveryJobs
from pos_app.fiscalization.open_work import has_work, is_issuing
from pos_app.fiscalization.orphan_server import IdleTime, stop_when_alone
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.ports import LaneJournal
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.errors import late_body
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.app import busy, create_app, reserve
from pos_app.local_api.context import ApiContext, HandoverServices, ProcessorLabel
from pos_app.local_api.error_responses import malformed_http
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.settings import Settings

_log = log.get(__name__)


class _Round:
    """From opening the shop to closing it. stop: ends it. reopens: to open it anew, with settings
    that were changed meanwhile. port: that it answers at."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.reopens = False
        self.port = 0

    def reopen(self) -> None:
        self.reopens = True
        self.stop.set()


async def run_server(
    settings: Settings,
    *,
    ready: Callable[[str], None],
    for_till: bool = False,
    reread: Callable[[int], Settings] | None = None,
) -> None:
    """Serve the local API until SIGTERM or the till's word; returns when all is closed.

    for_till: a till started it, may stop and replace it, and synchronises. reread: the settings as
    they are now, at a port; the shop is opened anew with them when a manager changed the processor.
    ready: told once. Raises AlreadyRunning, PortTaken, SettingsBroken and what the databases raise.
    """
    ended, tell = asyncio.Event(), ready
    with stop_on_signals(ended), marked("server", settings.data):
        while True:
            turn = _Round()
            forwarding = asyncio.create_task(_forward(ended, turn.stop), name="stop")
            try:
                async with (
                    _open_shop(settings, turn, for_till=for_till) as shop,
                    _ending_alone(shop, turn.stop) if for_till else nullcontext(),
                ):
                    await _serve(settings, shop, tell, turn, by_hand=not for_till)
            finally:
                await end(forwarding)
            if ended.is_set() or not turn.reopens or reread is None:
                return
            _log.info("the shop is opened anew with changed settings")
            settings, tell = reread(turn.port), _told_already


def _told_already(address: str) -> None:
    """Whoever waits for the address has it."""


async def _forward(ended: asyncio.Event, stop: asyncio.Event) -> None:
    await ended.wait()
    stop.set()


@asynccontextmanager
async def _ending_alone(shop: _Shop, stop: asyncio.Event) -> AsyncIterator[None]:
    """While inside, the server ends when its till is gone and it has nothing to do."""
    journal = shop.service.journal
    watching = stop_when_alone(
        shop.silence, has_work=lambda: has_work(journal), clock=SystemClock(), stop=stop
    )
    task = asyncio.create_task(watching, name="end when alone")
    try:
        yield
    finally:
        await end(task)


@dataclass(frozen=True, slots=True)
class _Shop:
    service: FiscalService
    context: ApiContext
    silence: IdleTime
    public_mode: PublicModeProgram
    synchronisation: SynchronisationProgram


@asynccontextmanager
async def _open_shop(settings: Settings, turn: _Round, *, for_till: bool) -> AsyncIterator[_Shop]:
    """Everything behind the HTTP front, opened in order and closed in the opposite one."""
    check_secrets(settings.data)
    access = check_processor(settings)
    install = open_install(settings.data, environment=settings.environment)
    async with AsyncExitStack() as stack:
        lock = stack.enter_context(FolderLock(settings.data / SERVER_LOCK, what="server"))
        catalogue = CatalogueView(catalogue_file(settings.data))
        stack.callback(catalogue.close)
        journal = open_journal(stack, settings.data, lock)
        used = await _processor_in_use(settings, install, access, journal, stack)
        issuing = await _issuing(settings, stack, used, journal)
        take_mark_away(settings.data)
        lane, clock = issuing.lane, issuing.clock
        pdf = StorePdf(settings, not_fiscal=settings.processor.kind == "development")
        stack.callback(pdf.close)
        devices = devices_of(settings, pdf)
        deliveries = begin_deliveries(stack, issuing, devices.handovers)
        silence = IdleTime(clock)
        _warm(pdf, silence, journal, clock, stack)
        store = _handover_of(settings, catalogue, devices)
        issuer = issuer_of(settings, seller_pib=settings.esir.seller_pib)
        service = FiscalService(journal, lane, catalogue, clock, issuer, store)
        public_mode = public_mode_of(settings, install)
        synchronisation = SynchronisationProgram(settings, for_till=for_till)
        context = replace(
            _context(settings, install, used, turn, pdf),
            handover=_handover_services(devices, journal.jobs, clock, deliveries),
            heard=silence.heard,
            processor_setup=ProcessorSetupInFiles(
                settings,
                client=used.client,
                url=used.url,
                service=service,
                is_fiscal=journal.is_fiscal,
                reopen=turn.reopen,
            ),
            platform_setup=PlatformSetupInFiles(settings, reopen=turn.reopen),
            printer_setup=PrinterSetupInFiles(
                settings,
                devices=devices,
                papers=pdf,
                pages=_trial_pages(journal.jobs, clock, deliveries),
                reopen=turn.reopen,
            ),
            public_mode=public_mode.status,
            synchronisation=synchronisation.status,
            catalogue_damaged_since=catalogue.damaged_since,
        )
        yield _Shop(service, context, silence, public_mode, synchronisation)


@dataclass(frozen=True, slots=True)
class _ProcessorInUse:
    """url: where it answers now. place: how the journal names it, "" for the one that the server
    runs itself."""

    client: PfrClient
    url: str
    place: str
    certificate_ends: datetime | None


async def _processor_in_use(
    settings: Settings,
    install: Install,
    access: VpfrAccess | None,
    journal: SqliteJournal,
    stack: AsyncExitStack,
) -> _ProcessorInUse:
    place = address_of(settings, access)
    check_kind(settings, install, journal, place=place)
    url = place or await stack.enter_async_context(
        development_processor(settings.data / "processor")
    )
    client = PfrClient(url, access=access, labels=settings.processor.label_map)
    stack.push_async_callback(client.close)
    ends = access.certificate.expires if access is not None else None
    return _ProcessorInUse(client, url, place, ends)


def _handover_of(
    settings: Settings, catalogue: CatalogueView, devices: Devices
) -> AvailableHandover:
    refuses = settings.mail.when_missing == "refuse"
    return AvailableHandover(catalogue, frozenset(devices.handovers), refuses_without_mail=refuses)


async def _issuing(
    settings: Settings, stack: AsyncExitStack, used: _ProcessorInUse, journal: SqliteJournal
) -> Issuing:
    told = settings.processor

    def connect(earlier: str) -> EarlierProcessor:
        client = client_at(earlier, settings)
        stack.push_async_callback(client.close)
        return client

    return await open_issuing(
        stack,
        journal=journal,
        data=settings.data,
        processor=used.client,
        place=used.place,
        rule=DoubtRule(told.quiet_seconds, told.used_here_alone),
        connect=connect,
    )


def _handover_services(
    devices: Devices, jobs: DeliveryJobs, clock: Clock, deliveries: DeviceQueues
) -> HandoverServices:
    return HandoverServices(
        wake=deliveries.wake,
        prints=JobMethod.THERMAL in devices.handovers,
        drawer=_drawer(devices, jobs, clock, deliveries),
    )


def _drawer(
    devices: Devices, jobs: DeliveryJobs, clock: Clock, deliveries: DeviceQueues
) -> Drawer | None:
    if not devices.has_drawer:
        return None
    at = deliveries.of(JobMethod.DRAWER)
    return Drawer(jobs, clock, at.wake, at.ended)


def _trial_pages(jobs: DeliveryJobs, clock: Clock, deliveries: DeviceQueues) -> TrialPages:
    ended = {one: deliveries.of(one).ended for one in (JobMethod.THERMAL, JobMethod.A4)}
    return TrialPages(jobs, clock, deliveries.wake, ended)


def _warm(
    pdf: StorePdf,
    silence: IdleTime,
    journal: LaneJournal,
    clock: SystemClock,
    stack: AsyncExitStack,
) -> None:
    """The renderer is loaded in a pause, if there is one before the stack is closed."""
    loading = warm(pdf.warm, silence, is_issuing=lambda: is_issuing(journal), clock=clock)
    stack.push_async_callback(end, asyncio.create_task(loading, name="warm the renderer"))


def _context(
    settings: Settings, install: Install, used: _ProcessorInUse, turn: _Round, pdf: StorePdf
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
            url=used.url,
            is_configured=True,
            is_fiscal=kind != "development",
            certificate_ends=used.certificate_ends,
        ),
        cashier=settings.server.cashier,
        stop=turn.stop.set,
        draw_qr=draw_gif,
        pdf=pdf,
    )


async def _serve(
    settings: Settings,
    shop: _Shop,
    ready: Callable[[str], None],
    turn: _Round,
    *,
    by_hand: bool,
) -> None:
    def on_ready(address: str) -> None:
        turn.port = urlsplit(address).port or 0
        remember_address(settings.data, address, by_hand=by_hand)
        keep_good(settings)
        _log.info("ready", extra={"fields": {"address": address}})
        ready(address)

    door = ReceiptDoor(service=shop.service, context=shop.context)
    app = create_app(service=shop.service, context=shop.context, door=door)
    try:
        async with shop.public_mode.relaying(door), shop.synchronisation.running():
            await serve(
                app,
                host=settings.server.host,
                port=settings.server.port,
                ready=on_ready,
                stop=turn.stop,
                limits=ConnectionLimits(
                    is_reserved=reserve(shop.context),
                    busy=busy,
                    malformed=malformed_http,
                    late=late_body,
                ),
            )
    finally:
        forget_address(settings.data)
