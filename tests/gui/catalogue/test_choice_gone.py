"""Units, categories and planned prices that a synchronisation, another program or time takes or
changes while they are chosen: what is not seen is not saved, and no menu offers what is gone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.own_names import name_as_there
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.own_names import NameKind
from tests.gui.catalogue.screens import opened, without_category
from tests.gui.catalogue.test_typed_through_refresh import tap_cell
from tests.gui.crawl.floating import open_menus
from tests.gui.parts import lines_of, visible_parts
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, MILK
from tests.sweep import sampled

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups offscreen
DAIRY = "Млечно"
THERE = "7c1f7e5e-2f0e-4f3c-9a55-6a9a8a3f6a01"
GONE_WORDS = "Изабране јединице или категорије више нема"


def form_of(hands: Hands) -> Any:
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(BREAD).product_id)
    return screen


def bread(hands: Hands) -> Product:
    product = hands.shop.catalogue.product(hands.shop.row(BREAD).product_id)
    assert product is not None
    return product


def chips(screen: Any) -> list[str]:
    return [one.spec.words for one in visible_parts(screen.editor.categories, Button)]


def unit_joined(hands: Hands, symbol: str) -> None:
    """Let a joining give a unit the platform's id, as another program does."""
    (ours,) = [one for one in hands.shop.catalogue.units() if one.symbol == symbol]
    connection = open_writer(catalogue_file(hands.shop.services.settings.data), durable=True)
    try:
        name_as_there(
            connection,
            NameKind.UNIT,
            {ours.id: THERE},
            [Unit(THERE, ours.name, ours.symbol)],
            origin="",
            at=hands.shop.clock.now(),
        )
    finally:
        connection.close()


def add_category(hands: Hands, screen: Any, name: str) -> None:
    hands.tap(screen.editor.categories.add)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    wanted = next(one for one in menu.actions() if one.text() == name)
    place = menu.actionGeometry(wanted).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert name in chips(screen)


def told_gone(within: QWidget) -> bool:
    return any(GONE_WORDS in one for one in lines_of(within))


@pytest.mark.parametrize("is_noticed", sampled([True, False]))
def test_a_category_that_went_while_it_was_added_is_not_saved(
    hands: Hands, is_noticed: bool
) -> None:
    """The menu that stood meanwhile closes."""
    screen = form_of(hands)
    before = bread(hands).categories
    add_category(hands, screen, DAIRY)
    without_category(hands.shop, DAIRY)
    if is_noticed:
        screen.tick()
        assert DAIRY not in chips(screen)
        assert told_gone(screen.editor)
    if screen.editor.save.isEnabled():
        hands.tap(screen.editor.save)
    assert bread(hands).categories == before
    assert DAIRY not in chips(screen)
    assert told_gone(screen.editor)


def test_the_menu_of_what_went_closes_and_it_is_no_chip(hands: Hands) -> None:
    screen = form_of(hands)
    hands.tap(screen.editor.categories.add)
    assert open_menus()
    screen.tick()
    assert open_menus(), "nothing changed"
    without_category(hands.shop, DAIRY)
    screen.tick()
    assert not open_menus()
    without_category(hands.shop, "Пекара", stays=True)
    assert bread(hands).categories
    for _ in range(2):
        screen.tick()
        assert len(chips(screen)) == 1, "only the one that adds"
        screen.model.close()
        screen.model.open(bread(hands).id)


def test_a_cell_takes_no_unit_that_went_while_its_list_stood(hands: Hands) -> None:
    screen = tap_cell(hands, BREAD, CatalogueColumn.UNIT)
    before, listed = bread(hands).sale_unit_id, screen.table.cell_list
    unit_joined(hands, "пак")
    wanted = next(one for one in listed.actions() if one.text() == "пак · паковање")
    place = listed.actionGeometry(wanted).center()
    QTest.mouseClick(listed, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert bread(hands).sale_unit_id == before
    assert not screen.model.typed_texts
    assert told_gone(screen.notices)


def test_a_planned_price_that_begins_or_is_made_meanwhile_is_told(hands: Hands) -> None:
    """Where another program plans one for the article too, the manager decides which one holds."""
    screen, shop = form_of(hands), hands.shop
    begins = shop.clock.now() + timedelta(hours=1)
    field = screen.editor.field
    field(DraftField.PLANNED_PRICE).set_text("49,00")
    field(DraftField.PLANNED_FROM).set_text(in_belgrade(begins).strftime("%d.%m.%Y. %H:%M"))
    hands.tap(screen.editor.save)
    plan = shop.desk.plan_of(bread(hands).id)
    assert plan is not None
    words = hands.window.texts("cat.plan.holds", price=plan.price)
    assert amount_text(plan.price) in words
    screen.tick()
    assert words not in lines_of(screen.editor)
    shop.clock.go_on(2 * 3600 * 1000)
    screen.tick()
    assert words in lines_of(screen.editor)
    milk = shop.row(MILK).product_id
    screen.model.open(milk)
    begins = shop.clock.now() + timedelta(days=2)
    field(DraftField.PLANNED_PRICE).set_text("49,00")
    field(DraftField.PLANNED_FROM).set_text(in_belgrade(begins).strftime("%d.%m.%Y."))
    theirs = PlannedPrice(milk, Money("52.00"), begins, None)
    shop.desk.plan_price(theirs, by="Мира", at=shop.clock.now())
    hands.tap(screen.editor.save)
    assert shop.desk.plan_of(milk) == theirs
    assert screen.model.meanwhile
