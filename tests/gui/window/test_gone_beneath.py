"""What is acted on is what is seen, in each list whose rows another program can take away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.catalogue import decisions
from pos_app.cashier.catalogue.bulk import BulkKind
from pos_app.cashier.catalogue.conflicts_view import ConflictsPage
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.edit_panel import SideButton
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from tests.fakes import platform_setup
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import let_in
from tests.gui.catalogue.screens import (
    changed_there,
    conflicted_many,
    delisted,
    opened,
    relisted,
    vanished,
)
from tests.gui.crawl.state import state
from tests.gui.inside import inside
from tests.gui.parts import in_front, page_in_front, page_shown, visible_parts
from tests.gui.patience import until
from tests.gui.shift.test_keys import sold
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, CHEESE, COFFEE

KEYS = ("Enter", "Enter", "Space", "Del", "Alt+1", "F12")
PIN = "4711"
COUNTED = {"best_seller", "sold", "sold_amount"}
"""Tables that count what was sold some moments after a sale."""

Gone = Callable[[Hands], Awaitable[None]]


def rows_of(database: Any) -> list[str]:
    connection = connection_of(database)
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").get
    names = [one if isinstance(one, str) else one[0] for one in tables]
    return [
        f"{table}: {row}"
        for table in set(names) - COUNTED
        for row in connection.execute(f"SELECT * FROM {table}")
    ]


def done(hands: Hands) -> list[object]:
    """What an act leaves: rows of the files, the cart, and what a server is asked for."""
    shop = hands.shop
    return [
        hands.rows(),
        rows_of(shop.database.sales),
        rows_of(shop.desk),
        list(shop.platform_setup.listed),
        len(shop.backups.looked),
        len(shop.server.kept),
        opened_and_ticked(hands),
    ]


def opened_and_ticked(hands: Hands) -> tuple[str, set[str]]:
    if not inside(hands.window).is_in("catalogue"):
        return "", set()
    model = inside(hands.window).catalogue.model
    return model.current_id, model.listed.ticked


def _searched(hands: Hands, words: str) -> None:
    hands.press("F2", f"#{words}", "Down", "Down")


async def _hit_of_a_search(hands: Hands) -> None:
    _searched(hands, "sir")
    picker = hands.area.sale.picker
    row = picker.rows.window.row(picker.view.currentIndex().row())
    assert row is not None
    delisted(hands.shop, str(row.sku))
    picker.reload_if_outdated()


async def _decision_of_the_catalogue(hands: Hands) -> None:
    """What both sides changed of an article is equal on both by now; others wait below."""
    conflicted_many(hands.shop, (CHEESE, COFFEE, BREAD))
    screen = opened(hands.shop, hands.window)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    await seen()
    name = hands.shop.row(COFFEE).name
    (coffee,) = [one for one in decisions.undecided(screen.model) if one.name == name]
    _focus_on_side(hands, coffee.name)
    relisted(hands.shop, COFFEE, price=1149.0)
    screen.tick()
    await seen()
    assert coffee.edit.id not in [one.edit.id for one in decisions.undecided(screen.model)]
    assert len(decisions.undecided(screen.model)) == 2


def _focus_on_side(hands: Hands, name: str) -> None:
    """Go by arrows to the first side of an article."""
    for _ in range(20):
        focus = hands.window.focusWidget()
        above = focus.parentWidget() if isinstance(focus, SideButton) else None
        if above is not None and above.accessibleName().startswith(name):
            return
        hands.press("Down")
    raise AssertionError(name)


async def _row_of_the_catalogue(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    screen.filters.search.set_text("sir")
    screen.filters.search_now()
    screen.area.focus_table()
    wanted = screen.model.listed.index_of(hands.shop.row(CHEESE).product_id)
    assert wanted
    for _ in range(wanted):
        hands.press("Down")
    assert screen.table.currentIndex().row() == wanted
    before = screen.model.listed.count
    delisted(hands.shop, CHEESE)
    screen.tick()
    assert screen.model.listed.count == before - 1


async def _key_of_the_platform(hands: Hands) -> None:
    hands.shop.platform_setup.told = platform_setup.OURS
    inside(hands.window).open_platform()
    screen = inside(hands.window).settings
    let_in(screen.model, PIN)
    page = await page_shown(hands.window.frame, "set.page.platform")
    model = screen.model.platform
    await until(lambda: model.keys is not None)

    def of_the_web() -> list[Button]:
        return [one for one in visible_parts(page.keys, Button) if "Веб" in one.accessibleName()]

    await until(lambda: len(of_the_web()) == 2)
    hands.tap(of_the_web()[1])
    await until(lambda: model.asked is not None)
    del hands.shop.platform_setup.listed[1]
    await model.load_keys()
    await seen()


async def _case_of_attention(hands: Hands) -> None:
    """A paper was printed after all; a refused sale waits below."""
    shop = hands.shop
    await shop.serve(60)
    await sold(hands)
    shop.server.faults.append(Fault.FIX)
    await shop.serve()
    shop.server.jobs = (unproven(shop.clock.now()),)
    await shop.serve()
    inside(hands.window).open("attention")
    screen = in_front(hands.window.frame, "att.title")
    refused, paper = [one.id for one in screen.model.cases]
    screen.choose(paper)
    await seen()
    shop.server.jobs = ()
    await shop.serve()
    screen.refresh()
    await seen()
    assert [one.id for one in screen.model.cases] == [refused]


def unproven(at: datetime) -> DeliveryJob:
    number = "ABCD1234-ABCD1234-8653"
    total, state = Money("2110.00"), JobState.UNPROVEN
    return DeliveryJob(
        3, JobMethod.THERMAL, state, at, at, "r-3", number, total=total, trouble="cut_off"
    )


GONE: tuple[Gone, ...] = (
    _hit_of_a_search,
    _row_of_the_catalogue,
    _decision_of_the_catalogue,
    _key_of_the_platform,
    _case_of_attention,
)


@pytest.mark.parametrize("gone", GONE)
async def test_no_key_acts_on_what_came_in_the_place_of_a_row_that_went(
    hands: Hands, gone: Gone
) -> None:
    await gone(hands)
    before = done(hands)
    for key in KEYS:
        hands.press(key)
        await seen()
        assert done(hands) == before, key


def test_the_hit_that_was_chosen_stays_chosen_where_others_come(hands: Hands) -> None:
    _searched(hands, "sir")
    picker = hands.area.sale.picker
    row = picker.rows.window.row(picker.view.currentIndex().row())
    first = picker.rows.window.row(0)
    assert row is not None
    assert first is not None
    assert row.product_id != first.product_id
    relisted(hands.shop, str(first.sku), subtitle="novo")
    assert picker.reload_if_outdated()
    delisted(hands.shop, str(first.sku))
    assert picker.reload_if_outdated()
    hands.press("Enter")
    assert row.name in hands.rows()[0]


async def test_a_bulk_change_is_made_as_it_is_seen(hands: Hands) -> None:
    """A synchronisation brings another price while its preview stands: that is seen first."""
    screen = opened(hands.shop, hands.window)
    cheese = hands.shop.row(CHEESE)
    screen.model.listed.tick(cheese.product_id)
    hands.tap(screen.band.changes[BulkKind.PRICE])
    page = screen.bulk
    assert page is not None
    page.price.percent.set_text("10")
    await until(page.do.isEnabled)
    changed_there(hands.shop, (CHEESE,))
    hands.tap(page.do)
    await until(lambda: screen.work is None)
    assert hands.shop.row(CHEESE).price == Money("1099.00"), "done before it was seen"
    await until(page.do.isEnabled)
    lines = [one.accessibleName() for one in page.findChildren(QWidget)]
    assert any("1.099,00 → 1.208,90" in one for one in lines), lines
    hands.tap(page.do)
    await until(lambda: hands.shop.row(CHEESE).price == Money("1208.90"))
    await until(lambda: screen.work is None)


async def conflicts_of(hands: Hands, *codes: str) -> ConflictsPage:
    """The page of changes that were made on both sides, as a person sees it."""
    conflicted_many(hands.shop, codes)
    screen = opened(hands.shop, hands.window)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    await seen()
    return screen.conflicts


async def test_a_side_is_chosen_with_the_value_that_is_seen(hands: Hands) -> None:
    """A synchronisation brings another price there while both stand beside each other."""
    page = await conflicts_of(hands, COFFEE)
    relisted(hands.shop, COFFEE, price=1299.0, name="Сир њихов")
    for one in visible_parts(page, SideButton):
        if "1.099,00" in one.accessibleName():
            hands.tap(one)
    await seen()
    assert hands.shop.row(COFFEE).price == Money("1149.00"), "decided before it was seen"
    (theirs,) = [
        one for one in visible_parts(page, SideButton) if "1.299,00" in one.accessibleName()
    ]
    hands.tap(theirs)
    assert hands.shop.row(COFFEE).price == Money("1299.00")


async def test_many_are_decided_as_they_are_seen(hands: Hands) -> None:
    page = await conflicts_of(hands, CHEESE, COFFEE)
    many = page_in_front(hands.window.frame, "cat.many.title")
    hands.tap(visible_parts(many, Button)[0])
    await seen()
    relisted(hands.shop, COFFEE, price=1299.0)
    before = rows_of(hands.shop.desk)
    (yes,) = [one for one in visible_parts(page, Button) if one.spec.icon == "check"]
    hands.tap(yes)
    await seen()
    assert rows_of(hands.shop.desk) == before, "done before it was seen"


async def test_those_that_vanished_are_removed_as_they_are_seen(hands: Hands) -> None:
    vanished(hands.shop)
    screen = opened(hands.shop, hands.window)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    await seen()
    many = hands.shop.catalogue.facts().gone
    vanished(hands.shop, every=3)
    now = hands.shop.catalogue.facts().gone
    assert now not in (0, many)
    hands.tap_words(hands.window.texts.count("cat.gone.remove", many))
    await seen()
    assert hands.shop.catalogue.facts().gone == now, "removed before they were seen"


NOTHING = "zzqx"
ACTS = ("Enter", "Enter", "Del", "Down", "Enter", "Alt+1", "Alt+2", "F12")


def acts(hands: Hands) -> set[str]:
    """What a page of the settings may change: its models, the files, and what a server is asked."""
    lines = state(hands.window, hands.window)
    kept = ("file ", "SettingsScreen.model")
    return {one for one in lines if one.startswith(kept) and "_look = " not in one}


@pytest.mark.deadline(180)
async def test_a_search_in_the_settings_presses_nothing_of_the_page_beside_it(hands: Hands) -> None:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    let_in(screen.model, "2580")
    for page in (PageName.SELLING, PageName.MAIL, PageName.PEOPLE):
        screen.model.choose(page)
        for _ in range(6):  # what a page reads when it is shown
            await seen()
        hands.press("F2", f"#{NOTHING}")
        assert list(screen.finder.rows) == []
        before = acts(hands)
        assert len(before) > 100, "the models are looked into"
        for key in ACTS:
            hands.press(key)
        assert acts(hands) == before, page
        assert screen.finder.field.edit.hasFocus()
        hands.press("Esc")
