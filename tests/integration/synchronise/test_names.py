"""Units and categories, changed at a till, on their way to the platform and another till."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest

from pos_app.adapters.catalogue_files.bulk_json import ending_to_json, rows_to_json
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue import names
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.database import transaction
from pos_app.bootstrap.till import bulk_acts
from pos_app.domain.article.product import USUAL_UNITS, Unit
from pos_app.domain.money.money import Money
from pos_app.errors import NotAllowed, NotDelivered
from pos_app.selling.catalogue.bulk_act import ActKind, BulkAct, EndingName
from pos_app.selling.catalogue.names import instead, new_name
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState
from pos_app.selling.synchronisation.joining import JoiningAnswer
from pos_app.selling.synchronisation.name_edits import IN_USE
from pos_app.selling.synchronisation.own_names import Named, NameKind
from pos_app.wire.strict_json import dumps
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.inner_connection import connection_of
from tests.fakes.many_articles import last_of, planned_rows
from tests.fakes.our_platform import OurPlatform
from tests.fakes.power import recorded
from tests.integration.synchronise.conftest import NOW, TillBeside, till_beside
from tests.integration.synchronise.test_platform_sync import put_back
from tests.sweep import each

UNITS, CATEGORIES = NameKind.UNIT, NameKind.CATEGORY
PATHS = {UNITS: "/units", CATEGORIES: "/categories"}


@pytest.fixture
def there(ours: OurPlatform) -> OurPlatform:
    dairy = ours.asked("POST", "/categories", {"name": "Млечно", "position": 1})
    ours.asked("POST", "/categories", {"name": "Пекара", "position": 2})
    piece = ours.asked("POST", "/units", {"name": "комад", "symbol": "ком"})
    ours.add(name="Сир", sku=1, price=100, categories=[dairy["id"]], saleUnitId=piece["id"])
    return ours


@pytest.fixture
def here(folder: Path, there: OurPlatform) -> Iterator[TillBeside]:
    with till_beside(folder, there) as till:
        till.sync()
        yield till


@pytest.fixture
def second(tmp_path: Path, there: OurPlatform) -> Iterator[TillBeside]:
    with till_beside(tmp_path / "second", there) as till:
        till.sync()
        yield till


def named(till: TillBeside, kind: NameKind) -> dict[str, Named]:
    return {one.named.name: one.named for one in till.shelf.counted_names(kind)}


def unit_of(till: TillBeside, article: str) -> str:
    return till.rows()[article].unit


def listed(platform: OurPlatform, path: str) -> list[dict[str, Any]]:
    rows: Any = platform.asked("GET", path, None)
    return list(rows)


def names_there(platform: OurPlatform, path: str) -> list[str]:
    return [one["name"] for one in listed(platform, path)]


def run(*tills: TillBeside) -> None:
    for till in tills:
        till.sync()


def rename(till: TillBeside, kind: NameKind, name: str, /, **words: Any) -> None:
    old = named(till, kind)[name]
    till.desk.change_name(old, replace(old, **words), by="Мира", at=NOW)


def symbol_of(kind: NameKind, symbol: str) -> dict[str, str]:
    return {"symbol": symbol} if kind is UNITS else {}


def delete(till: TillBeside, kind: NameKind, name: str) -> None:
    till.desk.delete_name(named(till, kind)[name], by="Мира", at=NOW)


def bring_back(till: TillBeside, one: Named) -> None:
    with transaction(connection_of(till.desk)) as connection:
        names.bring_back(connection, one, by="Мира", at=NOW)


def test_new_words_reach_the_platform_and_another_till(
    there: OurPlatform, here: TillBeside, second: TillBeside
) -> None:
    rename(here, CATEGORIES, "Млечно", name="Млечни производи")
    rename(here, UNITS, "комад", symbol="pcs")
    assert unit_of(here, "Сир") == "pcs", "it is printed from the next sale on"
    url, here.url = here.url, "http://127.0.0.1:9/v2"
    with pytest.raises(NotDelivered):
        here.sync()
    here.url = url
    with SqliteCatalogueEditor(catalogue_file(here.folder)) as restarted:
        assert len(restarted.name_edits()) == 2
    there.asked("POST", "/categories", {"name": "Воће"})  # the list of the next run is another one
    assert here.sync().pushed.sent == 2
    assert names_there(there, "/categories") == ["Млечни производи", "Пекара", "Воће"]
    assert "Млечни производи" in named(here, CATEGORIES)
    second.sync()
    assert [*named(second, CATEGORIES)] == ["Воће", "Млечни производи", "Пекара"]
    assert (unit_of(second, "Сир"), here.desk.name_edits()) == ("pcs", ())
    pushed = here.sync().pushed
    assert (pushed.sent, pushed.waiting, pushed.refused) == (0, 0, 0)


def test_what_is_deleted_here_goes_there_too_and_does_not_come_back(
    there: OurPlatform, here: TillBeside, second: TillBeside
) -> None:
    delete(here, CATEGORIES, "Пекара")
    there.asked("POST", "/categories", {"name": "Воће"})
    there.faults.append("500")  # the deletion has no answer; the list does not bring it back
    here.sync()
    assert "Пекара" not in named(here, CATEGORIES)
    here.sync()
    assert names_there(there, "/categories") == ["Млечно", "Воће"]
    second.sync()
    assert ([*named(second, CATEGORIES)], here.desk.name_edits()) == (["Воће", "Млечно"], ())


def test_a_unit_that_is_deleted_there_goes_here(there: OurPlatform, here: TillBeside) -> None:
    tonne = there.asked("POST", "/units", {"name": "тона", "symbol": "t"})
    here.sync()
    assert "тона" in named(here, UNITS)
    there.asked("DELETE", f"/units/{tonne['id']}", None)
    there.bodies["/v2/units"] = lambda body: b"[]"  # other platforms delete what articles have
    here.sync()
    assert "тона" not in named(here, UNITS)
    assert unit_of(here, "Сир") == "ком", "an article still has it"


@each("side", list(EditSide))
def test_what_both_renamed_is_a_persons_to_say(
    there: OurPlatform, here: TillBeside, side: EditSide
) -> None:
    before = named(here, CATEGORIES)["Млечно"]
    rename(here, CATEGORIES, "Млечно", name="Сиреви")
    for name in ("Млеко", "Млечно", "Млечно", "Млеко"):
        there.asked("PATCH", f"/categories/{before.id}", {"name": name})
        pushed = here.sync().pushed
        assert (pushed.sent, pushed.conflicts) == (0, 1)
    assert "Сиреви" in named(here, CATEGORIES)  # there, until a person decides
    assert here.shelf.facts().names_to_decide == 1
    (edit,) = here.desk.name_edits()
    here.desk.decide_name(edit, side, by="Мира", at=NOW)
    here.sync()
    wanted = "Сиреви" if side is EditSide.OURS else "Млеко"
    assert wanted in named(here, CATEGORIES)
    assert wanted in names_there(there, "/categories")
    there.asked("PATCH", f"/categories/{before.id}", {"name": "Млечно"})
    here.sync()
    assert (here.desk.name_edits(), "Млечно" in named(here, CATEGORIES)) == ((), True)


def test_what_is_deleted_here_and_renamed_there_is_a_persons_to_say(
    there: OurPlatform, here: TillBeside
) -> None:
    before = named(here, CATEGORIES)["Пекара"]
    delete(here, CATEGORIES, "Пекара")
    for name in ("Пекаре", "Пекара", "Пекара", "Пекаре", "Пекара"):
        there.asked("PATCH", f"/categories/{before.id}", {"name": name})
        pushed = here.sync().pushed
        assert (pushed.sent, pushed.conflicts) == (0, 1)
    here.desk.decide_name(here.desk.name_edits()[0], EditSide.OURS, by="Мира", at=NOW)
    assert here.sync().pushed.sent == 1
    assert "Пекара" not in {*names_there(there, "/categories"), *named(here, CATEGORIES)}


def test_what_another_till_deleted_is_back_under_the_name_that_it_got_here(
    there: OurPlatform, here: TillBeside, second: TillBeside
) -> None:
    run(here, second)
    delete(second, CATEGORIES, "Пекара")
    rename(here, CATEGORIES, "Пекара", name="Хлебара")
    run(second, here, second)
    for till in (here, second):
        assert [*named(till, CATEGORIES)] == ["Млечно", "Хлебара"]
        assert (till.desk.name_edits(), till.shelf.facts().names_to_decide) == ((), 0)


def test_what_is_refused_waits_for_a_person(there: OurPlatform, here: TillBeside) -> None:
    rename(here, CATEGORIES, "Млечно", name="Сиреви")
    here.desk.add_name(new_name(UNITS, "тона", "t", position=3), by="Мира", at=NOW)
    there.faults += ["422", "422"]
    assert here.sync().pushed.refused == 2
    assert {edit.error for edit in here.desk.name_edits()} == {"a fault"}
    assert (here.shelf.facts().names_to_decide, here.sync().pushed.sent) == (2, 0)
    assert ("тона" in named(here, UNITS), "тона" in names_there(there, "/units")) == (True, False)
    rename(here, CATEGORIES, "Сиреви", name="Сир")
    (added,) = (edit for edit in here.desk.name_edits() if edit.needs_person)
    here.desk.decide_name(added, EditSide.OURS, by="Мира", at=NOW)
    assert (here.sync().pushed.sent, here.desk.name_edits()) == (1, ())
    assert "Сир" in names_there(there, "/categories")
    assert "тона" in names_there(there, "/units")


@each("answer", ["", "500-after", "500", "422"])
@each("act", ["back", "withdrawn", "another"])
def test_a_change_put_back_while_it_is_on_its_way_is_there_in_the_end(
    there: OurPlatform, here: TillBeside, answer: str, act: str
) -> None:
    rename(here, CATEGORIES, "Млечно", name="Сиреви")

    def put_back() -> None:
        if act == "withdrawn":
            (edit,) = here.desk.name_edits()
            here.desk.decide_name(edit, EditSide.THEIRS, by="Мира", at=NOW)
            return
        if act == "another":
            rename(here, CATEGORIES, "Сиреви", name="Сир")
        rename(here, CATEGORIES, "Сир" if act == "another" else "Сиреви", name="Млечно")

    there.before_write.append(put_back)
    there.faults.append(answer)
    run(here, here, here)
    assert names_there(there, "/categories") == ["Млечно", "Пекара"]
    assert ([*named(here, CATEGORIES)], here.desk.name_edits()) == (["Млечно", "Пекара"], ())


def test_a_deletion_taken_back_while_it_is_on_its_way_is_an_addition(
    there: OurPlatform, here: TillBeside
) -> None:
    bakery = named(here, CATEGORIES)["Пекара"]
    delete(here, CATEGORIES, "Пекара")
    there.before_write.append(lambda: bring_back(here, bakery))
    run(here, here)
    assert sorted(names_there(there, "/categories")) == ["Млечно", "Пекара"]
    assert ({*named(here, CATEGORIES)}, here.desk.name_edits()) == ({"Млечно", "Пекара"}, ())


@each("kind", [UNITS, CATEGORIES])
@each("name", ["", "Лубеница"])
def test_an_addition_changed_while_it_is_on_its_way_is_changed_there(
    there: OurPlatform, here: TillBeside, kind: NameKind, name: str
) -> None:
    here.desk.add_name(new_name(kind, "Воће", "воћ", position=3), by="Мира", at=NOW)
    there.before_write.append(
        lambda: rename(here, kind, "Воће", name=name) if name else delete(here, kind, "Воће")
    )
    run(here, here)
    for shown in ({*names_there(there, PATHS[kind])}, {*named(here, kind)}):
        assert ("Воће" in shown, name in shown) == (False, bool(name))
    assert here.desk.name_edits() == ()


@pytest.mark.parametrize("is_new", [True, False])
def test_what_is_sent_is_on_its_way_after_a_power_cut_too(
    there: OurPlatform, folder: Path, tmp_path: Path, is_new: bool
) -> None:
    left = tmp_path / "left"
    left.mkdir()
    with recorded() as disk, till_beside(folder, there) as till:
        till.sync()
        if is_new:
            till.desk.add_name(new_name(UNITS, "Гајба", "гај", position=3), by="Мира", at=NOW)
        else:
            rename(till, UNITS, "комад", name="Гајба")
        there.before_write.append(
            lambda: disk.write_out(left, len(disk.steps), "catalogue.db", Random(1))
        )
        till.sync()
    with SqliteCatalogueEditor(left / "catalogue.db") as desk:
        (edit,) = desk.name_edits()
    assert edit.on_way is not None


@each("kind", [UNITS, CATEGORIES])
@each("fault", ["lost", "lost-after", "500-after"])
@each("name", ["", "Лубеница"])
def test_an_addition_without_an_answer_is_known_by_its_key(
    there: OurPlatform, here: TillBeside, kind: NameKind, fault: str, name: str
) -> None:
    """It is deleted here, or named otherwise, before anybody knows whether the platform has it."""
    now = datetime.now(UTC)
    here.desk.add_name(new_name(kind, "Воће", "воћ", position=3), by="Мира", at=now)
    there.faults.append(fault)
    here.sync()
    fruit = named(here, kind)["Воће"]
    if name:
        here.desk.change_name(fruit, replace(fruit, name=name), by="Мира", at=now)
    else:
        here.desk.delete_name(fruit, by="Мира", at=now)
    there.faults.append("500")  # the look by the key has no answer either
    run(here, here, here)
    every = [*names_there(there, PATHS[kind])]
    assert (every.count("Воће"), every.count("Лубеница")) == (0, int(bool(name)))
    assert ("Воће" in named(here, kind), "Лубеница" in named(here, kind)) == (False, bool(name))
    assert here.desk.name_edits() == ()
    here.sync()
    if name:
        delete(here, kind, name)
        here.sync()


@each("kind", [UNITS, CATEGORIES])
@each("fault", ["lost", "lost-after"])
def test_an_addition_deleted_here_is_told_where_its_key_is_forgotten(
    there: OurPlatform, here: TillBeside, kind: NameKind, fault: str
) -> None:
    """After days nobody can find out whose the entry of that name is, so it stays in the list."""
    long_ago = datetime.now(UTC) - timedelta(days=3)
    here.desk.add_name(new_name(kind, "Воће", "воћ", position=3), by="Мира", at=long_ago)
    there.faults.append(fault)
    here.sync()
    here.desk.delete_name(named(here, kind)["Воће"], by="Мира", at=long_ago)
    for _ in range(2):
        here.sync()
    back = named(here, kind).get("Воће")
    assert (back is not None) == (fault == "lost-after")
    edits = [one for one in here.desk.name_edits() if one.kind is kind]
    told = [(edit.base, edit.by, edit.error) for edit in edits]
    assert told == ([] if back is None else [(back, "Мира", IN_USE)])
    check_all_agree(there, here)


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
def test_an_addition_that_was_sent_by_another_name_before_a_till_was_put_back(
    there: OurPlatform, folder: Path, kind: NameKind
) -> None:
    """The till remembers no request for it, and its articles don't wait for a person."""
    new = new_name(kind, "Паковање", "пак", position=3)
    with till_beside(folder, there) as till:
        till.sync()
        till.desk.add_name(new, by="Мира", at=NOW)
    copy = shutil.copytree(folder, folder.with_name("copy"))
    with till_beside(folder, there) as till:
        till.sync()
        assert "Паковање" in names_there(there, PATHS[kind])
    shutil.rmtree(folder)
    copy.rename(folder)
    with till_beside(folder, there) as here:
        rename(here, kind, "Паковање", name="Кутија", **symbol_of(kind, "кут"))
        here.change("Сир", price=Money(50), **having(kind, new.id))
        run(here, here)
        assert (here.states(), here.desk.name_edits()) == ([], ())
        (box,) = (one["id"] for one in listed(there, PATHS[kind]) if one["name"] == "Кутија")
        (cheese,) = there.live().values()
        assert (cheese["price"], box in (cheese["saleUnitId"], *cheese["categories"])) == (50, True)
        check_all_agree(there, here)


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
@pytest.mark.parametrize("word", ["Месо", "Воће"])
def test_what_two_tills_of_one_key_renamed_and_the_platform_merged_away_is_added_for_both(
    there: OurPlatform, here: TillBeside, second: TillBeside, kind: NameKind, word: str
) -> None:
    """Where both gave it the same name, it is there once."""
    old = there.asked("POST", PATHS[kind], {"name": "Нова"} | symbol_of(kind, "нов"))["id"]
    run(here, second)
    rename(here, kind, "Нова", name="Месо", **symbol_of(kind, "мес"))
    rename(second, kind, "Нова", name=word, **symbol_of(kind, word[:3].lower()))
    into = named(here, kind)["комад" if kind is UNITS else "Млечно"].id
    there.asked("POST", f"{PATHS[kind]}/{old}/merge", {"into": into})
    second.change("Сир", price=Money(50), **having(kind, old))
    run(here, second, here)
    assert (second.states(), second.desk.name_edits(), here.desk.name_edits()) == ([], (), ())
    every = names_there(there, PATHS[kind])
    assert [every.count(name) for name in {"Месо", word}] == [1] * len({"Месо", word})
    (cheese,) = there.live().values()
    (now,) = (one["id"] for one in listed(there, PATHS[kind]) if one["name"] == word)
    assert (cheese["price"], now in (cheese["saleUnitId"], *cheese["categories"])) == (50, True)
    check_all_agree(there, here, second)


def test_what_two_tills_add_at_the_same_moment_is_one(there: OurPlatform, here: TillBeside) -> None:
    """So are two of one name here."""
    tonne, twin = (new_name(UNITS, "тона", symbol, position=3) for symbol in ("т", "t"))
    here.desk.add_name(tonne, by="Мира", at=NOW)
    here.desk.add_units([one for one in (twin,) if isinstance(one, Unit)])
    for name, unit in (("Угаљ", tonne), ("Песак", twin)):
        here.add(name, unit_id=unit.id)
    theirs = {"name": "tona", "symbol": "t"}
    there.before_write.append(lambda: there.asked("POST", "/units", theirs))
    run(here, here)
    assert names_there(there, "/units") == ["комад", "tona"]
    assert [unit_of(here, name) for name in ("Угаљ", "Песак")] == ["t", "t"]
    assert ("тона" in named(here, UNITS), here.desk.name_edits()) == (False, ())
    assert {one["name"] for one in there.live().values()} == {"Сир", "Угаљ", "Песак"}


def test_the_order_of_the_list_travels_and_makes_nothing_there(
    there: OurPlatform, here: TillBeside, second: TillBeside
) -> None:
    here.desk.add_usual_units()
    here.desk.add_units(USUAL_UNITS)
    assert [one.symbol for one in here.shelf.units()].count("ком") == 2
    ordered = sorted(here.shelf.units(), key=lambda unit: unit.symbol, reverse=True)
    here.desk.order_names(ordered, by="Мира", at=NOW)
    here.desk.order_names([*named(here, CATEGORIES).values()][::-1], by="Мира", at=NOW)
    here.sync()
    assert names_there(there, "/units") == ["комад"], "nothing has the others"
    second.sync()
    assert ([*named(second, CATEGORIES)], here.desk.name_edits()) == (["Пекара", "Млечно"], ())
    symbols = [one.symbol for one in here.shelf.units()]
    assert (symbols.count("ком"), "пак" in symbols) == (1, True), "the platform's is the shop's"


def test_a_platform_without_lists_leaves_them_to_the_shop(folder: Path) -> None:
    with ForeignPlatform(has_units=False).open() as foreign, till_beside(folder, foreign) as till:
        till.sync()
        till.desk.add_name(new_name(CATEGORIES, "Воће", "", position=1), by="", at=NOW)
        rename(till, CATEGORIES, "Воће", name="Поврће")
        report = till.sync()
        assert (report.pushed.waiting, report.pushed.refused) == (0, 0)
        assert ([*named(till, CATEGORIES)], till.shelf.facts().names_waiting) == (["Поврће"], 0)


@each("status", ["", "404", "405", "501"])
def test_where_the_platform_changes_no_names_the_shop_does(folder: Path, status: str) -> None:
    names_listed = ("Млечно", "Пекара", "Воће")
    listed = [{"id": str(number), "name": one} for number, one in enumerate(names_listed)]
    with (
        ForeignPlatform(categories=listed).open() as foreign,
        till_beside(folder / f"to{status}", foreign) as till,
    ):
        till.sync()
        foreign.faults += [status] * 20
        till.desk.order_names([*named(till, CATEGORIES).values()][::-1], by="Мира", at=NOW)
        before = [*named(till, CATEGORIES)]
        rename(till, CATEGORIES, "Млечно", name="Сиреви")
        delete(till, CATEGORIES, "Пекара")
        for number in range(3):
            pushed = till.sync().pushed
            assert (pushed.waiting, pushed.refused, till.shelf.facts().names_to_decide) == (0, 0, 0)
            listed.append({"id": f"n{number}", "name": f"Ново {number}"})  # the list is another one
        assert len(foreign.writes()) == 3, "once for each entry"
        wanted = [one for one in before if one != "Пекара"]
        shown = [one for one in named(till, CATEGORIES) if not one.startswith("Ново")]
        assert shown == [one.replace("Млечно", "Сиреви") for one in wanted]


def test_the_order_is_kept_where_the_platform_ignores_it(folder: Path) -> None:
    listed = [{"id": "1", "name": "Млечно"}, {"id": "2", "name": "Пекара"}]
    foreign = ForeignPlatform(categories=listed, changes_names="without order")
    with foreign.open(), till_beside(folder, foreign) as till:
        till.sync()
        till.desk.add_name(new_name(CATEGORIES, "Воће", "", position=4), by="Мира", at=NOW)
        ordered = [*named(till, CATEGORIES).values()][::-1]
        till.desk.order_names(ordered, by="Мира", at=NOW)
        for number in range(3):
            till.sync()
            listed.append({"id": f"n{number}", "name": f"Ново {number}"})
        shown = [one for one in named(till, CATEGORIES) if not one.startswith("Ново")]
        assert shown == [one.name for one in ordered]
        rename(till, CATEGORIES, "Млечно", name="Сиреви")
        till.sync()
        assert (listed[0]["name"], till.shelf.facts().names_waiting) == ("Сиреви", 0)


def test_a_merge_reaches_the_platform_articles_first_and_so_does_its_undo(
    there: OurPlatform, here: TillBeside, second: TillBeside
) -> None:
    bakery = named(here, CATEGORIES)["Пекара"]
    here.change("Сир", price=Money(120))  # an edit that waits, and names it
    merge(here, CATEGORIES, "Млечно", "Пекара")
    assert [*named(here, CATEGORIES)] == ["Пекара"]
    there.asks.clear()
    here.sync()
    writes = [one for one in there.asks if not one.startswith("GET")]
    assert [one.split("/")[2] for one in writes] == ["products", "categories"]
    (cheese,) = there.live().values()
    assert (cheese["categories"], names_there(there, "/categories")) == ([bakery.id], ["Пекара"])
    second.sync()
    assert [(one.category.name, one.rows) for one in second.shelf.categories()] == [("Пекара", 1)]

    bulk_acts.begin_taking_back(here.desk, last_of(here.desk), by="Мира")
    bulk_acts.Runner(here.desk).carry_through()
    run(here, second)
    for till in (here, second):
        counted = [(one.category.name, one.rows) for one in till.shelf.categories()]
        assert counted == [("Млечно", 1), ("Пекара", 0)]
    assert (here.states(), here.desk.name_edits()) == ([], ())


def test_a_merge_under_way_ends_with_the_platforms_id(there: OurPlatform, here: TillBeside) -> None:
    new = new_name(CATEGORIES, "Воће", "", position=3)
    here.desk.add_name(new, by="Мира", at=NOW)
    here.change("Сир", categories=(new.id,))
    change = instead(CATEGORIES, new.id, None)
    rows = planned_rows(here.shelf, here.shelf.products_having(CATEGORIES, new.id), change)
    ends = EndingName(CATEGORIES, new.id, new.name)
    bulk_acts.begin(here.desk, BulkAct(ActKind.CHANGE, "", "Мира", NOW, ends=ends), rows, many=1)
    here.sync()
    bulk_acts.Runner(here.desk).carry_through()
    here.sync()
    for every in (names_there(there, "/categories"), [*named(here, CATEGORIES)]):
        assert every == ["Млечно", "Пекара"]


def test_a_deletion_waits_for_its_articles(there: OurPlatform, here: TillBeside) -> None:
    dairy = named(here, CATEGORIES)["Млечно"]
    here.change("Сир", categories=())
    delete(here, CATEGORIES, "Млечно")
    there.faults.append("422")
    pushed = here.sync().pushed
    assert (pushed.refused, pushed.waiting) == (1, 1)
    assert "Млечно" in names_there(there, "/categories")
    (edit,) = here.open()
    here.desk.move(edit.id, EditState.WAITING, at=NOW)
    assert here.sync().pushed.sent == 2
    assert dairy.id not in [one["id"] for one in listed(there, "/categories")]


# --- two tills that work at once -----------------------------------------------------------------


def having(kind: NameKind, name_id: str) -> dict[str, Any]:
    return {"sale_unit_id": name_id} if kind is UNITS else {"categories": (name_id,)}


def merge(till: TillBeside, kind: NameKind, old: str, new: str) -> None:
    here = named(till, kind)
    ids = till.shelf.products_having(kind, here[old].id)
    rows = planned_rows(till.shelf, ids, instead(kind, here[old].id, here[new].id))
    ends = EndingName(kind, here[old].id, old)
    asked = {"rows": rows_to_json(rows), "by": "Мира", "ends": ending_to_json(ends)}
    bulk_acts.carry_out(till.desk, {"kind": ActKind.CHANGE, **asked})


class Asked(Protocol):
    """A person at the platform."""

    def asked(self, method: str, path: str, body: Any) -> Any: ...


def shop_of_both(there: Asked) -> None:
    """Three articles of one unit and category, and one of another."""
    pack = there.asked("POST", "/units", {"name": "паковање", "symbol": "пак"})["id"]
    drinks = there.asked("POST", "/categories", {"name": "Пиће", "position": 3})["id"]
    units, categories = (there.asked("GET", path, None) for path in ("/units", "/categories"))
    (piece,) = (one["id"] for one in units if one["name"] == "комад")
    (dairy,) = (one["id"] for one in categories if one["name"] == "Млечно")
    for sku, (unit, category) in enumerate(3 * [(piece, dairy)] + [(pack, drinks)], 10):
        article = {"name": f"A{sku}", "sku": sku, "price": 9, "taxRateLabel": "Е"}
        one_of_each = {"saleUnitId": unit, "categories": [category], "productType": "product"}
        there.asked("POST", "/products", article | one_of_each)


def check_all_agree(there: Asked, *tills: TillBeside) -> None:
    """Every article has a unit and a category that the platform and each till have."""
    products = {one["name"]: one for one in there.asked("GET", "/products", None)}
    for kind, path in PATHS.items():
        words = {one["id"]: one["name"] for one in there.asked("GET", path, None)}
        having = {
            name: {one["saleUnitId"]} if kind is UNITS else {*one["categories"]}
            for name, one in products.items()
        }
        for name, ids in having.items():
            assert ids, name
            assert ids <= words.keys(), (name, ids, words)
        for till in tills:
            assert till.states() == []
            for one in till.shelf.counted_names(kind):
                count = sum(one.named.id in ids for ids in having.values())
                assert one.rows == count, one
                assert words.get(one.named.id, one.named.name) == one.named.name
                assert one.named.id in words or not count
            assert words.keys() <= {one.id for one in named(till, kind).values()}
            if kind is UNITS:
                symbols = {one.id: one.symbol for one in till.shelf.units()}
                for name, (unit,) in having.items():
                    assert unit_of(till, name) == symbols[unit], name


@pytest.mark.parametrize("first", ["here", "second"])
def test_a_merge_into_what_another_till_merges_away_loses_nothing(
    there: OurPlatform, here: TillBeside, second: TillBeside, first: str
) -> None:
    shop_of_both(there)
    run(here, second)
    merge(here, CATEGORIES, "Млечно", "Пиће")
    merge(second, CATEGORIES, "Пиће", "Пекара")
    tills = (here, second) if first == "here" else (second, here)
    run(*tills, *tills)
    check_all_agree(there, here, second)
    assert {*names_there(there, "/categories")} == {"Пиће", "Пекара"}
    told = [edit.error for edit in second.desk.name_edits()]
    assert (told, here.desk.name_edits()) == ([IN_USE], ()), "told to who merged it away"


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
@pytest.mark.parametrize("first", ["here", "second"])
def test_tills_that_merge_in_opposite_directions_lose_nothing(
    there: OurPlatform, here: TillBeside, second: TillBeside, kind: NameKind, first: str
) -> None:
    shop_of_both(there)
    for till in (here, second):
        till.sync()
    many, few = ("комад", "паковање") if kind is UNITS else ("Млечно", "Пиће")
    merge(here, kind, many, few)
    merge(second, kind, few, many)
    tills = (here, second) if first == "here" else (second, here)
    for till in (*tills, *tills):
        till.sync()
    check_all_agree(there, here, second)
    for till, name in ((here, many), (second, few)):
        (told,) = till.desk.name_edits()
        assert (told.base, told.error) == (named(till, kind)[name], IN_USE)
        assert till.shelf.facts().names_to_decide == 1
        with pytest.raises(NotAllowed) as refused:
            till.desk.decide_name(told, EditSide.OURS, by="Мира", at=NOW)
        assert refused.value.kind == "name_in_use"
        till.desk.decide_name(told, EditSide.THEIRS, by="Мира", at=NOW)
    for till in (*tills, *tills):
        till.sync()
    assert [till.desk.name_edits() for till in tills] == [(), ()]
    check_all_agree(there, here, second)


@pytest.mark.parametrize(
    ("kind", "case"),
    [(UNITS, ""), (CATEGORIES, ""), (UNITS, "long ago"), (CATEGORIES, "made here again")],
)
def test_who_deleted_what_another_till_needs_is_told_that_it_is_back(
    there: OurPlatform, here: TillBeside, second: TillBeside, kind: NameKind, case: str
) -> None:
    there.asked("POST", "/units", {"name": "тона", "symbol": "t"})
    name = "тона" if kind is UNITS else "Пекара"
    for till in (here, second):
        till.sync()
    old = named(here, kind)[name]
    second.change("Сир", **having(kind, old.id))
    days = 40 if case == "long ago" else 1
    here.desk.delete_name(old, by="Мира", at=datetime.now(UTC) - timedelta(days=days))
    here.sync()
    assert here.shelf.facts().names_waiting == here.shelf.facts().names_to_decide == 0
    if case == "made here again":
        here.desk.add_name(new_name(kind, name, "t", position=9), by="Мира", at=NOW)
    for till in (second, here, here):
        till.sync()
    told = [(edit.base, edit.by, edit.error) for edit in here.desk.name_edits()]
    assert told == ([] if case else [(named(here, kind)[name], "Мира", IN_USE)])
    check_all_agree(there, here, second)


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
def test_a_unit_that_an_article_gets_while_its_deletion_is_on_its_way_stays(
    there: OurPlatform, here: TillBeside, kind: NameKind
) -> None:
    name = "тона" if kind is UNITS else "Пекара"
    there.asked("POST", "/units", {"name": "тона", "symbol": "t"})
    here.sync()
    new = named(here, kind)[name].id
    delete(here, kind, name)
    (cheese,) = there.live()
    had = there.live()[cheese]
    members = {"saleUnitId": new} if kind is UNITS else {"categories": [new]}
    there.before_write.append(lambda: there.change(cheese, **members))
    assert here.sync().pushed.refused == 1
    assert (name in named(here, kind), here.shelf.facts().names_to_decide) == (True, 1)
    here.sync()
    check_all_agree(there, here)
    (told,) = here.desk.name_edits()
    assert told.error == IN_USE
    with pytest.raises(NotAllowed) as refused:
        here.desk.decide_name(told, EditSide.OURS, by="Мира", at=NOW)
    assert refused.value.kind == "name_in_use"
    there.change(cheese, saleUnitId=had["saleUnitId"], categories=had["categories"])
    here.sync()
    here.desk.decide_name(told, EditSide.OURS, by="Мира", at=NOW)
    assert name not in named(here, kind)
    here.sync()
    assert (name in names_there(there, PATHS[kind]), here.desk.name_edits()) == (False, ())


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("act", ["change", "add"])
def test_an_article_gets_what_was_deleted_there_meanwhile(
    there: OurPlatform, here: TillBeside, kind: NameKind, again: bool, act: str
) -> None:
    """The unit is made there anew, or is the one that has its name there by then."""
    name, path = "тона" if kind is UNITS else "Пекара", PATHS[kind]
    tonne = there.asked("POST", "/units", {"name": "тона", "symbol": "t"})
    here.sync()
    (old,) = (one for one in listed(there, path) if one["name"] == name)
    fields: dict[str, Any] = (
        {"unit_id": old["id"]} if kind is UNITS else {"category_ids": (old["id"],)}
    )
    if act == "add":
        here.add("Угаљ", **fields)
    else:
        here.change("Сир", **having(kind, old["id"]))

    def meanwhile() -> None:
        there.asked("DELETE", f"{path}/{old['id']}", None)
        if again:
            symbol = {"symbol": tonne["symbol"]} if kind is UNITS else {}
            there.asked("POST", path, {"name": name, **symbol})

    there.before_write.append(meanwhile)
    pushed = here.sync().pushed
    assert (pushed.sent, pushed.waiting, pushed.refused) == (1, 0, 0)
    assert names_there(there, path).count(name) == 1
    here.sync()
    (now,) = (one for one in listed(there, path) if one["name"] == name)
    name_of_article = "Угаљ" if act == "add" else "Сир"
    (article,) = (one for one in there.live().values() if one["name"] == name_of_article)
    assert now["id"] in (article["saleUnitId"], *article["categories"])
    assert [*named(here, kind)].count(name) == 1


def test_an_article_has_its_unit_though_the_list_of_units_came_before_it(
    there: OurPlatform, here: TillBeside
) -> None:
    before = dumps(listed(there, "/units"))
    tonne = there.asked("POST", "/units", {"name": "тона", "symbol": "t"})
    there.add(name="Угаљ", sku=2, price=9, saleUnitId=tonne["id"])
    there.bodies["/v2/units"] = lambda body: before
    here.sync()
    assert "Угаљ" in here.rows()
    there.bodies.clear()
    here.sync()
    assert unit_of(here, "Угаљ") == "t"


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
def test_what_a_change_under_way_names_is_made_there_again(
    there: OurPlatform, here: TillBeside, kind: NameKind
) -> None:
    path, old, name = ("/units", "комад", "тона")
    if kind is CATEGORIES:
        path, old, name = ("/categories", "Млечно", "Пекара")
    there.asked("POST", "/units", {"name": "тона", "symbol": "t"})
    here.sync()
    old_id, new_id = (named(here, kind)[one].id for one in (old, name))
    ids = here.shelf.products_having(kind, old_id)
    rows = planned_rows(here.shelf, ids, instead(kind, old_id, new_id))
    bulk_acts.begin(here.desk, BulkAct(ActKind.CHANGE, "", "Мира", NOW), rows, many=1)
    there.asked("DELETE", f"{path}/{new_id}", None)
    here.sync()
    bulk_acts.Runner(here.desk).carry_through()
    for _ in range(2):
        here.sync()
    check_all_agree(there, here)
    (cheese,) = there.live().values()
    (again,) = (one["id"] for one in listed(there, path) if one["name"] == name)
    assert again in (cheese["saleUnitId"], *cheese["categories"])


@pytest.mark.parametrize("side", EditSide)
def test_what_a_platform_lost_that_was_put_back_is_decided(
    there: OurPlatform, here: TillBeside, side: EditSide
) -> None:
    """Units, categories and the store are asked about as articles are, also where nothing else was
    changed. What nobody changed here is as the platform has it."""

    def has() -> tuple[list[str], list[str], list[str], str]:
        """What both have."""
        categories, units = [*named(here, CATEGORIES)], names_there(there, "/units")
        (mine,), (theirs,) = here.shelf.stores(), there.stores()
        assert sorted(categories) == sorted(names_there(there, "/categories"))
        assert (mine.city, mine.phone) == (theirs["city"], theirs["phone"])
        return (
            sorted(categories),
            sorted(units),
            [str(mine.city), str(mine.phone)],
            unit_of(here, "Сир"),
        )

    there.store("POST", "/stores", {"name": "Липа", "city": "Ниш", "phone": "1"})
    here.sync()
    before = has()
    with put_back(there):
        rename(here, CATEGORIES, "Млечно", name="Сиреви")
        rename(here, UNITS, "комад", symbol="pcs")
        here.desk.add_name(new_name(CATEGORIES, "Месо", "", position=3), by="Мира", at=NOW)
        here.change_store(city="Пирот")
        here.sync()
        here.change_store(phone="2")
        here.sync()
        after = has()
        there.asked("POST", "/categories", {"name": "Воће"})
    facts = [here.sync().brought.lost, here.shelf.facts().lost, here.sync().brought.lost]
    assert facts == [4, 4, 0]
    assert (here.shelf.facts().names_to_decide, here.shelf.facts().stores_to_decide) == (3, 1)
    assert (unit_of(here, "Сир"), "Воће" in named(here, CATEGORIES)) == ("pcs", False)
    here.change_store(name="Липа 2")  # what waits for a person is not given up by that
    for edit in here.desk.name_edits():
        here.desk.decide_name(edit, side, by="Мира", at=NOW)
    (store,) = here.shelf.stores()
    lost = here.desk.store_edit(store.id)
    here.desk.decide_store(store.id, {one.field: side for one in lost.conflicts})
    here.sync()
    assert has() == (after if side is EditSide.OURS else before)
    assert (here.desk.name_edits(), here.desk.store_edit(store.id)) == ((), None)
    assert here.sync().pushed.sent == 0


@pytest.mark.parametrize("kind", [UNITS, CATEGORIES])
@pytest.mark.parametrize("side", EditSide)
@pytest.mark.parametrize("case", ["renamed", "added", "added, first run"])
def test_a_name_alone_that_a_platform_lost_before_the_next_run_is_decided(
    there: OurPlatform, folder: Path, kind: NameKind, side: EditSide, case: str
) -> None:
    """Nothing else is sent, so that no list is read after the name was sent, but the next one."""
    path, old = PATHS[kind], "комад" if kind is UNITS else "Млечно"
    before = sorted(names_there(there, path))
    with till_beside(folder, there) as till:
        if case != "added, first run":
            till.sync()
        with put_back(there):
            if case == "renamed":
                rename(till, kind, old, name="Друга")
            else:
                new = new_name(kind, "Друга", "дру", position=3)
                till.desk.add_name(new, by="Мира", at=NOW)
            till.sync(join=JoiningAnswer.SEND)
            after = sorted(names_there(there, path))
            assert "Друга" in after
        assert [till.sync().brought.lost, till.sync().brought.lost] == [1, 0]
        assert (till.shelf.facts().names_to_decide, "Друга" in named(till, kind)) == (1, True)
        (edit,) = till.desk.name_edits()
        till.desk.decide_name(edit, side, by="Мира", at=NOW)
        run(till, till)
        assert sorted(names_there(there, path)) == (after if side is EditSide.OURS else before)
        assert ("Друга" in named(till, kind)) == (side is EditSide.OURS)
        assert till.desk.name_edits() == ()
