"""The local API server: journal, lane, processor and HTTP front joined into one program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.disk import FolderDisk
from pos_app.adapters.install import Install, open_install
from pos_app.adapters.lock import FolderLock
from pos_app.adapters.machine_mark import machine_mark
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.qr import draw_gif
from pos_app.adapters.secret_file import check_secrets
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
from pos_app.bootstrap.preload import warm
from pos_app.bootstrap.processor import development_processor
from pos_app.bootstrap.serving import serve, stop_on_signals
from pos_app.bootstrap.store_pdf import StorePdf
from pos_app.bootstrap.witness_follower import witnessed
from pos_app.clock import Clock
from pos_app.domain.buyer import BuyerId
from pos_app.domain.states import JobMethod
from pos_app.errors import OR_SUPPORT, SettingsBroken
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

NOWHERE = "http://127.0.0.1:9"
"""The address of a development processor that this server ran once and runs no more."""
FINISH_SECONDS = 10.0
"""How long a receipt in flight may take once the server was asked to stop."""

_log = log.get(__name__)


async def run_server(
    settings: Settings, *, ready: Callable[[str], None], for_till: bool = False
) -> None:
    """Serve the local API until SIGTERM or the till's word; returns when all is closed.

    for_till: a till started it, and may stop and replace it.
    Raises AlreadyRunning, PortTaken, SettingsBroken and what the databases raise.
    """
    stop = asyncio.Event()
    with stop_on_signals(stop):
        async with (
            _open_shop(settings, stop) as shop,
            _ending_alone(shop, stop) if for_till else nullcontext(),
        ):
            await _serve(settings, shop, ready, stop, by_hand=not for_till)


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


@asynccontextmanager
async def _open_shop(settings: Settings, stop: asyncio.Event) -> AsyncIterator[_Shop]:
    """Everything behind the HTTP front, opened in order and closed in the opposite one."""
    check_processor(settings)
    check_secrets(settings.data)
    install = open_install(settings.data, environment=settings.environment)
    async with AsyncExitStack() as stack:
        stack.enter_context(FolderLock(settings.data / SERVER_LOCK, what="server"))
        journal = SqliteJournal(settings.data / "journal" / "journal.db")
        stack.callback(journal.close)
        catalogue = CatalogueView(catalogue_file(settings.data))
        stack.callback(catalogue.close)
        url = settings.processor.url or await stack.enter_async_context(
            development_processor(settings.data / "processor")
        )
        processor = PfrClient(url, labels=settings.processor.label_map)
        stack.push_async_callback(processor.close)
        clock = SystemClock()
        machine = machine_mark()
        witness = WitnessFile(settings.data, machine=machine)
        found = found_at_start(
            journal.restores, witness.read(), machine=machine, looks_whole=journal.looks_whole
        )
        recovery = Recovery(journal, clock, FolderDisk(settings.data), found=found)
        stack.push_async_callback(_end, asyncio.create_task(recovery.watch(), name="recovery"))
        await stack.enter_async_context(witnessed(witness, journal.restores, recovery))
        lane = _lane(
            settings, stack, journal=journal, processor=processor, clock=clock, disk=recovery
        )
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
        handover = HandoverServices(
            wake=deliveries.wake,
            prints=JobMethod.THERMAL in devices.handovers,
            drawer=_drawer(devices, journal.jobs, clock, deliveries),
        )
        context = _context(settings, install, url, stop, pdf)
        yield _Shop(service, replace(context, handover=handover, heard=silence.heard), silence)


def _handover_of(
    settings: Settings, catalogue: CatalogueView, devices: Devices
) -> AvailableHandover:
    refuses = settings.mail.when_missing == "refuse"
    return AvailableHandover(catalogue, frozenset(devices.handovers), refuses_without_mail=refuses)


def _lane(
    settings: Settings,
    stack: AsyncExitStack,
    *,
    journal: LaneJournal,
    processor: PfrClient,
    clock: SystemClock,
    disk: Disk,
) -> Lane:
    told = settings.processor

    def connect(place: str) -> PfrClient:
        client = PfrClient(place or NOWHERE, labels=told.label_map)
        stack.push_async_callback(client.close)
        return client

    return Lane(
        journal=journal,
        processor=processor,
        clock=clock,
        disk=disk,
        rule=DoubtRule(told.quiet_seconds, told.used_here_alone),
        place=told.url,
        connect=connect,
    )


async def _end_watch(lane: Lane, watch: asyncio.Task[None]) -> None:
    await lane.finish(FINISH_SECONDS)
    await _end(watch)


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


def check_processor(settings: Settings) -> None:
    """A real processor wants its address and our approval number (platform-contract.md 2.20)."""
    processor = settings.processor
    if processor.kind == "development":
        return
    if not settings.esir.ib:
        raise SettingsBroken(
            f'The processor "{processor.kind}" is refused until the setting "esir.ib" is set.',
            safe="Nothing was started.",
            do='Set the number under which this ESIR was approved, or use "development".'
            f" {OR_SUPPORT}",
            kind="processor_number",
        )
    if not processor.url:
        raise SettingsBroken(
            f'The processor "{processor.kind}" needs its address in "processor.url".',
            safe="Nothing was started.",
            do=f"Type the address that the processor's own documents name. {OR_SUPPORT}",
            kind="processor_address",
        )


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
    settings: Settings, install: Install, url: str, stop: asyncio.Event, pdf: StorePdf
) -> ApiContext:
    fiscal = settings.processor.kind != "development"
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
            kind=settings.processor.kind, url=url, is_configured=True, is_fiscal=fiscal
        ),
        cashier=settings.server.cashier,
        stop=stop.set,
        draw_qr=draw_gif,
        pdf=pdf,
    )


async def _serve(
    settings: Settings,
    shop: _Shop,
    ready: Callable[[str], None],
    stop: asyncio.Event,
    *,
    by_hand: bool,
) -> None:
    def on_ready(address: str) -> None:
        remember_address(settings.data, address, by_hand=by_hand)
        _log.info("ready", extra={"fields": {"address": address}})
        ready(address)

    try:
        await serve(
            create_app(service=shop.service, context=shop.context),
            host=settings.server.host,
            port=settings.server.port,
            ready=on_ready,
            stop=stop,
            limits=ConnectionLimits(
                is_reserved=reserve(shop.context), busy=busy, malformed=malformed_http
            ),
        )
    finally:
        forget_address(settings.data)
