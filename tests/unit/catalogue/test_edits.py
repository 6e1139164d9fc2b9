"""Edits of the catalogue: their effect, their life, and changes on both sides."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.domain.article.product import Product, Variant
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.catalogue_edits import (
    DELETED,
    MOVES,
    OPEN,
    VARIANTS,
    CatalogueEdit,
    EditKind,
    EditSide,
    EditState,
    FieldConflict,
    NewEdit,
)
from pos_app.selling.synchronisation.conflicts import as_one, decided, meet, removals_wait
from pos_app.selling.synchronisation.price_and_unit import SeenPrices
from tests.sweep import each
from tests.unit.selling.test_synchronise import edit as waiting

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def product(**fields: Any) -> Product:
    return Product(**{"id": "p", "name": "Хлеб", "tax_label": TaxLabel.E, **fields})


def edit(changes: dict[str, Any], base: dict[str, Any], **fields: Any) -> CatalogueEdit:
    return waiting(changes=changes, base=base, **{"base_version": "v1"} | fields)


@each(
    ("base", "sent", "ours", "theirs", "left", "in_conflict"),
    [
        ("10", "", "12", "10", True, False),
        ("10", "", "12", "12", False, False),
        ("10", "", "12", "11", True, True),
        ("10", "", "10", "11", False, False),
        ("10", "", "10", "10", False, False),
        ("10", "12", "10", "12", True, False),
        ("10", "12", "13", "12", True, False),
        ("10", "12", "12", "12", False, False),
        ("10", "12", "10", "10", False, False),
        ("10", "12", "13", "10", True, False),
        ("10", "12", "13", "11", True, True),
        ("10", "12", "10", "11", False, False),
    ],
)
def test_a_field_meets_what_the_platform_has_now(
    base: str, sent: str, ours: str, theirs: str, left: bool, in_conflict: bool
) -> None:
    on_way = {"price": Money(sent)} if sent else {}
    meeting = meet(
        edit({"price": Money(ours)}, {"price": Money(base)}, sent=on_way),
        product(price=Money(theirs)),
    )
    assert meeting.changes == ({"price": Money(ours)} if left else {})
    assert meeting.is_met is not left
    assert in_conflict or meeting.base == ({"price": Money(theirs)} if left else {})
    wanted = (FieldConflict("price", Money(base), Money(ours), Money(theirs)),)
    assert meeting.conflicts == (wanted if in_conflict else ())
    lost = meet(edit({"price": Money(12)}, {"price": Money(10)}), None)
    assert [(one.field, one.theirs) for one in lost.conflicts] == [(DELETED, True)]
    assert lost.changes == {"price": Money(12)}


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


@each(
    ("ours", "theirs", "is_open"),
    [("12", "11", True), ("12", "10", True), ("10", "11", True), ("12", "12", False)],
)
def test_what_is_asked_stays_open_until_it_is_answered_or_equal(
    ours: str, theirs: str, is_open: bool
) -> None:
    asked = (FieldConflict("price", Money(10), Money(ours), Money(11)),)
    one = edit({"price": Money(ours)}, {"price": Money(10)}, conflicts=asked)
    gone = meet(one, None)
    assert [one.field for one in gone.conflicts] == [DELETED, "price"]
    again = replace(one, conflicts=gone.conflicts)
    assert [one.field for one in again.fields_apart] == [DELETED], "the rest waits for that"
    for asked_again in (one, again):
        meeting = meet(asked_again, product(price=Money(theirs)))
        wanted = (FieldConflict("price", Money(10), Money(ours), Money(theirs)),)
        assert meeting.conflicts == (wanted if is_open else ())
        assert meeting.is_met is not is_open


CONFLICT = edit(
    {"price": Money(12), "name": "Наш"},
    {"price": Money(10), "name": "Био"},
    state=EditState.CONFLICT,
    conflicts=(
        FieldConflict("price", Money(10), Money(12), Money(11)),
        FieldConflict("name", "Био", "Наш", "Њихов"),
    ),
)


@each(
    ("sides", "changes", "base", "still"),
    [
        ({"price": EditSide.OURS, "name": EditSide.OURS},
         {"price": Money(12), "name": "Наш"}, {"price": Money(11), "name": "Њихов"}, []),
        ({"price": EditSide.THEIRS, "name": EditSide.OURS}, {"name": "Наш"}, {"name": "Њихов"}, []),
        ({"price": EditSide.THEIRS, "name": EditSide.THEIRS}, {}, {}, []),
        ({"price": EditSide.OURS}, {"price": Money(12), "name": "Наш"},
         {"price": Money(11), "name": "Био"}, ["name"]),
    ],
)  # fmt: skip
def test_a_person_decides_field_by_field(
    sides: dict[str, EditSide], changes: dict[str, Any], base: dict[str, Any], still: list[str]
) -> None:
    meeting = decided(CONFLICT, sides)
    assert meeting.changes == changes
    assert meeting.base == base
    assert [conflict.field for conflict in meeting.conflicts] == still
    with pytest.raises(Invalid) as caught:
        decided(CONFLICT, {"ean": EditSide.OURS})
    assert caught.value.field == "ean", "only a field in conflict can be decided"


@each(
    ("ours", "theirs", "shown", "side", "changes", "asked"),
    [
        ("наш", None, None, EditSide.THEIRS, True, False),
        (None, "њихов", "њихов", EditSide.OURS, False, False),
        ("наш", "њихов", "њихов", EditSide.OURS, True, False),
        ("наш", "њихов", "њихов", EditSide.THEIRS, False, False),
        ("наш", "њихов", "њихов", None, True, True),
        ("наш", "њихов", "друго", EditSide.OURS, True, True),
        ("наш", "њихов", "друго", EditSide.THEIRS, True, True),
    ],
)
def test_two_articles_become_one(
    ours: str | None, theirs: str | None, shown: str | None, side: EditSide | None,
    changes: bool, asked: bool,
) -> None:  # fmt: skip
    told = (FieldConflict("subtitle", None, ours, shown),)
    added = edit({}, {}, kind=EditKind.ADD, conflicts=told)
    for field in ("subtitle", "ean"):
        sides = {} if side is None else {field: side}
        joined = as_one(added, product(subtitle=ours), product(subtitle=theirs), sides)
        assert joined == (
            {"subtitle": ours} if changes else {},
            {"subtitle": theirs} if asked else {},
        )


@each("changes", [{}, {"id": "x"}, {"has_variants": True}, {"nonsense": 1}])
def test_what_nobody_edits_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        NewEdit.changing("p", "p", changes, by="Мира", at=NOW)


@each(
    ("gone", "known", "waits"),
    [
        (0, 0, False), (0, 1000, False), (1, 1, False), (4, 4, False), (4, 40, False), (5, 5, True),
        (5, 50, True), (5, 51, False), (99, 1000, False), (100, 1000, True), (1999, 20_000, False),
        (2000, 20_000, True),
    ],
)  # fmt: skip
def test_too_many_gone_at_once_wait_for_a_manager(gone: int, known: int, waits: bool) -> None:
    assert removals_wait(gone=gone, known=known) is waits


def test_the_life_of_an_edit() -> None:
    assert set(MOVES) == set(EditState)
    ends = {state for state, following in MOVES.items() if not following}
    assert ends == set(EditState) - OPEN
    catalogue_edits.check_move(EditState.WAITING, EditState.SENDING)
    with pytest.raises(NotAllowed):
        catalogue_edits.check_move(EditState.DONE, EditState.WAITING)
    with pytest.raises(NotAllowed):
        catalogue_edits.check_move(EditState.SENDING, EditState.DROPPED)


def variants(**of_b: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": "L", "tax_label": TaxLabel.DJ}
    return {VARIANTS: (Variant(id="a", **plain), Variant(id="b", **{**plain, **of_b}))}


ALL = {"name", "label", "unit", "gtin"}


@each(
    ("kind", "changes", "base", "is_own", "members"),
    [
        (EditKind.ADD, {}, {}, True, ALL),
        (EditKind.ADD, {}, {}, False, ALL),
        (EditKind.DELETE, {}, {}, True, set()),
        (EditKind.UPDATE, {"price": Money(9)}, {"price": Money(8)}, True, set()),
        (EditKind.UPDATE, {"name": "Нови"}, {"name": "Хлеб"}, True, {"name"}),
        (EditKind.UPDATE, {"name": "Хлеб"}, {"name": "Хлеб"}, True, set()),
        (EditKind.UPDATE, {"ean": None}, {}, True, {"gtin"}),
        (EditKind.UPDATE, {"variant_name": "XL"}, {"variant_name": "L"}, True, {"name"}),
        (EditKind.UPDATE, {"tax_label": TaxLabel.G}, {"tax_label": TaxLabel.E}, True, {"label"}),
        (EditKind.UPDATE, {"tax_label": TaxLabel.G}, {"tax_label": TaxLabel.E}, False, set()),
        (EditKind.UPDATE, {"sale_unit_id": "kg"}, {"sale_unit_id": "kom"}, False, {"unit"}),
        (EditKind.UPDATE, variants(tax_label=TaxLabel.G), variants(), False, {"label"}),
        (EditKind.UPDATE, variants(price=Money(5)), variants(), False, set()),
        (EditKind.UPDATE, variants(), {VARIANTS: ()}, False, ALL),
    ],
)  # fmt: skip
def test_which_members_of_a_receipts_article_an_edit_changes(
    kind: EditKind, changes: dict[str, Any], base: dict[str, Any], is_own: bool, members: set[str]
) -> None:
    assert catalogue_edits.shown_members("b", kind, changes, base, is_own=is_own) == members


OURS = FrozenArticle("Наш", TaxLabel.E, "ком", "8600000000001")
THEIRS = FrozenArticle("Њихов", TaxLabel.G, "kg")


@each(
    ("sold", "changed", "shown"),
    [
        ({"a": THEIRS}, set(), [THEIRS]),
        ({"a": THEIRS}, {"label"}, [FrozenArticle("Њихов", TaxLabel.E, "kg")]),
        ({"a": THEIRS}, ALL, [OURS]),
        ({"b": THEIRS}, {"label"}, [OURS]),
        ({"b": THEIRS}, set(), [THEIRS]),
        ({"": THEIRS}, set(), [THEIRS]),
        ({}, set(), []),
        ({}, {"name"}, [OURS]),
    ],
)
def test_a_receipt_shows_the_platforms_article_with_what_was_changed_here(
    sold: dict[str, FrozenArticle], changed: set[str], shown: list[FrozenArticle]
) -> None:
    of_platform = [PlatformArticle(id_, one) for id_, one in sold.items()]
    assert catalogue_edits.receipt_articles(of_platform, {"a": OURS}, {"a": changed}) == shown
    assert catalogue_edits.receipt_articles(of_platform, {}, {}) == list(sold.values())
