"""A manager's entries for an article, and their meaning."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import cast

import pytest

from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import Product, ProductType, Variant
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.catalogue import product_draft
from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.other_measure import other_measure
from pos_app.selling.catalogue.planned_prices import PlannedPrice, PricePlans
from tests.sweep import each

CHEESE = Product(
    id="p",
    name="Сир",
    tax_label=TaxLabel.E,
    sku=13,
    price=Money("1149"),
    categories=("m", "s"),
    weight=Decimal("0.25"),
    dimensions="30x20x10",
    product_type=ProductType.PRODUCT,
)
MARKS = Marks(pinned=True, barcodes=(Barcode("8600123450144", Quantity(20)), Barcode("7")))
PLAN = PlannedPrice("p", Money("999"), datetime(2026, 12, 1, 7, tzinfo=UTC))


def test_only_what_was_typed_is_changed() -> None:
    before = product_draft.as_typed(CHEESE, MARKS, PLAN)
    assert product_draft.read_draft(before, before, MARKS, article_id="p").is_empty
    assert before[product_draft.DraftField.PRICE] == "1.149,00"
    assert before[product_draft.DraftField.BARCODES] == "8600123450144 20\n7"
    assert before[product_draft.DraftField.PLANNED_FROM] == "01.12.2026. 08:00"
    typed = {
        "name": " Сир крављи ", "price": "1.099,50", "sku": "", "categories": "s",
        "barcodes": "8600123450144 12", "pinned": "", "weight": "0,3",
        "dimensions": "30 × 20,5 × 10",
    }  # fmt: skip
    drafted = product_draft.read_draft(typed, before, MARKS, article_id="p")
    assert drafted.changes == {
        "name": "Сир крављи",
        "price": Money("1099.50"),
        "sku": None,
        "categories": ("s",),
        "weight": Decimal("0.300"),
        "dimensions": "30x20.5x10",
    }
    assert drafted.marks == Marks(barcodes=(Barcode("8600123450144", Quantity(12)),))
    assert drafted.plan is None
    assert not drafted.drops_plan
    taken_off = {"planned_price": "", "planned_from": ""}
    assert product_draft.read_draft(taken_off, before, MARKS, article_id="p").drops_plan


@each(
    ("typed", "ends", "told"),
    [
        ("26.12.2026.", "2026-12-26T23:00", "26.12.2026."),
        ("1.12.2026", "2026-12-01T23:00", "01.12.2026."),
        ("26.12.2026. 20:00", "2026-12-26T19:00", "26.12.2026. 20:00"),
        ("27.12.2026. 0:00", "2026-12-26T23:00", "26.12.2026."),
        ("28.3.2027.", "2027-03-28T22:00", "28.03.2027."),  # of 23 hours
        ("31.10.2027.", "2027-10-31T23:00", "31.10.2027."),  # of 25 hours
        ("26.12.26", "2026-12-26T23:00", "26.12.2026."),
        ("26.12.", "2026-12-26T23:00", "26.12.2026."),
        ("27. 12. 20", "2026-12-27T19:00", "27.12.2026. 20:00"),
    ],
)
def test_the_last_day_of_a_plan_belongs_to_it(typed: str, ends: str, told: str) -> None:
    before = product_draft.as_typed(CHEESE, MARKS, PLAN)
    until = product_draft.read_draft(
        {"planned_until": typed},
        before,
        MARKS,
        article_id="p",
        at=datetime(2026, 11, 20, tzinfo=UTC),
    ).plan
    assert until is not None
    assert until.ends_at == datetime.fromisoformat(ends).replace(tzinfo=UTC)
    shown = product_draft.as_typed(CHEESE, MARKS, until)
    assert shown[product_draft.DraftField.PLANNED_UNTIL] == told


def test_each_fault_is_told_of_its_field() -> None:
    wrong = {
        "name": " ", "sku": "12a", "ean": "8600123450145", "price": "abc", "weight": "1,2345",
        "dimensions": "30x20", "barcodes": "7\n7", "planned_from": "", "planned_until": "1.1.2020",
    }  # fmt: skip
    before = product_draft.as_typed(CHEESE, MARKS, PLAN)

    for field, text in wrong.items():
        with pytest.raises(product_draft.DraftFaults) as told:
            product_draft.read_draft({field: text}, before, MARKS, article_id="p")
        assert set(told.value.by_field) == {field}
    with pytest.raises(product_draft.DraftFaults) as told:
        product_draft.read_draft(wrong, before, MARKS, article_id="p")
    assert set(told.value.by_field) == set(wrong) - {"planned_until"}
    for text in ("0", "000"):
        with pytest.raises(Invalid):
            product_draft.read_sku(text)
    assert product_draft.read_sku("01") == 1


def test_days_are_typed_as_people_write_them() -> None:
    days = {
        "24.12.2026": datetime(2026, 12, 23, 23, tzinfo=UTC),
        "24.12.2026. 8:30": datetime(2026, 12, 24, 7, 30, tzinfo=UTC),
        "24.12.2026. 830": datetime(2026, 12, 24, 7, 30, tzinfo=UTC),
        "1.7.2027. 17": datetime(2027, 7, 1, 15, tzinfo=UTC),
        "": None,
    }

    for text, moment in days.items():
        assert product_draft.parse_moment(text) == moment
        assert product_draft.parse_moment(product_draft.moment_typed(moment)) == moment
    for text in ("24.12", "32.1.2026", "1.1.2026 25:00", "сутра", "1.1.2026 8 30"):
        with pytest.raises(Invalid):
            product_draft.parse_moment(text)


class Plans:
    """The planned price of the second variant; a port of which nothing else is asked."""

    def plan_of(self, article_id: str) -> PlannedPrice | None:
        day = datetime(2027, 1, 2, tzinfo=UTC)
        return PlannedPrice("v2", Money("7.00"), day) if article_id == "v2" else None


@each(("typed", "price", "planned"), [
    ({"sale_unit_id": "g"}, "9.00", "7.00"),
    ({"sale_unit_id": "g", "price": "0,1"}, "8.00", "7.00"),
    ({"sale_unit_id": "g2"}, None, None),
    ({"price": "1"}, None, None),
])  # fmt: skip
def test_prices_of_variants_stay_too_where_their_product_gets_another_unit(
    typed: dict[str, str], price: str | None, planned: str | None
) -> None:
    """A variant with a unit of its own keeps it."""
    made = partial(Variant, name="Сир", tax_label=TaxLabel.E)
    variants = (
        made(id="v1", price=Money("5.00"), sale_unit_id="kg"),
        made(id="v2", price=Money("8.00")),
    )
    product = Product(
        id="p", name="Сир", tax_label=TaxLabel.E, price=Money("9.00"), sale_unit_id="kg",
        variants=variants,
    )  # fmt: skip
    symbols = {"kg": "kg", "g": "g", "g2": "кг"}
    edited = Edited(product, product, Marks(), None)
    asked = other_measure(edited, typed, symbols, cast("PricePlans", Plans()))
    told = (None, None) if asked is None else (asked.price, asked.planned)
    assert told == tuple(None if one is None else Money(one) for one in (price, planned))
