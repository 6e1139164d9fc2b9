"""Edits of the catalogue: their effect, their life, and what both sides changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.domain.article.product import Product, Variant
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.synchronisation import catalogue_edits, variant_lists
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


def variant(id_: str, price: str, **fields: Any) -> Variant:
    told = {"name": "Сок", "tax_label": TaxLabel.E, **fields}
    return Variant(id=id_, price=Money(price), **told)


def test_what_arrived_of_a_sent_list_is_no_change_of_theirs() -> None:
    base = (variant("мали", "11"), variant("велики", "12"), variant("дупли", "19"))
    sent = (variant("мали", "13"), variant("велики", "14"), variant("средњи", "15"))
    theirs = (variant("мали", "13"), variant("велики", "16"), variant("средњи", "17"))
    known = (variant("мали", "13"), variant("велики", "12"), variant("средњи", "15"))
    assert variant_lists.arrived(base, sent, theirs) == known
    assert variant_lists.arrived(base, sent, base) == base, "it did not arrive"


def only(price: str) -> tuple[Variant, ...]:
    """A list with a variant of that price; "" for none."""
    made = Variant(id="мали", name="Сок", tax_label=TaxLabel.E, price=Money(price or 0))
    return (made,) if price else ()


@each(
    ("base", "ours", "theirs", "becomes", "in_conflict"),
    [
        ("10", "12", "10", "12", False),
        ("10", "10", "11", "11", False),
        ("10", "12", "12", "12", False),
        ("10", "12", "11", "12", True),
        ("10", "12", "", "12", True),
        ("10", "", "11", "", True),
        ("10", "", "10", "", False),
        ("10", "10", "", "", False),
        ("", "12", "11", "12", True),
    ],
)
def test_one_variant_of_two_sides(
    base: str, ours: str, theirs: str, becomes: str, in_conflict: bool
) -> None:
    both = variant_lists.joined(*map(only, (base, ours, theirs)))
    assert (both.ours, both.has_conflicts) == (only(becomes), in_conflict)
    asked = variant_lists.conflicts_in(both.base, both.ours, only(theirs))
    assert bool(asked) is in_conflict, "the base tells what is asked about"
    for later in dict.fromkeys((base, theirs, "13")) if in_conflict else ():
        again = variant_lists.joined(both.base, both.ours, only(later), asked=only(theirs))
        assert (again.ours, again.has_conflicts) == (only(becomes), True), "until it is answered"
        assert variant_lists.conflicts_in(again.base, again.ours, only(later))
