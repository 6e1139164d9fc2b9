"""Each change of a price has its row once, and goes on from the one before: levelling needs it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.bulk_change import NewPrices, PriceByPercent, PricePeriod
from pos_app.selling.catalogue.catalogue import PriceCause, PriceChange, delete_product
from pos_app.selling.catalogue.editing import save_typed
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from tests.fakes.many_articles import last_of, planned_rows
from tests.integration.catalogue import conftest
from tests.integration.catalogue.conftest import Shop as ListShop
from tests.integration.catalogue.test_sheets import Shop, ended

FAR = datetime(2020, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
NOW = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.close()


def rows(till: Shop, *, at: datetime = NOW) -> list[PriceChange]:
    """All changes of the bread, the first one first, as the report reads them at that moment."""
    till.editor.note_planned_prices(at=at)
    found = [one for one in till.catalogue.price_changes(since=FAR) if one.article_id == "p1"]
    found.reverse()
    for one, next_one in pairwise(found):
        assert one.new == next_one.old, "each goes on from the one before"
    return found


def told(changes: list[PriceChange]) -> list[tuple[str, str, PriceCause]]:
    return [(str(one.old), str(one.new), one.cause) for one in changes]


def test_the_editor_a_bulk_change_an_import_and_taking_back(till: Shop) -> None:
    save_typed(till.editor, "p1", "p1", {"price": "60"}, by="Мира", at=NOW - DAY)
    raised = planned_rows(till.catalogue, ["p1"], PriceByPercent(Decimal(10)))
    ended(till.files.change(raised, by="Мира"))
    ended(till.files.take_back(last_of(till.editor), by="Мира"))
    till.carried_out(till.planned(till.sheet("Шифра;Цена\n1;75")))
    ended(till.files.take_back(last_of(till.editor), by="Мира"))
    assert told(rows(till)) == [
        ("58.99", "60.00", PriceCause.EDIT),
        ("60.00", "66.00", PriceCause.BULK),
        ("66.00", "60.00", PriceCause.TAKEN_BACK),
        ("60.00", "75.00", PriceCause.IMPORT),
        ("75.00", "60.00", PriceCause.TAKEN_BACK),
    ]


def planned(till: Shop, price: str, begins: datetime, ends: datetime | None, at: datetime) -> None:
    till.editor.plan_price(PlannedPrice("p1", Money(price), begins, ends), by="Мира", at=at)


def test_a_planned_price_has_a_row_at_its_begin_and_at_its_end(till: Shop) -> None:
    planned(till, "50", NOW, NOW + 5 * DAY, NOW - DAY)
    assert rows(till, at=NOW - timedelta(hours=1)) == []
    for _ in range(2):
        (begin,) = rows(till, at=NOW + DAY)
        assert (begin.at, begin.by) == (NOW, "Мира")
        assert told([begin]) == [("58.99", "50.00", PriceCause.PLAN)]
    for _ in range(2):
        _, end = rows(till, at=NOW + 9 * DAY)
        assert (end.at, told([end])) == (NOW + 5 * DAY, [("50.00", "58.99", PriceCause.PLAN_END)])


@pytest.mark.parametrize(
    ("ends", "changed", "after"),
    [
        (5, 1, [("50.00", "70.00", PriceCause.PLAN_END)]),
        (2, 5, [("50.00", "58.99", PriceCause.PLAN_END), ("58.99", "70.00", PriceCause.EDIT)]),
    ],
    ids=["while the plan holds", "after a plan that nobody looked at"],
)
def test_the_own_price_that_changes_is_noted_when_it_is_charged(
    till: Shop, ends: int, changed: int, after: list[tuple[str, str, PriceCause]]
) -> None:
    planned(till, "50", NOW, NOW + ends * DAY, NOW - DAY)
    save_typed(till.editor, "p1", "p1", {"price": "70"}, by="Ана", at=NOW + changed * DAY)
    assert told(rows(till, at=NOW + 9 * DAY)) == [("58.99", "50.00", PriceCause.PLAN), *after]


@pytest.mark.parametrize("is_planned", [False, True])
def test_a_change_of_many_after_a_plan_for_good_brings_no_earlier_price_back(
    till: Shop, is_planned: bool
) -> None:
    """Whether it changes the price at once or plans it, and where it is taken back."""
    now = datetime.now(UTC)
    planned(till, "100", now - 2 * DAY, None, now - 3 * DAY)
    period = PricePeriod(now + 5 * DAY, None) if is_planned else None
    change = NewPrices(PriceByPercent(Decimal(10)), till.editor, now, period)
    ended(till.files.change(planned_rows(till.catalogue, ["p1"], change), by="Мира"))
    begun = ("58.99", "100.00", PriceCause.PLAN)
    raised = [] if is_planned else [("100.00", "110.00", PriceCause.BULK)]
    assert told(rows(till, at=now + DAY)) == [begun, *raised]
    ended(till.files.take_back(last_of(till.editor), by="Мира"))
    *_, last = told(rows(till, at=now + 2 * DAY))
    assert last[1] == "100.00"
    assert str(getattr(till.catalogue.article("p1"), "price", None)) == "100.00"


def test_a_change_keeps_the_label_of_its_day(till: Shop) -> None:
    """A levelling of that day is of that rate, whatever becomes of the article."""
    planned(till, "50", NOW - 2 * DAY, NOW - DAY, NOW - 3 * DAY)
    save_typed(till.editor, "p1", "p1", {"tax_label": "Ђ"}, by="Ана", at=NOW - 4 * DAY // 3)
    save_typed(till.editor, "p1", "p1", {"price": "70", "tax_label": "Г"}, by="Ана", at=NOW)
    kept = [(one.label, one.cause) for one in rows(till)]
    assert kept == [
        (TaxLabel.E, PriceCause.PLAN),
        (TaxLabel.DJ, PriceCause.PLAN_END),
        (TaxLabel.G, PriceCause.EDIT),
    ]
    delete_product(till.editor, "p1", by="Ана", at=NOW)
    assert [(one.label, one.cause) for one in rows(till)] == kept


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_planned_price_that_was_made_by_a_percentage_has_it_at_its_begin(
    till: Shop, is_replaced: bool
) -> None:
    """Also where another plan took its place and was taken back."""
    now = datetime.now(UTC)
    period = PricePeriod(now + DAY, now + 2 * DAY, replaces_plans=True)
    for percent in ("-12.5", "-50")[: 1 + is_replaced]:
        change = NewPrices(PriceByPercent(Decimal(percent)), till.editor, now, period)
        ended(till.files.change(planned_rows(till.catalogue, ["p1"], change), by="Мира"))
    if is_replaced:
        ended(till.files.take_back(last_of(till.editor), by="Мира"))
    assert [(one.cause, one.percent) for one in rows(till, at=now + 9 * DAY)] == [
        (PriceCause.PLAN, Decimal("-12.5")),
        (PriceCause.PLAN_END, None),
    ]


def test_a_plan_is_replaced_or_taken_off_while_it_holds(till: Shop) -> None:
    """One that is taken off before it begins has no row."""
    planned(till, "50", NOW, None, NOW - DAY)
    till.editor.drop_plan("p1", by="Ана", at=NOW - timedelta(hours=2))
    assert rows(till, at=NOW + DAY) == []
    planned(till, "50", NOW, None, NOW - DAY)
    planned(till, "45", NOW, None, NOW + DAY)
    planned(till, "45", NOW, NOW + 9 * DAY, NOW + DAY)
    till.editor.drop_plan("p1", by="Ана", at=NOW + 2 * DAY)
    changes = rows(till, at=NOW + 20 * DAY)
    assert told(changes) == [
        ("58.99", "50.00", PriceCause.PLAN),
        ("50.00", "45.00", PriceCause.PLAN),
        ("45.00", "58.99", PriceCause.PLAN_END),
    ]
    assert (changes[-1].by, changes[-1].at) == ("Ана", NOW + 2 * DAY)


def test_a_list_that_changes_the_price_has_its_row_and_keeps_the_plan(shop: ListShop) -> None:
    shop.bring(conftest.product("Хлеб", 1))
    plan = PlannedPrice("id Хлеб", Money(80), NOW - 2 * DAY, NOW + 2 * DAY)
    shop.bring(conftest.product("Хлеб", 1, "110"))
    shop.desk.plan_price(plan, by="Мира", at=datetime.now(UTC))
    shop.bring(conftest.product("Хлеб", 1, "120"))
    shop.desk.note_planned_prices(at=NOW + 5 * DAY)
    assert told([*reversed(shop.shelf.price_changes(since=FAR))]) == [
        ("100.00", "110.00", PriceCause.PLATFORM),
        ("110.00", "80.00", PriceCause.PLAN),
        ("80.00", "120.00", PriceCause.PLAN_END),
    ]
