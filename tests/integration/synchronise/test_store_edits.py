"""A store is changed while its platform is away, or refuses the change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.store import Store
from pos_app.errors import NotDelivered
from pos_app.selling.synchronisation.catalogue_edits import EditSide
from tests.fakes.our_platform import OurPlatform
from tests.integration.synchronise.conftest import NOW, TillBeside, till_beside


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[OurPlatform]:
    platform = OurPlatform(folder=tmp_path / "platform")
    with platform.open():
        platform.store("POST", "/stores", {"name": "Липа", "city": "Ниш", "phone": "1"})
        yield platform


@pytest.fixture
def beside(folder: Path, ours: OurPlatform) -> Iterator[TillBeside]:
    with till_beside(folder, ours) as till:
        till.sync()
        yield till


def shown(till: TillBeside) -> Store:
    (store,) = till.shelf.stores()
    return store


def change(till: TillBeside, **members: Any) -> Store:
    before = shown(till)
    till.desk.queue_store(before, replace(before, **members), by="Мира", at=NOW)
    return shown(till)


def test_it_is_used_at_once_and_sent_when_the_line_returns(
    ours: OurPlatform, beside: TillBeside
) -> None:
    change(beside, city="Пирот")
    assert change(beside, print_discounts=True).city == "Пирот"
    url, beside.url = beside.url, "http://127.0.0.1:9/v2"
    with pytest.raises(NotDelivered):
        beside.sync()
    beside.url = url
    with SqliteCatalogueEditor(catalogue_file(beside.folder)) as restarted:
        edit = restarted.store_edit(shown(beside).id)
        assert edit is not None
        assert edit.changed == ("city", "print_discounts")
    ours.store("PATCH", f"/stores/{shown(beside).id}", {"phone": "2"})  # another field
    ours.asks.clear()
    assert beside.sync().pushed.sent == 1
    (theirs,) = ours.stores()
    assert (theirs["city"], theirs["printDiscounts"], theirs["phone"]) == ("Пирот", True, "2")
    assert (shown(beside).city, shown(beside).phone) == ("Пирот", "2")
    assert beside.desk.store_edit(theirs["id"]) is None
    assert beside.sync().pushed.sent == 0


def test_what_both_changed_is_a_persons_to_decide(ours: OurPlatform, beside: TillBeside) -> None:
    store = change(beside, city="Пирот", phone="3")
    ours.store("PATCH", f"/stores/{store.id}", {"city": "Врање", "phone": "4"})
    pushed = beside.sync().pushed
    assert (pushed.sent, pushed.conflicts) == (0, 1)
    edit = beside.desk.store_edit(store.id)
    assert edit is not None
    told = [(one.field, one.base, one.ours, one.theirs) for one in edit.conflicts]
    assert told == [("city", "Ниш", "Пирот", "Врање"), ("phone", "1", "3", "4")]
    assert shown(beside).city == "Пирот"  # ours, until a person decides
    beside.desk.decide_store(store.id, {"city": EditSide.OURS, "phone": EditSide.THEIRS})
    assert beside.sync().pushed.sent == 1
    assert [(one["city"], one["phone"]) for one in ours.stores()] == [("Пирот", "4")]
    assert (shown(beside).city, shown(beside).phone) == ("Пирот", "4")


def test_a_change_over_there_in_the_last_moment_is_not_written_over(
    ours: OurPlatform, beside: TillBeside
) -> None:
    store = change(beside, city="Пирот")
    patch = {"city": "Врање"}
    ours.before_write.append(lambda: ours.store("PATCH", f"/stores/{store.id}", patch))
    report = beside.sync()
    assert (report.pushed.sent, report.pushed.waiting) == (0, 1)
    assert [one["city"] for one in ours.stores()] == ["Врање"]
    beside.sync()
    edit = beside.desk.store_edit(store.id)
    assert edit is not None
    assert [one.field for one in edit.conflicts] == ["city"]
    beside.desk.drop_store_edit(store.id)
    assert shown(beside).city == "Врање"


def test_what_the_platform_refuses_waits_until_it_is_mended(
    ours: OurPlatform, beside: TillBeside
) -> None:
    store = change(beside, city="Пирот")
    ours.faults.append("422")
    assert beside.sync().pushed.refused == 1
    edit = beside.desk.store_edit(store.id)
    assert edit is not None
    assert edit.error == "a fault"
    assert beside.sync().pushed.sent == 0
    change(beside, city="Врање")
    assert beside.sync().pushed.sent == 1
    assert [one["city"] for one in ours.stores()] == ["Врање"]


def test_a_store_whose_address_is_not_found_is_sent_once_it_is(
    ours: OurPlatform, beside: TillBeside
) -> None:
    """The store is listed and its address answers 404, as behind a gateway with a wrong route."""
    change(beside, city="Пирот")
    ours.faults.append("404")
    report = beside.sync()
    assert (report.pushed.refused, report.pushed.waiting) == (0, 1)
    assert report.pushed.fault is not None, "it is told"
    assert beside.sync().pushed.sent == 1
    assert [one["city"] for one in ours.stores()] == ["Пирот"]


def test_the_change_of_a_store_that_was_deleted_over_there_ends(
    ours: OurPlatform, beside: TillBeside
) -> None:
    second = ours.store("POST", "/stores", {"name": "Друга"})["id"]
    beside.sync()
    before = next(one for one in beside.shelf.stores() if one.id == second)
    beside.desk.queue_store(before, replace(before, city="Пирот"), by="Мира", at=NOW)
    ours.before_write.append(lambda: ours.asked("DELETE", f"/stores/{second}", None))
    assert beside.sync().pushed.refused == 0
    report = beside.sync()
    assert (report.pushed.waiting, report.pushed.refused, report.pushed.fault) == (0, 0, None)
    assert [one.name for one in beside.shelf.stores()] == ["Липа"]
