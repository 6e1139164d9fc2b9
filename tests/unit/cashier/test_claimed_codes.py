"""A code that two rules claim: what is stored with an article wins, at every place."""

from __future__ import annotations

from uuid import uuid4

import pytest

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.questions import UnusualAmountQuestion, VariantQuestion
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.barcodes import check_digit
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.gui.window.shop import CHEESE_WEIGHED, COFFEE, Shop
from tests.sweep import each

BREAD_EAN = "8609910700134"
OWN = "2000012000010"
"""An article's own EAN, which is also a label of 1 g of article 12."""
ODD_OWN = ["2100013004121", "2100013000009", "2600013003509", "R/113892", "20000120000101"]
"""A misread label, a label of nothing, a price label, a short code, and a GTIN-14, all stored."""
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


@pytest.mark.parametrize("further", [None, SIX], ids=["ean", "further code"])
def test_a_stored_code_wins_over_every_pattern(desk: Desk, further: Quantity | None) -> None:
    @each("code", [OWN, *ODD_OWN])
    def wins(code: str) -> None:
        desk.stored(code, further=further)
        desk.model.entry.set_purpose(ScanPurpose.SHOW_PRICE)
        desk.scan(code)
        assert "Шнала" in desk.said()
        for enter in (desk.scan, desk.model.entry.enter_code):
            enter(code)
            assert desk.rows() == [("Шнала", "6" if further else "1")]
            desk.take_off(code)
            assert desk.rows() == []

    wins()


def test_a_label_of_goods_by_the_piece_is_a_count(desk: Desk) -> None:
    desk.scan(label("21", COFFEE, 3))
    assert [quantity for _, quantity in desk.rows()] == ["3"]
    desk.take_off(label("21", COFFEE, 3))
    assert desk.rows() == []


@pytest.mark.parametrize(
    "code",
    [label("21", COFFEE, 412), label("21", "13", 31_000), label("26", COFFEE, 7), "CASE-500"],
    ids=["412 pieces", "31 kg", "part of a piece", "a huge case"],
)
def test_no_code_passes_the_limits_of_typing(desk: Desk, code: str) -> None:
    desk.stored("CASE-500", further=Quantity(500))
    desk.scan(code)
    assert desk.rows() == []
    assert isinstance(desk.model.questions.question, UnusualAmountQuestion)


def test_storno_takes_off_exactly_what_the_scan_put_on(desk: Desk) -> None:
    desk.stored("CASE-6")
    desk.scan("CASE-6", "CASE-6", CHEESE_WEIGHED, label("21", "13", 300), BREAD_EAN, BREAD_EAN)
    desk.take_off(BREAD_EAN)
    desk.take_off("CASE-6")
    assert desk.rows() == [("Шнала", "6"), ("Сир", "0.712"), ("Хлеб", "1")]
    assert "Шнала, 6 ком" in desk.said()
    desk.take_off(CHEESE_WEIGHED)
    assert desk.rows() == [("Шнала", "6"), ("Сир", "0.300"), ("Хлеб", "1")]
    assert "0,412 kg" in desk.said()


def test_storno_of_less_than_the_code_is_refused_in_words(desk: Desk) -> None:
    article = desk.shop.services.catalogue.article(desk.stored("CASE-6"))
    assert article is not None
    for _ in range(4):
        desk.model.entry.choose(article)
    desk.scan(CHEESE_WEIGHED)
    before = desk.rows()
    for code, there in (("CASE-6", "4 ком"), (label("21", "13", 500), "0,412 kg")):
        desk.take_off(code)
        assert desk.rows() == before
        assert there in desk.said()


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


def test_a_quantity_is_kept_while_one_of_several_articles_is_chosen(desk: Desk) -> None:
    for name in ("Први", "Други"):
        desk.stored("CASE-6", name=name)
    desk.scan("CASE-6")
    question = desk.model.questions.question
    assert isinstance(question, VariantQuestion)
    desk.model.questions.answered(lambda: desk.model.entry.choose(question.articles[0]))
    assert [quantity for _, quantity in desk.rows()] == ["6"]
