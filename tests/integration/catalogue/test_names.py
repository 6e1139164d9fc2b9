"""A name that can't be a unit is refused at its field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.article.product import Category, Unit, Variant
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.synchronisation.own_names import Named, NameKind
from tests.integration.catalogue.test_sheets import NOW, Shop, product
from tests.sweep import each

UNIT, CATEGORY = NameKind.UNIT, NameKind.CATEGORY
DAIRY, CHEESE = Category("c1", "Млечно", 1), Category("c2", "Сиреви", 2)
IDS = [f"n{number}" for number in range(1, 6)]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """Five articles in a category: two by weight, and one a product with a variant."""
    made = Shop(tmp_path)
    made.editor.open_store(Store(id="s1", name="Липа"))
    for one in (DAIRY, CHEESE):
        made.editor.add_name(one, by="Мира", at=NOW)
    kg, piece = (named(made, UNIT, name).id for name in ("килограм", "комад"))
    for number, product_id in enumerate(IDS, 1):
        half = Variant(
            id="v1", name="Пола", variant_name="Пола", tax_label=TaxLabel.E, sku=150,
            price=Money(50), sale_unit_id=kg,
        )  # fmt: skip
        unit, variants = kg if number < 3 else piece, (half,) if number == 5 else ()
        more: dict[str, Any] = {"price": Money(100), "categories": (DAIRY.id,)}
        more |= {"sale_unit_id": unit, "variants": variants}
        made.add(product(product_id, f"Сир {number}", sku=100 + number, **more))
    yield made
    made.close()


def named(shop: Shop, kind: NameKind, name: str) -> Named:
    (found,) = (one.named for one in shop.catalogue.counted_names(kind) if one.named.name == name)
    return found


@each(
    ("name", "symbol", "field", "kind"),
    [
        ("", "пал", "name", "name_missing"),
        ("палета", "", "symbol", "symbol_missing"),
        ("п" * 101, "пал", "name", "name_too_long"),
        ("палета", "п" * 41, "symbol", "unit_too_long"),
        ("палета", "пал 2", "symbol", "unit_symbol"),
        ("палета", "2пал", "symbol", "unit_symbol"),
        ("палета", "л/2", "symbol", "unit_symbol"),
        ("Килограм", "пал", "name", "word_taken"),
        ("палета", "Kom.", "symbol", "word_taken"),
        ("кило", "kgr", "symbol", "unit_spelled"),
        ("кмд", "pcs", "symbol", "unit_spelled"),
        ("kilogram", "кг", "name", "word_taken"),
    ],
)
def test_what_can_not_be_a_unit_is_refused_at_its_field(
    shop: Shop, name: str, symbol: str, field: str, kind: str
) -> None:
    with pytest.raises(Invalid) as fault:
        shop.editor.add_name(Unit("u1", name, symbol), by="Мира", at=NOW)
    assert (fault.value.field, fault.value.kind) == (field, kind)
