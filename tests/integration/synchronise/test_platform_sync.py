"""`pos-app sync` with our platform, and with one that knows only the specification."""

from __future__ import annotations

import io
import json
import re
import sqlite3  # noqa: TID251 - a platform's file is put back by hand
import uuid
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.bootstrap.synchronisation import sync
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import USUAL_UNITS, ProductType
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import NotDelivered, Refused
from pos_app.platform_api.database.engine import FILE, Reserve
from pos_app.platform_api.quotas import Quotas
from pos_app.selling.catalogue.catalogue import USUAL_FROM_LINES
from pos_app.selling.catalogue.editing import add_variant_typed, blank_variant, open_for_edit
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import EDITABLE, EditSide, EditState
from pos_app.selling.synchronisation.reports import platform_lines
from pos_app.selling.synchronisation.run import GROUP, push
from pos_app.wire.catalogue import product_from_json
from pos_app.wire.strict_json import loads
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise import conftest

UNIT = USUAL_UNITS[0].id


def test_both_sides_come_together(platform: conftest.Platform, till: conftest.TillBeside) -> None:
    bread = platform.add(name="Хлеб", price=100)
    milk = platform.add(name="Млеко", price=200)
    platform.add(name="Сок", price=50)
    assert till.sync().brought.added == 3
    till.change("Хлеб", price=Money(120))
    till.add("Нов артикал", 77)
    till.delete("Сок")
    platform.change(milk["id"], price=210)
    platform.add(name="Њихов", price=5)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.fault) == (3, None)
    assert till.prices() == {
        "Хлеб": "120.00",
        "Млеко": "210.00",
        "Нов артикал": "77.00",
        "Њихов": "5.00",
    }
    theirs = {one["name"]: one["price"] for one in platform.live().values()}
    assert theirs == {"Хлеб": 120, "Млеко": 210, "Нов артикал": 77, "Њихов": 5}
    assert platform.products[bread["id"]]["sku"] == 1
    assert till.open() == []
    for number in range(6):
        platform.add(name=f"Артикал {number}", price=1)
    till.sync()
    platform.remove(milk["id"])
    till.sync()
    assert (len(till.rows()), "Млеко" in till.rows()) == (9, False)


def test_each_field_that_is_changed_here_is_changed_there(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    bread = platform.add(name="Хлеб", price=100)
    till.sync()
    changes: dict[str, Any] = {
        "name": "Савет",
        "tax_label": TaxLabel.A,
        "sku": 77,
        "manufacturer_sku": "М-1",
        "description": "<p>дуг</p>",
        "sale_unit_id": UNIT,
        "base_unit_id": UNIT,
        "quantity_per_base_unit": Decimal("0.5"),
        "price": Money(120),
        "subtitle": "кратак",
        "product_type": ProductType.SERVICE,
        "weight": Decimal("1.5"),
        "dimensions": "1x2x3",
        "variant_name": "L",
        "ean": "8600123450144",
        "categories": (UNIT,),
    }
    assert changes.keys() == EDITABLE - {"variants", "images", "cover_image"}
    till.change("Хлеб", **changes)
    assert till.sync().pushed.sent == 1
    sent = product_from_json(loads(json.dumps(platform.products[bread["id"]])))
    assert {name: getattr(sent, name) for name in changes} == changes
    assert till.sync().pushed.sent == 0
    assert till.rows()["Савет"].label is TaxLabel.A


def test_a_field_changed_on_both_sides_is_a_persons_to_decide(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    bread = platform.add(name="Хлеб", price=100, subtitle="бели")
    till.sync()
    edit = till.change("Хлеб", price=Money(120), subtitle="полубели")
    platform.change(bread["id"], price=110)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 1)
    (conflict,) = till.open()[0].conflicts
    assert (conflict.field, str(conflict.ours), str(conflict.theirs)) == (
        "price",
        "120.00",
        "110.00",
    )
    assert platform.products[bread["id"]]["price"] == 110
    till.desk.decide(edit.id, {"price": EditSide.OURS}, at=edit.at)
    till.sync()
    assert (
        platform.products[bread["id"]] | {"price": 120, "subtitle": "полубели"}
        == (platform.products[bread["id"]])
    )
    assert till.open() == []


def test_what_they_deleted_and_we_changed(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    bread = platform.add(name="Хлеб", price=100)
    for number in range(6):
        platform.add(name=f"Артикал {number}", price=1)
    till.sync()
    edit = till.change("Хлеб", price=Money(120))
    platform.remove(bread["id"])
    assert till.sync().pushed.conflicts == 1
    assert "Хлеб" in till.rows()
    till.desk.decide(edit.id, {"deleted": EditSide.OURS}, at=edit.at)
    till.sync()
    (again,) = [one for one in platform.live().values() if one["name"] == "Хлеб"]
    assert (again["price"], till.open()) == (120, [])


def test_an_article_made_here_keeps_its_code_and_gets_their_id(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.add("Прва", 10)
    till.add("Друга", 20)
    assert till.names_with(conftest.CODES.start) == ["Прва"]
    till.sync()
    skus = {one["name"]: one["sku"] for one in platform.live().values()}
    assert (skus["Прва"], skus["Друга"]) == (conftest.CODES.start, conftest.CODES.start + 1)
    assert {row.product_id for row in till.rows().values()} == set(platform.live())
    assert till.sync().brought.added == 0
    assert len(till.rows()) == 3


@pytest.mark.parametrize("fault", ["", "lost-after"])
def test_variants_added_at_the_till_get_their_ids(
    platform: conftest.Platform, till: conftest.TillBeside, fault: str
) -> None:
    small = {"id": str(uuid.uuid4()), "name": "S", "taxRateLabel": "Е", "sku": 31}
    shirt = platform.add(name="Мајица", variants=[small])
    till.sync()

    def size(name: str) -> str:
        edited = open_for_edit(till.desk, till.desk, shirt["id"], shirt["id"])
        assert edited is not None
        blank = blank_variant(edited.product, str(uuid.uuid4()))
        typed = {DraftField.NAME.value: name, DraftField.VARIANT_NAME.value: name}
        add_variant_typed(till.desk, blank, typed, by="Мира", at=conftest.NOW)
        return blank.owner.id

    medium = size("M")
    till.desk.note(medium, Marks(open_price=True), by="Мира", at=conftest.NOW)
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
    assert product is not None
    assert {one.name: one.id for one in product.variants} == theirs
    assert till.desk.marks(theirs["M"]).open_price


@pytest.mark.parametrize("fault", ["lost-after", "500-after"])
def test_an_addition_without_an_answer_is_looked_for_and_never_sent_twice(
    platform: conftest.Platform, till: conftest.TillBeside, fault: str
) -> None:
    till.sync()
    till.add("Прва", 10)
    platform.faults = [fault]
    till.sync()
    till.sync()
    assert [one["name"] for one in platform.live().values()] == ["Прва"]
    assert platform.writes() == ["POST /v2/products"]
    assert (till.open(), list(till.rows())) == ([], ["Прва"])


@pytest.mark.parametrize("fault", ["lost", "500"])
def test_an_addition_that_did_not_arrive_is_sent_again(
    platform: conftest.Platform, till: conftest.TillBeside, fault: str
) -> None:
    till.sync()
    till.add("Прва", 10)
    platform.faults = [fault]
    till.sync()
    assert [one["name"] for one in platform.live().values()] == ["Прва"]
    assert till.open() == []


def test_an_addition_taken_back_while_nobody_knows_of_it(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    till.sync()
    till.add("Прва", 10)
    platform.faults = ["lost-after"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(push, "__kwdefaults__", {"rounds": 1, "group": GROUP})
        till.sync()
    assert till.states() == [EditState.SENDING]
    till.delete("Прва")
    assert till.rows() == {}
    till.sync()
    assert (platform.live(), till.open()) == ({}, [])


def test_a_collision_of_codes_is_a_conflict(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    till.sync()
    first = till.add("Прва", 10)
    second = till.add("Друга", 20)
    for number in (0, 1):
        platform.add(name=f"Туђа {number}", price=1, sku=conftest.CODES.start + number)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 2)
    told = {one.field: (one.ours, one.theirs) for one in till.open()[0].conflicts}
    assert told == {
        "sku": (conftest.CODES.start, conftest.CODES.start),
        "name": ("Прва", "Туђа 0"),
        "price": (Money(10), Money(1)),
    }
    till.desk.decide(first.id, {"sku": EditSide.OURS}, at=first.at)
    till.desk.decide(second.id, {"sku": EditSide.THEIRS}, at=second.at)
    assert till.sync().pushed.sent == 1
    skus = {one["name"]: one["sku"] for one in platform.live().values()}
    assert skus["Прва"] == conftest.CODES.start + 2
    assert sorted(till.rows()) == ["Прва", "Туђа 0", "Туђа 1"]


EAN = "8600001000008"


def test_ours_of_a_collision_is_the_platform_s_article_that_has_its_ean(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    """A new code would be refused for the EAN. The till's data go to that article, so that one scan
    finds one article at one price."""
    till.sync()
    bread = till.add("Хлеб", 120, code=EAN)
    platform.add(name="Туђа", price=1, sku=conftest.CODES.start)
    platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    assert till.sync().pushed.conflicts == 1
    told = {one.field: (one.ours, one.theirs) for one in till.open()[0].conflicts}
    assert told == {
        "ean": (EAN, EAN),
        "name": ("Хлеб", "Хлеб бели 500 г"),
        "price": (Money(120), Money(95)),
    }, "what is shown is the article that is changed"
    till.desk.decide(bread.id, {"ean": EditSide.OURS}, at=bread.at)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.refused, till.open()) == (1, 0, [])
    assert till.prices() == {"Туђа": "1.00", "Хлеб": "120.00"}
    there = {one["name"]: one["sku"] for one in platform.live().values()}
    assert there == {"Туђа": conftest.CODES.start, "Хлеб": 77}
    assert till.names_with(EAN) == ["Хлеб"], "one scan finds one article"


def test_an_article_of_its_ean_that_was_not_shown_is_not_changed(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    """It came after somebody saw the conflict about the code: it is shown before it is decided."""
    till.sync()
    bread = till.add("Хлеб", 120, code=EAN)
    platform.add(name="Туђа", price=1, sku=conftest.CODES.start)
    assert till.sync().pushed.conflicts == 1
    platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    till.sync()
    till.desk.decide(bread.id, {"sku": EditSide.OURS}, at=bread.at)
    report = till.sync()
    assert (report.pushed.sent, report.pushed.conflicts) == (0, 1)
    told = {one.field: one.theirs for one in till.open()[0].conflicts}
    assert told == {"ean": EAN, "name": "Хлеб бели 500 г", "price": Money(95)}
    till.desk.decide(bread.id, {"ean": EditSide.OURS}, at=bread.at)
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Туђа": "1.00", "Хлеб": "120.00"})


def test_an_article_of_its_code_and_ean_is_shown_with_both(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    till.sync()
    till.add("Хлеб", 120, code=EAN)
    platform.add(name="Хлеб бели 500 г", price=120, sku=conftest.CODES.start, ean=EAN)
    till.sync()
    told = {one.field: one.theirs for one in till.open()[0].conflicts}
    assert told == {"sku": conftest.CODES.start, "ean": EAN, "name": "Хлеб бели 500 г"}


@pytest.mark.parametrize("side", EditSide)
def test_another_name_and_code_for_one_ean_is_decided_before_it_is_refused(
    platform: conftest.Platform, till: conftest.TillBeside, side: EditSide
) -> None:
    till.sync()
    bread = till.add("Хлеб", 120, code=EAN)
    platform.add(name="Хлеб бели 500 г", price=95, sku=77, ean=EAN)
    report = till.sync()
    assert (report.pushed.conflicts, report.pushed.refused) == (1, 0)
    told = {one.field: (one.ours, one.theirs) for one in till.open()[0].conflicts}
    assert told == {
        "ean": (EAN, EAN),
        "name": ("Хлеб", "Хлеб бели 500 г"),
        "price": (Money(120), Money(95)),
    }
    marks = Marks(pinned=True, barcodes=(Barcode("2100123"),))
    till.desk.note(bread.product_id, marks, by="Мира", at=bread.at)
    to_come = PlannedPrice(bread.product_id, Money(99), bread.at + timedelta(days=9))
    till.desk.plan_price(to_come, by="Мира", at=bread.at)
    till.desk.decide(bread.id, dict.fromkeys(told, side), at=bread.at)
    till.sync()
    kept = ("Хлеб", "120.00") if side is EditSide.OURS else ("Хлеб бели 500 г", "95.00")
    (row,) = till.shelf.favourites()
    assert row.name == kept[0], "the shop's own notes are about the same goods"
    assert till.names_with("2100123") == [kept[0]]
    assert (till.desk.plan_of(row.product_id) is not None) == (side is EditSide.OURS)
    assert (till.open(), till.prices()) == ([], dict([kept]))
    assert [(one["name"], one["sku"]) for one in platform.live().values()] == [(kept[0], 77)]
    assert till.names_with(EAN) == [kept[0]]


@pytest.mark.parametrize("side", EditSide)
def test_where_two_are_one_nothing_that_the_shop_knows_of_either_is_lost(
    platform: conftest.Platform, till: conftest.TillBeside, side: EditSide
) -> None:
    """Both were noted, sold, priced and labelled here before anybody knew that they are one
    article."""
    platform.add(name="Хлеб бели 500 г", price=95, sku=77)
    till.sync()
    theirs, ours = till.rows()["Хлеб бели 500 г"].product_id, till.add("Хлеб", 120, code=EAN)
    till.change("Хлеб", price=Money(125))
    kept = Marks(barcodes=(Barcode("2100123"), Barcode("2100777")))
    till.desk.note(theirs, kept, by="Мира", at=conftest.NOW)
    mine = Marks(
        pinned=True,
        open_price=True,
        by_weight=True,
        barcodes=(Barcode("2100456"), Barcode("2100123", Quantity("6"))),
    )
    till.desk.note(ours.product_id, mine, by="Мира", at=conftest.NOW)
    to_come = PlannedPrice(ours.product_id, Money(99), conftest.NOW + timedelta(days=9))
    till.desk.plan_price(to_come, by="Мира", at=conftest.NOW)
    till.desk.note_labels({theirs: "95"}, at=conftest.NOW)
    till.desk.note_labels({ours.product_id: "125"}, at=conftest.NOW + timedelta(days=1))
    for article_id, amount in ((theirs, "1"), (ours.product_id, "3")):
        lines = [(article_id, Quantity(amount))] * USUAL_FROM_LINES
        till.desk.count_sold(lines, on=conftest.NOW.date())
    platform.change(theirs, ean=EAN)
    till.sync()
    (edit,) = till.open()
    till.desk.decide(
        edit.id, dict.fromkeys([one.field for one in edit.conflicts], side), at=conftest.NOW
    )
    till.sync()
    is_ours = side is EditSide.OURS
    assert till.shelf.marks(theirs) == Marks(
        pinned=True,
        open_price=is_ours,
        by_weight=True if is_ours else None,
        barcodes=(Barcode("2100123"), Barcode("2100777"), Barcode("2100456")),
    )
    assert till.shelf.usual_amount(theirs) == Quantity("2")
    assert till.desk.labels_printed([theirs]) == {theirs: "125"}
    changes = till.shelf.price_changes(since=conftest.NOW - timedelta(days=1))
    assert {one.article_id for one in changes} == {theirs}
    assert (till.desk.plan_of(theirs) is not None) == is_ours
    assert till.desk.plan_of(ours.product_id) is None
    assert (till.open(), len(till.rows()), len(platform.live())) == ([], 1, 1)


def test_without_a_line_all_waits_and_is_told(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    url, till.url = till.url, "http://127.0.0.1:9/v2"
    with pytest.raises(NotDelivered):
        till.sync()
    assert till.states() == [EditState.WAITING]
    till.url = url
    till.sync()
    assert (till.open(), till.prices()) == ([], {"Хлеб": "120.00"})


def test_behind_the_log_in_of_a_network_all_waits(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
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


def test_what_says_nothing_about_the_edit_refuses_no_edit(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    platform.add(name="Хлеб", price=100)
    till.sync()
    till.change("Хлеб", price=Money(120))
    for fault in ("401", "403", "405", "429"):
        platform.faults = [fault]
        assert till.sync().pushed.fault is not None
        assert till.states() == [EditState.WAITING]
    till.secret = "wrong"
    with pytest.raises(Refused):
        till.sync()
    assert till.shelf.facts().fault == "platform_key"


@pytest.mark.parametrize("word", ["platform_no_room", "platform_no_more"])
def test_a_full_platform_refuses_no_edit_and_says_that_it_is_full(
    tmp_path: Path, folder: Path, word: str
) -> None:
    reserve = Reserve(tmp_path, 10**18) if word == "platform_no_room" else None
    most = Quotas() if reserve else Quotas(stored_bytes=1000)
    one = OurPlatform(folder=tmp_path / "platform", most=most, reserve=reserve)
    with one.open(), conftest.till_beside(folder, one) as till:
        till.sync()
        till.add("Хлеб")
        assert till.sync().pushed.fault is not None
        assert till.states() == [EditState.WAITING]
        assert till.shelf.facts().fault == word


def test_many_deletions_wait_as_a_programs_status(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    for number in range(12):
        platform.add(name=f"Артикал {number}", price=1)
    till.sync()
    for key in list(platform.live())[:7]:
        platform.remove(key)

    def run(*, accept: bool) -> tuple[int, str]:
        out = io.StringIO()
        code = sync.sync_command(
            settings=till.settings(), source=None, out=out, accept_removals=accept
        )
        return code, out.getvalue()

    for tells_more in (False, False, True, False):  # the question stays open
        if tells_more:
            platform.add(name="Нов", price=1)
        code, words = run(accept=False)
        assert (code, till.shelf.facts().gone) == (sync.WAITING, 7)
        assert "7 products gone from the list" in words
    assert len(till.rows()) == 13
    assert till.desk.gone(limit=2) == ("Артикал 0", "Артикал 1")
    code, words = run(accept=True)
    assert (code, len(till.rows())) == (sync.DONE, 6)
    assert re.search(r"\b7 (products )?removed", words)


def test_what_is_let_go_is_told_where_the_platform_has_nothing_new(
    folder: Path, tmp_path: Path
) -> None:
    with (
        OurPlatform(folder=tmp_path / "platform").open() as one,
        conftest.till_beside(folder, one) as till,
    ):
        one.add(name="Хлеб", price=1)
        files = sqlite3.connect(tmp_path / "copy.db"), sqlite3.connect(one.folder / FILE)
        with closing(files[0]) as copy, closing(files[1]) as present:
            present.backup(copy)
            for number in range(6):
                one.add(name=f"Артикал {number}", price=1)
            till.sync()
            copy.backup(present)
        assert till.sync().brought.held_back == 6
        report = till.sync(accept_removals=True)
        assert (report.is_unchanged, list(till.rows())) == (True, ["Хлеб"])
        assert (report.brought.removed, report.brought.held_back) == (6, 0)
        assert any("6 products removed" in line for line in platform_lines(report))


def test_a_platform_is_seen_to_be_put_back_while_removals_wait(
    folder: Path, tmp_path: Path
) -> None:
    with (
        OurPlatform(folder=tmp_path / "platform").open() as one,
        conftest.till_beside(folder, one) as till,
    ):
        for number in range(12):
            one.add(name=f"Артикал {number}", price=1)
        keys = list(one.live())
        till.sync()
        files = sqlite3.connect(tmp_path / "copy.db"), sqlite3.connect(one.folder / FILE)
        with closing(files[0]) as copy, closing(files[1]) as present:
            present.backup(copy)
            one.change(keys[-1], price=7)
            for key in keys[:8]:
                one.remove(key)
            assert till.sync().brought.held_back == 8
            assert till.sync().is_unchanged, "what waits is not told again and again"
            copy.backup(present)
        assert till.sync().brought.held_back == 0
        assert (till.shelf.facts().gone, len(till.rows())) == (0, 12)
        assert till.prices()["Артикал 11"] == "1.00"


def test_a_single_article_that_is_gone_of_a_small_shop_asks_nobody(
    platform: conftest.Platform, till: conftest.TillBeside
) -> None:
    for number in range(12):
        platform.add(name=f"Артикал {number}", price=1)
    keys = list(platform.live())
    till.sync()
    platform.remove(keys[0])
    report = till.sync()
    assert (report.brought.removed, report.brought.held_back) == (1, 0)
    for key in keys[1:6]:
        platform.remove(key)
    assert till.sync().brought.held_back == 5


def test_a_platform_that_was_put_back_is_listed_anew(folder: Path, tmp_path: Path) -> None:
    """Undone changes are undone here too, and a code given out again belongs to one article."""
    with (
        OurPlatform(folder=tmp_path / "platform").open() as one,
        conftest.till_beside(folder, one) as till,
    ):
        kept = [one.add(name=f"Артикал {number}", price=1) for number in range(6)]
        till.sync()
        files = sqlite3.connect(tmp_path / "copy.db"), sqlite3.connect(one.folder / FILE)
        with closing(files[0]) as copy, closing(files[1]) as present:
            present.backup(copy)
            undone = one.add(name="Трећи", price=70)
            one.change(kept[0]["id"], price=9)
            till.sync()
            assert till.prices()["Артикал 0"] == "9.00"
            copy.backup(present)
        again = one.add(name="Четврти", price=100, taxRateLabel="Ђ")
        one.change(again["id"], price=101)
        assert again["sku"] == undone["sku"]
        till.sync()
        assert till.names_with(undone["sku"]) == ["Четврти"]
        assert till.prices()["Артикал 0"] == "1.00"
        assert "Трећи" not in till.rows()
        with closing(CatalogueView(catalogue_file(folder))) as view:
            assert [one.name for one in view.articles(again["sku"])] == ["Четврти"]
        assert till.sync().is_unchanged
