"""The local API server: journal, lane, processor and HTTP front joined into one program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.disk import FolderDisk
from pos_app.adapters.install import Install, open_install
from pos_app.adapters.lock import FolderLock
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.qr import draw_gif
from pos_app.adapters.server_address import forget_address, remember_address
from pos_app.adapters.sqlite.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue import catalogue_file
from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.bootstrap.always import always
from pos_app.bootstrap.http_protocol import Manners
from pos_app.bootstrap.processor import development_processor
from pos_app.bootstrap.serving import serve, stop_on_signals
from pos_app.documents.shop_paper import ShopPaper
from pos_app.domain.esir_part import EsirPart
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.receipt import SignedReceipt
from pos_app.errors import SettingsBroken
from pos_app.fiscalization.doubt import Rule
from pos_app.fiscalization.issue import Counter
from pos_app.fiscalization.lane import Lane
from pos_app.fiscalization.plan import Issuer
from pos_app.local_api.app import busy, create_app, reserve
from pos_app.local_api.guard import GuardSettings
from pos_app.local_api.house import House, ProcessorLabel
from pos_app.local_api.problems import malformed_http
from pos_app.settings import Settings

FINISH_SECONDS = 10.0
"""How long a receipt in flight may take once the server was asked to stop."""

_log = log.get(__name__)


async def run_server(settings: Settings, *, ready: Callable[[str], None]) -> None:
    """Serve the local API until SIGTERM or the till's word; returns when all is closed.

    Raises AlreadyRunning, PortTaken, SettingsBroken and what the databases raise.
    """
    stop = asyncio.Event()
    with stop_on_signals(stop):
        async with _open_shop(settings, stop) as shop:
            await _serve(settings, shop, ready, stop)


@dataclass(frozen=True, slots=True)
class _Shop:
    counter: Counter
    house: House


@asynccontextmanager
async def _open_shop(settings: Settings, stop: asyncio.Event) -> AsyncIterator[_Shop]:
    """Everything behind the HTTP front, opened in order and closed in the opposite one."""
    check_processor(settings)
    install = open_install(settings.data, environment=settings.environment)
    async with AsyncExitStack() as stack:
        stack.enter_context(FolderLock(settings.data / "journal" / "server.lock", what="server"))
        journal = SqliteJournal(settings.data / "journal" / "journal.db")
        stack.callback(journal.close)
        catalogue = CatalogueView(catalogue_file(settings.data))
        stack.callback(catalogue.close)
        url = settings.processor.url or await stack.enter_async_context(
            development_processor(settings.data / "processor")
        )
        processor = PfrClient(url)
        stack.push_async_callback(processor.close)
        clock = SystemClock()
        journal.recover(now=clock.now())
        lane = Lane(
            name=settings.processor.kind,
            journal=journal,
            processor=processor,
            clock=clock,
            disk=FolderDisk(settings.data),
            rule=Rule(settings.processor.quiet_seconds, settings.processor.used_here_alone),
        )
        watch = asyncio.create_task(
            always(lane.watch, "the watch over the lane"), name="lane watch"
        )
        stack.push_async_callback(_end_watch, lane, watch)
        counter = Counter(journal, lane, catalogue, clock, _issuer(settings), catalogue)
        yield _Shop(counter, _house(settings, install, url, stop))


async def _end_watch(lane: Lane, watch: asyncio.Task[None]) -> None:
    await lane.finish(FINISH_SECONDS)
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)


def check_processor(settings: Settings) -> None:
    """A real processor wants its address and our approval number (contract 2.20)."""
    processor = settings.processor
    if processor.kind == "development":
        return
    if not settings.esir.ib:
        raise SettingsBroken(
            f'The processor "{processor.kind}" is refused until the setting "esir.ib" is set.',
            safe="Nothing was started.",
            do='Set the number under which this ESIR was approved, or use "development".',
        )
    if not processor.url:
        raise SettingsBroken(
            f'The processor "{processor.kind}" needs its address in "processor.url".',
            safe="Nothing was started.",
            do="Type the address that the processor's own documents name.",
        )


class _StorePdf:
    """PDFs in the language of the store as it is set when they are asked for.

    Called in threads, so it opens the catalogue for itself each time; the renderer is loaded
    by the first PDF, because it takes longer to load than all the rest of the server.
    """

    def __init__(self, data: Path, *, not_fiscal: bool) -> None:
        self._path = catalogue_file(data)
        self._not_fiscal = not_fiscal

    def render(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        """The PDF of a receipt."""
        from pos_app.adapters.pdf import PdfReceipts

        with closing(CatalogueView(self._path)) as catalogue:
            paper = catalogue.paper()
        shop = ShopPaper(
            not_fiscal=self._not_fiscal,
            language=paper.language,
            print_discounts=paper.print_discounts,
        )
        return PdfReceipts(shop).render(receipt, document, esir)


def _issuer(settings: Settings) -> Issuer:
    number = settings.esir.ib or "0"
    return Issuer(f"{number}/{__version__}", settings.processor.label_map)


def _house(settings: Settings, install: Install, url: str, stop: asyncio.Event) -> House:
    fiscal = settings.processor.kind != "development"
    return House(
        install=install,
        version=__version__,
        guard=GuardSettings(
            install_id=install.install_id,
            till_token=install.token,
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
        pdf=_StorePdf(settings.data, not_fiscal=not fiscal),
    )


async def _serve(
    settings: Settings, shop: _Shop, ready: Callable[[str], None], stop: asyncio.Event
) -> None:
    def on_ready(address: str) -> None:
        remember_address(settings.data, address)
        _log.info("ready", extra={"fields": {"address": address}})
        ready(address)

    try:
        await serve(
            create_app(counter=shop.counter, house=shop.house),
            host=settings.server.host,
            port=settings.server.port,
            ready=on_ready,
            stop=stop,
            manners=Manners(is_reserved=reserve(shop.house), busy=busy, malformed=malformed_http),
        )
    finally:
        forget_address(settings.data)
