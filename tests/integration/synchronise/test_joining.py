"""A shop that worked without a platform joins one: its articles are then there under its ids."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import chain, count
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.importing import open_for_import
from pos_app.bootstrap.synchronisation import platform_sync, sync
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed, RemoteError
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState
from pos_app.selling.synchronisation.joining import JoiningAnswer, OpenChanges, StoreThere
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import CODES, NOW, TillBeside, article, till_beside
from tests.integration.synchronise.test_pictures import choose_photo, cover

SEND, READ = JoiningAnswer


def listed(platform: OurPlatform, path: str) -> dict[str, str]:
    found: Any = platform.asked("GET", path, None)
    return {one["id"]: one["name"] for one in found}


def units_there(platform: OurPlatform) -> dict[str, str | None]:
    """Return each article's unit over there by its name there."""
    units = listed(platform, "/units")
    return {
        one["name"]: units[one["saleUnitId"]] if one.get("saleUnitId") else None
        for one in platform.live().values()
    }


def told(till: TillBeside, *, join: JoiningAnswer | None = None, **more: Any) -> tuple[int, str]:
    """Run `pos-app sync`; return its status and output."""
    out, settled = io.StringIO(), till.settings().having(**more) if more else till.settings()
    return sync.sync_command(settings=settled, source=None, out=out, join=join), out.getvalue()


def test_its_name_commands_no_terminal(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """A person decides by the name: one that wipes the lines above it would mislead."""
    wipes = "Липа\x1b[2J\x1b[H\nSend\u202eit"
    foreign.stores = [{"id": "s1", "name": wipes, "address": "Обреновићева 12\r"}]
    bring(abroad, article("Хлеб", 1))
    code, words = told(abroad)
    assert code == sync.WAITING
    assert "has these stores: Липа [2J [H Send it, Обреновићева 12." in words
    asked = abroad.shelf.facts().asked_to_join
    assert asked.stores == (StoreThere("Липа [2J [H Send it", "Обреновићева 12"),)
    foreign.add(name=wipes, price="x")
    code, words = told(abroad, join=READ)
    assert (code, "Липа\\u001b[2J" in words) == (sync.BAD_LIST, True)
    assert words.replace("\n", "").isprintable()


EAN = "8600123450144"


def test_the_platforms_store_takes_its_place(ours: OurPlatform, beside: TillBeside) -> None:
    beside.desk.open_store(Store(id="00000000-0000-4000-8000-000000000001", name="Наша"))
    beside.change_store(city="Ниш")
    theirs = ours.store("POST", "/stores", {"name": "Липа", "city": "Врање"})
    report = beside.sync()
    assert (report.pushed.sent, report.pushed.refused) == (0, 0)
    assert [(one.id, one.city) for one in beside.shelf.stores()] == [(theirs["id"], "Врање")]
    told = beside.shelf.facts()
    assert (told.stores_waiting, told.stores_to_decide) == (0, 0)
    assert [one["city"] for one in ours.stores()] == ["Врање"]


FILE: dict[str, Any] = {
    "units": [{"id": "1", "name": "комад", "symbol": "ком"}, {"id": "u2", "name": "пар"}],
    "categories": [{"id": "c1", "name": "Пекара", "position": 1}, {"id": "c2", "name": "Обућа"}],
    "products": [
        {"id": "p5", "name": "Мајица", "taxRateLabel": "Ђ", "hasVariants": True,
         "variants": [{"id": "v1", "sku": 51, "name": "Мајица", "variantName": "L", "price": 9,
                       "taxRateLabel": "Ђ", "saleUnitId": "1"}]},
        {"id": "p1", "sku": 1, "manufacturerSku": "1", "name": "Хлеб", "price": 58,
         "taxRateLabel": "Е", "saleUnitId": "1",
         "categories": ["c1"],
         "coverImage": {"id": "1", "filename": "a", "urls": {"original": "a.webp"}}},
        {"id": "p2", "sku": 2, "name": "Ципеле", "price": 5000, "taxRateLabel": "Ђ",
         "saleUnitId": "u2", "categories": ["c2", "c1"]},
        {"id": "p3", "sku": 3, "name": "Млеко", "price": 100, "taxRateLabel": "Е", "ean": EAN},
        {"id": "p4", "sku": 4, "name": "Сок", "price": 90, "taxRateLabel": "Ђ"},
    ],
}  # fmt: skip


def bring_file(till: TillBeside) -> Path:
    """Run `pos-app sync FILE` before there is a platform."""
    file = till.folder.parent / "shop" / "list.json"
    file.parent.mkdir(exist_ok=True)
    Image.new("RGB", (40, 30), "red").save(file.with_name("a.webp"))
    file.write_text(json.dumps(FILE))
    sync.run_sync(settings=settings.load(till.folder), source=file, progress=lambda _: None)
    return file


def test_how_many_prices_become_theirs_is_told(ours: OurPlatform, beside: TillBeside) -> None:
    bring_file(beside)
    ours.add(name="Mleko", sku=77, price=120, ean=EAN)
    ours.add(name="Сок", sku=4, price=90)
    size = {"id": str(uuid.uuid4()), "name": "Мајица", "variantName": "L", "sku": 51, "price": 9}
    sizes = [size | {"taxRateLabel": "Ђ"}]
    ours.add(name="Мајица", taxRateLabel="Ђ", hasVariants=True, variants=sizes)
    code, words = told(beside)
    asked = beside.shelf.facts().asked_to_join
    assert (code, asked.to_send, asked.same, asked.repriced) == (sync.WAITING, 2, 3, 1)
    assert "1 costs another amount there: the platform's price counts." in words


def test_a_file_with_its_pictures_is_there_too(ours: OurPlatform, beside: TillBeside) -> None:
    file = bring_file(beside)
    beside.change("Сок", price=Money(95))
    theirs = ours.add(name="Mleko", sku=77, price=120, ean=EAN)
    other = ours.add(name="Чоколада", sku=2, price=10)
    code, words = told(beside, join=SEND)
    assert code == sync.WAITING, words
    assert "1 product is the platform's too; 4 products to be added there" in words
    live = {one["name"]: one for one in ours.live().values()}
    prices = {name: one.get("price") for name, one in live.items()}
    assert prices == {"Хлеб": 58, "Mleko": 120, "Чоколада": 10, "Сок": 95, "Мајица": None}
    assert live["Хлеб"]["coverImage"]["size"] > 0
    assert (live["Хлеб"]["sku"], live["Хлеб"]["manufacturerSku"]) == (1, "1")
    categories = listed(ours, "/categories")
    assert [categories[one] for one in live["Хлеб"]["categories"]] == ["Пекара"]
    assert (units_there(ours)["Хлеб"], live["Мајица"]["variants"][0]["sku"]) == ("комад", 51)
    assert live["Мајица"]["sku"] in CODES, "no code that another article brings along"
    rows = beside.rows()
    assert rows["Mleko"].product_id == theirs["id"]
    (conflict,) = beside.open()  # our shoes have their chocolate's code
    assert (conflict.state, conflict.conflicts[0].theirs) == (EditState.CONFLICT, 2)
    assert (rows["Чоколада"].product_id, rows["Ципеле"].unit) == (other["id"], "пар")
    counted = {one.category.name: one.rows for one in beside.shelf.categories()}
    assert counted == {"Пекара": 2, "Обућа": 1}
    out = io.StringIO()
    assert sync.sync_command(settings=beside.settings(), source=file, out=out) == sync.FAILED
    assert "from its platform" in out.getvalue()
    assert beside.sync().pushed.sent == 0


def test_what_is_not_made_is_told_and_mended(ours: OurPlatform, beside: TillBeside) -> None:
    bring_file(beside)
    ours.faults = ["403"] * 2  # for the two units; categories are made
    report = beside.sync(join=SEND)
    assert (report.pushed.sent, report.pushed.refused) == (2, 3)
    edits = [one for one in beside.open() if one.state is EditState.REFUSED]
    assert {(one.error_field, one.error) for one in edits} == {
        ("saleUnitId", '"комад": a fault'),
        ("saleUnitId", '"пар": a fault'),
    }
    assert beside.rows()["Ципеле"].unit == "пар"
    for edit in edits:
        beside.desk.move(edit.id, EditState.WAITING, at=edit.at)
    assert beside.sync().pushed.sent == 3
    assert (units_there(ours)["Ципеле"], beside.open()) == ("пар", [])


def test_nothing_goes_before_a_person_says_so(ours: OurPlatform, beside: TillBeside) -> None:
    """The key may be another shop's: the account's stores are shown before."""
    bring_file(beside)
    ours.add(name="Mleko", sku=77, price=120, ean=EAN)
    ours.add(name="Туђе", sku=78, price=1)
    ours.store("POST", "/stores", {"name": "Липа", "address": "Главна 1", "city": "Врање"})
    before, ours.asks[:] = beside.prices(), []
    code, words = told(beside)
    assert code == sync.WAITING
    assert "has these stores: Липа, Главна 1, Врање." in words
    assert words.count("Asking the platform for its list.") == 1
    asked: Any = beside.shelf.facts().asked_to_join
    assert (asked.listed, asked.to_send, asked.same) == (2, 4, 1)
    assert (asked.key, asked.stores) == (ours.key, (StoreThere("Липа", "Главна 1, Врање"),))
    assert (beside.shelf.facts().to_decide, beside.prices()) == (1, before)
    assert {one.split()[0] for one in ours.asks} == {"GET"}
    many = len(ours.asks)
    assert beside.sync().asked == asked
    assert len(ours.asks) == many, "it is not looked at again every few minutes"

    beside.desk.answer_joining(READ, asked, by="Мира", at=NOW)
    assert beside.sync().brought.added == 1
    beside.change("Mleko", price=Money(99))
    beside.add("Нов", 5)
    assert (beside.sync().pushed.waiting, ours.writes()) == (2, [])
    rows = beside.rows()
    assert {"Mleko", "Туђе", "Хлеб"} < set(rows)
    assert (rows["Хлеб"].unit, len(rows)) == ("ком", 7)

    beside.desk.ask_joining_anew(after_read=True)
    again: Any = beside.sync().asked
    assert (again.to_send, again.same) == (5, 0)
    beside.desk.answer_joining(SEND, again, by="Мира", at=NOW)
    report = beside.sync()
    assert (report.pushed.sent, report.pushed.fault, beside.open()) == (6, None, [])
    assert {one["name"] for one in ours.live().values()} == set(rows) | {"Нов"}


def change_account_unasked(there: ForeignPlatform, till: TillBeside) -> None:
    """Change the account with an answer that nobody gave: its articles were never sent."""
    there.add(name="Стари", price=100, sku=1)
    till.sync()
    there.products = {}
    there.add(name="Нови", price=5, sku=9)
    there.key = till.key = "pk_b"
    till.sync(join=READ)
    connection = open_for_import(catalogue_file(till.folder))
    connection.execute("UPDATE joining SET answer = 'send', by = ''")
    connection.close()
    assert till.sync().asked is None


def test_no_other_key_takes_articles_along(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    change_account_unasked(foreign, abroad)
    abroad.key = "pk_mistyped"
    with pytest.raises(RemoteError):
        abroad.sync()
    for key in ("pk_b", "pk_b2"):
        foreign.key = abroad.key = key
        asked = abroad.sync().asked
        assert (asked.to_send, asked.same, foreign.writes()) == (1, 0, [])
    assert abroad.shelf.facts().to_decide == 1
    abroad.sync(join=READ)
    foreign.key = abroad.key = "pk_b3"
    again = abroad.sync()
    assert (again.asked, foreign.writes()) == (None, []), "only reading goes on with any key"
    assert abroad.shelf.facts().joining.answer is READ
    assert abroad.sync(join=SEND).pushed.sent == 1


def test_a_photo_chosen_here_goes_along(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    foreign.add(name="Хлеб", price=100, sku=1, images=["older"])
    abroad.sync()
    choose_photo(abroad, "Хлеб", beside=("older",))
    foreign.products = {}
    foreign.key = abroad.key = "pk_other"
    assert abroad.sync(join=SEND).pushed.sent == 1
    (bread,) = foreign.live().values()
    assert bread["images"] == ["uploaded"], "the other account's own is not known here"
    assert set(foreign.files) == {"uploaded"}


def test_an_unread_question_is_asked_anew(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """The till shows its state without it. An answer about another account is refused."""
    abroad.add("Нов", 5)
    asked: Any = abroad.sync().asked
    for kept in ('{"url": 1}', "{"):
        with closing(open_for_import(catalogue_file(abroad.folder))) as connection:
            connection.execute("UPDATE joining SET asked = ?", (kept,))
        assert abroad.shelf.facts().asked_to_join is None
        again: Any = abroad.sync().asked
        assert replace(again, at=asked.at) == asked
    foreign.key = abroad.key = "pk_other"
    other = abroad.sync().asked
    with pytest.raises(NotAllowed):
        abroad.desk.answer_joining(SEND, asked, by="Мира", at=NOW)
    assert abroad.shelf.facts().asked_to_join.key == other.key


# --- what was changed here for another account ---------------------------------------------------


def turn_to_another_account(there: ForeignPlatform, till: TillBeside) -> None:
    """Go to another account with each kind of open change; of the articles it has only the milk."""
    for name in ("Хлеб", "Млеко", "Сок", "Сир"):
        there.add(name=name, price=100)
    (bread, _, _, cheese) = there.products
    till.sync()
    till.change("Хлеб", price=Money(120))
    till.change("Сир", price=Money(300))
    there.change(bread, price=110)
    there.faults = ["422"]
    till.sync()
    assert set(till.states()) == {EditState.CONFLICT, EditState.REFUSED}
    till.change("Млеко", price=Money(210))
    till.delete("Сок")
    till.change_store(city="Ниш")
    assert there.products[cheese]["price"] == 100
    there.products = {}
    there.stores = [{"id": "s2", "name": "Туђа"}]
    there.add(name="Млеко", price=205, sku=2)
    there.key = till.key = "pk_other"
    there.asks.clear()


def test_the_question_names_open_changes(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    turn_to_another_account(foreign, abroad)
    code, words = told(abroad)
    assert code == sync.WAITING
    assert "2 changes wait to be sent, and 2 changes wait for a decision" in words
    assert "With read, all of them wait here." in words
    assert "1 change of a store that the account does not have: with either answer it ends" in words
    asked = abroad.shelf.facts().asked_to_join
    assert asked.changes == OpenChanges(waiting=2, to_decide=2, stores=1)
    (conflict,) = [one for one in abroad.open() if one.conflicts]
    abroad.desk.decide(conflict.id, {"price": EditSide.OURS}, at=NOW)
    again = abroad.sync().asked
    assert again is not None
    assert again.changes == OpenChanges(waiting=3, to_decide=1, stores=1), "counted each time"
    assert (abroad.shelf.facts().asked_to_join, foreign.writes()) == (again, [])


def test_what_is_sent_elsewhere_is_told(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    turn_to_another_account(foreign, abroad)
    code, words = told(abroad, join=SEND)
    assert code == sync.WAITING
    assert '--join says "send"' in words
    assert "1 product is the platform's too; 2 products to be added there" in words
    assert "0 changes that waited, and 2 changes that nobody had decided yet" in words
    assert "1 deletion of what another account has: ended" in words
    assert "1 change of a store that this account does not have: ended" in words
    assert "1 change made on both sides: a person decides" in words
    assert {one["name"]: one["price"] for one in foreign.live().values()} == {
        "Хлеб": 120,
        "Сир": 300,
        "Млеко": 205,
    }
    (conflict,) = abroad.open()
    assert [str(one.theirs) for one in conflict.conflicts] == ["205.00"]


def test_who_only_reads_keeps_every_change(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    turn_to_another_account(foreign, abroad)
    before = len(abroad.open())
    code, words = told(abroad, join=READ)
    assert code == sync.WAITING
    assert '--join says "read": nothing goes to the platform' in words
    assert "1 change waits here, as this platform is only read" in words
    assert "2 changes made on both sides" in words
    assert (len(abroad.open()), foreign.writes()) == (before, [])


def test_a_refused_addition_goes_elsewhere(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    abroad.sync()
    abroad.add("Одбијен", 10)
    abroad.add("Судар", 20)
    foreign.faults = ["422"]
    foreign.add(name="Туђ", price=1, sku=CODES.start + 1)
    abroad.sync()
    assert set(abroad.states()) == {EditState.CONFLICT, EditState.REFUSED}
    foreign.products, foreign.key = {}, "pk_other"
    abroad.key = foreign.key
    assert (abroad.sync().asked.changes.to_decide, abroad.sync(join=SEND).pushed.sent) == (2, 2)
    names = {one["name"] for one in foreign.live().values()}
    assert names in ({"Одбијен", "Судар"}, {"Одбијен", "Туђ"})
    assert abroad.states() == [EditState.CONFLICT], "two have one code: the first is taken there"


@pytest.mark.parametrize("bakery", ["Пекара", "pekara"])
def test_a_demo_keeps_its_names_and_sends_what_is_made_in_it(
    ours: OurPlatform, beside: TillBeside, bakery: str
) -> None:
    """Only what is made in it is sent. bakery: as the platform has it, or has none of that name."""
    bring_file(beside)
    beside.change("Хлеб", price=Money(70), categories=("c2",))
    has_category = bakery == "pekara"
    if has_category:
        ours.asked("POST", "/categories", {"name": bakery})

    def named() -> dict[str, int]:
        return {one.category.name: one.rows for one in beside.shelf.categories()}

    for _ in range(2):
        code, words = told(beside, environment="demo")
        assert code == sync.DONE, words
        assert named() == {bakery: 1, "Обућа": 2}
        facts, bread = beside.shelf.facts(), beside.rows()["Хлеб"]
        assert (facts.waiting, facts.to_decide) == (0, 0)
        assert (bread.edits, str(bread.price)) == (EditMark.NONE, "70.00")
        assert beside.desk.open_edits(bread.product_id) == ()
        assert (ours.live(), len(listed(ours, "/categories"))) == ({}, has_category)
    kinds = {one.category.name: one.category.id for one in beside.shelf.categories()}
    code, words = told(beside, join=SEND, environment="demo")
    assert code == sync.DONE
    assert "--join has no effect here: a demo takes no articles" in words
    beside.add("Нова ципела", category_ids=(kinds["Обућа"],))
    assert (beside.shelf.facts().waiting, told(beside, environment="demo")[0]) == (1, sync.DONE)
    assert [one["name"] for one in ours.live().values()] == ["Нова ципела"]
    assert "Обућа" in listed(ours, "/categories").values()
    assert (beside.shelf.facts().waiting, named()) == (0, {bakery: 1, "Обућа": 3})


# --- an answer that is lost ----------------------------------------------------------------------


def test_a_lost_photo_holds_up_its_article(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    for name in ("Хлеб", "Млеко", "Сок"):
        foreign.add(name=name, price=100)
    abroad.sync()
    choose_photo(abroad, "Хлеб")
    abroad.change("Млеко", sku=77)  # it goes alone, after the bread
    foreign.faults = ["lost-after"]
    code, words = told(abroad)
    assert (code, abroad.open()) == (0, []), words
    assert {one.split("/")[-1] for one in foreign.writes()[:1]} == {"files"}
    assert "2 changes sent to the platform." in words


def test_a_lost_store_is_one_sentence(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    foreign.add(name="Хлеб", price=100)
    abroad.sync()
    abroad.change("Хлеб", price=Money(120))
    abroad.change_store(city="Ниш")
    foreign.faults = ["", "lost"]
    code, words = told(abroad)
    assert code == sync.AWAY
    assert "The run ended early. The platform at" in words
    assert "1 change sent; 1 without an answer, about which the next run asks again" in words
    assert "unchanged" not in words


@pytest.mark.faults
def test_an_answer_that_is_lost_costs_only_itself(folder: Path, tmp_path: Path, times: int) -> None:
    """Each request of a run in turn (with few faults the first, then every eighth): the next run
    completes it, and nothing is there twice."""
    ended_early: dict[str, str] = {}
    for number in count(1) if times >= 100 else chain(range(1, 6), count(8, 8)):
        platform = OurPlatform(folder=tmp_path / f"platform{number}")
        data = tmp_path / f"till{number}"
        data.mkdir()
        with platform.open(), till_beside(data, platform) as till:
            bring_file(till)
            platform.lose_answer = number
            code, words = told(till, join=SEND)
            if len(platform.asks) < number:
                break
            if code:
                ended_early[platform.asks[number - 1]] = words
            code, _ = told(till)
            assert (code, till.open()) == (0, [])
            assert sorted(one["name"] for one in platform.live().values()) == sorted(
                one["name"] for one in FILE["products"]
            )
            assert sorted(listed(platform, "/units").values()) == ["комад", "пар"]
            assert sorted(listed(platform, "/categories").values()) == ["Обућа", "Пекара"]
    assert set(ended_early) == {
        f"GET /v2/{one}" for one in ("stores", "units", "categories", "products")
    }, "nothing is sent before the list"
    for words in ended_early.values():
        assert "did not answer completely" in words
        assert words.endswith("Nothing was sent: the next run asks again.\n")


def test_ids_are_no_parts_of_other_texts(ours: OurPlatform, beside: TillBeside) -> None:
    """ "e" occurs in each member's name, "hleb" in a name, "1" in prices and codes."""
    listed = [
        article("Хлеб", 1, id="e", price=111),
        article("Млеко", 11, id="1", price=110),
        article("Hleb", 3, id="hleb", price=70),
        article("pica hleb sir", 4, id="price", price=300, ean=EAN, categories=[]),
        shirt("L"),
    ]
    bring(beside, *listed)
    ours.add(name="Друго", sku=77, price=120, ean=EAN)
    report = beside.sync(join=SEND)
    assert (report.pushed.conflicts, report.pushed.refused) == (1, 0)
    (conflict,) = beside.open()
    told = {one.field: one.ours for one in conflict.conflicts}
    assert (told["name"], told["price"]) == ("pica hleb sir", Money(300))
    beside.change("Млеко", price=Money(112))
    beside.desk.decide(conflict.id, dict.fromkeys(told, EditSide.OURS), at=NOW)
    assert beside.sync().pushed.refused == 0
    there = {one["name"]: one["price"] for one in ours.live().values()}
    assert there == {"Хлеб": 111, "Млеко": 112, "Hleb": 70, "pica hleb sir": 300, "Мајица": 5}
    assert not beside.open()


@pytest.mark.parametrize("side", EditSide)
def test_a_price_of_one_of_two_articles_with_one_ean_takes_the_place_of_a_plan(
    ours: OurPlatform, beside: TillBeside, side: EditSide
) -> None:
    bring(beside, article("Пица", 4, id="ours", price=300, ean=EAN, categories=[]))
    ours.add(name="Друго", sku=77, price=120, ean=EAN)
    beside.sync(join=SEND)
    (conflict,) = beside.open()
    there = beside.rows()["Друго"].article_id or ""
    plan = PlannedPrice(there, Money(70), NOW - timedelta(days=1))
    beside.desk.plan_price(plan, by="Мира", at=NOW)
    sides = dict.fromkeys([one.field for one in conflict.conflicts], side)
    beside.desk.decide(conflict.id, sides, at=NOW)
    sold = beside.shelf.article(there)
    assert sold is not None
    assert sold.price == Money(300 if side is EditSide.OURS else 120)


def shirt(*ids: str, **more: Any) -> dict[str, Any]:
    """A shirt whose sizes, 51 and so on, have these ids."""
    sizes = [article("Мајица", 51 + n, id=one, variantName=f"{n}") for n, one in enumerate(ids)]
    return article("Мајица", 5, hasVariants=True, variants=sizes, **more)


def bring(till: TillBeside, *products: dict[str, Any], **more: Any) -> None:
    """Run `pos-app sync FILE` with these products and lists, before there is a platform."""
    source = till.folder.parent / "brought.json"
    listed = [{"taxRateLabel": "Е", **one} for one in products]
    source.write_text(json.dumps({"products": listed, **more}))
    sync.run_sync(settings=settings.load(till.folder), source=source, progress=lambda _: None)


WRONG_IDS: dict[str, Callable[[dict[str, Any], str], list[str]]] = {
    "anothers": lambda it, bread: [bread, it["variants"][1]["id"]],
    "one-for-both": lambda it, bread: ["one-for-both"] * 2,
    "the-products": lambda it, bread: [it["id"]] * 2,
}
"""The ids that an answer gives to two variants, by the answer and another article's id."""
PLAIN: dict[str, Any] = dict.fromkeys(("has_etag", "has_versions", "has_units"), False)
PLAIN["since"] = "refused"


@pytest.mark.parametrize("ids", WRONG_IDS)
def test_a_wrong_id_of_a_variant_in_an_answer_waits_for_the_list(folder: Path, ids: str) -> None:
    with ForeignPlatform(**PLAIN).open() as there, till_beside(folder, there) as till:
        bread = there.add(name="Хлеб", price=100)
        bring(till, shirt("S", "L"))

        def answer(it: dict[str, Any]) -> dict[str, Any]:
            wrong = zip(it["variants"], WRONG_IDS[ids](it, bread["id"]), strict=True)
            return it | {"variants": [one | {"id": new} for one, new in wrong]}

        there.added_answer = answer
        till.sync(join=SEND)
        assert (till.open(), len(there.writes()), till.names_with(1)) == ([], 1, ["Хлеб"])
        assert (len(till.names_with(51)), len(till.names_with(52))) == (1, 1)


WITH_EQUAL_IDS = (("Со", 21, "x1", "x2"), ("Шећер", 22, "x2", "x1"), ("Сир", 23, "x3", "x3"))
"""Names, codes, our ids and theirs of articles that both have."""
BY_CODE = {51: "Мајица 0", 52: "Мајица 1", 53: "Мајица 2", 7: "Хлеб", 91: "Сок", 61: "Капа"}
BY_CODE |= {sku: name for name, sku, *_ in WITH_EQUAL_IDS}


@pytest.mark.parametrize("join", [SEND, READ])
def test_ids_that_both_gave_to_others_are_no_match(folder: Path, join: JoiningAnswer) -> None:
    """A file has the platform's ids crosswise: of sizes, of a size and an article, of articles."""
    with ForeignPlatform(**PLAIN).open() as there, till_beside(folder, there) as till:
        there.add(**shirt("t1", "t2", "t3") | {"id": "t0"})
        sok, cap = [article("Сок", 91, id="t4")], [article("Капа", 61, id="t4")]
        there.add(**article("Сок", 9, id="t9", hasVariants=True, variants=sok))
        exchanged = [article("Капа", 6, hasVariants=True, variants=cap)]
        for name, sku, mine, theirs in WITH_EQUAL_IDS:
            there.add(**article(name, sku, id=theirs))
            exchanged.append(article(name, sku, id=mine))
        bring(till, shirt("t2", "t1", "own"), article("Хлеб", 7, id="t3"), *exchanged)
        (small,) = till.shelf.by_code(ArticleCode("51"))
        till.desk.pin((small.article.id,), by="Мира", at=NOW)
        till.sync(join=join)
        assert till.open() == []
        wanted = {code: [name] for code, name in BY_CODE.items()}
        assert {code: till.names_with(code) for code in BY_CODE} == wanted
        (small,) = till.shelf.by_code(ArticleCode("51"))
        assert (small.article.id, bool(small.article.pinned)) == ("t1", True)
        assert till.rows()["Хлеб"].article_id not in {"t3", None}
        assert [till.rows()[name].product_id for name, *_ in WITH_EQUAL_IDS] == ["x2", "x1", "x3"]
        assert len(there.live()) == (7 if join is SEND else 5)
        till.sync()
        assert till.names_with(7) == ["Хлеб"]


# --- equal ids of two sources --------------------------------------------------------------------


def numbered(name: str, count: int, *, sku: int) -> list[dict[str, Any]]:
    named = in_order(*(f"{name} {n}" for n in range(1, count + 1)))
    return [one | {"sku": sku + int(one["id"]), "price": 5} for one in named]


def test_what_waits_is_not_known_by_its_id(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    bring(abroad, *numbered("Наш", 1, sku=100))
    foreign.faults = ["422"]
    assert abroad.sync(join=SEND).pushed.refused == 1
    foreign.add(id="1", sku=501, name="Њихов", price=5)
    abroad.sync()
    assert (set(abroad.rows()), abroad.states()) == ({"Наш 1", "Њихов"}, [EditState.REFUSED])


@pytest.mark.parametrize("is_other_address", [True, False])
def test_another_account_of_equal_ids_is_asked_about(folder: Path, is_other_address: bool) -> None:
    """Ids that are numbers, and even codes, are no proof that two accounts are one."""
    first, second = ForeignPlatform(), ForeignPlatform(key="pk_other")
    with first.open(), second.open(), till_beside(folder, first) as till:
        for one in numbered("Први", 12, sku=100):
            first.add(**one)
        for one in numbered("Други", 12, sku=100):
            second.add(**one)
        till.sync()
        till.change("Први 2", price=Money(7))
        before = (till.url, till.key, first.products)
        if is_other_address:
            till.url, till.key = second.url, second.key
        else:
            first.products, first.key, till.key = second.products, second.key, second.key
        asked = till.sync().asked
        assert (asked.to_send, asked.same) == (12, 0)
        assert set(till.rows()) == {f"Први {n}" for n in range(1, 13)}
        till.sync(join=READ)
        assert (len(till.rows()), first.writes(), second.writes()) == (24, [], [])
        till.url, till.key, first.products = before
        first.key = till.key
        back = till.sync().asked
        assert (back.to_send, back.same) == (12, 12)
        till.sync(join=READ)
        assert len(till.rows()) == 24
        assert till.rows()["Први 2"].product_id == "2", "it has its id again"
        assert (till.prices()["Први 2"], till.states()) == ("7.00", [EditState.WAITING])


@pytest.mark.parametrize("answer", [SEND, READ])
def test_a_platform_that_moved_is_not_asked_about(folder: Path, answer: JoiningAnswer) -> None:
    first, moved = ForeignPlatform(), ForeignPlatform()
    with first.open(), moved.open(), till_beside(folder, first) as till:
        for one in numbered("Артикал", 12, sku=100):
            first.add(**one)
            moved.add(**one)
        moved.change("3", name="Други назив", sku=900)
        till.sync(join=answer)
        till.change("Артикал 2", price=Money(7))
        till.url = moved.url
        report = till.sync()
        is_sent = answer is SEND
        assert (report.asked, report.pushed.sent) == (None, int(is_sent))
        assert (moved.products["2"]["price"], len(till.rows())) == (7 if is_sent else 5, 12)
        assert till.rows()["Други назив"].product_id == "3"


def in_order(*names: str) -> list[dict[str, Any]]:
    """Name rows whose ids are "1", "2", …, as many programs number them."""
    return [{"id": f"{number}", "name": name} for number, name in enumerate(names, 1)]


def units(*words: tuple[str, str]) -> list[dict[str, Any]]:
    symbols = [{"symbol": symbol} for _, symbol in words]
    return [one | more for one, more in zip(in_order(*dict(words)), symbols, strict=True)]


def symbols(till: TillBeside) -> dict[str, str]:
    return {
        one.article.name: one.article.unit
        for sku in (7, 8, 9, 501)
        for one in till.shelf.by_code(ArticleCode(str(sku)))
    }


def categories_here(till: TillBeside, name: str) -> list[str]:
    """Return the names of the categories of an article, as its form has them."""
    product = till.shelf.product(till.rows()[name].product_id)
    names = {one.category.id: one.category.name for one in till.shelf.categories()}
    return [names[one] for one in product.categories]


@pytest.mark.parametrize("answer", [SEND, READ])
def test_equal_ids_of_units_and_categories_say_nothing(
    foreign: ForeignPlatform, abroad: TillBeside, answer: JoiningAnswer
) -> None:
    """The file's "1" is a piece, the platform's a kilogram: receipts would say "Хлеб/kg"."""
    bread = article("Хлеб", 9, saleUnitId="1", categories=["1"])
    apples = article("Јабуке", 8, saleUnitId="2", categories=["2"])
    ours = units(("комад", "ком"), ("килограм", "кг"), ("пар", "пар"))
    gloves, categories = article("Рукавице", 7, saleUnitId="3"), in_order("Пекара", "Воће")
    bring(abroad, bread, apples, gloves, units=ours, categories=categories)
    foreign.units = units(("килограм", "kg"), ("комад", "kom"), ("литар", "l"))
    foreign.categories = in_order("Воће", "Сокови")
    foreign.add(id="1", sku=501, name="Сок", price=5, saleUnitId="3", categories=["2"])
    abroad.sync(join=answer)
    abroad.sync()
    measured = {"Хлеб": "kom", "Јабуке": "kg", "Рукавице": "пар", "Сок": "l"}
    assert (symbols(abroad), categories_here(abroad, "Јабуке")) == (measured, ["Воће"])
    assert categories_here(abroad, "Сок") == ["Сокови"]
    if answer is SEND:
        there = {one["id"]: one["symbol"] for one in foreign.units}
        sent = {one["name"]: there[one["saleUnitId"]] for one in foreign.live().values()}
        assert (sent, categories_here(abroad, "Хлеб")) == (measured, ["Пекара"])
    else:
        assert not foreign.writes()
        foreign.units.append({"id": "4", "name": "метар", "symbol": "m"})
        abroad.sync()
        assert symbols(abroad) == measured


def photo_of(till: TillBeside, name: str) -> bytes | None:
    """Return the photo that the till shows of an article, once it has brought those it lacks."""
    product_id = till.rows()[name].product_id
    platform_sync.bring_pictures(till.settings(), [product_id])
    (article,) = [one for one in till.rows().values() if one.product_id == product_id]
    product = till.shelf.product(article.product_id)
    path = till.shelf.picture(product.cover_image.id) if product.cover_image else None
    return None if path is None else path.read_bytes()


@pytest.mark.parametrize("answer", [SEND, READ])
def test_equal_ids_of_photos_say_nothing(
    foreign: ForeignPlatform, abroad: TillBeside, answer: JoiningAnswer
) -> None:
    """The file's "1" is bread, the platform's "1" is juice."""
    red = (bring_file(abroad).parent / "a.webp").read_bytes()
    green = io.BytesIO()
    Image.new("RGB", (40, 30), "green").save(green, "PNG")
    juice = cover(foreign, "juice", green.getvalue()) | {"id": "1"}
    foreign.add(id="1", sku=501, name="Сок од јабуке", price=5, coverImage=juice)
    abroad.sync(join=answer)
    abroad.sync()
    assert photo_of(abroad, "Сок од јабуке") == green.getvalue()
    if answer is READ:
        assert photo_of(abroad, "Хлеб") == red
    else:
        (bread,) = [one for one in foreign.live().values() if one["name"] == "Хлеб"]
        (sent,) = bread["images"]
        assert red in foreign.files[sent]


def test_the_change_of_a_store_is_not_for_another_accounts_store_of_that_id(folder: Path) -> None:
    first, second = ForeignPlatform(), ForeignPlatform(key="pk_other")
    first.stores = [{"id": "1", "name": "Липа", "city": "Ниш"}]
    second.stores = [{"id": "1", "name": "Туђа", "city": "Ниш"}]
    with first.open(), second.open(), till_beside(folder, first) as till:
        first.add(name="Хлеб", sku=1, price=5)
        till.sync()
        till.change_store(city="Врање")
        till.url, till.key = second.url, second.key
        second.add(name="Хлеб", sku=1, price=5)
        till.sync(join=SEND)
        assert [(one.name, one.city) for one in till.shelf.stores()] == [("Туђа", "Ниш")]
        assert till.desk.store_edit("1") is None
        assert not [one for one in second.writes() if "stores" in str(one)]
