"""A code that two rules claim: what is stored with an article wins, at every place."""

from __future__ import annotations

from uuid import uuid4

import pytest

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.barcodes import check_digit
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.gui.window.shop import Shop

SIX = Quantity(6)


def label(prefix: str, article: str, value: int) -> str:
    digits = f"{prefix}{int(article):05d}{value:05d}"
    return digits + check_digit(digits)


class Desk:
    """The sale of a shop, without a window."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.model = SaleModel(shop.services)

    def scan(self, *codes: str) -> None:
        for code in codes:
            self.model.entry.scan(self.model.entry.read_code(code))

    def take_off(self, code: str) -> None:
        self.model.entry.set_purpose(ScanPurpose.TAKE_OFF)
        self.scan(code)

    def rows(self) -> list[tuple[str, str]]:
        return [
            (line.article.frozen.name.split()[0], str(line.quantity))
            for line in self.model.cart.ticket.cart.active
        ]

    def said(self) -> str:
        words = self.model.context.notices[-1].words(Texts())
        return f"{words.happened} {words.safe}"

    def stored(self, code: str, *, name: str = "Шнала", further: Quantity | None = SIX) -> str:
        """Add an article with this EAN, or with this further code, and return its id."""
        unit = next(unit for unit in self.shop.catalogue.units() if unit.symbol == "ком")
        product = Product(
            id=str(uuid4()),
            name=name,
            tax_label=TaxLabel.DJ,
            price=Money(250),
            ean=None if further else code,
            sale_unit_id=unit.id,
        )
        at = self.shop.clock.now()
        self.shop.desk.record(NewEdit.adding(product, by="Шеф", at=at))
        if further is not None:
            marks = Marks(barcodes=(Barcode(code, further),))
            self.shop.desk.note(product.id, marks, by="Шеф", at=at)
        return product.id


@pytest.fixture
def desk(shop: Shop) -> Desk:
    return Desk(shop)


def test_storno_of_a_price_label_takes_the_line_of_that_label(desk: Desk) -> None:
    cheap, dear = label("26", "13", 200), label("26", "13", 350)
    desk.scan(dear, cheap)
    for _ in range(2):
        desk.take_off(dear)
        assert [line.total for line in desk.model.cart.ticket.cart.active] == [Money(200)]
    assert "350,00" in desk.said()


@pytest.mark.parametrize(
    ("code", "name"),
    [("https://suf.purs.gov.rs/v/?vl=A1", "Шнала"), ("4006381333931", "Шнала " * 500)],
)
def test_what_no_article_can_have_is_not_created_at_the_till(
    desk: Desk, code: str, name: str
) -> None:
    assert not desk.model.entry.create_article(
        code=code, name=name, price=Money(250), label=TaxLabel.E, unit_id=None
    )
    assert desk.rows() == []
    assert desk.shop.catalogue.page("шнала") == ()
