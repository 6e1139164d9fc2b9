from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pos_app.domain.article.article import Article, Barcode, Marks, sellable_articles
from pos_app.domain.article.product import File, Product, Unit
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle, article_key, name_and_unit
from tests.sweep import each
from tests.unit.domain.test_product import product, variant

PIECE = Unit("u1", "комад", "ком")
KILOGRAM = Unit("u2", "килограм", "kg")
UNITS = {unit.id: unit for unit in (PIECE, KILOGRAM)}
PICTURE = File(id="f1", filename="sir.png")


def articles_of(one: Product, marks: dict[str, Marks] | None = None) -> tuple[Article, ...]:
    return sellable_articles(one, units=UNITS, marks=marks or {})


def article_of(one: Product, marks: Marks | None = None) -> Article:
    (article,) = articles_of(one, {one.id: marks} if marks else None)
    return article


def test_a_product_without_variants_is_one_article() -> None:
    article = article_of(
        product(
            name="Сир млади домаћи",
            price=Money(899),
            ean="8600123450144",
            manufacturer_sku="M-1",
            sale_unit_id="u2",
            categories=("c1", "c2"),
            cover_image=PICTURE,
        )
    )
    assert (article.id, article.product_id, article.sku) == ("p1", "p1", 2094)
    assert (article.name, article.label) == ("Сир млади домаћи", TaxLabel.E)
    assert (article.ean, article.manufacturer_sku) == ("8600123450144", "M-1")
    assert (article.price, article.asks_price) == (Money(899), False)
    assert (article.unit, article.unit_name, article.by_weight) == ("kg", "килограм", True)
    assert article.category_ids == ("c1", "c2")
    assert article.picture is PICTURE


@each(
    ("has_variants", "sold"),
    [(True, ["v1", "v2"]), (False, ["p1", "v1", "v2"]), (None, ["p1", "v1", "v2"])],
)
def test_variants_are_sold_in_place_of_their_product_or_beside_it(
    has_variants: bool | None, sold: list[str]
) -> None:
    one = product(has_variants=has_variants, variants=(variant(), variant(id="v2", sku=2096)))
    assert [article.id for article in articles_of(one)] == sold
    assert articles_of(replace(one, deleted_at=datetime(2024, 1, 1, tzinfo=UTC))) == ()


def test_a_variant_takes_from_its_product_what_it_has_not() -> None:
    parent = {
        "has_variants": True,
        "price": Money(100),
        "sale_unit_id": "u2",
        "categories": ("c1",),
        "cover_image": PICTURE,
        "ean": "96385074",
    }
    (bare,) = articles_of(product(**parent, variants=(variant(),)))
    assert (bare.price, bare.unit, bare.category_ids) == (Money(100), "kg", ("c1",))
    assert bare.picture is PICTURE
    assert bare.ean is None

    own = variant(price=Money(0), sale_unit_id="u1", categories=("c2",), tax_label=TaxLabel.DJ)
    (full,) = articles_of(product(**parent, variants=(own,)))
    assert (full.price, full.unit, full.category_ids) == (Money(0), "ком", ("c2",))
    assert full.label is TaxLabel.DJ


@each(
    ("parent", "name", "variant_name", "sold_as"),
    [
        ("Мајица", "Мајица", "плава L", "Мајица плава L"),
        ("Мајица", "L", "L", "Мајица L"),
        ("Мајица", "L", None, "Мајица L"),
        ("Мајица", "Мајица плава", "L", "Мајица плава L"),
        ("Мајица", "Majica plava", "Плава", "Majica plava"),
        ("Мајица", "Мајица", None, "Мајица"),
        ("Мајица ", " L ", " ", "Мајица L"),
        ("Сир крављи", "Сир димљени парче", "Парче", "Сир димљени парче"),
        ("Сир качкаваљ крављи", "Сир качкаваљ крављи парче", "Парче", "Сир качкаваљ крављи парче"),
    ],
)
def test_a_variant_is_named_by_product_and_variant_each_once(
    parent: str, name: str, variant_name: str | None, sold_as: str
) -> None:
    one = variant(name=name, variant_name=variant_name)
    (article,) = articles_of(product(name=parent, has_variants=True, variants=(one,)))
    assert article.name == sold_as


@each(("unit", "printed"), [("u1", "Сир/ком"), ("u2", "Сир/kg"), (None, "Сир"), ("gone", "Сир")])
def test_a_receipt_prints_name_and_unit(unit: str | None, printed: str) -> None:
    assert article_of(product(sale_unit_id=unit)).frozen.printed_name == printed


@each(
    ("ean", "gtin"),
    [
        ("96385074", "96385074"), ("8600123450144", "8600123450144"), ("2100094", None),
        ("04006381333931", "04006381333931"), ("123456789012345", None), ("8600123-450144", None),
        ("٨٦٠٠١٢٣٤٥٠١٤٤", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_a_receipt_carries_a_gtin_of_8_to_14_digits(ean: str | None, gtin: str | None) -> None:
    article = article_of(product(ean=ean))
    assert (article.gtin, article.frozen.gtin) == (gtin, gtin)


@each(
    ("name", "unit", "printed"),
    [
        ("С" * 3000, "u1", "С" * 2000 + "/ком"),
        ("Сир\nкрављи", "u1", "Сир крављи/ком"),
        ("Сир", "long", "Сир/" + "m" * 40),
    ],
)
def test_what_no_receipt_can_carry_is_cut(name: str, unit: str, printed: str) -> None:
    units = UNITS | {"long": Unit("long", "мера", "m" * 50)}
    one = product(name=name, sale_unit_id=unit)
    (article,) = sellable_articles(one, units=units, marks={})
    assert article.frozen.printed_name == printed


def test_marks_of_the_shop() -> None:
    crate = Barcode("4006381333931", Quantity(20))
    marks = Marks(pinned=True, open_price=True, by_weight=False, barcodes=(crate,))
    article = article_of(product(price=Money(1), sale_unit_id="u2"), marks)
    assert (article.pinned, article.asks_price, article.by_weight) == (True, True, False)
    assert article.barcodes == (crate,)
    assert article_of(product(price=None)).asks_price
    assert not article_of(product(price=Money(0))).asks_price


@each(
    ("printed", "name", "unit"),
    [
        ("Јабуке/кг", "Јабуке", "кг"),
        ("Laminat/m²", "Laminat", "m²"),
        ("Sok 1/2", "Sok 1/2", ""),
        ("Sok 1/2/kom.", "Sok 1/2", "kom."),
        ("Ћевапи/порција", "Ћевапи", "порција"),
        ("Ćevapi/porcija", "Ćevapi", "porcija"),
        ("Ajvar/tegla", "Ajvar", "tegla"),
        ("Kafa/čaj 200 g", "Kafa/čaj 200 g", ""),
        ("Kafa/čaj", "Kafa/čaj", ""),
        ("Sok/l-1", "Sok/l-1", ""),
        ("Hleb", "Hleb", ""),
        ("/kg", "/kg", ""),
        ("Hleb/", "Hleb/", ""),
    ],
)
def test_what_was_printed_together_is_found_apart(printed: str, name: str, unit: str) -> None:
    assert name_and_unit(printed) == (name, unit)
    assert FrozenArticle(name, TaxLabel("А"), unit).printed_name == printed


@each(
    ("printed", "other", "is_same"),
    [
        ("Sir/kg", "Sir/кг.", True), ("Ćevapi/porcija", "Ćevapi/порција", True),
        ("Sok/jabuka", "Sok/višnja", False), ("Majica/M", "Majica/L", False),
        ("Kafa/čaj", "Kafa", False), ("Sir/kg", "Sir/ком", False),
    ],
)  # fmt: skip
def test_two_names_are_one_article_in_a_report_where_only_the_units_spelling_differs(
    printed: str, other: str, is_same: bool
) -> None:
    for gtin in (None, "8600123450144"):
        key, of_other = (article_key(None, gtin, one) for one in (printed, other))
        assert (key == of_other) is is_same
        assert article_key(7, gtin, printed) == article_key(7, gtin, other) == "7"
