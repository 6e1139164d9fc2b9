"""A code that two rules claim: what is stored with an article wins, and one reading decides what a
scan puts on, shows and takes off again."""

from __future__ import annotations

from uuid import uuid4

import pytest

from pos_app.cashier.sale.panels.forms import CreatePanel
from pos_app.cashier.sale.questions import NewArticle
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.barcodes import check_digit
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.gui.inside import inside
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, CHEESE_WEIGHED, COFFEE, Shop

BREAD_EAN = "8609910700134"
OWN = "2000012000010"
"""An article's own EAN, which is also a label of 1 g of article 12."""
ODD_OWN = ["2100013004121", "2100013000009", "2600013003509", "R/113892", "20000120000101"]
"""Stored codes that look like a misread label, a label of nothing, a price label, the short code of
a receipt, and a GTIN-14."""
STORNO = "2"


def label(prefix: str, article: str, value: int) -> str:
    digits = f"{prefix}{int(article):05d}{value:05d}"
    return digits + check_digit(digits)


def stored(
    shop: Shop, code: str, *, name: str = "Шнала", price: int = 250, further: Quantity | None = None
) -> str:
    """Add an article with this EAN, or with this further code, and return its id."""
    unit = next(unit for unit in shop.catalogue.units() if unit.symbol == "ком")
    product = Product(
        id=str(uuid4()),
        name=name,
        tax_label=TaxLabel.DJ,
        price=Money(price),
        ean=None if further else code,
        sale_unit_id=unit.id,
    )
    at = shop.clock.now()
    shop.desk.record(NewEdit.adding(product, by="Шеф", at=at))
    if further is not None:
        marks = Marks(barcodes=(Barcode(code, further),))
        shop.desk.note(product.id, marks, by="Шеф", at=at)
    return product.id


def rows(hands: Hands) -> list[tuple[str, str]]:
    return [
        (line.article.frozen.name.split()[0], str(line.quantity))
        for line in inside(hands.window).model.cart.ticket.cart.active
    ]


def totals(hands: Hands) -> list[Money]:
    return [line.total for line in inside(hands.window).model.cart.ticket.cart.active]


def take_off(hands: Hands, code: str) -> None:
    hands.press("F9")
    hands.type(STORNO)
    hands.scan(code)


@pytest.mark.parametrize("code", [OWN, *ODD_OWN])
@pytest.mark.parametrize("further", [None, Quantity(6)], ids=["ean", "further code"])
def test_a_stored_code_wins_over_every_pattern(
    hands: Hands, shop: Shop, code: str, further: Quantity | None
) -> None:
    stored(shop, code, further=further)
    hands.scan(code)
    assert rows(hands) == [("Шнала", "6" if further else "1")]
    hands.press("F9")
    hands.type("1")
    hands.scan(code)
    assert "Шнала" in hands.notice()
    take_off(hands, code)
    assert rows(hands) == []


def test_a_typed_code_that_is_stored_wins_too(hands: Hands, shop: Shop) -> None:
    stored(shop, OWN)
    hands.type(OWN)
    hands.press("Enter")
    assert rows(hands) == [("Шнала", "1")]


def test_a_label_of_goods_by_the_piece_is_a_count(hands: Hands) -> None:
    hands.scan(label("21", COFFEE, 3))
    assert [quantity for _, quantity in rows(hands)] == ["3"]
    take_off(hands, label("21", COFFEE, 3))
    assert rows(hands) == []


@pytest.mark.parametrize(
    "code",
    [label("21", COFFEE, 412), label("21", "13", 31_000), label("26", COFFEE, 7)],
    ids=["412 pieces", "31 kg", "part of a piece"],
)
def test_no_code_passes_the_limits_of_typing(hands: Hands, code: str) -> None:
    hands.scan(code)
    assert rows(hands) == []
    assert type(inside(hands.window).model.questions.question).__name__ == "UnusualAmountQuestion"


def test_a_case_that_is_huge_is_asked_about_as_well(hands: Hands, shop: Shop) -> None:
    stored(shop, "CASE-1", further=Quantity(500))
    hands.scan("CASE-1")
    assert rows(hands) == []
    hands.press("F12")
    assert rows(hands) == [("Шнала", "500")]


def test_storno_takes_off_exactly_what_the_scan_put_on(hands: Hands, shop: Shop) -> None:
    stored(shop, "CASE-6", further=Quantity(6))
    for code in ("CASE-6", "CASE-6", CHEESE_WEIGHED, label("21", "13", 300), BREAD_EAN):
        hands.scan(code)
    take_off(hands, "CASE-6")
    assert rows(hands) == [("Шнала", "6"), ("Сир", "0.712"), ("Хлеб", "1")]
    assert "Шнала, 6 ком" in hands.notice()
    take_off(hands, CHEESE_WEIGHED)
    assert rows(hands) == [("Шнала", "6"), ("Сир", "0.300"), ("Хлеб", "1")]
    assert "0,412 kg" in hands.notice()


def test_storno_of_less_than_the_code_is_refused_in_words(hands: Hands, shop: Shop) -> None:
    article_id = stored(shop, "CASE-6", further=Quantity(6))
    for _ in range(4):
        article = shop.services.catalogue.article(article_id)
        assert article is not None
        inside(hands.window).model.entry.choose(article)
    for code, there in (("CASE-6", "4 ком"), (label("21", "13", 500), "0,412 kg")):
        hands.scan(CHEESE_WEIGHED) if code != "CASE-6" else None
        before = rows(hands)
        take_off(hands, code)
        assert rows(hands) == before
        assert there in hands.notice()


def test_storno_of_a_price_label_takes_the_line_of_that_label(hands: Hands) -> None:
    cheap, dear = label("26", "13", 200), label("26", "13", 350)
    hands.scan(dear)
    hands.scan(cheap)
    for _ in range(2):
        take_off(hands, dear)
        assert totals(hands) == [Money(200)]
    assert "350,00" in hands.notice()


def test_a_weight_is_kept_while_one_of_several_articles_is_chosen(hands: Hands, shop: Shop) -> None:
    for name in ("Први", "Други"):
        stored(shop, "CASE-6", name=name, further=Quantity(6))
    hands.scan("CASE-6")
    assert rows(hands) == []
    hands.type("1")
    assert [quantity for _, quantity in rows(hands)] == ["6"]


def test_a_typed_price_is_for_all_that_the_code_states(hands: Hands, shop: Shop) -> None:
    article_id = stored(shop, "CASE-6", further=Quantity(6))
    marks = Marks(open_price=True, barcodes=(Barcode("CASE-6", Quantity(6)),))
    shop.desk.note(article_id, marks, by="Шеф", at=shop.clock.now())
    hands.scan("CASE-6")
    hands.type("10")
    hands.press("Enter")
    assert inside(hands.window).model.cart.total == Money(60)


def test_the_plain_code_of_bread_still_takes_one(hands: Hands) -> None:
    hands.type(f"3*{BREAD}")
    hands.press("Enter")
    take_off(hands, BREAD_EAN)
    assert rows(hands) == [("Хлеб", "2")]


@pytest.mark.parametrize(
    ("code", "name"),
    [("https://suf.purs.gov.rs/v/?vl=A1", "Шнала"), ("4006381333931", "Шнала " * 500)],
)
def test_what_no_article_can_have_is_not_created_at_the_till(
    hands: Hands, shop: Shop, code: str, name: str
) -> None:
    model = inside(hands.window).model
    model.questions.ask(NewArticle(code))
    panel = hands.window.findChild(CreatePanel)
    panel.name.set_text(name)
    panel.price.set_text("250")
    panel.answer()
    assert rows(hands) == []
    assert shop.catalogue.page("шнала") == ()
