"""A shop that worked without a platform joins one: its articles are then there under its ids."""

from __future__ import annotations

import io
import json
import uuid
from contextlib import closing
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.importing import open_for_import
from pos_app.bootstrap.synchronisation import sync
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState
from pos_app.selling.synchronisation.joining import JoiningAnswer, OpenChanges, StoreThere
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import NOW, TillBeside, article, till_beside
from tests.integration.synchronise.test_pictures import choose_photo

SEND, READ = JoiningAnswer


def listed(platform: OurPlatform, path: str) -> dict[str, str]:
    found: Any = platform.asked("GET", path, None)
    return {one["id"]: one["name"] for one in found}


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


PLAIN: dict[str, Any] = dict.fromkeys(("has_etag", "has_versions", "has_units"), False)
PLAIN["since"] = "refused"


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
