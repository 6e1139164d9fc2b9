"""A product's variants that both sides change: each variant, and each of its fields, by itself."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.editing import add_variant_typed, blank_variant, delete_variant
from pos_app.selling.catalogue.editing import open_for_edit as opened
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import Changes, EditSide, NewEdit
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import NOW, Platform, TillBeside, article
from tests.integration.synchronise.test_platform_sync import CUTS, cut, put_back

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


def decide(till: TillBeside, side: EditSide) -> None:
    for edit in till.open():
        till.desk.decide(edit.id, {one.field: side for one in edit.fields_apart}, at=NOW)


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
