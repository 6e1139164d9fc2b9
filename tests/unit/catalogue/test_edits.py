"""Edits of the catalogue: their effect, their life, and changes on both sides."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.catalogue_edits import (
    MOVES,
    OPEN,
    CatalogueEdit,
    EditState,
    NewEdit,
)
from pos_app.selling.synchronisation.conflicts import meet
from pos_app.selling.synchronisation.price_and_unit import SeenPrices
from tests.sweep import each
from tests.unit.selling.test_synchronise import edit as waiting

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def product(**fields: Any) -> Product:
    return Product(**{"id": "p", "name": "Хлеб", "tax_label": TaxLabel.E, **fields})


def edit(changes: dict[str, Any], base: dict[str, Any], **fields: Any) -> CatalogueEdit:
    return waiting(changes=changes, base=base, **{"base_version": "v1"} | fields)


@each(
    ("ours", "sent", "unit", "asks"),
    [
        ({}, {}, None, False),
        ({}, {}, "g", True),
        ({"sale_unit_id": "l"}, {}, "l", False),
        ({"sale_unit_id": "l"}, {}, "g", True),
        ({"sale_unit_id": "l"}, {"sale_unit_id": "g"}, "g", False),
    ],
)
def test_a_price_is_asked_about_where_the_platform_changed_its_unit(
    ours: dict[str, Any], sent: dict[str, Any], unit: str | None, asks: bool
) -> None:
    base = {"price": Money(10), "sale_unit_id": None}
    one = edit({"price": Money(12), **ours}, base, sent=sent)
    before, now = product(price=Money(10)), product(price=Money(10), sale_unit_id=unit)
    seen = SeenPrices(before, None, {}, {})
    assert ("price" in [one.field for one in meet(one, now, seen).conflicts]) is asks


@each("changes", [{}, {"id": "x"}, {"has_variants": True}, {"nonsense": 1}])
def test_what_nobody_edits_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        NewEdit.changing("p", "p", changes, by="Мира", at=NOW)


def test_the_life_of_an_edit() -> None:
    assert set(MOVES) == set(EditState)
    ends = {state for state, following in MOVES.items() if not following}
    assert ends == set(EditState) - OPEN
    catalogue_edits.check_move(EditState.WAITING, EditState.SENDING)
    with pytest.raises(NotAllowed):
        catalogue_edits.check_move(EditState.DONE, EditState.WAITING)
    with pytest.raises(NotAllowed):
        catalogue_edits.check_move(EditState.SENDING, EditState.DROPPED)
