"""A shop to pay in: a real till.db and catalogue.db, and a server in memory behind the outbox."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pos_app.adapters.sqlite.catalogue.importing import open_for_import
from pos_app.adapters.sqlite.catalogue.stores import write_stores
from pos_app.adapters.sqlite.database import transaction
from pos_app.domain.article.article import Article
from pos_app.domain.article.store import PrintMethod, Store
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.setup.release import Version
from pos_app.selling.sale import sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from pos_app.selling.updates import Updates
from pos_app.settings import Settings
from tests.fakes.fiscal_server import FiscalServerInMemory
from tests.fakes.ready_tables import open_ready, ready_catalogue
from tests.fakes.till import article, till_of
from tests.fakes.till_clock import StandingClock
from tests.fakes.update_channel import ChannelInMemory
from tests.gui.attention.doubts import DecisionsInMemory
from tests.gui.window.shop import ShopParts

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


class Shop(ShopParts):
    """folder: an empty data folder. services: what the screens use."""

    clock: StandingClock

    def __init__(self, folder: Path, *, store: Store = STORE, **till_settings: object) -> None:
        path = ready_catalogue(folder / "catalogue.db")
        writer = open_for_import(path)
        with transaction(writer) as connection:
            write_stores(connection, (store,))
        writer.close()
        self.store = open_ready(folder / "till")
        super().__init__(
            folder, path, clock=StandingClock(), server=FiscalServerInMemory(), database=self.store
        )
        self.till = till_of(self.store.carts, self.clock)
        self.doubts = DecisionsInMemory(self.server, self.clock)
        settings = Settings(data=folder)
        settings = settings.having(
            till=settings.till.having(**{"cashier": CASHIER} | till_settings)
        )
        self.releases = ChannelInMemory()
        self.updates = Updates(
            installed=Version(3, 2, 0),
            channel=self.releases,
            carts=self.store.carts,
            sales=self.store.sales,
            shifts=self.store.shifts,
        )
        self.services = self.services_with(
            self.till,
            settings,
            server_decisions=self.doubts,
            server_jobs=self.doubts,
            local_api=self.doubts,
            not_fiscal=False,
            updates=self.updates,
        )

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
        added = sell.add_item(
            till=self.till, ticket=ticket, article=what, quantity=Quantity(quantity)
        )
        assert isinstance(added, ItemAdded)
        return added.ticket


def named(name: str, price: str, label: TaxLabel = TaxLabel.E) -> Article:
    made = article(name, price)
    assert made.price == Money(price)
    return replace(made, label=label)
