"""Products, stores, units and categories as a platform writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import Category, ProductType, Unit
from pos_app.domain.article.store import ALL_METHODS, PickerType, ReceiptLanguage
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.wire import catalogue
from pos_app.wire.catalogue import changes_from_json, changes_to_json
from pos_app.wire.json_stream import elements
from pos_app.wire.reading import read
from pos_app.wire.shop_notes import MarksShape, marks_of, marks_to_json
from pos_app.wire.store import store_from_json, store_to_json
from pos_app.wire.strict_json import MalformedJson, dumps, loads
from tests.sweep import each

LEAST = {"id": "p1", "name": "Хлеб", "taxRateLabel": "Е"}
FULL = """
{"id": "p1", "name": "Мајица", "sku": 12, "manufacturerSku": "M-12", "description": "<p>x</p>",
 "descriptionPlain": "x", "saleUnitId": "u1", "baseUnitId": "u2", "quantityPerBaseUnit": 0.5,
 "price": 1499.90, "taxRateLabel": "Ђ", "subtitle": "памук", "productType": "product",
 "weight": 0.2, "dimensions": "30x20x2", "hasVariants": true, "variantName": null,
 "ean": "8600123450144", "categories": ["c1", "c2"],
 "coverImage": {"id": "f1", "filename": "a.png", "originalFilename": "a.png",
   "mimetypeFilename": "image/png", "size": 123, "reference": "product", "referenceId": "p1",
   "private": false, "urls": {"original": "https://x/a.png", "64x64": "https://x/64.png"},
   "createdAt": "2026-09-01T05:30:00.000Z", "updatedAt": null, "deletedAt": null},
 "variants": [{"id": "v1", "name": "Мајица", "variantName": "L", "sku": 13, "price": 1500,
   "taxRateLabel": "Ђ", "categories": []}],
 "images": ["f1"], "createdAt": "2026-09-01T05:30:00.000Z",
 "updatedAt": "2026-09-02T07:30:00+02:00", "deletedAt": null}
"""


def test_every_field_of_a_product_is_read() -> None:
    product = catalogue.product_from_json(loads(FULL))
    assert product.price == Money("1499.90")
    assert product.quantity_per_base_unit == Decimal("0.5")
    assert product.tax_label is TaxLabel.DJ
    assert product.product_type is ProductType.PRODUCT
    assert product.categories == ("c1", "c2")
    assert product.updated_at == datetime(2026, 9, 2, 5, 30, tzinfo=UTC)
    assert product.cover_image is not None
    assert product.cover_image.size == 123
    assert product.cover_image.url(60) == "https://x/64.png"
    assert [(one.id, one.sku, one.variant_name) for one in product.variants] == [("v1", 13, "L")]


def test_what_is_written_is_read_as_the_same_product() -> None:
    product = catalogue.product_from_json(loads(FULL))
    written = loads(dumps(catalogue.product_to_json(product)))
    assert catalogue.product_from_json(written) == product


def test_a_product_is_written_with_each_member_of_the_specification() -> None:
    members = {
        "id", "variants", "name", "sku", "manufacturerSku", "description", "saleUnitId",
        "baseUnitId", "quantityPerBaseUnit", "price", "taxRateLabel", "subtitle", "productType",
        "weight", "dimensions", "hasVariants", "variantName", "ean", "categories", "createdAt",
        "updatedAt", "deletedAt", "images", "descriptionPlain", "coverImage",
    }  # fmt: skip
    assert set(catalogue.product_to_json(catalogue.product_from_json(LEAST))) == members
    assert (
        dumps(catalogue.product_to_json(catalogue.product_from_json(LEAST))).count(b'"price":null')
        == 1
    )


@each(
    ("given", "ids"),
    [
        (["c1", "c2"], ("c1", "c2")), ("c1", ("c1",)), ("", ()), ([], ()), (None, ()),
        (["c1", "c1"], ("c1",)),
    ],
)  # fmt: skip
def test_categories_are_an_array_or_one_id(given: Any, ids: tuple[str, ...]) -> None:
    assert catalogue.product_from_json({**LEAST, "categories": given}).categories == ids


def test_a_name_that_is_not_known_is_passed_over() -> None:
    assert catalogue.product_from_json({**LEAST, "novelty": {"a": [1]}}).name == "Хлеб"


@each(
    ("members", "field", "words"),
    [
        ({"sku": "12"}, "sku", "must be a number"),
        ({"sku": True}, "sku", "must be a number"),
        ({"sku": Decimal("1.5")}, "sku", "must be an integer"),
        ({"sku": -1}, "sku", "between 0"),
        ({"sku": 2**60}, "sku", "between 0"),
        ({"price": "58,90"}, "price", "must be a number"),
        ({"price": Decimal("58.905")}, "price", "too many decimal places"),
        ({"price": Decimal("-0.01")}, "price", "greater than or equal to 0"),
        ({"price": Decimal("1e15")}, "price", "999999999999.99"),
        ({"name": None}, "name", "is required"),
        ({"name": ""}, "name", "not allowed to be empty"),
        ({"name": "  "}, "name", "not allowed to be empty"),
        ({"name": 5}, "name", "must be a string"),
        ({"taxRateLabel": "E"}, "taxRateLabel", "is Latin, the label is the Cyrillic"),
        ({"taxRateLabel": None}, "taxRateLabel", "is required"),
        ({"productType": "thing"}, "productType", "must be one of"),
        ({"hasVariants": "true"}, "hasVariants", "must be a boolean"),
        ({"updatedAt": "yesterday"}, "updatedAt", "valid ISO 8601"),
        ({"variants": {}}, "variants", "must be an array"),
        ({"variants": [{**LEAST, "price": "5"}]}, "variants[0].price", "must be a number"),
        ({"variants": [{"name": "x", "taxRateLabel": "Е"}]}, "variants[0].id", "is required"),
        ({"coverImage": {"filename": "a"}}, "coverImage.id", "is required"),
        ({"barcodes": [{"code": "1", "quantity": 0}]}, "barcodes[0].quantity", "greater than 0"),
    ],
)
def test_a_fault_names_its_field(members: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(Invalid, match=words) as caught:
        catalogue.product_from_json({**LEAST, **members})
    assert caught.value.field == field


@each("document", [None, [], "x", 1])
def test_what_is_no_object_is_no_product(document: object) -> None:
    with pytest.raises(Invalid, match="must be of type object"):
        catalogue.product_from_json(document)


def test_members_of_ours_are_marks_of_the_article_that_says_them() -> None:
    variant = {**LEAST, "id": "v1", "openPrice": True, "barcodes": [{"code": "77", "quantity": 6}]}
    _, marks = catalogue.read_product(
        {**LEAST, "pinned": True, "variants": [variant, {**LEAST, "id": "v2"}]}
    )
    assert marks == {
        "p1": Marks(pinned=True),
        "v1": Marks(open_price=True, barcodes=(Barcode("77", Quantity(6)),)),
    }


def test_marks_are_read_as_they_were_written() -> None:
    marks = Marks(True, True, False, (Barcode("A-1", Quantity("0.5")), Barcode("B")))
    assert marks_of(read(MarksShape, loads(dumps(marks_to_json(marks))))) == marks


def test_changes_are_read_as_they_were_written() -> None:
    changes: dict[str, Any] = {
        "price": Money("12.50"), "tax_label": TaxLabel.G, "categories": ("c1",), "sku": None,
        "name": "Ново", "weight": Decimal("1.25"), "product_type": ProductType.SERVICE,
    }  # fmt: skip
    written = changes_to_json(changes)
    assert set(written) == {
        "price", "taxRateLabel", "categories", "sku", "name", "weight", "productType",
    }  # fmt: skip
    back: Any = loads(dumps(written))
    assert changes_from_json(back) == changes


def test_units_and_categories_are_read() -> None:
    unit = catalogue.unit_from_json({"id": "u", "name": "килограм", "symbol": "kg"})
    assert unit == Unit("u", "килограм", "kg")
    assert catalogue.unit_from_json({"id": "u", "name": "комад"}).symbol == "комад"
    category = catalogue.category_from_json({"id": "c", "name": "Пекара", "position": 3})
    assert category == Category("c", "Пекара", 3)


# --- stores --------------------------------------------------------------------------------------


def test_a_store_that_says_little_has_the_defaults_of_the_contract() -> None:
    store = store_from_json({"id": "s", "name": "Липа"})
    assert store.language is ReceiptLanguage.CYRILLIC
    assert store.product_picker_type is PickerType.GRID
    assert store.is_sound_enabled
    assert not store.print_discounts
    assert store.print_method is None
    assert store.handed_over_by == ALL_METHODS


def test_methods_may_be_ordered_as_objects_with_a_name() -> None:
    """Clients of the original service send them so."""
    order = [[{"name": "card"}, "cash"], [{"name": "voucher", "label": "Ваучер"}]]
    store = store_from_json({"id": "s", "name": "Липа", "paymentMethodsOrder": order})
    assert store.payment_methods_order == (("card", "cash"), ("voucher",))


def test_a_store_is_read_as_it_was_written() -> None:
    order = [["cash", "bitcoin", 7], [], [Decimal("1.5")]]
    document = {
        "id": "s", "name": "Липа", "zip": "21000", "language": "sr-Latn-RS",
        "printMethod": {"thermal": True, "a4": True}, "paymentMethodsOrder": order,
        "productPickerType": "list", "isSoundEnabled": False,
    }  # fmt: skip
    store = store_from_json(document)
    written = store_to_json(store)
    assert written["paymentMethodsOrder"] == order
    assert written["printMethod"] == {"thermal": True, "a4": True, "email": False}
    assert store_from_json(loads(dumps(written))) == store


@each(
    ("members", "field"),
    [
        ({"name": ""}, "name"),
        ({"language": "en"}, "language"),
        ({"zip": 21000}, "zip"),
        ({"printMethod": {"thermal": 1}}, "printMethod.thermal"),
        ({"paymentMethodsOrder": ["cash"]}, "paymentMethodsOrder[0]"),
    ],
)
def test_a_fault_of_a_store_names_its_field(members: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        store_from_json({"id": "s", "name": "Липа", **members})
    assert caught.value.field.startswith(field)


# --- piece by piece ------------------------------------------------------------------------------


@each(
    "text",
    ["[]", "{}", "[1, [2], {}]", ' { "a" : [ {"x":1} , 2 ] , "b":"c" ,"d":[]} ', '{"a":{"b":[1]}}'],
)
def test_piece_by_piece_it_says_the_same(text: str) -> None:
    whole = loads(text)
    parts: Any = [] if isinstance(whole, list) else {}
    for one in elements(text):
        assert one.value == (
            [] if one.index is None and one.value == [] else loads(text[one.start : one.end])
        )
        if one.member == "" and one.index is not None:
            parts.append(one.value)
        elif one.member and one.index is not None:
            parts.setdefault(one.member, []).append(one.value)
        elif one.member:
            parts[one.member] = one.value
    assert parts == whole


@each(
    ("text", "why"),
    [
        ("", "array or an object"), ("5", "array or an object"), ("[1,]", "expecting value"),
        ("[1 2]", "','"), ("[1", "','"), ("[", "expecting value"), ('{"a" 1}', "':'"),
        ('{"a":1', "','"), ("{a:1}", "double quotes"), ('{"a":1,}', "double quotes"),
        ('{"a":[1],"a":2}', "said twice"), ("[] x", "nothing may follow"),
        ('{"a":[1,{"b":1,"b":2}]}', "said twice"), ('{"a":[1e999]}', "too large"),
    ],
)  # fmt: skip
def test_a_malformed_piece_is_refused(text: str, why: str) -> None:
    with pytest.raises(MalformedJson, match=why):
        list(elements(text))


def test_the_noise_of_binary_floats_is_no_price() -> None:
    """10 + 112 / 100 is 11.120000000000001, as programs write it."""
    noise = Decimal(repr(0.1 + 0.2))
    noisy = {"price": Decimal(repr(10 + 112 / 100)), "quantityPerBaseUnit": noise}
    document = {**LEAST, **noisy}
    with_variant = {**document, "variants": [{**LEAST, "id": "v1", **noisy}]}
    boxed = {**document, "barcodes": [{"code": "77", "quantity": noise}]}
    for told in (document, with_variant, boxed):
        product, marks = catalogue.read_product(told)
        for owner in (product, *product.variants):
            assert (str(owner.price), str(owner.quantity_per_base_unit)) == ("11.12", "0.3")
        for mark in marks.values():
            assert [str(one.quantity.amount) for one in mark.barcodes] == ["0.300"]
    for price in ("11.125", "11.1205"):
        with pytest.raises(Invalid, match="too many decimal places"):
            catalogue.read_product({**LEAST, "price": Decimal(price)})
    fine = {**LEAST, "quantityPerBaseUnit": Decimal("0.333333333333")}
    assert catalogue.read_product(fine)[0].quantity_per_base_unit == Decimal("0.333333333333")
