"""The demo catalogue keeps the promises of resources/demo/README.md."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pos_app.domain.article import barcodes

Member = dict[str, Any]
Document = dict[str, list[Member]]

MOCK_FAVOURITES = [  # mock-01, tile by tile
    ("Хлеб бели Сава 500 g", "58.99", "ком"),
    ("Хлеб ражани 400 g", "129.99", "ком"),
    ("Багет француски 250 g", "79.99", "ком"),
    ("Кифла са сусамом", "35.00", "ком"),
    ("Кроасан са чоколадом", "95.00", "ком"),
    ("Бурек са сиром 250 g", "165.00", "ком"),
    ("Бурек са месом 250 g", "185.00", "ком"),
    ("Переца", "45.00", "ком"),
    ("Ђеврек са сусамом", "49.99", "ком"),
    ("Проја са сиром", "85.00", "ком"),
    ("Млеко свеже 2,8 % 1 l", "139.99", "ком"),
    ("Јогурт 2,8 % 1 l", "142.99", "ком"),
    ("Сир млади домаћи", "899.00", "kg"),
    ("Кајмак зрели", "1690.00", "kg"),
    ("Јаја М 10 комада", "219.99", "ком"),
    ("Банана", "189.99", "kg"),
    ("Јабука ајдаред", "109.99", "kg"),
    ("Парадајз", "249.99", "kg"),
    ("Вода минерална 1,5 l", "64.99", "ком"),
    ("Кафа млевена Златна 200 g", "349.99", "ком"),
]

STORE_FIELDS = [
    "id", "name", "address", "city", "zip", "gln", "phone", "language", "printMethod",
    "printBankAccounts", "printDiscounts", "paymentMethodsOrder", "productPickerType",
    "isSoundEnabled", "defaultUnknownAmountAdvance",
]  # fmt: skip
VARIANT_FIELDS = [
    "id", "name", "sku", "manufacturerSku", "description", "descriptionPlain", "saleUnitId",
    "baseUnitId", "quantityPerBaseUnit", "price", "taxRateLabel", "subtitle", "productType",
    "weight", "dimensions", "hasVariants", "variantName", "ean", "categories", "coverImage",
]  # fmt: skip
PRODUCT_FIELDS = [*VARIANT_FIELDS, "variants", "images", "createdAt", "updatedAt", "deletedAt"]


def test_the_json_is_what_the_script_makes(demo: Path, writer: ModuleType) -> None:
    shipped = (demo / "catalogue.json").read_text(encoding="utf-8")
    assert writer.written(writer.catalogue(demo)) == shipped


def test_the_store_has_every_field_and_asks_for_no_printer(document: Document) -> None:
    [store] = document["stores"]
    assert sorted(store) == sorted(STORE_FIELDS)
    assert store["printMethod"] == {"thermal": False, "a4": False, "email": False}
    assert (store["name"], store["city"]) == ("Пекара и маркет Липа", "Нови Сад")
    assert len(store["gln"]) == 13
    assert barcodes.check_digit_fits(store["gln"])


def test_every_product_has_the_fields_of_a_response(document: Document) -> None:
    own = {"pinned", "openPrice"}
    for product in document["products"]:
        assert sorted(set(product) - own) == sorted(PRODUCT_FIELDS), product["name"]
        for variant in product["variants"]:
            assert sorted(variant) == sorted(VARIANT_FIELDS), variant["name"]


def test_eans_are_right_serbian_and_given_once(sold: list[Member]) -> None:
    eans = [article["ean"] for article in sold if article["ean"] is not None]
    assert len(set(eans)) == len(eans)
    assert all(barcodes.is_gtin(ean) and ean.startswith("860") for ean in eans)
    assert {len(ean) for ean in eans} == {8, 13}
    assert sum(len(ean) == 8 for ean in eans) >= 3


def test_favourites_are_those_of_the_picture_in_their_order(
    sold: list[Member], units: dict[str, str]
) -> None:
    pinned = sorted((a for a in sold if a.get("pinned")), key=lambda article: article["sku"])
    shown = [(a["name"], str(a["price"]), units[a["saleUnitId"]]) for a in pinned]
    assert shown == MOCK_FAVOURITES


@pytest.mark.parametrize(
    ("code", "name", "kilograms"),
    [
        ("2000016015607", "Банана", "1.560"),
        ("2100013004120", "Сир млади домаћи", "0.412"),
        ("2200101003506", "Сир качкаваљ крављи парче", "0.350"),
    ],
)
def test_the_codes_of_the_scale_in_the_readme_are_right(
    demo: Path, sold: list[Member], code: str, name: str, kilograms: str
) -> None:
    assert code in (demo / "README.md").read_text(encoding="utf-8")
    scanned = barcodes.classify(code, barcodes.WeightCodeRules())
    assert isinstance(scanned, barcodes.WeightCode)
    [article] = [one for one in sold if one["sku"] == scanned.sku]
    assert (article["name"], scanned.quantity.amount) == (name, Decimal(kilograms))
