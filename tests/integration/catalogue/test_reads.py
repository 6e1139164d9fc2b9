"""Look-ups and windows of the till."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import permutations

from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.scale_labels import PriceCode, WeightCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.selling.catalogue.catalogue import SortOrder
from tests.integration.catalogue.conftest import NOW, PARTS, Shop, product
from tests.sweep import each

SHIRT = product(
    "Мајица", None, None, hasVariants=True, taxRateLabel="Ђ",
    variants=[
        {**product("Мајица", sku, price), "id": f"shirt {size}", "variantName": size}
        for sku, size, price in ((11, "S", "900"), (12, "M", "950"), (13, "L", "1000"))
    ],
)  # fmt: skip


def found(shop: Shop, code: str) -> list[tuple[str, str]]:
    return [(one.article.name, str(one.quantity)) for one in shop.shelf.by_code(ArticleCode(code))]


@each(
    ("code", "names"),
    [
        ("8600123450144", ["Хлеб"]),
        ("036000291452", ["Сок"]),
        ("0036000291452", ["Сок"]),
        ("90", ["Хлеб"]),
        ("0090", ["Хлеб"]),
        ("AB-12/3", ["Сир"]),
        ("91", ["Сок"]),
        ("12345", []),
        ("8600123450145", []),
        ("'; DROP TABLE article", []),
    ],
)
def test_a_code_is_ean_article_or_makers(shop: Shop, code: str, names: list[str]) -> None:
    shop.bring(
        product("Хлеб", 90, ean="8600123450144"),
        product("Сок", 91, ean="036000291452", manufacturerSku="8600123450144"),
        product("Сир", 92, manufacturerSku="AB-12/3"),
    )
    assert [name for name, _ in found(shop, code)] == names


def test_a_further_barcode_stands_for_its_quantity(shop: Shop) -> None:
    crate = {"code": "4006381333931", "quantity": 20}
    shop.bring(product("Пиво", 5, ean="8600123450144", barcodes=[crate, {"code": "PIVO6"}]))
    assert found(shop, "4006381333931") == [("Пиво", "20")]
    assert found(shop, "PIVO6") == [("Пиво", "1")]
    assert found(shop, "8600123450144") == [("Пиво", "1")]


def test_an_ean_of_two_articles_gives_both(shop: Shop) -> None:
    report = shop.bring(
        product("Шоља плава", 1, ean="8600123450144"), product("Шоља бела", 2, ean="8600123450144")
    )
    assert sorted(found(shop, "8600123450144")) == [("Шоља бела", "1"), ("Шоља плава", "1")]
    assert report.shared_codes == 1


def test_a_scale_names_its_article_by_prefix_or_by_code(shop: Shop) -> None:
    shop.bring(product("Сир", 94), product("Шунка", 95, ean="2100096"))
    by_code = WeightCode(94, "2100094", Quantity("1.412"))
    by_prefix = PriceCode(96, "2100096", Money(350))
    assert [one.name for one in shop.shelf.by_scale(by_code)] == ["Сир"]
    assert [one.name for one in shop.shelf.by_scale(by_prefix)] == ["Шунка"]
    assert shop.shelf.by_scale(WeightCode(7, "2100007", Quantity.ONE)) == ()


def test_a_product_with_variants_is_one_row_that_opens_a_chooser(shop: Shop) -> None:
    shop.bring(SHIRT)
    (row,) = shop.shelf.page()
    assert (row.article_id, row.articles, row.sku) == (None, 3, 11)
    assert (row.price, row.highest) == (Money(900), Money(1000))
    variants = shop.shelf.variants(row.product_id)
    assert [(one.name, one.sku) for one in variants] == [
        ("Мајица S", 11),
        ("Мајица M", 12),
        ("Мајица L", 13),
    ]
    assert found(shop, "12") == [("Мајица M", "1")]
    assert shop.shelf.article("id Мајица") is None
    assert shop.names("majica m") == ["Мајица"]


Variant = tuple[str, int, str | None, str, str]
"""Name, code, price, unit and tax label."""


def cheese(*variants: Variant) -> dict[str, object]:
    """Return a product sold by the kilo, with its variants."""
    sold = [
        {
            **product(f"Сир {name}", sku, price, saleUnitId=unit, taxRateLabel=label),
            "variantName": name,
        }
        for name, sku, price, unit, label in variants
    ]
    return product("Сир", None, None, hasVariants=True, saleUnitId="u-kg", variants=sold)


PIECE, PACK, SMOKED = (
    ("парче", 21, "1149", "u-kg", "Е"),
    ("паковање", 22, "259.99", "u-piece", "Ђ"),
    ("димљени", 23, "1249", "u-kg", "Е"),
)


@each("variants", list(permutations((PIECE, PACK, SMOKED))))
def test_the_cheapest_speaks_for_a_row(shop: Shop, variants: tuple[Variant, ...]) -> None:
    """A cheap kilo is told so; a variant without a price does not speak."""
    shop.bring(cheese(*variants))
    for row in (*shop.shelf.page(), *shop.shelf.page("sir")):
        assert (row.price, row.unit, row.by_weight) == (Money("259.99"), "ком", False)
        assert (row.sku, row.label, row.highest) == (22, TaxLabel.DJ, Money(1249))
    shop.bring(cheese(*((*one[:2], "200", *one[3:]) if one is PIECE else one for one in variants)))
    (row,) = shop.shelf.page()
    assert (row.price, row.unit, row.by_weight, row.sku) == (Money(200), "kg", True, 21)
    shop.bring(cheese(("по цени", 20, None, "u-kg", "Е"), PACK))
    (row,) = shop.shelf.page()
    assert (row.price, row.unit, row.by_weight, row.sku) == (Money("259.99"), "ком", False, 22)


def test_each_article_is_told_with_its_first_category(shop: Shop) -> None:
    shop.bring(
        product("Хлеб", 2),
        product("Сир", 3, categories=["c-of-nobody", "c-dairy", "c-bakery"]),
        product("Нешто", 4, categories=["c-of-nobody"]),
        product("Кифла", None),
    )
    found, after = dict[str, str](), 0
    for _ in range(4):
        some, go_on = shop.shelf.category_of_articles(after=after, limit=1)
        found.update(some)
        assert go_on is not None
        after = go_on
    assert shop.shelf.category_of_articles(after=after, limit=1) == ({}, None)
    assert found.keys() >= {"2", "3"}
    assert "4" not in found
    assert found["2"] != found["3"]
    assert shop.shelf.category_of_articles()[0] == found


def test_an_article_without_a_code_has_its_category_on_its_receipts(shop: Shop) -> None:
    units = [{"id": one, "name": one, "symbol": one} for one in ("порција", "мера")]
    products = [
        product(f"Ћевапи/{ean}{unit}", None, ean=ean, saleUnitId=unit)
        for ean in (None, "2100094", "8600123450144")
        for unit in ("порција", "мера", None)
    ]
    shop.bring(*products, units=[*PARTS["units"], *units])
    found = shop.shelf.category_of_articles()[0]
    for one in products:
        frozen = shop.shelf.article(one["id"]).frozen
        many, price, gtin = Quantity(1), Money(1), frozen.gtin
        line = FiscalLine(frozen.printed_name, frozen.label, many, price, price, gtin)
        assert line.article_key in found, line.name


def test_categories_come_in_their_order_with_their_counts(shop: Shop) -> None:
    shop.bring(
        product("Хлеб", 2),
        product("Кифла", 1),
        product("Сир", 3, categories="c-dairy"),
        product("Нешто", 4, categories=["c-of-nobody"]),
    )
    counts = [(one.category.name, one.rows) for one in shop.shelf.categories()]
    assert counts == [("Пекара", 2), ("Млечно", 1)]
    assert shop.names(category_id="c-bakery") == ["Кифла", "Хлеб"]
    assert (shop.names(category_id="c-dairy"), shop.names(category_id="no such")) == (["Сир"], [])
    assert shop.names(category_id="c-bakery", order=SortOrder.CODE) == ["Кифла", "Хлеб"]


def test_a_category_that_is_named_later_has_its_products(shop: Shop) -> None:
    milk = product("Млеко", 1, categories=["c-late"])
    shop.bring(milk)
    late = {"id": "c-late", "name": "Касније", "position": 3}
    shop.bring(milk, categories=[*PARTS["categories"], late])
    assert [(c.category.name, c.rows) for c in shop.shelf.categories()][-1] == ("Касније", 1)


def lines(*articles: str, times: tuple[int, ...] = ()) -> list[tuple[str, Quantity]]:
    """Return a number of lines of each article, each of one piece."""
    counted = zip(articles, times or (1,) * len(articles), strict=True)
    return [(article, Quantity.ONE) for article, count in counted for _ in range(count)]


def test_favourites_are_the_pinned_then_the_best_sellers_of_thirty_days(shop: Shop) -> None:
    shop.bring(*(product(name, sku) for sku, name in enumerate("АБВГД", 1)), SHIRT)
    today = date(2026, 11, 20)
    shop.desk.count_sold(lines("id А", "id Б", "shirt L", "no such", times=(3, 5, 4, 9)), on=today)
    shop.desk.count_sold(lines("id Б", "id Г", times=(1, 2)), on=today)
    shop.desk.pin(("id Д", "id Г"), by="Мира", at=NOW)
    assert [row.name for row in shop.shelf.favourites()] == ["Д", "Г", "Б", "Мајица", "А"]
    assert [row.pinned for row in shop.shelf.favourites()] == [True, True, False, False, False]
    assert [row.name for row in shop.shelf.favourites(limit=3)] == ["Д", "Г", "Б"]
    for days, names in ((29, ["Д", "Г", "Б", "Мајица", "А", "В"]), (30, ["Д", "Г", "В"])):
        shop.desk.count_sold(lines("id В"), on=today + timedelta(days=days))
        assert [row.name for row in shop.shelf.favourites()] == names


def test_how_much_of_an_article_is_usual(shop: Shop) -> None:
    """It follows the seasons."""
    shop.bring(product("А", 1), product("Б", 2))
    day = date(2026, 11, 1)
    shop.desk.count_sold([("id А", Quantity("0.250"))] * 9 + [("id Б", Quantity(1))] * 9, on=day)
    assert shop.shelf.usual_amount("id А") is None
    shop.desk.count_sold([("id А", Quantity("1.250"))], on=day + timedelta(days=90))
    assert shop.shelf.usual_amount("id А") == Quantity("0.350")
    assert shop.shelf.usual_amount("no such") is None
    for amount in (10, 1):
        shop.desk.count_sold([("id Б", Quantity(amount))] * 1000, on=day)
    assert shop.shelf.usual_amount("id Б").amount < 2


def test_the_generation_tells_that_another_program_has_written(shop: Shop) -> None:
    before = shop.shelf.generation()
    assert shop.shelf.generation() == before
    shop.bring(product("Сир", 1))
    assert shop.shelf.generation() != before
