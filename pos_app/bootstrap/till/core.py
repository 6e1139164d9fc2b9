"""The till without its window: databases, outbox, and the server that it keeps running."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pos_app import __version__
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.pdf_files import PdfHttp
from pos_app.adapters.api_client.printing import PaperHttp, jobs_at
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp, WireCodec
from pos_app.adapters.api_client.setup import (
    local_api_at,
    mail_at,
    platform_at,
    printers_at,
    processor_at,
)
from pos_app.adapters.backup.process import BackupProcess
from pos_app.adapters.buyer_sheets import BuyerSheetProcess
from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.clock import SYSTEM_CLOCK
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.install import Install, open_install
from pos_app.adapters.data_folder.lock import is_held
from pos_app.adapters.data_folder.upgrade_mark import take_mark_away
from pos_app.adapters.http_server.listening import free_port
from pos_app.adapters.paper_files import PaperPdf
from pos_app.adapters.receipt_export import ReceiptExportProcess
from pos_app.adapters.report_export import ReportExportProcess
from pos_app.adapters.server_process.address import SERVER_LOCK, last_server
from pos_app.adapters.server_process.process import ServerProcess
from pos_app.adapters.server_process.service import is_kept_by_service
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.adapters.sync_process import SyncProcess
from pos_app.clock import Clock
from pos_app.documents.blocks import Document
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.receipt.server_jobs import ServerJobs
from pos_app.domain.setup.local_api_service import LocalApiService
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.printer_setup import PrinterSetupService
from pos_app.domain.setup.release import Version
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.people.manager_pin import DEMO_PIN
from pos_app.selling.sale.ports import Till
from pos_app.selling.server.ports import ServerPlatformSetup, ServerProcessorSetup
from pos_app.selling.synchronisation.run import codes_of_till
from pos_app.selling.updates import Updates
from pos_app.settings import Settings

if TYPE_CHECKING:
    from pos_app.adapters.http_exchange import HttpExchange

DEMO_PORT = 9997
"""The port of a demo's server, if it is free; it differs from a real shop's, whose server may run
too."""


@dataclass(frozen=True, slots=True)
class TillCore:
    settings: Settings
    install: Install
    database: TillDatabase
    till: Till
    catalogue: SqliteCatalogue
    table: SqliteCatalogueTable
    editor: SqliteCatalogueEditor
    catalogue_files: CatalogueProcess
    outbox: Outbox
    doubts: DoubtHttp
    receipt_printer: PaperHttp
    server_jobs: ServerJobs
    local_api: LocalApiService
    receipts: ServerReceipts
    receipt_files: PdfHttp
    paper_files: PaperPdf
    receipt_export: ReceiptExportProcess
    report_export: ReportExportProcess
    buyer_sheets: BuyerSheetProcess
    backups: BackupProcess
    processor_setup: ServerProcessorSetup
    printer_setup: PrinterSetupService
    platform_setup: ServerPlatformSetup
    mail_setup: MailSetupService
    apis: tuple[LocalApi, ...]
    server: ServerProcess
    sync: SyncProcess
    updates: Updates | None

    async def let_go(self) -> None:
        """End the server that this till started, and close the connections to it."""
        await self.server.stop()
        for api in self.apis:
            await api.close()


@contextmanager
def open_till_core(
    settings: Settings,
    *,
    clock: Clock = SYSTEM_CLOCK,
    connect: Callable[[], HttpExchange | None] = lambda: None,
) -> Iterator[TillCore]:
    """Open the till of a data folder. The caller starts outbox and server, and awaits `let_go` at
    last. connect: makes a connection to the server, None for one by the network. Raises
    AlreadyRunning and what install, settings and databases raise."""
    install = open_install(settings.data, environment=settings.environment)
    server, path = server_of(settings, install), catalogue_file(settings.data)
    with ExitStack() as stack:
        kept = stack.enter_context
        database = kept(_database(settings, install))
        catalogue = kept(SqliteCatalogue(path, now=clock.now))
        codes, owner = _codes(settings, install), install.owner()
        editor = kept(SqliteCatalogueEditor(path, now=clock.now, codes=codes, owner=owner))
        apis = _apis(f"http://127.0.0.1:{server.port}", install, connect)
        outbox = Outbox(sales=database.sales, server=FiscalHttp(apis[0]), clock=clock)
        server.listen(outbox.take_server_fault)
        yield TillCore(
            settings=settings,
            install=install,
            database=database,
            till=Till(database.carts, clock, codec=WireCodec(), new_key=_new_key),
            catalogue=catalogue,
            table=kept(closing(SqliteCatalogueTable(path, now=clock.now))),
            editor=editor,
            catalogue_files=kept(closing(CatalogueProcess(settings.data, codes=codes))),
            outbox=outbox,
            doubts=DoubtHttp(apis[1]),
            receipt_printer=PaperHttp(apis[2]),
            server_jobs=jobs_at(apis[1]),
            local_api=local_api_at(apis[1]),
            receipts=receipts_at(apis[7], listing=apis[8]),
            receipt_export=kept(closing(ReceiptExportProcess(apis[7], settings.data))),
            report_export=kept(closing(ReportExportProcess())),
            buyer_sheets=kept(closing(BuyerSheetProcess())),
            backups=kept(closing(BackupProcess(settings.data))),
            receipt_files=PdfHttp(apis[3], settings.data / "till" / "shown"),
            paper_files=PaperPdf(settings.data / "till" / "shown", render=_on_a4),
            processor_setup=processor_at(apis[4]),
            platform_setup=platform_at(apis[5]),
            printer_setup=printers_at(apis[6]),
            mail_setup=mail_at(apis[9]),
            apis=apis,
            server=server,
            sync=_sync(settings),
            updates=_updates(settings, database),
        )


def _new_key() -> str:
    return secrets.token_hex(16)


def _apis(
    url: str, install: Install, connect: Callable[[], HttpExchange | None]
) -> tuple[LocalApi, ...]:
    """Each API has one connection: a long POST of the outbox must not delay a person's answer."""
    return tuple(LocalApi(url, install, connection=connect()) for _ in range(10))


def _codes(settings: Settings, install: Install) -> range:
    platform = settings.platform
    return codes_of_till(platform.sku_from, platform.sku_to, till_id=lambda: install.till_id)


def _sync(settings: Settings) -> SyncProcess:
    platform = settings.platform
    return SyncProcess(
        data=settings.data, minutes=platform.sync_minutes, has_platform=bool(platform.url)
    )


def _on_a4(paper: Document) -> bytes:
    from pos_app.adapters.pdf.receipts import A4, render_document
    from pos_app.adapters.pdf.typeface import Typefaces

    return render_document(paper, faces=Typefaces(), sheet=A4)


def _updates(settings: Settings, database: TillDatabase) -> Updates | None:
    from pos_app.adapters.updates.source import UpdateSource, update_source

    source = update_source(settings)
    if isinstance(source, UpdateSource) and not source.url:
        return None
    from pos_app.adapters.updates.update_channel import UpdateHttp  # most tills never need it

    channel = UpdateHttp(source=source, data=settings.data)
    return Updates(
        installed=Version.parse(__version__),
        channel=channel,
        carts=database.carts,
        sales=database.sales,
        shifts=database.shifts,
    )


@contextmanager
def _database(settings: Settings, install: Install) -> Iterator[TillDatabase]:
    opened = open_till(
        settings.data / "till", till_id=install.till_id, has_shifts=settings.has_shifts
    )
    with closing(opened) as database:
        take_mark_away(settings.data)
        if settings.environment == "demo" and not database.manager.is_set():
            database.manager.save_pin(DEMO_PIN)  # nobody chose the PIN, and the screen shows it
        yield database


def server_of(settings: Settings, install: Install) -> ServerProcess:
    """Make the keeper of the till's server. A demo does not adopt an earlier server."""
    is_demo = settings.environment == "demo"
    return ServerProcess(
        data=settings.data, install=install, port=server_port(settings), adopt=not is_demo
    )


def server_port(settings: Settings) -> int:
    """Return the port of the till's server; a demo without a setting has a port of its own."""
    server = settings.server
    is_asked_for = "port" in server.given or settings.environment != "demo"
    if is_asked_for or is_kept_by_service(settings.data):
        return server.port or free_port()
    if left_over_port(settings.data) == DEMO_PORT:
        return DEMO_PORT  # the keeper stops that server before it starts another
    return free_port(DEMO_PORT)


def left_over_port(data: Path) -> int | None:
    """Return the port of a server that an earlier till started on these data and that still runs,
    else None. Raises DataFolderNotWritable."""
    seen = last_server(data)
    if seen is None or seen.by_hand or not is_held(data / SERVER_LOCK):
        return None
    return seen.port
