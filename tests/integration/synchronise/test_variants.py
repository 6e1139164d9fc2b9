"""A product's variants that both sides change: each variant, and each of its fields, by itself."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.fields import SHARED_FIELDS
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue.editing import (
    add_variant_typed,
    blank_variant,
    bring_back,
    delete_variant,
)
from pos_app.selling.catalogue.editing import open_for_edit as opened
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import (
    VARIANTS,
    Changes,
    EditSide,
    EditState,
    NewEdit,
)
from pos_app.wire.catalogue import product_from_json
from pos_app.wire.strict_json import loads
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import NOW, Platform, TillBeside, article, till_beside
from tests.integration.synchronise.test_platform_sync import CUTS, UNIT, cut, put_back

JUICE = "Сок"


@pytest.fixture
def juice(platform: Platform, till: TillBeside) -> dict[str, Any]:
    """A juice that the platform and the till have in two sizes."""
    sizes = [
        article(JUICE, sku, id=str(uuid.uuid4()), variantName=name, price=price)
        for sku, name, price in ((31, "мали", 11), (32, "велики", 12))
    ]
    made = platform.add(name=JUICE, hasVariants=True, variants=sizes)
    till.sync()
    return made


def shown(till: TillBeside) -> Product:
    product = till.desk.product(till.rows()[JUICE].product_id)
    assert product is not None
    return product


def sizes(till: TillBeside) -> dict[str | None, str]:
    return {one.variant_name: str(one.price) for one in shown(till).variants}


def there(platform: Platform) -> dict[str, str]:
    (product,) = [one for one in platform.live().values() if one["name"] == JUICE]
    return {one["variantName"]: f"{one['price']:.2f}" for one in product["variants"]}


def add(till: TillBeside, name: str, price: int, **more: object) -> None:
    blank = blank_variant(shown(till), str(uuid.uuid4()))
    typed = {DraftField.VARIANT_NAME.value: name, DraftField.PRICE.value: str(price)}
    typed |= {field: str(value) for field, value in more.items()}
    add_variant_typed(till.desk, blank, typed, by="Ана", at=NOW)


def price(till: TillBeside, name: str, price: int) -> int:
    product = shown(till)
    (one,) = [one for one in product.variants if one.variant_name == name]
    new = NewEdit.changing(product.id, one.id, {"price": Money(price)}, by="Мира", at=NOW)
    return till.desk.record(new).id


def delete(till: TillBeside, name: str) -> None:
    product = shown(till)
    (one,) = [one for one in product.variants if one.variant_name == name]
    edited = opened(till.desk, till.desk, product.id, one.id)
    assert edited is not None
    delete_variant(till.desk, edited, by="Ана", at=NOW)


def price_there(platform: Platform, made: dict[str, Any], name: str, price: int) -> None:
    """Give one size another price on the platform."""
    now = platform.live()[made["id"]]["variants"]
    variants = [{**one, "price": price} if one["variantName"] == name else one for one in now]
    platform.change(made["id"], variants=variants)


def delete_there(platform: Platform, made: dict[str, Any], name: str) -> None:
    now = platform.live()[made["id"]]["variants"]
    left = [one for one in now if one["variantName"] != name]
    platform.change(made["id"], variants=left)


def decide(till: TillBeside, side: EditSide) -> None:
    for edit in till.open():
        till.desk.decide(edit.id, {one.field: side for one in edit.fields_apart}, at=NOW)


def test_two_tills_change_the_variants_of_one_product(
    platform: Platform, till: TillBeside, juice: dict[str, Any], tmp_path: Path
) -> None:
    with till_beside(tmp_path / "other", platform) as other:
        other.sync()
        price(other, "мали", 20)
        add(till, "средњи", 15)
        for one in (other, till, other):
            assert one.sync().pushed.conflicts == 0
        wanted = {"мали": "20.00", "велики": "12.00", "средњи": "15.00"}
        assert [sizes(other), sizes(till), there(platform)] == [wanted] * 3
        delete(other, "велики")
        add(till, "дупли", 19)
        price(till, "мали", 21)
        for one in (other, till, other):
            assert one.sync().pushed.conflicts == 0
        wanted = {"мали": "21.00", "средњи": "15.00", "дупли": "19.00"}
        assert [sizes(other), sizes(till), there(platform)] == [wanted] * 3
        assert (other.open(), till.open()) == ([], [])


def test_with_its_first_variant_a_product_is_not_sold_and_without_its_last_it_is_again(
    platform: Platform, till: TillBeside, tmp_path: Path
) -> None:
    platform.add(name=JUICE, price=100, sku=50)
    with till_beside(tmp_path / "other", platform) as other:
        for is_sold, change in (
            (True, lambda: None),
            (False, lambda: add(till, "мали", 15)),
            (False, lambda: add(till, "велики", 19)),
            (False, lambda: delete(till, "мали")),
            (True, lambda: delete(till, "велики")),
        ):
            change()
            for one in (till, other):
                one.sync()
                assert one.names_with(50) == ([JUICE] if is_sold else [])
        assert till.open() == []


def test_a_product_that_is_sold_beside_its_variants_stays_so(
    ours: OurPlatform, beside: TillBeside
) -> None:
    size = article(JUICE, 31, id=str(uuid.uuid4()), variantName="мали")
    ours.add(name=JUICE, sku=50, hasVariants=False, variants=[size])
    beside.sync()
    for change in (lambda: add(beside, "велики", 19), lambda: price(beside, "мали", 20)):
        change()
        assert (beside.sync().pushed.sent, beside.names_with(50)) == (1, [JUICE])


@pytest.mark.parametrize("is_removed", [False, True])
def test_what_is_cleared_of_a_variant_is_cleared_there(
    platform: Platform, till: TillBeside, is_removed: bool
) -> None:
    """is_removed: whether the variant is removed then, and brought back after that was sent."""
    size = {
        "manufacturerSku": "М-1", "description": "дуг", "saleUnitId": UNIT, "baseUnitId": UNIT,
        "quantityPerBaseUnit": 2, "price": 71, "subtitle": "кратак", "weight": 1,
        "dimensions": "1x2x3", "variantName": "мали", "ean": "8600123450144", "categories": [UNIT],
    }  # fmt: skip
    one = article(JUICE, 31, id=str(uuid.uuid4()), **size)
    other = article(JUICE, 32, id=str(uuid.uuid4()), variantName="велики")
    made = platform.add(name=JUICE, hasVariants=True, variants=[one, other])
    till.sync()
    variant = shown(till).variants[0]
    cleared: Changes = {x.name: None for x in SHARED_FIELDS if x.wire_name in size}
    cleared = {**cleared, "categories": ()}
    till.desk.record(NewEdit.changing(made["id"], variant.id, cleared, by="Мира", at=NOW))
    if is_removed:
        edited = opened(till.desk, till.desk, made["id"], variant.id)
        assert edited is not None
        delete_variant(till.desk, edited, by="Ана", at=NOW)
        till.sync()
        bring_back(till.desk, edited, by="Ана", at=NOW)
    assert till.sync().pushed.sent == 1
    sent = product_from_json(loads(json.dumps(platform.live()[made["id"]])))
    for variants in (sent.variants, shown(till).variants):
        (there,) = [x for x in variants if x.sku == 31]
        assert {name: getattr(there, name) for name in cleared} == cleared
    assert till.open() == []


def test_a_platform_without_versions_gets_null_only_in_place_of_a_value(
    foreign: ForeignPlatform, abroad: TillBeside
) -> None:
    foreign.has_versions = False
    size = article(JUICE, 31, id=str(uuid.uuid4()), variantName="мали", subtitle="кратак")
    made = foreign.add(name=JUICE, hasVariants=True, variants=[size])
    abroad.sync()
    add(abroad, "велики", 19)
    new = NewEdit.changing(made["id"], size["id"], {"subtitle": None}, by="Мира", at=NOW)
    abroad.desk.record(new)
    abroad.sync()
    variants = foreign.live()[made["id"]]["variants"]
    nulls = [{name for name, value in one.items() if value is None} for one in variants]
    assert nulls == [{"subtitle"}, set()]


def test_variants_that_were_removed_stay_so_where_their_product_comes_back(
    platform: Platform, till: TillBeside, juice: dict[str, Any]
) -> None:
    platform.add(name="Хлеб", price=1)
    till.sync()
    for name in ("мали", "велики"):
        delete(till, name)
    platform.remove(juice["id"])
    assert till.sync().pushed.conflicts == 1
    decide(till, EditSide.OURS)
    till.sync()
    assert (there(platform), sizes(till), till.open()) == ({}, {}, [])
    assert till.names_with(juice["sku"]) == [JUICE]


@pytest.mark.parametrize("side", EditSide)
def test_what_one_deleted_and_the_other_changed_is_decided_alone(
    platform: Platform, till: TillBeside, juice: dict[str, Any], side: EditSide
) -> None:
    add(till, "средњи", 15)
    delete(till, "мали")
    price_there(platform, juice, "мали", 20)
    assert till.sync().pushed.conflicts == 1
    price_there(platform, juice, "велики", 13)
    assert till.sync().pushed.conflicts == 1
    assert sizes(till) == {"велики": "13.00", "средњи": "15.00"}
    price_there(platform, juice, "мали", 11)
    till.sync()
    assert till.states() == [EditState.CONFLICT], "it stays open, whatever its values become"
    decide(till, side)
    wanted = {"велики": "13.00", "средњи": "15.00"}
    if side is EditSide.THEIRS:
        wanted = {"мали": "11.00", **wanted}
    assert sizes(till) == wanted
    till.sync()
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


@pytest.mark.parametrize("side", EditSide)
def test_a_variant_that_is_added_answers_no_question_about_another(
    platform: Platform, till: TillBeside, juice: dict[str, Any], side: EditSide
) -> None:
    price(till, "мали", 20)
    price_there(platform, juice, "мали", 30)
    assert till.sync().pushed.conflicts == 1
    add(till, "средњи", 15)
    assert sizes(till) == {"мали": "20.00", "велики": "12.00", "средњи": "15.00"}
    price_there(platform, juice, "велики", 13)
    assert till.sync().pushed.conflicts == 1
    assert there(platform) == {"мали": "30.00", "велики": "13.00"}
    decide(till, side)
    till.sync()
    wanted = {"мали": "20.00" if side is EditSide.OURS else "30.00"}
    wanted |= {"велики": "13.00", "средњи": "15.00"}
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


@pytest.mark.parametrize("side", EditSide)
@pytest.mark.parametrize("changed", ["variant", "list", "product"])
def test_a_decided_price_takes_the_place_of_a_plan_of_that_variant_alone(
    platform: Platform, till: TillBeside, juice: dict[str, Any], changed: str, side: EditSide
) -> None:
    """Of a product it is the price of the variants that have none of their own."""
    product = shown(till)
    ids = {one.variant_name: one.id for one in product.variants}
    if changed == "variant":
        price(till, "мали", 20)
        price_there(platform, juice, "мали", 30)
    elif changed == "list":
        small, large = product.variants
        changes: Changes = {VARIANTS: (replace(small, price=Money(20)), large)}
        till.desk.record(NewEdit.changing(product.id, product.id, changes, by="Мира", at=NOW))
        price_there(platform, juice, "мали", 30)
    else:
        now = platform.live()[juice["id"]]["variants"]
        free = [{**one, "price": None} if one["sku"] == 31 else one for one in now]
        platform.change(juice["id"], price=11, variants=free)
        till.sync()
        till.change(JUICE, price=Money(20))
        platform.change(juice["id"], price=30)
    for variant_id in ids.values():
        plan = PlannedPrice(variant_id, Money(70), NOW - timedelta(days=1))
        till.desk.plan_price(plan, by="Мира", at=NOW)
    assert till.sync().pushed.conflicts == 1
    decide(till, side)
    charged = {one.variant_name: str(one.price) for one in till.shelf.variants(product.id)}
    wanted = "20.00" if side is EditSide.OURS else "30.00"
    assert charged == {"мали": wanted, "велики": "70.00"}


def test_a_variant_that_is_asked_about_can_be_deleted_here(
    platform: Platform, till: TillBeside, juice: dict[str, Any]
) -> None:
    price(till, "мали", 20)
    price_there(platform, juice, "мали", 30)
    assert till.sync().pushed.conflicts == 1
    delete(till, "мали")
    for _ in range(2):
        assert till.sync().pushed.conflicts == 0
    assert (there(platform), till.open()) == ({"велики": "12.00"}, [])


def test_a_variant_that_was_added_and_changed_here_is_no_deleted_one(
    platform: Platform, till: TillBeside, juice: dict[str, Any]
) -> None:
    add(till, "средњи", 15)
    price(till, "средњи", 16)
    price_there(platform, juice, "мали", 20)
    assert till.sync().pushed.conflicts == 0
    wanted = {"мали": "20.00", "велики": "12.00", "средњи": "16.00"}
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


@pytest.mark.parametrize("fault", ["lost", "lost-after"])
def test_what_had_no_answer_and_what_the_platform_changed_both_stay(
    platform: Platform, till: TillBeside, juice: dict[str, Any], fault: str
) -> None:
    add(till, "средњи", 15)
    platform.faults = [fault] * 2
    till.sync()
    price(till, "средњи", 16)
    price_there(platform, juice, "мали", 20)
    for _ in range(2):
        assert till.sync().pushed.conflicts == 0
    wanted = {"мали": "20.00", "велики": "12.00", "средњи": "16.00"}
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


@pytest.mark.parametrize("side", [*EditSide, None])
def test_a_deleted_product_whose_variants_were_changed_is_asked_about_once(
    platform: Platform, till: TillBeside, juice: dict[str, Any], side: EditSide | None
) -> None:
    """side: the manager's decision; None where the manager deletes it here, too, undecided."""
    platform.add(name="Хлеб", price=1)
    till.sync()
    price(till, "мали", 20)
    price(till, "велики", 22)
    platform.remove(juice["id"])
    assert till.sync().pushed.conflicts == 1
    (asked,) = till.open()
    assert (asked.article_id, [one.field for one in asked.fields_apart]) == (
        juice["id"], ["deleted"],
    )  # fmt: skip
    assert sizes(till) == {"мали": "20.00", "велики": "22.00"}
    if side is None:
        till.delete(JUICE)
    else:
        decide(till, side)
    kept = side is EditSide.OURS
    assert (JUICE in till.rows()) is kept, "at the answer, not with a later list"
    till.sync()
    wanted = {"мали": "20.00", "велики": "22.00"}
    names = {one["name"] for one in platform.live().values()}
    assert (names, till.open()) == ({"Хлеб", JUICE} if kept else {"Хлеб"}, [])
    assert not kept or (there(platform), sizes(till)) == (wanted, wanted)


def test_a_variant_alone_that_the_platform_deleted_does_not_come_back(
    platform: Platform, till: TillBeside, juice: dict[str, Any]
) -> None:
    edit = price(till, "мали", 20)
    delete_there(platform, juice, "мали")
    assert till.sync().pushed.conflicts == 1
    with pytest.raises(NotAllowed):
        till.desk.decide(edit, {"deleted": EditSide.OURS}, at=NOW)
    decide(till, EditSide.THEIRS)
    assert (sizes(till), till.open()) == ({"велики": "12.00"}, [])


@pytest.mark.parametrize("side", EditSide)
def test_variants_of_one_code_that_two_tills_add_are_asked_about(
    platform: Platform, till: TillBeside, juice: dict[str, Any], tmp_path: Path, side: EditSide
) -> None:
    with till_beside(tmp_path / "other", platform) as other:
        other.sync()
        add(other, "дупли", 19, sku=701)
        add(till, "средњи", 15, sku=701)
        other.sync()
        assert till.sync().pushed.conflicts == 1
        decide(till, side)
        for one in (till, other):
            assert one.sync().pushed.conflicts == 0
        wanted = {"мали": "11.00", "велики": "12.00"}
        wanted |= {"средњи": "15.00"} if side is EditSide.OURS else {"дупли": "19.00"}
        assert [there(platform), sizes(till), sizes(other)] == [wanted] * 3
        assert (other.open(), till.open()) == ([], [])


@pytest.mark.parametrize("name", ["дупли", "средњи"])
def test_a_variant_that_did_not_arrive_is_not_taken_for_anothers_of_its_code(
    platform: Platform, till: TillBeside, juice: dict[str, Any], name: str
) -> None:
    add(till, "средњи", 15, sku=701)
    cut(platform, till, "lost")
    now = platform.live()[juice["id"]]["variants"]
    new = article(JUICE, 701, id=str(uuid.uuid4()), variantName=name, price=19)
    platform.change(juice["id"], variants=[*now, new])
    is_another = name == "дупли"
    assert till.sync().pushed.conflicts == int(is_another)
    assert sizes(till)["средњи"] == ("15.00" if is_another else "19.00")


@CUTS
@pytest.mark.parametrize("is_changed", [False, True])
def test_a_variant_that_may_have_arrived_can_be_removed(
    platform: Platform, till: TillBeside, juice: dict[str, Any], fault: str, is_changed: bool
) -> None:
    add(till, "средњи", 15)
    cut(platform, till, fault)
    is_asked = is_changed and "средњи" in there(platform)
    if is_asked:
        price_there(platform, juice, "средњи", 20)
    delete(till, "средњи")
    wanted = {"мали": "11.00", "велики": "12.00"}
    assert till.sync().pushed.conflicts == int(is_asked)
    assert sizes(till) == wanted
    decide(till, EditSide.OURS)
    till.sync()
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


def test_a_variant_that_arrives_after_its_removal_here_goes(
    platform: Platform, till: TillBeside, juice: dict[str, Any]
) -> None:
    add(till, "средњи", 15)
    (made,) = [one for one in shown(till).variants if one.variant_name == "средњи"]
    cut(platform, till, "lost")
    delete(till, "средњи")
    till.sync()
    assert till.open() == []
    now = platform.live()[juice["id"]]["variants"]
    late = article(JUICE, made.sku or 0, id=str(uuid.uuid4()), variantName="средњи", price=15)
    platform.change(juice["id"], variants=[*now, late])
    till.sync()
    wanted = {"мали": "11.00", "велики": "12.00"}
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


@pytest.mark.parametrize("side", EditSide)
@pytest.mark.parametrize("waits", ["removed", "added", "removed there"])
@pytest.mark.parametrize("lost", ["added", "removed"])
def test_what_a_platform_lost_of_the_variants_is_asked_about_beside_what_waits(
    ours: OurPlatform, beside: TillBeside, side: EditSide, lost: str, waits: str
) -> None:
    """waits: the change of the list that was not sent; "removed there" is in conflict by then."""
    sizes_there = [
        article(JUICE, sku, id=str(uuid.uuid4()), variantName=name, price=sku)
        for sku, name in ((31, "а"), (32, "б"), (33, "в"))
    ]
    made = ours.add(name=JUICE, variants=sizes_there)
    beside.sync()
    before: dict[str | None, str] = {"а": "31.00", "б": "32.00", "в": "33.00"}
    with put_back(ours):
        if lost == "added":
            add(beside, "г", 34)
        else:
            delete(beside, "в")
        beside.sync()
        beside.sync()
        confirmed = sizes(beside)
        if waits == "added":
            add(beside, "д", 35)
        else:
            delete(beside, "а")
        if waits == "removed there":
            price_there(ours, made, "а", 39)
            assert beside.sync().pushed.conflicts == 1
        here = sizes(beside)
    report = beside.sync()
    assert (report.brought.lost, report.pushed.conflicts) == (1, 1)
    for _ in range(2):
        assert sizes(beside) == here, "it is sold as it was confirmed"
        assert there(ours) == before
        beside.sync()
    decide(beside, side)
    kept = dict(confirmed if side is EditSide.OURS else before)
    if waits == "added":
        kept["д"] = "35.00"
    if waits == "removed" or (waits == "removed there" and side is EditSide.OURS):
        del kept["а"]
    assert sizes(beside) == kept
    beside.sync()
    assert (sizes(beside), there(ours), beside.open()) == (kept, kept, [])


@pytest.mark.parametrize("now", ["as it was", "at another price", "deleted"])
def test_the_last_wish_of_a_variant_of_a_deleted_product_counts(
    platform: Platform, till: TillBeside, juice: dict[str, Any], now: str
) -> None:
    """now: the platform's product after the question about its deletion."""
    platform.add(name="Хлеб", price=1)
    till.sync()
    price(till, "мали", 20)
    platform.remove(juice["id"])
    assert till.sync().pushed.conflicts == 1
    price(till, "мали", 21)
    assert len(till.open()) == 1, "there is one question about the product"
    if now != "deleted":
        platform.change(juice["id"], deletedAt=None)
    if now == "at another price":
        price_there(platform, juice, "мали", 30)
        assert till.sync().pushed.conflicts == 1
    if now != "as it was":
        decide(till, EditSide.OURS)
    sent = len(platform.writes())
    assert till.sync().pushed.conflicts == 0
    assert len(platform.writes()) == sent + 1, "nothing is sent but the last wish"
    wanted = {"мали": "21.00", "велики": "12.00"}
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


@pytest.mark.parametrize("fault", ["killed", "lost", "lost-after", "on its way"])
def test_a_variant_that_a_list_on_its_way_changes_keeps_the_last_wish(
    platform: Platform, till: TillBeside, juice: dict[str, Any], fault: str
) -> None:
    platform.add(name="Хлеб", price=1)
    till.sync()
    price(till, "мали", 20)
    platform.remove(juice["id"])
    till.sync()
    platform.change(juice["id"], deletedAt=None)
    (small, _) = shown(till).variants
    new = NewEdit.changing(juice["id"], small.id, {"price": Money(21)}, by="Мира", at=NOW)

    def change() -> None:
        with SqliteCatalogueEditor(catalogue_file(till.folder)) as desk:
            desk.record(new)

    if fault == "on its way":
        platform.before_write.append(change)
        assert till.sync().pushed.conflicts == 0
    else:
        cut(platform, till, fault)
        change()
    assert till.sync().pushed.conflicts == 0
    wanted = {"мали": "21.00", "велики": "12.00"}
    assert (there(platform), sizes(till), till.open()) == (wanted, wanted, [])


_E, _F = "8600123450014", "8600123450021"


@pytest.mark.parametrize(
    ("before", "steps", "after"),
    [
        (
            (None, _E, None),
            [(2, {"price": Money(9)}), (1, {"ean": None}), (2, {"ean": _E})],
            (2, _E),
        ),
        ((None, _E, _F), [(1, {"ean": None}), (2, {"ean": _E}), (1, {"ean": _F})], (1, _F)),
        (
            (None, _E, None),
            [(0, {"price": Money(9)}), (1, {"ean": None}), (0, {"ean": _E})],
            (0, _E),
        ),
        (
            (_E, None, None),
            [(1, {"price": Money(9)}), (0, {"ean": None}), (1, {"ean": _E})],
            (1, _E),
        ),
    ],
)
@CUTS
def test_a_code_moves_inside_one_product(
    ours: OurPlatform,
    beside: TillBeside,
    fault: str,
    before: tuple[str | None, ...],
    steps: list[tuple[int, Changes]],
    after: tuple[int, str],
) -> None:
    """It is taken by what waits before it is given up, and the run is cut. The product is the
    first, then its two variants."""
    sizes = [
        article(JUICE, sku, id=str(uuid.uuid4()), variantName=name, ean=ean)
        for sku, name, ean in ((31, "мали", before[1]), (32, "велики", before[2]))
    ]
    made = ours.add(name=JUICE, ean=before[0], hasVariants=True, variants=sizes)
    beside.sync()
    ids = [made["id"], *(one["id"] for one in made["variants"])]
    for index, changes in steps:
        new = NewEdit.changing(made["id"], ids[index], changes, by="Мира", at=NOW)
        beside.desk.record(new)
    wished = shown(beside)
    cut(ours, beside, fault, after=1)
    beside.sync()
    now = ours.live()[made["id"]]
    there = {one["id"]: (one.get("ean"), one.get("price")) for one in (now, *now["variants"])}
    assert there[ids[after[0]]][0] == after[1]
    assert beside.open() == []
    here = {x.id: (x.ean, x.price) for x in (wished, *wished.variants)}
    assert here == {id_: (ean, Money(p) if p else None) for id_, (ean, p) in there.items()}
    assert {x.id: (x.ean, x.price) for x in (shown(beside), *shown(beside).variants)} == here
