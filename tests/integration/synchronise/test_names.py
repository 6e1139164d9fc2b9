"""Units and categories, changed at a till, on their way to the platform and another till."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import pytest

from pos_app.adapters.sqlite.catalogue import names
from pos_app.adapters.sqlite.database import transaction
from pos_app.selling.catalogue.names import new_name
from pos_app.selling.synchronisation.catalogue_edits import EditSide
from pos_app.selling.synchronisation.name_edits import IN_USE
from pos_app.selling.synchronisation.own_names import Named, NameKind
from tests.fakes.inner_connection import connection_of
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import NOW, TillBeside, till_beside
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


def delete(till: TillBeside, kind: NameKind, name: str) -> None:
    till.desk.delete_name(named(till, kind)[name], by="Мира", at=NOW)


def bring_back(till: TillBeside, one: Named) -> None:
    with transaction(connection_of(till.desk)) as connection:
        names.bring_back(connection, one, by="Мира", at=NOW)


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


# --- two tills that work at once -----------------------------------------------------------------


def having(kind: NameKind, name_id: str) -> dict[str, Any]:
    return {"sale_unit_id": name_id} if kind is UNITS else {"categories": (name_id,)}


class Asked(Protocol):
    """A person at the platform."""

    def asked(self, method: str, path: str, body: Any) -> Any: ...


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
