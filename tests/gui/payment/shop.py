"""A shop to pay in: a real till.db and catalogue.db, and a server in memory behind the outbox."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import cast

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.receipt_export import ReceiptExportProcess
from pos_app.adapters.report_export import ReportExportProcess
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.importing import open_for_import
from pos_app.adapters.sqlite.catalogue.stores import write_stores
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.adapters.sqlite.database import transaction
from pos_app.cashier.services.till_services import TillServices, ToneName
from pos_app.domain.article.article import Article
from pos_app.domain.article.store import PrintMethod, Store
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.setup.local_api_service import LocalApiService
from pos_app.domain.setup.release import Version
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.sale import sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from pos_app.selling.updates import Updates
from pos_app.settings import Settings
from tests.fakes.fiscal_app import INSTALL
from tests.fakes.fiscal_server import FiscalServerInMemory
from tests.fakes.keeper import NotingKeeper
from tests.fakes.ready_tables import open_ready, ready_catalogue
from tests.fakes.receipt_files import FilesInMemory
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.fakes.till import article, till_of
from tests.fakes.till_clock import StandingClock
from tests.fakes.update_channel import ChannelInMemory
from tests.gui.attention.doubts import DecisionsInMemory

CASHIER = "Касир 3"
STORE = Store(
    id="6c1f8f0e-0000-4000-8000-000000000001",
    name="Пекара и маркет Липа",
    address="Булевар ослобођења 12",
    city="Нови Сад",
    print_method=PrintMethod(thermal=True),
)
CART = (
    ("Хлеб бели Сава 500 g", "58.99", "2", TaxLabel.E),
    ("Бурек са сиром 250 g", "165.00", "2", TaxLabel.E),
    ("Банана", "189.99", "1.56", TaxLabel.E),
    ("Млеко свеже 2,8 % 1 l", "139.99", "2", TaxLabel.E),
    ("Сир млади домаћи", "899.00", "0.412", TaxLabel.DJ),
    ("Кафа млевена Златна 200 g", "349.99", "1", TaxLabel.DJ),
)
"""The cart of the pictures: 1,674.72 with 20 % off the last line."""
COFFEE = CART[-1][0]


class Silence:
    """The port of the tones, which keeps the requested tones."""

    def __init__(self) -> None:
        self.played: list[ToneName] = []

    def play(self, name: ToneName) -> None:
        self.played.append(name)


class Shop:
    """folder: an empty data folder. services: what the screens use."""

    def __init__(self, folder: Path, *, store: Store = STORE, **till_settings: object) -> None:
        self.until_closed = ExitStack()
        self.clock = StandingClock()
        self.tones = Silence()
        self.server = FiscalServerInMemory()
        self.store = open_ready(folder / "till")
        path = ready_catalogue(folder / "catalogue.db")
        writer = open_for_import(path)
        with transaction(writer) as connection:
            write_stores(connection, (store,))
        writer.close()
        self.catalogue = SqliteCatalogue(path)
        self.table = SqliteCatalogueTable(path, now=self.clock.now)
        self.desk = SqliteCatalogueEditor(path)
        self.till = till_of(self.store.carts, self.clock)
        self.catalogue_files = CatalogueProcess(folder)
        self.outbox = Outbox(sales=self.store.sales, server=self.server, clock=self.clock)
        self.doubts = DecisionsInMemory(self.server, self.clock)
        settings = Settings(data=folder)
        settings = settings.having(
            till=settings.till.having(**{"cashier": CASHIER} | till_settings)
        )
        self.keeper = NotingKeeper()
        self.releases = ChannelInMemory()
        self.updates = Updates(
            installed=Version(3, 2, 0),
            channel=self.releases,
            carts=self.store.carts,
            sales=self.store.sales,
            shifts=self.store.shifts,
        )
        self.receipts = ReceiptsInMemory()
        self.receipt_files = FilesInMemory()
        nowhere = LocalApi("http://127.0.0.1:9", INSTALL)
        self.receipt_export = ReceiptExportProcess(nowhere, folder)
        self.report_export = ReportExportProcess()
        self.services = TillServices(
            till=self.till,
            sales=self.store.sales,
            catalogue=self.catalogue,
            table=self.table,
            editor=self.desk,
            catalogue_files=self.catalogue_files,
            people=self.store.people,
            here=self.store.here,
            manager=self.store.manager,
            acts=self.store.acts,
            outbox=self.outbox,
            server_decisions=self.doubts,
            server_jobs=self.doubts,
            local_api=cast("LocalApiService", self.doubts),
            keeper=self.keeper,
            openings=self.store.drawer,
            decisions=self.store.decisions,
            receipts=self.receipts,
            receipt_files=self.receipt_files,
            receipt_export=self.receipt_export,
            shifts=self.store.shifts,
            report_export=self.report_export,
            tones=self.tones,
            started_with=settings,
            not_fiscal=False,
            updates=self.updates,
        )

    def close(self) -> None:
        self.until_closed.close()
        self.receipt_export.close()
        self.report_export.close()
        self.catalogue_files.close()
        self.desk.close()
        self.table.close()
        self.catalogue.close()
        self.store.close()

    def basket(self, kind: DocumentKind = DocumentKind.SALE) -> Ticket:
        basket = sell.start(till=self.till, cashier=CASHIER)
        if kind is not DocumentKind.SALE:
            basket = sell.set_kind(till=self.till, ticket=basket, kind=kind, cashier=CASHIER)
        for name, price, quantity, label in CART:
            basket = self.add(basket, named(name, price, label), quantity)
        last = basket.cart.lines[-1].id
        percent = Percent(Quantity(20).amount)
        return sell.discount_line(till=self.till, ticket=basket, line_id=last, discount=percent)

    def small_basket(self, price: str = "58.99", kind: DocumentKind = DocumentKind.SALE) -> Ticket:
        basket = sell.start(till=self.till, cashier=CASHIER)
        if kind is not DocumentKind.SALE:
            basket = sell.set_kind(till=self.till, ticket=basket, kind=kind, cashier=CASHIER)
        return self.add(basket, named("Хлеб", price, TaxLabel.E))

    def add(self, ticket: Ticket, what: Article, quantity: str = "1") -> Ticket:
        """Add an article to the cart, as a scan does."""
        added = sell.add_item(
            till=self.till, ticket=ticket, article=what, quantity=Quantity(quantity)
        )
        assert isinstance(added, ItemAdded)
        return added.ticket


def named(name: str, price: str, label: TaxLabel = TaxLabel.E) -> Article:
    made = article(name, price)
    assert made.price == Money(price)
    return replace(made, label=label)
