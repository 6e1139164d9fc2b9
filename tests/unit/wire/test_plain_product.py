"""The quick reading of a product agrees with the careful one, or leaves the product to it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.adapters.sqlite.stored_values import optional_para
from pos_app.errors import Invalid
from pos_app.wire.catalogue import read_product, read_with_care
from pos_app.wire.moment import instant_text
from pos_app.wire.plain_product import plain_product

PLAIN: dict[str, Any] = {
    "id": "p1", "name": "Хлеб бели", "sku": 12, "manufacturerSku": "M-12", "ean": "8600123450144",
    "price": Decimal("1499.90"), "taxRateLabel": "Ђ", "productType": "product",
    "saleUnitId": "u1", "baseUnitId": "u2", "quantityPerBaseUnit": Decimal("0.5"),
    "categories": ["c1", "c2"], "subtitle": "x", "description": "<p>x</p>",
    "descriptionPlain": "x", "weight": 1, "dimensions": "1x1x1", "hasVariants": False,
    "variantName": None, "variants": [], "images": ["f1"], "coverImage": None,
    "createdAt": "2026-09-01T05:30:00.000Z", "updatedAt": "2026-09-01T05:30:12.751Z",
    "deletedAt": None,
}  # fmt: skip
ODD: list[Any] = [
    None, "", " ", "x", "Е", "E", "\u00ad", "\u3164", 0, 1, -1, True, False, 2**53, [],
    ["c1", "c1"], [""], [1], [None], {}, {"id": "f1"},
    [{"id": "v1", "name": "L", "taxRateLabel": "Ђ"}],
    "service", "0001-01-01T00:00:00.000Z", "2026-02-30T05:30:00.000Z", "2026-W01-1T05:30:00.000Z",
    "2026-09-01T24:00:00.000Z", "2026-09-01T05:30:00.000+02:00", "2026-09-01", "9999-12-31",
    Decimal("1.0"), Decimal("0.005"), Decimal("1E+3"), Decimal("999999999999.99"),
    Decimal(10**12), Decimal("12345678901234567890123456789.01"), Decimal("-0.00"),
    Decimal("11.120000000000001"), Decimal("11.119999999999999"), Decimal("11.125"),
    Decimal("1E-40"), Decimal("1.10000000000000000000000000000000001"),
]  # fmt: skip
LEAST = {"id": "v1", "name": "L", "taxRateLabel": "Ђ"}
MEMBERS = [*PLAIN, "pinned", "openPrice", "byWeight", "barcodes", "unknown"]
CHANGES = st.dictionaries(st.sampled_from(MEMBERS), st.sampled_from(ODD), max_size=3)


def test_a_usual_product_is_read_quickly() -> None:
    assert plain_product(PLAIN) is not None
    others: tuple[object, ...] = ([], "x", {**PLAIN, "pinned": True}, {**PLAIN, "deletedAt": "x"})
    for document in others:
        assert plain_product(document) is None


def test_the_noise_of_binary_floats_is_no_price() -> None:
    """10 + 112 / 100 is 11.120000000000001, as programs write it."""
    noisy = {
        "price": Decimal(repr(10 + 112 / 100)),
        "quantityPerBaseUnit": Decimal(repr(0.1 + 0.2)),
    }
    document = {**PLAIN, **noisy}
    quick = plain_product(document)
    assert quick is not None
    assert quick.price == 1112
    with_variant = {**document, "variants": [{**LEAST, **noisy}]}
    boxed = {**document, "barcodes": [{"code": "77", "quantity": Decimal(repr(0.1 + 0.2))}]}
    for told in (document, with_variant, boxed):
        for product, marks in (read_product(told), read_with_care(told)):
            for owner in (product, *product.variants):
                assert (str(owner.price), str(owner.quantity_per_base_unit)) == ("11.12", "0.3")
            for mark in marks.values():
                assert [str(one.quantity.amount) for one in mark.barcodes] == ["0.300"]
    for price in ("11.125", "11.1205"):
        assert plain_product({**PLAIN, "price": Decimal(price)}) is None
        with pytest.raises(Invalid, match="too many decimal places"):
            read_product({**PLAIN, "price": Decimal(price)})
    fine = {**PLAIN, "quantityPerBaseUnit": Decimal("0.333333333333")}
    assert read_product(fine)[0].quantity_per_base_unit == Decimal("0.333333333333")


@given(CHANGES, st.sets(st.sampled_from([*PLAIN])))
def test_both_readings_say_the_same(changed: dict[str, Any], left_out: set[str]) -> None:
    document = {name: value for name, value in PLAIN.items() if name not in left_out} | changed
    quick = plain_product(document)
    if quick is None:
        return
    try:
        careful, marks = read_with_care(document)
    except Invalid as error:
        raise AssertionError(f"{document} is refused: {error}") from error
    assert not marks
    assert not careful.variants
    assert read_product(document) == (careful, {})
    assert quick == (
        careful.id,
        careful.name,
        careful.tax_label.value,
        careful.sku,
        careful.ean,
        careful.manufacturer_sku,
        optional_para(careful.price),
        careful.sale_unit_id,
        careful.subtitle,
        careful.variant_name,
        careful.categories,
        instant_text(careful.updated_at),
    )
