"""Products, stores, units and categories as a platform writes them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import Category, ProductType, Unit
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.wire import catalogue
from pos_app.wire.catalogue import changes_from_json, changes_to_json
from pos_app.wire.json_stream import elements
from pos_app.wire.plain_store import plain_store
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


def test_what_is_written_is_read_as_the_same_product() -> None:
    product = catalogue.product_from_json(loads(FULL))
    written = loads(dumps(catalogue.product_to_json(product)))
    assert catalogue.product_from_json(written) == product
    least = catalogue.product_to_json(catalogue.product_from_json({**LEAST, "novelty": [1]}))
    assert set(least) == set(loads(FULL))  # type: ignore[call-overload]
    assert dumps(least).count(b'"price":null') == 1


@each(
    ("given", "ids"),
    [
        (["c1", "c2"], ("c1", "c2")), ("c1", ("c1",)), ("", ()), ([], ()), (None, ()),
        (["c1", "c1"], ("c1",)),
    ],
)  # fmt: skip
def test_categories_are_an_array_or_one_id_and_units_are_read(
    given: Any, ids: tuple[str, ...]
) -> None:
    assert catalogue.product_from_json({**LEAST, "categories": given}).categories == ids
    unit = catalogue.unit_from_json({"id": "u", "name": "килограм", "symbol": "kg"})
    assert unit == Unit("u", "килограм", "kg")
    assert catalogue.unit_from_json({"id": "u", "name": "комад"}).symbol == "комад"
    category = catalogue.category_from_json({"id": "c", "name": "Пекара", "position": 3})
    assert category == Category("c", "Пекара", 3)


def test_members_of_ours_are_marks_of_the_article_that_says_them() -> None:
    variant = {**LEAST, "id": "v1", "openPrice": True, "barcodes": [{"code": "77", "quantity": 6}]}
    _, marks = catalogue.read_product(
        {**LEAST, "pinned": True, "variants": [variant, {**LEAST, "id": "v2"}]}
    )
    assert marks == {
        "p1": Marks(pinned=True),
        "v1": Marks(open_price=True, barcodes=(Barcode("77", Quantity(6)),)),
    }


def test_marks_and_changes_are_read_as_they_were_written() -> None:
    marks = Marks(True, True, False, (Barcode("A-1", Quantity("0.5")), Barcode("B")))
    assert marks_of(read(MarksShape, loads(dumps(marks_to_json(marks))))) == marks
    changes: dict[str, Any] = {
        "price": Money("12.50"), "tax_label": TaxLabel.G, "categories": ("c1",), "sku": None,
        "name": "Ново", "weight": Decimal("1.25"), "product_type": ProductType.SERVICE,
    }  # fmt: skip
    back: Any = loads(dumps(changes_to_json(changes)))
    assert changes_from_json(back) == changes


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
    # Clients of the original service send the methods as objects with a name.
    order = [[{"name": "card"}, "cash"], [{"name": "voucher", "label": "Ваучер"}]]
    store = store_from_json({"id": "s", "name": "Липа", "paymentMethodsOrder": order})
    assert store.payment_methods_order == (("card", "cash"), ("voucher",))


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


WHOLE: dict[str, Any] = {
    "id": "s", "name": "Липа", "address": "Дунавска 1", "city": "Нови Сад", "zip": "21000",
    "gln": "8600000000001", "phone": "", "language": "sr-Latn-RS",
    "printMethod": {"thermal": True, "a4": False, "email": True}, "printBankAccounts": True,
    "printDiscounts": False, "paymentMethodsOrder": [["cash", "bitcoin"], [], ["card"]],
    "productPickerType": "list", "isSoundEnabled": False, "defaultUnknownAmountAdvance": True,
}  # fmt: skip
ODD: list[Any] = [
    None, "", " ", "\u3164", "x", "en", "sr-Cyrl-RS", "grid", 0, 1, Decimal(1), True, False, [], {},
    [[]], [None], [["cash", 7]], [["cash", ""]], [[{"name": "card"}]], [[None]], {"thermal": 1},
    {"thermal": None, "a4": True}, {"email": "x"}, {"other": 1},
]  # fmt: skip
CHANGES = st.dictionaries(st.sampled_from([*WHOLE, "unknown"]), st.sampled_from(ODD), max_size=3)


def test_stores_as_they_are_kept_are_read_quickly() -> None:
    for store in (Store(id="s", name="Липа"), store_from_json(WHOLE)):
        assert plain_store(loads(dumps(store_to_json(store)))) == store
    others: tuple[object, ...] = ([], "x", {}, {**WHOLE, "name": " "}, {**WHOLE, "zip": 21000})
    for document in others:
        assert plain_store(document) is None


@given(CHANGES, st.sets(st.sampled_from([*WHOLE])))
def test_both_readings_say_the_same(changed: dict[str, Any], left_out: set[str]) -> None:
    document = {name: value for name, value in WHOLE.items() if name not in left_out} | changed
    quick = plain_store(document)
    assert quick is None or quick == store_from_json(document)
