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
from pos_app.adapters.disk import FolderDisk
from pos_app.adapters.install import Install, open_install
from pos_app.adapters.lock import FolderLock
from pos_app.adapters.machine_mark import machine_mark
from pos_app.adapters.pfr.access import VpfrAccess
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.qr import draw_gif
from pos_app.adapters.secrets.reading import check_secrets
from pos_app.adapters.server_process.address import SERVER_LOCK, forget_address, remember_address
from pos_app.adapters.sqlite.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue import catalogue_file
from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.adapters.witness_file import WitnessFile
from pos_app.bootstrap.devices import Devices, devices_of
from pos_app.bootstrap.http_protocol import ConnectionLimits
from pos_app.bootstrap.keep_running import keep_running
from pos_app.bootstrap.lan import lan_token
from pos_app.bootstrap.orphan_server import IdleTime, has_work, is_issuing, stop_when_alone
from pos_app.bootstrap.platform_setup import PlatformDesk
from pos_app.bootstrap.preload import warm
from pos_app.bootstrap.processor import development_processor
from pos_app.bootstrap.processor_access import address_of, check_processor, client_at
from pos_app.bootstrap.processor_setup import ProcessorDesk
from pos_app.bootstrap.public_mode import PublicModeProgram, public_mode_of
from pos_app.bootstrap.serving import serve, stop_on_signals
from pos_app.bootstrap.store_pdf import StorePdf
from pos_app.bootstrap.witness_follower import witnessed
from pos_app.clock import Clock
from pos_app.domain.buyer import BuyerId
from pos_app.domain.states import JobMethod
from pos_app.fiscalization.doubt import DoubtRule
from pos_app.fiscalization.drawer_pulse import Drawer
from pos_app.fiscalization.handover_options import AvailableHandover
from pos_app.fiscalization.handover_queue import DeviceQueue, DeviceQueues
from pos_app.fiscalization.jobs import DeliveryJobs
from pos_app.fiscalization.lane import Lane
from pos_app.fiscalization.plans.rules import EsirRules
from pos_app.fiscalization.ports import Disk, LaneJournal
from pos_app.fiscalization.restore_detection import found_at_start
from pos_app.fiscalization.service import FiscalService, IssuerSettings
from pos_app.fiscalization.startup_recovery import Recovery
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.app import busy, create_app, reserve
from pos_app.local_api.context import ApiContext, HandoverServices, ProcessorLabel
from pos_app.local_api.error_responses import malformed_http
from pos_app.settings import Settings

FINISH_SECONDS = 10.0
"""How long a receipt in flight may take once the server was asked to stop."""

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

    for_till: a till started it, and may stop and replace it. reread: the settings as they are now,
    at a port; the shop is opened anew with them when a manager changed the processor. ready: told
    once. Raises AlreadyRunning, PortTaken, SettingsBroken and what the databases raise.
    """
    ended, tell = asyncio.Event(), ready
    with stop_on_signals(ended):
        while True:
            turn = _Round()
            forwarding = asyncio.create_task(_forward(ended, turn.stop), name="stop")
            try:
                async with (
                    _open_shop(settings, turn) as shop,
                    _ending_alone(shop, turn.stop) if for_till else nullcontext(),
                ):
                    await _serve(settings, shop, tell, turn, by_hand=not for_till)
            finally:
                await _end(forwarding)
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
        await _end(task)


@dataclass(frozen=True, slots=True)
class _Shop:
    service: FiscalService
    context: ApiContext
    silence: IdleTime
    public_mode: PublicModeProgram


@asynccontextmanager
async def _open_shop(settings: Settings, turn: _Round) -> AsyncIterator[_Shop]:
    """Everything behind the HTTP front, opened in order and closed in the opposite one."""
    check_secrets(settings.data)
    access = check_processor(settings)
    install = open_install(settings.data, environment=settings.environment)
    async with AsyncExitStack() as stack:
        stack.enter_context(FolderLock(settings.data / SERVER_LOCK, what="server"))
        journal = SqliteJournal(settings.data / "journal" / "journal.db")
        stack.callback(journal.close)
        catalogue = CatalogueView(catalogue_file(settings.data))
        stack.callback(catalogue.close)
        used = await _processor_in_use(settings, access, stack)
        clock = SystemClock()
        recovery = await _recovery(settings, journal, clock, stack)
        lane = _lane(settings, stack, used, journal=journal, clock=clock, disk=recovery)
        watch = asyncio.create_task(
            keep_running(recovery.before(lane.watch), "the watch over the lane"), name="lane watch"
        )
        stack.push_async_callback(_end_watch, lane, watch)
        pdf = StorePdf(settings, not_fiscal=settings.processor.kind == "development")
        stack.callback(pdf.close)
        devices = devices_of(settings, pdf)
        deliveries = DeviceQueues(journal.jobs, journal, clock=clock, handovers=devices.handovers)
        lane.changes.listen(deliveries.wake)
        _deliver(deliveries, recovery, stack)
        silence = IdleTime(clock)
        _warm(pdf, silence, journal, clock, stack)
        store = _handover_of(settings, catalogue, devices)
        service = FiscalService(journal, lane, catalogue, clock, _issuer(settings), store)
        public_mode = public_mode_of(settings, install)
        context = replace(
            _context(settings, install, used, turn, pdf),
            handover=_handover_services(devices, journal.jobs, clock, deliveries),
            heard=silence.heard,
            processor_desk=ProcessorDesk(
                settings, client=used.client, url=used.url, service=service, reopen=turn.reopen
            ),
            platform_desk=PlatformDesk(settings, reopen=turn.reopen),
            public_mode=public_mode.status,
        )
        yield _Shop(service, context, silence, public_mode)


@dataclass(frozen=True, slots=True)
class _ProcessorInUse:
    """url: where it answers now. place: how the journal names it, "" for the one that the server
    runs itself."""

    client: PfrClient
    url: str
    place: str
    certificate_ends: datetime | None


async def _processor_in_use(
    settings: Settings, access: VpfrAccess | None, stack: AsyncExitStack
) -> _ProcessorInUse:
    place = address_of(settings, access)
    url = place or await stack.enter_async_context(
        development_processor(settings.data / "processor")
    )
    client = PfrClient(url, access=access, labels=settings.processor.label_map)
    stack.push_async_callback(client.close)
    ends = access.certificate.expires if access is not None else None
    return _ProcessorInUse(client, url, place, ends)


async def _recovery(
    settings: Settings, journal: SqliteJournal, clock: SystemClock, stack: AsyncExitStack
) -> Recovery:
    """Begun, with the witness of the journal beside it."""
    machine = machine_mark()
    witness = WitnessFile(settings.data, machine=machine)
    found = found_at_start(
        journal.restores, witness.read(), machine=machine, looks_whole=journal.looks_whole
    )
    recovery = Recovery(journal, clock, FolderDisk(settings.data), found=found)
    stack.push_async_callback(_end, asyncio.create_task(recovery.watch(), name="recovery"))
    await stack.enter_async_context(witnessed(witness, journal.restores, recovery))
    return recovery


def _handover_of(
    settings: Settings, catalogue: CatalogueView, devices: Devices
) -> AvailableHandover:
    refuses = settings.mail.when_missing == "refuse"
    return AvailableHandover(catalogue, frozenset(devices.handovers), refuses_without_mail=refuses)


def _lane(
    settings: Settings,
    stack: AsyncExitStack,
    used: _ProcessorInUse,
    *,
    journal: LaneJournal,
    clock: SystemClock,
    disk: Disk,
) -> Lane:
    told = settings.processor

    def connect(earlier: str) -> PfrClient:
        client = client_at(earlier, settings)
        stack.push_async_callback(client.close)
        return client

    return Lane(
        journal=journal,
        processor=used.client,
        clock=clock,
        disk=disk,
        rule=DoubtRule(told.quiet_seconds, told.used_here_alone),
        place=used.place,
        connect=connect,
    )


async def _end_watch(lane: Lane, watch: asyncio.Task[None]) -> None:
    await lane.finish(FINISH_SECONDS)
    await _end(watch)


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


def _deliver(deliveries: DeviceQueues, recovery: Recovery, stack: AsyncExitStack) -> None:
    """Each queue works until the stack is closed."""
    delivering = [_delivering(queue, recovery) for queue in deliveries.queues]
    stack.push_async_callback(_end_deliveries, deliveries, delivering)


def _warm(
    pdf: StorePdf,
    silence: IdleTime,
    journal: LaneJournal,
    clock: SystemClock,
    stack: AsyncExitStack,
) -> None:
    """The renderer is loaded in a pause, if there is one before the stack is closed."""
    loading = warm(pdf.warm, silence, is_issuing=lambda: is_issuing(journal), clock=clock)
    stack.push_async_callback(_end, asyncio.create_task(loading, name="warm the renderer"))


def _delivering(queue: DeviceQueue, recovery: Recovery) -> asyncio.Task[None]:
    name = f"delivery by {queue.methods[0]}"
    return asyncio.create_task(keep_running(recovery.before(queue.work), name), name=name)


async def _end_deliveries(deliveries: DeviceQueues, delivering: list[asyncio.Task[None]]) -> None:
    await deliveries.finish(FINISH_SECONDS)
    for task in delivering:
        await _end(task)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _issuer(settings: Settings) -> IssuerSettings:
    number = settings.esir.ib or "0"
    seller = settings.esir.seller_pib
    rules = EsirRules(
        closing_refund_in_cash=settings.esir.closing_refund_payment == "cash",
        copy_of_every_refund=settings.esir.refund_copy == "every",
        restricted_payments=settings.esir.restricted_payments,
    )
    buyer = BuyerId("10", seller) if seller else None
    return IssuerSettings(f"{number}/{__version__}", buyer, rules=rules)


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
        _log.info("ready", extra={"fields": {"address": address}})
        ready(address)

    app = create_app(service=shop.service, context=shop.context)
    try:
        async with shop.public_mode.relaying(app):
            await serve(
                app,
                host=settings.server.host,
                port=settings.server.port,
                ready=on_ready,
                stop=turn.stop,
                limits=ConnectionLimits(
                    is_reserved=reserve(shop.context), busy=busy, malformed=malformed_http
                ),
            )
    finally:
        forget_address(settings.data)
