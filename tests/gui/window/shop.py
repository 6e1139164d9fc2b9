"""A shop to sell in: real till.db and catalogue.db with the demo articles, a server in memory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Coroutine, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.adapters.buyer_sheets import BuyerSheetProcess
from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.settings_file import SettingsFile
from pos_app.adapters.gs1 import read_gs1, verifier_of
from pos_app.adapters.receipt_export import ReceiptExportProcess
from pos_app.adapters.report_export import ReportExportProcess
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.adapters.sqlite.till.till import TillDatabase
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.bootstrap.till.till import check_for_server
from pos_app.cashier.services.till_services import TillServices, ToneName
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.tax import TaxRates
from pos_app.domain.receipt.server_status import (
    KeptSecret,
    LoggedRequest,
    ProcessorStatus,
    ReceiptInDoubt,
    RefusedCaller,
    ServerStatus,
)
from pos_app.resources import folder as resources
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.ports import Till
from pos_app.selling.server.answers import NoAnswer
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from pos_app.settings import Settings
from pos_app.settings.shapes import ShiftSettings
from tests.fakes.fiscal_app import INSTALL
from tests.fakes.fiscal_server import AWAY, FiscalServerInMemory
from tests.fakes.people_here import sign_in
from tests.fakes.platform_setup import PlatformInMemory
from tests.fakes.printer_setup import PrintersInMemory
from tests.fakes.processor_setup import ProcessorInMemory
from tests.fakes.ready_tables import open_ready
from tests.fakes.receipt_files import FilesInMemory
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.fakes.services_in_memory import (
    BackupSettingsInMemory,
    BackupsInMemory,
    CashierSettingsInMemory,
    DisplaySettingsInMemory,
    MailInMemory,
    NotingKeeper,
    PutsBackInMemory,
)
from tests.fakes.till_clock import StandingClock

BREAD, BUREK, BANANA, MILK, CHEESE, COFFEE = "1", "6", "16", "11", "13", "20"
BANANA_WEIGHED, CHEESE_WEIGHED = "2000016015607", "2100013004120"
CHEESE_GTIN = "98600123450147"
"""A GTIN of goods of various measure, which begins with 9."""
RATES = TaxRates(
    datetime(2020, 1, 1, tzinfo=UTC),
    {"Ђ": Decimal(20), "Е": Decimal(10), "Г": Decimal(0), "А": Decimal(0)},
)


class PlayedTones:
    """The port of the tones, which keeps the requested tones."""

    def __init__(self) -> None:
        self.played: list[ToneName] = []

    def play(self, name: ToneName) -> None:
        self.played.append(name)


class NoDoubts:
    """The ports by which a person decides and looks at other programs, at a server that lists
    nothing, where nobody decides."""

    async def doubts(self) -> Sequence[ReceiptInDoubt]:
        return ()

    async def refused_callers(self) -> Sequence[RefusedCaller]:
        return ()

    async def requests(self, *, number: int | None = None) -> Sequence[LoggedRequest]:
        return ()

    async def secrets(self) -> Sequence[KeptSecret]:
        return ()

    def __getattr__(self, act: str) -> Any:
        if act.startswith("__"):
            raise AttributeError(act)
        raise AssertionError(act)


class RatedServer(FiscalServerInMemory):
    """A server whose processor is an L-PFR and reports its rates."""

    not_fiscal = False
    rates: tuple[TaxRates, ...] = (RATES,)

    async def status(self) -> ServerStatus | NoAnswer:
        if not self.running:
            return NoAnswer(AWAY)
        told = ProcessorStatus("lpfr", self.processor, "", "", None, None)
        return ServerStatus(
            told,
            rates=self.rates,
            open=(),
            not_fiscal=self.not_fiscal,
            jobs=self.jobs,
            public_mode=self.public_mode,
            seller_pib=self.seller_pib,
        )


def demo_catalogue(
    data: Path, *, has_photos: bool = True, prints: bool = False, share: int = 1
) -> None:
    """Import the demo articles into a data folder, as `pos-app sync` does. prints: its store offers
    paper, which the demo's does not. share: without photos, one of so many articles behind the
    first twenty."""
    source = resources() / "demo" / "catalogue.json"
    if not has_photos:
        listed = json.loads(source.read_text("utf-8"))
        listed["products"][20:] = listed["products"][20::share]
        for product in listed["products"]:
            product.update(images=[], coverImage=None)
        for store in listed["stores"]:
            store["printMethod"]["thermal"] = prints
        source = data / "without_photos.json"
        source.write_text(json.dumps(listed), "utf-8")
    run_sync(settings=Settings(data=data), source=source, progress=lambda _: None)
    if not has_photos:
        source.unlink()


class ShopParts:
    """What each shop of these tests has: its files, and ports in memory.

    until_closed: contexts that last as long as the shop is open.
    """

    def __init__(
        self,
        data: Path,
        catalogue: Path,
        *,
        clock: Any,
        server: FiscalServerInMemory,
        database: TillDatabase,
        file_work: Sequence[str] | None = None,
    ) -> None:
        self.until_closed = ExitStack()
        self.clock, self.server, self.database = clock, server, database
        self.tones = PlayedTones()
        self.catalogue = SqliteCatalogue(catalogue, now=clock.now)
        self.table = SqliteCatalogueTable(catalogue, now=clock.now)
        self.desk = SqliteCatalogueEditor(catalogue, now=clock.now)
        self.catalogue_files = CatalogueProcess(data, command=file_work)
        self.outbox = Outbox(sales=database.sales, server=server, clock=clock)
        self.keeper = NotingKeeper()
        self.receipts = ReceiptsInMemory()
        self.receipt_files = FilesInMemory()
        nowhere = LocalApi("http://127.0.0.1:9", INSTALL)
        self.receipt_export = ReceiptExportProcess(nowhere, data)
        self.report_export = ReportExportProcess()
        self.buyer_sheets = BuyerSheetProcess()

    def services_with(self, till: Till, settings: Settings, **others: Any) -> TillServices:
        """What the window uses of this shop. others: the ports that shops differ in."""
        return TillServices(
            till=till,
            sales=self.database.sales,
            catalogue=self.catalogue,
            table=self.table,
            editor=self.desk,
            catalogue_files=self.catalogue_files,
            buyers=self.database.buyers,
            people=self.database.people,
            here=self.database.here,
            manager=self.database.manager,
            acts=self.database.acts,
            outbox=self.outbox,
            keeper=self.keeper,
            openings=self.database.drawer,
            decisions=self.database.decisions,
            collected=self.database.collected,
            receipts=self.receipts,
            receipt_files=self.receipt_files,
            receipt_export=self.receipt_export,
            shifts=self.database.shifts,
            till_looks_whole=self.database.looks_whole,
            report_export=self.report_export,
            buyer_sheets=self.buyer_sheets,
            tones=self.tones,
            started_with=settings,
            read_gs1=read_gs1,
            verifier_of=verifier_of,
            **others,
        )

    def close(self) -> None:
        self.until_closed.close()
        self.receipt_export.close()
        self.report_export.close()
        self.buyer_sheets.close()
        self.catalogue_files.close()
        self.desk.close()
        self.table.close()
        self.catalogue.close()
        self.database.close()


class Shop(ShopParts):
    """data: a folder with a catalogue. services: what the window uses.

    forbids: the acts that the signed-in cashier may never do; without any nobody is signed in.
    file_work: the command that works with files of the catalogue, else that of an installation.
    first_key: a higher number where the till of that folder has already sold.
    """

    server: RatedServer

    def __init__(
        self,
        data: Path,
        *,
        forbids: Collection[Act] = (),
        not_fiscal: bool = False,
        real_time: bool = False,
        first_key: int = 1,
        file_work: Sequence[str] | None = None,
        has_shifts: bool = True,
        **till_settings: object,
    ) -> None:
        super().__init__(
            data,
            catalogue_file(data),
            clock=SystemClock() if real_time else StandingClock(),
            server=RatedServer(),
            database=open_ready(data / "till", has_shifts=has_shifts),
            file_work=file_work,
        )
        numbers = count(first_key)
        self.till = Till(
            self.database.carts, self.clock, WireCodec(), lambda: f"{next(numbers):032x}"
        )
        settings = Settings(data=data)
        settings = settings.having(
            till=settings.till.having(**{"cashier": "Касир 3"} | till_settings),
            shift=ShiftSettings(use="auto" if has_shifts else "off"),
        )
        self.processor_setup = ProcessorInMemory()
        self.printer_setup = PrintersInMemory()
        self.platform_setup = PlatformInMemory()
        self.mail_setup = MailInMemory()
        self.cashier_settings = CashierSettingsInMemory()
        self.display_settings = DisplaySettingsInMemory()
        self.backups = BackupsInMemory()
        self.puts_back = PutsBackInMemory()
        self.backup_settings = BackupSettingsInMemory()
        self.services = self.services_with(
            self.till,
            settings,
            server_decisions=NoDoubts(),
            server_jobs=NoDoubts(),
            local_api=NoDoubts(),
            processor_setup=self.processor_setup,
            printer_setup=self.printer_setup,
            platform_setup=self.platform_setup,
            mail_setup=self.mail_setup,
            cashier_settings=self.cashier_settings,
            display_settings=self.display_settings,
            settings_keeper=SettingsFile(data, check=check_for_server),
            backups=self.backups,
            puts_back=self.puts_back,
            backup_settings=self.backup_settings,
            not_fiscal=not_fiscal,
        )
        if forbids:
            sign_in(self.services, forbids)

    async def serve(self, steps: int = 12) -> None:
        """Let the outbox do that many steps, in virtual time."""
        for _ in range(steps):
            self.clock.go_on(await self.outbox.step())

    def pause(self) -> None:
        """Let more time pass than exact payment is disabled for after a scan."""
        self.clock.go_on(500)

    def row(self, code: str) -> CatalogueRow:
        return self.catalogue.page(code, limit=1)[0]

    def name(self, code: str) -> str:
        return self.catalogue.by_code(ArticleCode(code))[0].article.name


def give_ean(services: TillServices, code: str, ean: str) -> None:
    """Give an article the EAN that a scan or a GS1 message names."""
    (named,) = services.catalogue.by_code(ArticleCode(code))
    product, now = named.article.product_id, services.till.clock.now()
    services.editor.record(NewEdit.changing(product, product, {"ean": ean}, by="Мира", at=now))


def copied(template: Path, to: Path) -> Path:
    shutil.copytree(template, to, dirs_exist_ok=True)
    return to


def run(coroutine: Coroutine[None, None, None]) -> None:
    """Run a coroutine that never really waits: the outbox in virtual time."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration:
        pass
