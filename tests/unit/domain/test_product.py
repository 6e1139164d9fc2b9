from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.article.product import (
    File,
    Product,
    Unit,
    Variant,
    input_faults,
    parse_dimensions,
)
from pos_app.domain.article.scale_labels import WeightCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.units import is_measured_alike, label_step
from pos_app.errors import Invalid
from tests.sweep import each

PICTURE = File(
    id="f1",
    filename="sir.png",
    urls=(("original", "/o"), ("64x64", "/64"), ("256x256", "/256"), ("128x128", "/128")),
)


def product(**fields: Any) -> Product:
    usual: dict[str, Any] = {"id": "p1", "name": "Сир", "tax_label": TaxLabel.E, "sku": 2094}
    return Product(**usual | fields)


def variant(**fields: Any) -> Variant:
    usual: dict[str, Any] = {"id": "v1", "name": "Сир", "tax_label": TaxLabel.E, "sku": 2095}
    return Variant(**usual | fields)


@each(
    ("symbol", "weighed"),
    [
        ("kg", True), ("KG", True), ("кг", True), ("g", True), ("г.", True), ("гр", True),
        ("t", True), ("т", True), ("kgr", True), ("кило", True), ("ком", False), ("l", False),
    ],
)  # fmt: skip
def test_units_of_weight_and_pieces_in_each_language(symbol: str, weighed: bool) -> None:
    assert Unit("u", "", symbol).is_weight is weighed
    assert all(
        Unit("u", "", one).is_piece for one in ("ком", "Ком.", " kom", "pc", "pcs.", "kmd", "комад")
    )
    assert not any(Unit("u", "", other).is_piece for other in ("kg", "г", "l", "пак", ""))


@each(
    ("symbol", "other", "alike"),
    [
        ("ком", "пак", True), ("g", "гр.", True), ("kg", "КГ", True), ("l", "lit.", True),
        ("kgr", "кг", True), ("l", "м", False), ("ком", "", True), ("kg", "g", False),
        ("kg", "", False), ("kg", "l", False),
        ("ml", "ком", False), ("l", "ml", False), ("t", "kg", False), ("пак", "m²", False),
    ],
)  # fmt: skip
def test_a_price_holds_for_a_unit_by_which_goods_are_measured_alike(
    symbol: str, other: str, alike: bool
) -> None:
    assert is_measured_alike(symbol, other) is is_measured_alike(other, symbol) is alike


def test_a_scales_label_of_goods_by_the_tonne_has_whole_kilograms() -> None:
    label = WeightCode(1, "", Quantity("2.000"))
    step = label_step("t", by_weight=True)
    assert Quantity(label.amount_in(step)) == Quantity("0.002")


def test_a_scales_label_of_goods_by_the_piece_has_their_count() -> None:
    label = WeightCode(1, "", Quantity("0.003"), is_count=True)
    assert label.amount_in(Decimal("0.001")) == 3


@each(
    ("fields", "field"),
    [({"name": " "}, "name"), ({"price": Money(-1)}, "price"), ({"sku": -1}, "sku")],
)
def test_what_could_not_be_sold_can_not_be_built(fields: dict[str, Any], field: str) -> None:
    for build in (product, variant):
        with pytest.raises(Invalid) as fault:
            build(**fields)
        assert fault.value.field == field


def test_dimensions_in_centimetres() -> None:
    assert parse_dimensions("30x20x10") == (30, 20, 10)
    assert parse_dimensions("30.5x0.2x1") == (Decimal("30.5"), Decimal("0.2"), 1)
    for text in ("", "30", "30x20", "1x1x1x1", "1X1X1", "1 x 1 x 1", "30,5x1x1", "-1x1x1", "x1x1"):
        with pytest.raises(Invalid):
            parse_dimensions(text)


def test_faults_of_input_are_told_all_at_once_with_their_paths() -> None:
    bad = product(
        dimensions="30x20",
        weight=Decimal(-1),
        variants=(variant(), variant(dimensions="?", quantity_per_base_unit=Decimal("-0.5"))),
    )
    of_variant = ["variants[1].dimensions", "variants[1].quantity_per_base_unit"]
    assert [one.field for one in input_faults(bad)] == ["dimensions", "weight", *of_variant]
    assert input_faults(product(dimensions="1x1x1", weight=Decimal(0))) == ()


@each(("pixels", "url"), [(1, "/64"), (64, "/64"), (65, "/128"), (200, "/256"), (257, "/o")])
def test_the_smallest_picture_that_is_large_enough(pixels: int, url: str) -> None:
    assert PICTURE.url(pixels) == url
