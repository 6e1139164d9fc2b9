"""`pos-app sync` with our platform, and with one that knows only the specification."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3  # noqa: TID251 - a platform's file is put back by hand
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import apsw
import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sqlite.catalogue import products
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.outgoing_edits import SqliteEditQueue
from pos_app.bootstrap.synchronisation import platform_sync, sync
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import USUAL_UNITS, Product, ProductType
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import PUBLISHED_RATES, TaxLabel
from pos_app.errors import Invalid, NotAllowed, NotDelivered, OutcomeUnknown
from pos_app.platform_api.database.engine import FILE, Reserve
from pos_app.platform_api.quotas import Quotas
from pos_app.selling.catalogue.catalogue import USUAL_FROM_LINES, PrintedLabel
from pos_app.selling.catalogue.editing import add_variant_typed, blank_variant, open_for_edit
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.synchronisation.catalogue_edits import (
    EDITABLE,
    CatalogueEdit,
    EditSide,
    EditState,
    NewEdit,
)
from pos_app.selling.synchronisation.reports import platform_lines
from pos_app.selling.synchronisation.run import GROUP, SyncEnd, push
from pos_app.wire.catalogue import product_from_json
from pos_app.wire.strict_json import loads
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.many_articles import last_of
from tests.fakes.our_platform import OurPlatform
from tests.integration.catalogue.test_sheets import ended
from tests.integration.synchronise.conftest import (
    CODES,
    NOW,
    Platform,
    TillBeside,
    article,
    till_beside,
)

UNIT = USUAL_UNITS[0].id


def test_each_changed_field_is_changed_there(platform: Platform, till: TillBeside) -> None:
    bread = platform.add(name="Хлеб", price=100)
    till.sync()
    changes: dict[str, Any] = {
        "name": "Савет", "tax_label": TaxLabel.A, "sku": 77, "manufacturer_sku": "М-1",
        "description": "<p>дуг</p>", "sale_unit_id": UNIT, "base_unit_id": UNIT,
        "quantity_per_base_unit": Decimal("0.5"), "price": Money(120), "subtitle": "кратак",
        "product_type": ProductType.SERVICE, "weight": Decimal("1.5"), "dimensions": "1x2x3",
        "variant_name": "L", "ean": "8600123450144", "categories": (UNIT,),
    }  # fmt: skip
    assert changes.keys() == EDITABLE - {"variants", "images", "cover_image"}
    till.change("Хлеб", **changes)
    assert till.sync().pushed.sent == 1
    sent = product_from_json(loads(json.dumps(platform.products[bread["id"]])))
    assert {name: getattr(sent, name) for name in changes} == changes
    assert till.sync().pushed.sent == 0
    assert till.rows()["Савет"].label is TaxLabel.A


@pytest.mark.parametrize("side", [*EditSide, None])
def test_what_they_deleted_and_we_changed(
    platform: Platform, till: TillBeside, side: EditSide | None
) -> None:
    """side: the manager's decision; None where the manager deletes it here, too, undecided."""
    bread = platform.add(name="Хлеб", price=100)
    for number in range(6):
        platform.add(name=f"Артикал {number}", price=1)
    till.sync()
    edit = till.change("Хлеб", price=Money(120))
    platform.remove(bread["id"])
    assert till.sync().pushed.conflicts == 1
    assert "Хлеб" in till.rows()
    if side is None:
        till.delete("Хлеб")
    else:
        till.desk.decide(edit.id, {"deleted": side}, at=edit.at)
    till.sync()
    there = [
        (one["price"], one["sku"]) for one in platform.live().values() if one["name"] == "Хлеб"
    ]
    kept = side is EditSide.OURS
    wanted = [(120, bread["sku"])] if kept else []
    assert (there, "Хлеб" in till.rows(), till.open()) == (wanted, kept, []), "under its own code"


def test_what_is_not_taken_back_gets_no_other_code_unsaid(
    foreign: ForeignPlatform, abroad: TillBeside
) -> None:
    foreign.takes_back = False
    bread = foreign.add(name="Хлеб", price=100, sku=24)
    foreign.add(name="Млеко", price=1, sku=25)
    abroad.sync()
    edit = abroad.change("Хлеб", price=Money(120))
    foreign.remove(bread["id"])
    abroad.sync()
    abroad.desk.decide(edit.id, {"deleted": EditSide.OURS}, at=NOW)
    assert abroad.sync().pushed.conflicts == 1
    (asked,) = abroad.open()
    assert [one.field for one in asked.conflicts] == ["sku"]
    assert abroad.rows()["Хлеб"].sku == 24
    abroad.desk.decide(asked.id, {"sku": EditSide.OURS}, at=NOW)
    abroad.sync()
    assert abroad.open() == []
    skus = {one["sku"] for one in foreign.live().values()}
    assert skus == {25, abroad.rows()["Хлеб"].sku}


@pytest.mark.parametrize("fault", ["", "lost-after"])
def test_added_variants_get_their_ids(platform: Platform, till: TillBeside, fault: str) -> None:
    shirt = platform.add(name="Мајица", variants=[article("S", 31, id=str(uuid.uuid4()))])
    till.sync()

    def size(name: str) -> str:
        edited = open_for_edit(till.desk, till.desk, shirt["id"], shirt["id"])
        blank = blank_variant(edited.product, str(uuid.uuid4()))
        typed = {DraftField.NAME.value: name, DraftField.VARIANT_NAME.value: name}
        add_variant_typed(till.desk, blank, typed, by="Мира", at=NOW)
        return blank.owner.id

    till.desk.note(size("M"), Marks(open_price=True), by="Мира", at=NOW)
    platform.faults = [fault] if fault else []
    till.sync()
    size("L")  # a manager goes on before the platform's next list
    till.add("Друга", 20)
    till.sync()
    till.sync()
    theirs = {one["name"]: one["id"] for one in platform.live()[shirt["id"]]["variants"]}
    assert (set(theirs), till.open()) == ({"S", "M", "L"}, [])
    assert "Друга" in {one["name"] for one in platform.live().values()}
    product = till.desk.product(shirt["id"])
    assert {one.name: one.id for one in product.variants} == theirs
    assert till.desk.marks(theirs["M"]).open_price


def cut(platform: Platform, till: TillBeside, fault: str, *, after: int = 0) -> None:
    """Let a run end before it knows what became of the first thing that it sent, or of the one
    after so many."""

    def die(*_: object, **__: object) -> Any:
        raise SystemExit

    with pytest.MonkeyPatch.context() as patch:
        if fault == "killed":
            patch.setattr(f"{platform_sync.__name__}._SyncPlatform.send", die)
            with pytest.raises(SystemExit):
                till.sync()
            return
        platform.faults = [*after * [""], fault]
        patch.setattr(push, "__kwdefaults__", {"rounds": 1, "group": GROUP})
        till.sync()


CUTS = pytest.mark.parametrize("fault", ["killed", "lost", "lost-after"])


@CUTS
@pytest.mark.parametrize("price", [100, 130])
def test_what_may_have_arrived_is_no_change_of_the_platform_s(
    platform: Platform, till: TillBeside, fault: str, price: int
) -> None:
    """Of two changed fields one is put back, or changed again."""
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120), name="Бели хлеб")
    cut(platform, till, fault)
    till.change("Бели хлеб", price=Money(price))
    assert till.sync().pushed.sent == 1, "nothing older than the last wish is sent"
    there = [(one["name"], one["price"]) for one in platform.live().values()]
    assert there == [("Бели хлеб", price)]
    assert (till.prices(), till.open()) == ({"Бели хлеб": f"{price}.00"}, [])


@pytest.mark.parametrize("fault", ["killed", "lost"])
@pytest.mark.parametrize("is_listed", [False, True])
def test_what_arrives_after_the_list_is_put_back_once(
    platform: Platform, till: TillBeside, fault: str, is_listed: bool
) -> None:
    bread = platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    cut(platform, till, fault)
    till.change("Хлеб", price=Money(100))
    if is_listed:
        platform.change(bread["id"], subtitle="бели")
    till.sync()
    for price in (100, 120):  # the second time somebody there wishes it
        assert (till.prices(), till.open()) == ({"Хлеб": "100.00"}, [])
        platform.change(bread["id"], price=120)
        till.sync()
        assert platform.live()[bread["id"]]["price"] == price
    assert till.prices() == {"Хлеб": "120.00"}


@CUTS
@pytest.mark.parametrize("is_withdrawn", [False, True])
def test_what_may_have_arrived_of_a_variant_is_put_back(
    platform: Platform, till: TillBeside, fault: str, is_withdrawn: bool
) -> None:
    small = article("S", 31, id=str(uuid.uuid4()), price=100)
    shirt = platform.add(name="Мајица", variants=[small])
    till.sync()
    (variant,) = till.desk.product(shirt["id"]).variants

    def charge(price: int) -> None:
        changes = {"price": Money(price)}
        till.desk.record(NewEdit.changing(shirt["id"], variant.id, changes, by="Мира", at=NOW))

    charge(120)
    cut(platform, till, fault)
    if is_withdrawn:
        till.desk.withdraw(till.open()[0].id, by="Мира", at=NOW)
    else:
        charge(100)
    till.sync()
    assert [one["price"] for one in platform.live()[shirt["id"]]["variants"]] == [100]
    assert (till.prices(), till.open()) == ({"Мајица": "100.00"}, [])


@CUTS
def test_what_may_have_arrived_goes_with_its_article(
    platform: Platform, till: TillBeside, fault: str
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    cut(platform, till, fault)
    till.delete("Хлеб")
    assert (till.sync().pushed.sent, till.open(), platform.live()) == (1, [], {})


@pytest.mark.parametrize("fault", ["lost", "lost-after"])
def test_an_addition_in_doubt_is_changed_or_taken_back(
    platform: Platform, till: TillBeside, fault: str
) -> None:
    till.sync()
    till.add("Прва", 10)
    cut(platform, till, fault)
    assert till.states() == [EditState.SENDING]
    till.delete("Прва")
    assert till.rows() == {}
    assert till.sync().pushed.sent == (fault == "lost-after"), "what they never had is not sent"
    assert (platform.live(), till.open()) == ({}, [])
    till.add("Прва", 10)
    cut(platform, till, fault)
    for price in (20, 30):
        till.change("Прва", price=Money(price))
    assert till.sync().pushed.sent == 1, "nothing older than the last wish is sent"
    assert [one["price"] for one in platform.live().values()] == [30]
    assert (till.prices(), till.open()) == ({"Прва": "30.00"}, [])


def test_a_collision_of_codes_is_a_conflict(platform: Platform, till: TillBeside) -> None:
    till.sync()
    first = till.add("Прва", 10)
    second = till.add("Друга", 20)
    for number in (0, 1):
        platform.add(name=f"Туђа {number}", price=1, sku=CODES.start + number)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 2)
    assert {one.field: (one.ours, one.theirs) for one in till.open()[0].conflicts} == {
        "sku": (CODES.start, CODES.start),
        "name": ("Прва", "Туђа 0"),
        "price": (Money(10), Money(1)),
    }
    till.desk.decide(first.id, {"sku": EditSide.OURS}, at=first.at)
    till.desk.decide(second.id, {"sku": EditSide.THEIRS}, at=second.at)
    assert till.sync().pushed.sent == 1
    skus = {one["name"]: one["sku"] for one in platform.live().values()}
    assert (skus["Прва"], sorted(till.rows())) == (CODES.start + 2, ["Прва", "Туђа 0", "Туђа 1"])


EAN = "8600001000008"


def test_what_was_not_shown_is_not_changed(platform: Platform, till: TillBeside) -> None:
    """It came after the conflict about the code, and before the answer."""
    till.sync()
    bread = till.add("Хлеб", 120, code=EAN)
    platform.add(name="Туђа", price=1, sku=CODES.start)
    assert till.sync().pushed.conflicts == 1
    platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 1)
    told = {one.field: one.theirs for one in till.open()[0].conflicts}
    assert told == {"ean": EAN, "name": "Хлеб бели 500 г", "price": Money(95)}
    till.desk.decide(bread.id, {"ean": EditSide.OURS}, at=bread.at)
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Туђа": "1.00", "Хлеб": "120.00"})


@pytest.mark.parametrize("way", ["withdrawn", "refused", "conflict", "deleted"])
def test_a_planned_price_is_never_charged_for_another_measure(
    foreign: ForeignPlatform, abroad: TillBeside, way: str
) -> None:
    """It was planned for the unit of a change that is not made, or for one that changed unseen."""
    abroad.desk.add_usual_units()
    kilogram, gram, litre = (USUAL_UNITS[at].id for at in (1, 2, 3))
    cheese = foreign.add(name="Сир", price=899, saleUnitId=kilogram)["id"]
    abroad.sync()
    desk, planned = abroad.desk, PlannedPrice(cheese, Money("0.70"), NOW)
    if way == "deleted":
        desk.plan_price(planned, by="Мира", at=NOW)
        edit = abroad.delete("Сир")
    else:
        edit = abroad.change("Сир", sale_unit_id=gram, price=Money("0.90"))
        desk.plan_price(planned, by="Мира", at=NOW)
        assert abroad.prices() == {"Сир": "0.70"}
    is_decided = way in ("conflict", "deleted")
    foreign.faults = ["422"] if way == "refused" else []
    if is_decided:
        foreign.change(cheese, saleUnitId=litre, price=890)
    if way != "withdrawn":
        abroad.sync()
    if is_decided:
        (asked,) = abroad.open()
        theirs = {one.field: EditSide.THEIRS for one in asked.conflicts}
        desk.decide(edit.id, theirs, at=NOW)
    else:
        desk.withdraw(edit.id, by="Мира", at=NOW)
    price = "890.00" if is_decided else "899.00"
    assert (abroad.prices(), desk.plan_of(cheese)) == ({"Сир": price}, None)
    assert [one.name for one in abroad.shelf.facts().plans_ended] == ["Сир"]


KG, GRAM = ({"id": one.id, "name": one.name, "symbol": one.symbol} for one in USUAL_UNITS[1:3])
SIZES = [article(one, sku, id=str(uuid.uuid4()), price=900) for one, sku in (("S", 31), ("M", 32))]


def measured(product: Product | None) -> list[object]:
    """The price and unit of each article, which a variant may have of its product."""
    assert product is not None
    return [
        (one.price or product.price, one.sale_unit_id or product.sale_unit_id)
        for one in (product, *product.variants)
    ]


@pytest.mark.parametrize("side", EditSide)
@pytest.mark.parametrize(
    ("goods", "owner", "ours", "theirs"),
    [
        ({"price": 900}, "Сир", {"price": Money(950)}, {"saleUnitId": GRAM["id"]}),
        ({"price": 900}, "Сир", {"price": Money(950)}, {"unit": "ml"}),
        ({"price": 900}, "Сир", {"sale_unit_id": GRAM["id"]}, {"price": 950}),
        ({"price": 900}, "Сир", {"sale_unit_id": None}, {"price": 950}),
        ({"saleUnitId": None, "price": 9}, "Сир", {"sale_unit_id": KG["id"]}, {"price": 950}),
        ({"variants": SIZES}, "S", {"price": Money(950)}, {"saleUnitId": GRAM["id"]}),
        ({"variants": SIZES}, "Сир", {"sale_unit_id": GRAM["id"]}, {"size": {"price": 950}}),
        ({"variants": SIZES}, "S", {"sale_unit_id": GRAM["id"]}, {"size": {"price": 950}}),
        ({"variants": [{**SIZES[0], "price": None}], "price": 900}, "Сир", {"price": Money(950)},
         {"size": {"saleUnitId": GRAM["id"]}}),
        ({"variants": SIZES}, "Сир", {"variants": Money(950)}, {"saleUnitId": GRAM["id"]}),
    ],
)  # fmt: skip
def test_a_price_does_not_become_that_of_another_unit(
    foreign: ForeignPlatform,
    abroad: TillBeside,
    goods: dict[str, Any],
    owner: str,
    ours: dict[str, Any],
    theirs: dict[str, Any],
    side: EditSide,
) -> None:
    """One side changed the price, and the other one its unit, each of an article or of what it has
    its own from: a person decides."""
    foreign.units[:] = [dict(KG), dict(GRAM)]
    cheese = foreign.add(**{"name": "Сир", "saleUnitId": KG["id"], **goods})["id"]
    abroad.sync()
    product = abroad.desk.product(cheese)
    article_id = next(one.id for one in (product, *product.variants) if one.name == owner)
    if "variants" in ours:
        first, *rest = product.variants
        ours = {"variants": (replace(first, price=ours["variants"]), *rest)}
    edit = abroad.desk.record(NewEdit.changing(cheese, article_id, ours, by="Мира", at=NOW))
    if "unit" in theirs:
        foreign.units[0] |= {"name": "Мера", "symbol": theirs["unit"]}
    elif "size" in theirs:
        first, *rest = foreign.products[cheese]["variants"]
        foreign.change(cheese, variants=[{**first, **theirs["size"]}, *rest])
    else:
        foreign.change(cheese, **theirs)
    (field,) = ours
    is_whole = "unit" in theirs or "variants" in ours or ("size" in theirs and owner != "S")
    own = measured(abroad.desk.product(cheese))[owner == "S"]
    for _ in range(2):
        assert abroad.sync().pushed.sent == 0
        asked = {one.field for one in abroad.open()[0].conflicts}
        assert asked == ({field} if is_whole else {"price", "sale_unit_id"})
        assert not abroad.open()[0].is_of_two
    before = measured(abroad.desk.product(cheese))
    if not is_whole:  # until a person decides the till sells by its own data
        assert before[owner == "S"] == own
    abroad.desk.decide(edit.id, {field: side}, at=NOW)
    abroad.sync()
    is_ours = side is EditSide.OURS
    assert (abroad.open(), foreign.writes() != []) == ([], is_ours)
    assert (measured(abroad.desk.product(cheese)) == before) is is_ours


@pytest.mark.parametrize("side", EditSide)
def test_one_ean_of_two_is_decided(platform: Platform, till: TillBeside, side: EditSide) -> None:
    till.sync()
    bread = till.add("Хлеб", 120, code=EAN)
    ours = {"manufacturer_sku": "M-1", "weight": Decimal("0.5"), "dimensions": "1x2x3"}
    till.change("Хлеб", subtitle="наш", **ours)
    theirs = {"subtitle": "њихов", "description": "<p>њихов</p>"}
    platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN, **theirs)
    report = till.sync()
    assert (report.pushed.conflicts, report.pushed.refused) == (1, 0)
    told = {one.field: (one.ours, one.theirs) for one in till.open()[0].fields_apart}
    assert told == {
        "name": ("Хлеб", "Хлеб бели 500 г"),
        "price": (Money(120), Money(95)),
        "subtitle": ("наш", "њихов"),
    }
    marks = Marks(pinned=True, barcodes=(Barcode("2100123"),))
    till.desk.note(bread.product_id, marks, by="Мира", at=bread.at)
    to_come = PlannedPrice(bread.product_id, Money(99), bread.at + timedelta(days=9_999))
    till.desk.plan_price(to_come, by="Мира", at=bread.at)
    till.desk.decide(bread.id, dict.fromkeys(["ean", *told], side), at=bread.at)
    till.sync()
    (there,) = platform.live().values()
    product = till.desk.product(there["id"])
    assert (there["subtitle"], there["description"]) == (
        told["subtitle"][side is EditSide.THEIRS],
        theirs["description"],
    )
    assert {name: getattr(product, name) for name in ours} == ours, "only one had it"
    assert (there["manufacturerSku"], there["weight"]) == ("M-1", 0.5)
    kept = ("Хлеб", "120.00") if side is EditSide.OURS else ("Хлеб бели 500 г", "95.00")
    (row,) = till.shelf.favourites()
    assert row.name == kept[0], "the shop's own notes are about the same goods"
    assert till.names_with("2100123") == [kept[0]]
    assert (till.desk.plan_of(row.product_id) is not None) == (side is EditSide.OURS)
    assert (till.open(), till.prices()) == ([], dict([kept]))
    assert [(one["name"], one["sku"]) for one in platform.live().values()] == [(kept[0], 77)]
    assert till.names_with(EAN) == [kept[0]]


def two_of_one_ean(platform: Platform, till: TillBeside) -> tuple[CatalogueEdit, dict[str, Any]]:
    """Add bread here and there before the two sides know of each other, and ask about it."""
    till.sync()
    ours = till.add("Хлеб", 120, code=EAN)
    theirs = platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    till.sync()
    return ours, theirs


@pytest.mark.parametrize("way", ["removed", "without the EAN", "deleted here"])
def test_a_question_of_one_ean_ends_with_the_other_article(
    ours: OurPlatform, beside: TillBeside, way: str
) -> None:
    bread, there = two_of_one_ean(ours, beside)
    if way == "removed":
        ours.remove(there["id"])
    elif way == "without the EAN":
        ours.change(there["id"], ean=None)
    else:
        beside.delete("Хлеб бели 500 г")
        for field in ("price", "ean"):
            with pytest.raises(Invalid):  # there is nothing to be one with
                beside.desk.decide(bread.id, {field: EditSide.THEIRS}, at=NOW)
        beside.sync()
    assert beside.sync().pushed.refused == 0
    assert (beside.open(), beside.names_with(EAN)) == ([], ["Хлеб"])
    prices = {one["name"]: one["price"] for one in ours.live().values() if one["ean"]}
    assert prices == {"Хлеб": 120}


@pytest.mark.parametrize("is_on_its_way", [False, True])
def test_each_field_of_one_ean_is_decided_alone(
    platform: Platform, till: TillBeside, is_on_its_way: bool
) -> None:
    """Another change of the platform's article may be on its way."""
    bread, there = two_of_one_ean(platform, till)
    if is_on_its_way:
        till.change("Хлеб бели 500 г", manufacturer_sku="X-1")
        cut(platform, till, "killed")
    kept = till.desk.decide(bread.id, {"name": EditSide.OURS}, at=bread.at)
    till.sync()
    (left,) = till.open()
    assert (left.product_id, left.state) == (kept, EditState.CONFLICT)
    assert [(one.field, one.ours, one.theirs) for one in left.conflicts] == [
        ("price", Money(120), Money(95))
    ]
    (now,) = platform.live().values()
    assert (now["name"], now["price"]) == ("Хлеб бели 500 г", 95), "nothing is sent half decided"
    for other in (
        {"subtitle": "меки"}, {"price": 96}, {"price": 95}, {"price": None}, {"price": 95},
        {"subtitle": "бели"}, {"price": 96},
    ):  # fmt: skip
        platform.change(there["id"], **other)
        till.sync()
        (left,) = till.open()
        assert [one.field for one in left.conflicts] == ["price"], "it stays, whatever changes"
    till.desk.decide(left.id, {"price": EditSide.THEIRS}, at=bread.at)
    till.sync()
    (now,) = platform.live().values()
    assert (now["name"], now["price"], now["sku"]) == ("Хлеб", 96, 77)
    assert (till.open(), till.prices()) == ([], {"Хлеб": "96.00"})


@pytest.mark.parametrize("is_decided", [False, True])
def test_what_is_equal_on_both_sides_is_asked_no_more(
    platform: Platform, till: TillBeside, is_decided: bool
) -> None:
    """A manager types the platform's value, before the first answer or after it."""
    bread, there = two_of_one_ean(platform, till)
    platform.change(there["id"], price=96)
    till.sync()
    (asked,) = till.open()
    assert ("price", Money(96)) in [(one.field, one.theirs) for one in asked.conflicts]
    if is_decided:
        till.desk.decide(bread.id, {"name": EditSide.OURS}, at=bread.at)
    till.change("Хлеб", price=Money(96))
    (asked,) = till.open()
    assert [one.field for one in asked.fields_apart] == ([] if is_decided else ["name"])
    if not is_decided:
        till.desk.decide(asked.id, {"name": EditSide.OURS}, at=bread.at)
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Хлеб": "96.00"})
    (now,) = platform.live().values()
    assert (now["name"], now["price"]) == ("Хлеб", 96)


@pytest.mark.parametrize("both_planned", [False, True])
@pytest.mark.parametrize("side", EditSide)
def test_two_that_are_one_keep_all(
    platform: Platform, till: TillBeside, side: EditSide, both_planned: bool
) -> None:
    """Both were noted, sold, priced and labelled here before anybody knew that they are one."""
    platform.add(name="Хлеб бели 500 г", price=95, sku=77)
    till.sync()
    theirs, ours = till.rows()["Хлеб бели 500 г"].product_id, till.add("Хлеб", 120, code=EAN)
    till.change("Хлеб", price=Money(125))
    kept = Marks(barcodes=(Barcode("2100123"), Barcode("2100777")))
    till.desk.note(theirs, kept, by="Мира", at=NOW)
    mine = Marks(
        pinned=True,
        open_price=True,
        by_weight=True,
        barcodes=(Barcode("2100456"), Barcode("2100123", Quantity("6"))),
    )
    till.desk.note(ours.product_id, mine, by="Мира", at=NOW)
    to_come = PlannedPrice(ours.product_id, Money(99), NOW + timedelta(days=9_999))
    till.desk.plan_price(to_come, by="Мира", at=NOW)
    other = replace(to_come, article_id=theirs, price=Money(88))
    if both_planned:
        till.desk.plan_price(other, by="Мира", at=NOW)
    newer = PrintedLabel("125", NOW + timedelta(days=1), Money(125))
    till.desk.note_labels({theirs: PrintedLabel("95", NOW, Money(95)), ours.product_id: newer})
    for article_id, amount in ((theirs, "1"), (ours.product_id, "3")):
        till.desk.count_sold([(article_id, Quantity(amount))] * USUAL_FROM_LINES, on=NOW.date())
    platform.change(theirs, ean=EAN)
    till.sync()
    (edit,) = till.open()
    till.desk.decide(edit.id, dict.fromkeys([one.field for one in edit.conflicts], side), at=NOW)
    till.sync()
    is_ours = side is EditSide.OURS
    assert till.shelf.marks(theirs) == Marks(
        pinned=True,
        open_price=is_ours,
        by_weight=True if is_ours else None,
        barcodes=(Barcode("2100123"), Barcode("2100777"), Barcode("2100456")),
    )
    assert till.shelf.usual_amount(theirs) == Quantity("2")
    assert till.desk.labels_printed([theirs]) == {theirs: newer}
    changes = till.shelf.price_changes(since=NOW - timedelta(days=1))
    assert {one.article_id for one in changes} == {theirs}
    plans = [other] if both_planned else []
    plans.insert(0 if is_ours else len(plans), replace(to_come, article_id=theirs))
    stays = plans[0] if is_ours or both_planned else None
    assert (till.desk.plan_of(theirs), till.desk.plan_of(ours.product_id)) == (stays, None)
    told = [one.price for one in till.shelf.facts().plans_ended]
    assert told == [one.price for one in plans if one != stays]
    assert (till.open(), len(till.rows()), len(platform.live())) == ([], 1, 1)


def test_behind_a_log_in_page_all_waits(platform: Platform, till: TillBeside) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    platform.page = "<html>Hotel Wi-Fi</html>"
    out = io.StringIO()
    assert sync.sync_command(settings=till.settings(), source=None, out=out) == sync.AWAY
    assert "answers with a web page" in out.getvalue()
    told = till.shelf.facts()
    assert (told.fault, told.away_since is None, told.waiting) == ("web_page", False, 1)
    assert till.prices() == {"Хлеб": "120.00"}
    platform.page = ""
    till.sync()
    assert (till.open(), till.shelf.facts().away_since) == ([], None)


def test_what_passes_by_itself_is_a_warning_in_the_log(
    beside: TillBeside, caplog: pytest.LogCaptureFixture
) -> None:
    def ended() -> list[tuple[str, str]]:
        caplog.clear()
        sync.sync_command(settings=beside.settings(), source=None, out=io.StringIO())
        told = [one for one in caplog.records if one.message == "synchronisation failed"]
        return [(one.levelname, one.__dict__["fields"]["code"]) for one in told]

    with FolderLock(catalogue_file(beside.folder).parent / "sync.lock", what="synchronisation"):
        assert ended() == [("WARNING", "already_running")]
    beside.url = "http://127.0.0.1:1/v2"
    assert ended() == [("WARNING", "not_delivered")]


@pytest.mark.parametrize("word", ["platform_no_room", "platform_no_more"])
def test_a_full_platform_refuses_no_edit(tmp_path: Path, folder: Path, word: str) -> None:
    reserve = Reserve(tmp_path, 10**18) if word == "platform_no_room" else None
    most = Quotas() if reserve else Quotas(stored_bytes=1000)
    one = OurPlatform(folder=tmp_path / "platform", most=most, reserve=reserve)
    with one.open(), till_beside(folder, one) as till:
        till.sync()
        till.add("Хлеб")
        assert till.sync().pushed.fault is not None
        assert (till.states(), till.shelf.facts().fault) == ([EditState.WAITING], word)


@contextmanager
def put_back(one: OurPlatform) -> Iterator[None]:
    """Undo in the platform's file what is done within."""
    file = one.folder / FILE
    both = file.with_name("copy.db"), file
    files = [sqlite3.connect(one, check_same_thread=False) for one in both]
    with closing(files[0]) as copy, closing(files[1]) as present:
        present.backup(copy)
        yield
        copy.backup(present)


@pytest.mark.parametrize("side", EditSide)
@pytest.mark.parametrize("after", ["own", "own, cut", "other"])
def test_what_was_sent_and_undone_there_is_decided(
    ours: OurPlatform, beside: TillBeside, side: EditSide, after: str
) -> None:
    """Whatever the platform was put back to: what this till had read before it sent, too, and
    where the line was cut before it read again."""
    old = [ours.add(name=f"Артикал {number}", price=1, sku=number) for number in range(1, 21)]
    beside.sync()
    with put_back(ours):
        beside.change("Артикал 1", price=Money(99))
        beside.delete("Артикал 2")
        beside.add("Нов", 70)
        if after == "other":
            ours.change(old[2]["id"], price=5)
        ours.cut_list = 20 if after == "own, cut" else 0
        assert beside.sync().pushed.sent == 3
        ours.cut_list = 0
        code = beside.rows()["Нов"].sku
    report = beside.sync()
    assert (report.brought.lost, report.pushed.sent) == (3, 0)
    assert beside.shelf.facts().lost == 3
    assert beside.prices()["Артикал 1"] == "99.00", "it is sold as it was confirmed"
    assert beside.prices()["Артикал 3"] == "1.00", "what another changed is undone"
    assert beside.sync().pushed.sent == 0, "nobody decided so far"
    for edit in beside.open():
        beside.desk.decide(edit.id, {one.field: side for one in edit.conflicts}, at=NOW)
    beside.sync()
    live = {one["name"]: (one["price"], one["sku"]) for one in ours.live().values()}
    told = [live.get(name) for name in ("Артикал 1", "Артикал 2", "Нов")]
    kept = side is EditSide.OURS
    assert told == ([(99, 1), None, (70, code)] if kept else [(1, 1), (1, 2), None])
    assert (beside.open(), beside.rows().keys()) == ([], live.keys())
    assert beside.shelf.facts().lost == 0


@pytest.mark.parametrize("side", [None, *EditSide])
def test_an_older_price_of_a_platform_that_was_put_back_ends_no_plan_until_a_person_decides(
    ours: OurPlatform, beside: TillBeside, side: EditSide | None
) -> None:
    """side: None for a price that another one had written, so that nobody is asked about it."""
    old = ours.add(name="Хлеб", price=1)
    beside.sync()
    article_id = beside.rows()["Хлеб"].article_id or ""
    with put_back(ours):
        if side is None:
            ours.change(old["id"], price=99)
        else:
            beside.change("Хлеб", price=Money(99))
        beside.sync()
        assert beside.prices() == {"Хлеб": "99.00"}
        plan = PlannedPrice(article_id, Money(70), NOW - timedelta(days=1))
        beside.desk.plan_price(plan, by="Мира", at=NOW)
    assert beside.sync().brought.lost == (0 if side is None else 1)
    assert (beside.prices(), beside.desk.plan_of(article_id)) == ({"Хлеб": "70.00"}, plan)
    assert not beside.shelf.facts().plans_ended
    for edit in beside.open():
        assert side is not None
        beside.desk.decide(edit.id, {one.field: side for one in edit.conflicts}, at=NOW)
    charged = {None: "70.00", EditSide.OURS: "99.00", EditSide.THEIRS: "1.00"}
    for _ in range(2):
        beside.sync()
        assert beside.prices() == {"Хлеб": charged[side]}


@pytest.mark.parametrize("way", ["a newer copy", "added anew"])
def test_a_question_ends_where_the_article_is_listed_again(
    ours: OurPlatform, beside: TillBeside, way: str
) -> None:
    ours.add(name="Хлеб", price=1)
    beside.sync()
    copy, present = sqlite3.connect(":memory:"), sqlite3.connect(ours.folder / FILE)
    with closing(copy), closing(present):
        with put_back(ours):
            beside.add("Нов", 70)
            beside.sync()
            present.backup(copy)
        assert beside.sync().brought.lost == 1
        if way == "a newer copy":
            copy.backup(present)
        else:  # by another till
            ours.add(name="Нов", price=80, sku=beside.rows()["Нов"].sku)
    beside.sync()
    price = 70 if way == "a newer copy" else 80
    assert (beside.open(), beside.prices()) == ([], {"Хлеб": "1.00", "Нов": f"{price}.00"})
    beside.change("Нов", price=Money(90))
    assert beside.sync().pushed.sent == 1
    live = {one["name"]: one["price"] for one in ours.live().values()}
    assert live == {"Хлеб": 1, "Нов": 90}


VARIANT_WAYS = (
    ("added",),
    ("added", "own price"),
    ("added", "own price unsent"),
    ("added", "added"),
    ("added", "their price"),
    ("removed", "price of S"),
    ("price in the list", "price of M"),
)
"""What is sent of an article with the variants S and M, one after the other."""


def change_variants(ours: OurPlatform, beside: TillBeside, way: str) -> None:
    (shirt,) = [beside.desk.product(row.product_id) for row in beside.rows().values()]
    s, *rest = shirt.variants
    variants = {
        "added": (*shirt.variants, replace(s, id=str(uuid.uuid4()), sku=None, name="XL")),
        "removed": (s,),
        "price in the list": (replace(s, price=Money(77)), *rest),
    }
    priced = {
        "own price": rest[1:],
        "own price unsent": rest[1:],
        "price of S": [s],
        "price of M": rest,
    }
    if way == "their price":
        members = [{"id": s.id, "price": 44}, *({"id": one.id} for one in rest)]
        ours.change(shirt.id, variants=members)
        return
    article_id, changes = shirt.id, dict[str, object](variants=variants.get(way))
    if way in priced:
        article_id, changes = priced[way][0].id, {"price": Money(55)}
    beside.desk.record(NewEdit.changing(shirt.id, article_id, changes, by="Мира", at=NOW))


@pytest.mark.parametrize("side", EditSide)
@pytest.mark.parametrize("ways", VARIANT_WAYS, ids=", ".join)
def test_each_variant_that_is_undone_there_is_decided(
    ours: OurPlatform, beside: TillBeside, ways: tuple[str, ...], side: EditSide
) -> None:
    two = [article(name, sku, id=str(uuid.uuid4())) for sku, name in ((31, "S"), (32, "M"))]
    added = ours.add(name="Мајица", variants=two)

    def variants() -> list[tuple[str, object, str]]:
        shirt = beside.desk.product(added["id"])
        return [(one.name, one.sku, str(one.price)) for one in shirt.variants]

    beside.sync()
    before = variants()
    with put_back(ours):
        for way in ways:
            change_variants(ours, beside, way)
            if "unsent" not in way:
                beside.sync()
        confirmed = variants()
    if "their price" in ways:  # another's change is undone here too
        confirmed[0] = before[0]
    assert beside.sync().brought.lost > 0
    assert (beside.sync().pushed.sent, variants()) == (0, confirmed)
    for edit in beside.open():
        beside.desk.decide(edit.id, {one.field: side for one in edit.conflicts}, at=NOW)
    beside.sync()
    kept = confirmed if side is EditSide.OURS else before
    there = ours.live()[added["id"]]["variants"]
    assert [(one["name"], one["sku"], f"{one['price']:.2f}") for one in there] == kept
    assert (variants(), beside.open()) == (kept, [])


@pytest.mark.parametrize("side", EditSide)
def test_a_deletion_here_ends_the_questions_of_its_article(
    ours: OurPlatform, beside: TillBeside, side: EditSide
) -> None:
    ours.add(name="Хлеб", price=1)
    ours.add(name="Млеко", price=1)
    ours.add(name="Мајица", variants=[article("S", 31, id=str(uuid.uuid4()))])
    beside.sync()
    shirt = beside.desk.product(beside.rows()["Мајица"].product_id)
    with put_back(ours):
        beside.change("Хлеб", price=Money(99))
        ids = shirt.id, shirt.variants[0].id
        beside.desk.record(NewEdit.changing(*ids, {"price": Money(99)}, by="Мира", at=NOW))
        assert beside.sync().pushed.sent == 2
        for name in ("Хлеб", "Мајица"):
            beside.delete(name)
    assert beside.sync().pushed.conflicts == 2
    for edit in beside.open():
        beside.desk.decide(edit.id, {one.field: side for one in edit.conflicts}, at=NOW)
    beside.change("Млеко", price=Money(2))
    assert beside.sync().pushed.sent == (3 if side is EditSide.OURS else 1)
    live = {one["name"]: one["price"] for one in ours.live().values()}
    kept = {} if side is EditSide.OURS else {"Хлеб": 1, "Мајица": None}
    assert (live, beside.open()) == ({"Млеко": 2, **kept}, [])


def test_what_a_bug_keeps_here_goes_beside_the_others(
    ours: OurPlatform, beside: TillBeside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change without its article ends; one that can't be read waits, and a person is told."""
    for number in range(3):
        ours.add(name=f"Артикал {number}", price=1)
    beside.sync()
    gone, odd, plain = [beside.change(f"Артикал {n}", price=Money(9)).product_id for n in range(3)]
    read = products.platform_product

    def fail(connection: apsw.Connection, product_uuid: str) -> Product | None:
        if product_uuid == odd:
            raise ValueError
        return None if product_uuid == gone else read(connection, product_uuid)

    monkeypatch.setattr(products, "platform_product", fail)
    report = beside.sync()
    assert (report.pushed.sent, report.pushed.waiting, report.end) == (1, 1, SyncEnd.FAILED)
    assert [one.product_id for one in beside.open()] == [odd]
    assert (beside.shelf.facts().fault, ours.live()[plain]["price"]) == ("program_error", 9)


@pytest.mark.parametrize(("sent", "other"), [(1, False), (1, True), (3, False)])
def test_what_is_undone_there_while_it_is_sent_is_decided(
    ours: OurPlatform, beside: TillBeside, sent: int, other: bool
) -> None:
    """The platform is put back after so many changes of this till. other: another one follows."""
    old = [ours.add(name=f"Артикал {number}", price=1, sku=number) for number in range(1, 5)]
    beside.sync()
    for number in range(1, 4):
        beside.change(f"Артикал {number}", price=Money(99))
    with closing(ExitStack()) as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(push, "__kwdefaults__", {"rounds": 3, "group": 1})
        stack.enter_context(put_back(ours))

        def undo(body: bytes = b"") -> bytes:
            if len(ours.writes()) >= sent:
                stack.close()
            return body

        more = (lambda: ours.change(old[3]["id"], price=5),) if other else ()
        ours.before_write = [*more, undo, *(sent * [lambda: None])]
        ours.bodies = {"/v2/stores": undo}
        assert beside.sync().pushed.sent == 3
    ours.bodies = {}
    names = [f"Артикал {number}" for number in range(1, sent + 1)]
    assert (beside.shelf.facts().lost, {beside.prices()[one] for one in names}) == (sent, {"99.00"})
    for edit in beside.open():
        beside.desk.decide(edit.id, {"price": EditSide.OURS}, at=NOW)
    assert beside.sync().pushed.sent == sent
    prices = {one["name"]: one["price"] for one in ours.live().values()}
    assert [prices[f"Артикал {number}"] for number in range(1, 5)] == [
        99,
        99,
        99,
        5 if other else 1,
    ]


@pytest.mark.parametrize("fault", ["", "422"])
def test_what_is_put_back_before_it_was_sent_is_not_sent(
    ours: OurPlatform, beside: TillBeside, fault: str
) -> None:
    """Nor what was refused before, nor one of two fields."""
    for name in ("Хлеб", "Млеко"):
        ours.add(name=name, price=1)
    beside.sync()
    beside.change("Хлеб", price=Money(9))
    if fault:
        ours.faults.append(fault)
        assert beside.sync().pushed.refused == 1
    beside.change("Хлеб", price=Money(1))
    assert beside.open() == []
    for changes in ({"price": Money(9)}, {"name": "Јогурт"}):
        beside.change("Млеко", **changes)
    beside.change("Јогурт", price=Money(1))
    assert [{**edit.changes} for edit in beside.open()] == [{"name": "Јогурт"}]
    assert beside.sync().pushed.sent == 1
    assert {one["name"]: one["price"] for one in ours.live().values()} == {"Хлеб": 1, "Јогурт": 1}
    assert beside.open() == []


@pytest.mark.parametrize("cut", [0, 20])
def test_what_was_sent_is_read_once(ours: OurPlatform, beside: TillBeside, cut: int) -> None:
    for name in ("Хлеб", "Млеко"):
        ours.add(name=name, price=1)
    beside.sync()
    beside.change("Хлеб", price=Money(99))
    ours.cut_list = cut
    assert beside.sync().pushed.sent == 1
    ours.cut_list = 0
    report = beside.sync()
    assert (report.is_unchanged, report.brought.lost) == (not cut, 0)
    assert beside.sync().is_unchanged


def test_it_is_put_back_while_removals_wait(ours: OurPlatform, beside: TillBeside) -> None:
    keys = [ours.add(name=f"Артикал {number}", price=1)["id"] for number in range(12)]
    beside.sync()
    with put_back(ours):
        ours.change(keys[-1], price=7)
        for key in keys[:8]:
            ours.remove(key)
        assert beside.sync().brought.held_back == 8
        assert beside.sync().is_unchanged, "what waits is not told again and again"
    assert beside.sync().brought.held_back == 0
    assert (beside.shelf.facts().gone, len(beside.rows())) == (0, 12)
    assert beside.prices()["Артикал 11"] == "1.00"


def test_what_was_put_back_is_listed_anew(ours: OurPlatform, beside: TillBeside) -> None:
    """Undone changes are undone here too, and a code given out again belongs to one article."""
    kept = [ours.add(name=f"Артикал {number}", price=1) for number in range(6)]
    beside.sync()
    with put_back(ours):
        undone = ours.add(name="Трећи", price=70)
        ours.change(kept[0]["id"], price=9)
        beside.sync()
        assert beside.prices()["Артикал 0"] == "9.00"
    again = ours.add(name="Четврти", price=100, taxRateLabel="Ђ")
    ours.change(again["id"], price=101)
    assert again["sku"] == undone["sku"]
    beside.sync()
    assert beside.names_with(undone["sku"]) == ["Четврти"]
    assert beside.prices()["Артикал 0"] == "1.00"
    assert "Трећи" not in beside.rows()
    with closing(CatalogueView(catalogue_file(beside.folder))) as view:
        assert [one.name for one in view.articles(again["sku"])] == ["Четврти"]
    assert beside.sync().is_unchanged


def test_what_is_let_go_is_told_where_the_platform_has_nothing_new(
    ours: OurPlatform, beside: TillBeside
) -> None:
    ours.add(name="Хлеб", price=1)
    with put_back(ours):
        for number in range(6):
            ours.add(name=f"Артикал {number}", price=1)
        beside.sync()
    assert beside.sync().brought.held_back == 6
    report = beside.sync(accept_removals=True)
    assert (report.is_unchanged, list(beside.rows())) == (True, ["Хлеб"])
    assert (report.brought.removed, report.brought.held_back) == (6, 0)
    assert any("6 products removed" in line for line in platform_lines(report))


def test_a_first_list_goes_on_where_it_was_cut(ours: OurPlatform, beside: TillBeside) -> None:
    made = [ours.add(name=f"Артикал {n}", sku=n, price=n) for n in range(1, 41)]
    told = json.dumps(list(ours.live().values()), ensure_ascii=False)
    size = len(gzip.compress(told.encode()))  # as it is sent
    ours.cut_list = size // 2
    for _ in range(2):  # the second time adds to the first
        with pytest.raises(OutcomeUnknown):
            beside.sync()
        assert beside.rows() == {}
    ours.change(made[0]["id"], name="Ново име")
    ours.remove(made[1]["id"])
    ours.cut_list = 0
    asks = len(ours.asks)
    report = beside.sync()
    (asked,) = [one for one in ours.asks[asks:] if "/products" in one]
    assert parse_qs(asked.partition("?")[2])["updatedSince"][0] >= made[20]["updatedAt"]
    assert report.brought.added == 39
    assert set(beside.rows()) == {"Ново име", *(one["name"] for one in made[2:])}
    assert beside.sync().is_unchanged
    assert not list((beside.folder / "catalogue").glob("platform-list*"))


@pytest.mark.parametrize("more", [0, 1, 6])
def test_a_first_list_begins_anew_where_the_platform_was_put_back(
    ours: OurPlatform, beside: TillBeside, more: int
) -> None:
    """more: products that are added since."""
    made = [ours.add(name=f"Артикал {n}", sku=n, price=n) for n in range(1, 41)]
    with put_back(ours):
        for one in made[:5]:
            ours.change(one["id"], price=99)
        told = json.dumps(list(ours.live().values()), ensure_ascii=False)
        ours.cut_list = len(gzip.compress(told.encode())) // 2
        with pytest.raises(OutcomeUnknown):
            beside.sync()
    for number in range(more):
        ours.add(name=f"Нов {number}", price=1)
    ours.cut_list = 0
    beside.sync()
    live = {one["name"]: f"{one['price']:.2f}" for one in ours.live().values()}
    assert beside.prices() == live
    assert not list((beside.folder / "catalogue").glob("platform-list*"))


def test_what_came_for_another_key_is_left(ours: OurPlatform, beside: TillBeside) -> None:
    ours.add(name="Хлеб", price=1)
    ours.cut_list = 200
    with pytest.raises(OutcomeUnknown):
        beside.sync()
    ours.cut_list = 0
    beside.url = beside.url.replace("127.0.0.1", "localhost")
    beside.sync()
    assert ours.asks[-1].endswith("updatedSince=1970-01-01T00%3A00%3A00.000Z")
    assert list(beside.rows()) == ["Хлеб"]


# --- a store that is changed while its platform is away, or refuses the change --------------------


@pytest.fixture
def there(tmp_path: Path) -> Iterator[OurPlatform]:
    platform = OurPlatform(folder=tmp_path / "platform")
    with platform.open():
        platform.store("POST", "/stores", {"name": "Липа", "city": "Ниш", "phone": "1"})
        yield platform


@pytest.fixture
def here(folder: Path, there: OurPlatform) -> Iterator[TillBeside]:
    with till_beside(folder, there) as till:
        till.sync()
        yield till


def shown(till: TillBeside) -> Store:
    (store,) = till.shelf.stores()
    return store


def test_a_store_is_used_at_once_and_sent_later(there: OurPlatform, here: TillBeside) -> None:
    here.change_store(city="Пирот")
    assert here.change_store(print_discounts=True).city == "Пирот"
    url, here.url = here.url, "http://127.0.0.1:9/v2"
    with pytest.raises(NotDelivered):
        here.sync()
    here.url = url
    with SqliteCatalogueEditor(catalogue_file(here.folder)) as restarted:
        assert restarted.store_edit(shown(here).id).changed == ("city", "print_discounts")
    there.store("PATCH", f"/stores/{shown(here).id}", {"phone": "2"})  # another field
    there.asks.clear()
    assert here.sync().pushed.sent == 1
    (theirs,) = there.stores()
    assert (theirs["city"], theirs["printDiscounts"], theirs["phone"]) == ("Пирот", True, "2")
    assert (shown(here).city, shown(here).phone) == ("Пирот", "2")
    assert here.desk.store_edit(theirs["id"]) is None
    assert here.sync().pushed.sent == 0


def test_what_both_changed_is_a_persons_to_say(there: OurPlatform, here: TillBeside) -> None:
    store = here.change_store(city="Пирот", phone="3")
    for city in ("Врање", "Ниш", "Ниш", "Врање", "Ниш"):
        there.store("PATCH", f"/stores/{store.id}", {"city": city, "phone": "4"})
        pushed = here.sync().pushed
        assert (pushed.sent, pushed.conflicts) == (0, 1)
    edit = here.desk.store_edit(store.id)
    told = [(one.field, one.ours, one.theirs) for one in edit.conflicts]
    assert told == [("city", "Пирот", "Ниш"), ("phone", "3", "4")]
    assert shown(here).city == "Пирот"  # there, until a person decides
    here.desk.decide_store(store.id, {"city": EditSide.OURS, "phone": EditSide.THEIRS})
    assert here.sync().pushed.sent == 1
    assert [(one["city"], one["phone"]) for one in there.stores()] == [("Пирот", "4")]
    assert (shown(here).city, shown(here).phone) == ("Пирот", "4")


def test_a_change_at_the_last_moment_stays(there: OurPlatform, here: TillBeside) -> None:
    store = here.change_store(city="Пирот")
    patch = {"city": "Врање"}
    there.before_write.append(lambda: there.store("PATCH", f"/stores/{store.id}", patch))
    report = here.sync()
    assert (report.pushed.sent, report.pushed.waiting) == (0, 1)
    assert [one["city"] for one in there.stores()] == ["Врање"]
    here.sync()
    edit = here.desk.store_edit(store.id)
    assert [one.field for one in edit.conflicts] == ["city"]
    here.desk.drop_store_edit(store.id)
    assert shown(here).city == "Врање"


@pytest.mark.parametrize("fault", ["lost", "lost-after"])
@pytest.mark.parametrize("city", ["Ниш", "Врање", None])
def test_what_may_have_arrived_of_a_store_is_ours(
    there: OurPlatform, here: TillBeside, fault: str, city: str | None
) -> None:
    """city: None where the change is withdrawn."""
    store = here.change_store(city="Пирот")
    there.faults.append(fault)
    assert here.sync().pushed.unknown == 1
    if city is None:
        here.desk.drop_store_edit(store.id)
    else:
        here.change_store(city=city)
    here.sync()
    assert ([one["city"] for one in there.stores()], shown(here).city) == (
        [city or "Ниш"],
        city or "Ниш",
    )
    assert here.desk.store_edit(store.id) is None


def test_what_is_refused_waits_to_be_mended(there: OurPlatform, here: TillBeside) -> None:
    store = here.change_store(city="Пирот")
    there.faults.append("422")
    assert here.sync().pushed.refused == 1
    assert (here.desk.store_edit(store.id).error, here.sync().pushed.sent) == ("a fault", 0)
    here.change_store(city="Врање")
    assert (here.sync().pushed.sent, [one["city"] for one in there.stores()]) == (1, ["Врање"])


@pytest.mark.parametrize("is_only", [False, True])
def test_the_change_of_a_deleted_store_ends(
    there: OurPlatform, here: TillBeside, is_only: bool
) -> None:
    """Without any store there the till goes on with its own."""
    gone = shown(here).id
    if not is_only:
        gone = there.store("POST", "/stores", {"name": "Друга"})["id"]
        here.sync()
    before = next(one for one in here.shelf.stores() if one.id == gone)
    here.desk.queue_store(before, replace(before, city="Пирот"), by="Мира", at=NOW)
    there.before_write.append(lambda: there.asked("DELETE", f"/stores/{gone}", None))
    assert here.sync().pushed.refused == 0
    report = here.sync()
    assert (report.pushed.waiting, report.pushed.refused, report.pushed.fault) == (0, 0, None)
    assert [one.name for one in here.shelf.stores()] == ["Липа"]


# --- an import that a platform knows is taken back here and, with the next run, there -------------

HEAD = "Шифра;Назив;Цена;Порез;Јединица;Група;Остали бар-кодови;Омиљено"


@dataclass
class Files:
    """Imports of a till, and their undoing, in the real process."""

    till: TillBeside
    process: CatalogueProcess

    def bring(self, *rows: str, head: str = HEAD) -> None:
        sheet = self.till.folder / "sheet.csv"
        sheet.write_text("\n".join([head, *rows]))
        plan = ended(self.process.plan_import(sheet, label=None, rates=PUBLISHED_RATES))
        assert isinstance(plan, ImportPlan), plan
        assert plan.bad == 0, plan.bad_cells
        ended(self.process.carry_out(plan, name="cene.csv", by="Мира"))

    def take_back(self) -> Undone:
        told = ended(self.process.take_back(last_of(self.till.desk), by="Мира"))
        assert isinstance(told, Undone), told
        return told


@pytest.fixture
def files(till: TillBeside) -> Iterator[Files]:
    made = Files(till, CatalogueProcess(till.folder, codes=CODES, command=child(CATALOGUE_FILES)))
    yield made
    made.process.close()


def test_what_was_added_goes_there_too(platform: Platform, till: TillBeside, files: Files) -> None:
    bread = platform.add(name="Хлеб", price=100, sku=1)
    till.sync()
    files.bring(
        "9;Нови;5;Ђ;комад;Ново;2100123;да", ";Још један;7;Ђ;kg;Ново, Старо;;", "1;;120;;;;;"
    )
    assert (till.sync().pushed.sent, files.take_back()) == (3, Undone(3))
    assert till.prices() == {"Хлеб": "100.00"}
    till.sync()
    assert [(one["id"], one["price"]) for one in platform.live().values()] == [(bread["id"], 100)]
    assert (till.open(), till.prices()) == ([], {"Хлеб": "100.00"})


def test_what_the_platform_changed_or_deleted_stays_and_is_named(
    platform: Platform, till: TillBeside, files: Files
) -> None:
    till.sync()
    files.bring("9;Нови;5;Ђ;;;;", "10;Други;7;Ђ;;;;", "11;Трећи;8;Ђ;;;;")
    till.sync()
    there = {one["name"]: one["id"] for one in platform.live().values()}
    platform.change(there["Нови"], price=6)
    platform.remove(there["Други"])
    till.sync()
    assert files.take_back() == Undone(1, ("Други", "Нови"), 2)
    till.sync()
    assert till.prices() == {"Нови": "6.00"}
    assert [one["name"] for one in platform.live().values()] == ["Нови"]


def test_what_the_platform_had_before_is_not_deleted_there(
    platform: Platform, till: TillBeside, files: Files
) -> None:
    """Somebody else added the same goods: the till did not make them."""
    till.sync()
    files.bring("9;Нови;5;Ђ;;;;")
    (row,) = till.rows().values()
    platform.add(name="Нови", price=5, sku=9, taxRateLabel="Ђ")
    till.sync()
    assert [one.product_id for one in till.rows().values()] != [row.product_id]
    assert files.take_back() == Undone(0, ("Нови",), 1)
    till.sync()
    assert till.prices() == {"Нови": "5.00"}
    assert [one["name"] for one in platform.live().values()] == ["Нови"]


@pytest.mark.parametrize("when", ["unsent", "killed", "lost", "lost-after", "refused", "done"])
def test_a_deletion_that_is_taken_back_is_none(
    platform: Platform, till: TillBeside, when: str
) -> None:
    """Here and there, with a change that waited as it was deleted; whatever became of it."""
    made = platform.add(name="Хлеб", price=100, sku=11)["id"]
    till.sync()
    till.change("Хлеб", price=Money(120))
    till.desk.note(made, Marks(pinned=True, barcodes=(Barcode("777"),)), by="Мира", at=NOW)
    plan = PlannedPrice(made, Money(90), NOW + timedelta(days=5000))
    till.desk.plan_price(plan, by="Мира", at=NOW)
    product, marks = till.desk.product(made), till.desk.marks(made)
    till.delete("Хлеб")
    if when == "refused":
        platform.faults = ["422"]
    if when in ("refused", "done"):
        till.sync()
    elif when != "unsent":
        cut(platform, till, when)
    if when in ("killed", "lost", "lost-after"):
        with pytest.raises(NotAllowed, match="has not answered yet"):
            till.desk.bring_back(made, by="Мира", at=NOW)
        till.sync()
    assert till.rows() == {}
    till.desk.bring_back(made, by="Мира", at=NOW)
    assert till.prices() == {"Хлеб": "120.00"}
    assert [till.desk.marks(made), till.desk.plan_of(made)] == [marks, plan]
    with pytest.raises(NotAllowed):
        till.desk.bring_back(made, by="Мира", at=NOW)
    for _ in range(2):
        till.sync()
    (there,) = platform.live().values()
    assert (there["name"], there["price"], there["sku"]) == ("Хлеб", 120, 11)
    assert till.open() == []
    assert till.prices() == {"Хлеб": "120.00"}
    now = till.desk.product(there["id"])
    assert now is not None
    assert product is not None
    assert (now.name, now.sku, now.price) == (product.name, product.sku, product.price)
    assert till.desk.marks(there["id"]) == marks
    assert till.desk.plan_of(there["id"]) is not None


def test_what_was_cleared_before_a_deletion_stays_so_where_that_is_taken_back(
    platform: Platform, till: TillBeside
) -> None:
    bread = platform.add(name="Хлеб", price=70, ean="8600123450144", categories=[UNIT])
    till.sync()
    till.change("Хлеб", price=None, ean=None, categories=())
    till.delete("Хлеб")
    till.sync()
    till.desk.bring_back(bread["id"], by="Мира", at=NOW)
    till.sync()
    (there,) = platform.live().values()
    assert (there["price"], there["ean"], there["categories"]) == (None, None, [])
    assert (till.prices(), till.names_with("8600123450144"), till.open()) == (
        {"Хлеб": None},
        [],
        [],
    )


def test_a_change_takes_a_code_that_a_later_one_frees(
    ours: OurPlatform, beside: TillBeside
) -> None:
    ean = "8600123450144"
    ours.add(name="Хлеб", price=70)
    ours.add(name="Дупли", ean=ean)
    beside.sync()
    beside.change("Хлеб", price=Money(75))
    beside.delete("Дупли")
    beside.change("Хлеб", ean=ean)
    assert beside.sync().pushed.sent == 2
    (there,) = ours.live().values()
    assert (there["price"], there["ean"], beside.open()) == (75, ean, [])


def eans_there(platform: Platform) -> dict[str, Any]:
    return {one["name"]: one.get("ean") for one in platform.live().values()}


@pytest.mark.parametrize("first", ["changed", "added"])
def test_codes_go_along_a_chain(ours: OurPlatform, beside: TillBeside, first: str) -> None:
    eans = {"А": "8600123450014", "Б": "8600123450021", "В": "8600123450038"}
    for name, ean in eans.items():
        if (name, first) != ("А", "added"):
            ours.add(name=name, price=5, ean=ean)
    beside.sync()
    if first == "added":
        beside.add("А")
    beside.change("А", price=Money(77))
    beside.change("Б", price=Money(78))
    beside.change("В", ean=None)
    beside.change("Б", ean=eans["В"])
    beside.change("А", ean=eans["Б"])
    assert beside.sync().pushed.waiting == 0
    assert eans_there(ours) == {"А": eans["Б"], "Б": eans["В"], "В": None}
    assert beside.open() == []


def die_at(patch: pytest.MonkeyPatch, act: str, *, after: int) -> None:
    """Let a run end as it has begun an edit, or before it settles one, after so many others."""
    do, rest = getattr(SqliteEditQueue, act), after

    def die(queue: SqliteEditQueue, edits: Any) -> Any:
        nonlocal rest
        rest -= 1
        if rest < 0 and act == "settle":
            raise SystemExit
        done = do(queue, edits)
        if rest < 0:
            raise SystemExit
        return done

    patch.setattr(SqliteEditQueue, act, die)


@pytest.mark.parametrize("fault", ["begun", "sent", "lost", "lost-after"])
@pytest.mark.parametrize("after", [2, 3, 4])
def test_two_articles_exchange_their_eans(
    ours: OurPlatform, beside: TillBeside, monkeypatch: pytest.MonkeyPatch, fault: str, after: int
) -> None:
    """Whatever is cut: both are refused first, then one gives its own up. fault: what the last act
    of a run was that is killed, or the fault of a line. after: so many answers come before it."""
    here, there = "8600123450014", "8600123450021"
    ours.add(name="А", price=5, ean=here)
    ours.add(name="Б", price=6, ean=there)
    beside.sync()
    beside.change("А", ean=None, price=Money(7))
    beside.change("Б", ean=here)
    beside.change("А", ean=there)
    if fault in ("begun", "sent"):
        with monkeypatch.context() as patch:
            die_at(patch, "begin" if fault == "begun" else "settle", after=after)
            with pytest.raises(SystemExit):
                beside.sync()
    else:
        ours.faults = [*after * [""], fault]
    for _ in range(2):
        beside.sync()
    assert (eans_there(ours), beside.open()) == ({"А": there, "Б": here}, [])
    assert (beside.names_with(here), beside.names_with(there)) == (["Б"], ["А"])
    assert beside.prices() == {"А": "7.00", "Б": "6.00"}


def test_an_ean_is_given_up_though_the_other_one_is_taken(
    ours: OurPlatform, beside: TillBeside
) -> None:
    """A stranger gets the EAN there while this till gives it to an article of its own."""
    eans = "8600123450014", "8600123450021"
    ours.add(name="А", price=5, ean=eans[0])
    ours.add(name="Б", price=6)
    beside.sync()
    beside.change("А", ean=eans[1])
    beside.change("Б", ean=eans[0])
    ours.before_write = [lambda: ours.add(name="В", price=7, ean=eans[1])]
    for _ in range(2):
        beside.sync()
    assert eans_there(ours) == {"А": None, "Б": eans[0], "В": eans[1]}
    assert [(one.state, one.changes) for one in beside.open()] == [
        (EditState.REFUSED, {"ean": eans[1]})
    ]
