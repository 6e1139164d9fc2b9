"""A cell keeps text, caret, selection and article, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.own_names import name_as_there
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.cashier.catalogue.columns import SETS, CatalogueColumn, ColumnSet
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.table import TableOrder
from pos_app.selling.synchronisation.own_names import NameKind
from tests.gui.catalogue.screens import delisted, relisted, visited, without_category
from tests.gui.catalogue.test_catalogue import (
    begin_visit,
    came,
    key,
    look_for,
    place_of,
    price_of,
    screen_of,
)
from tests.gui.parts import lines_of, notices_in, visible_parts
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK
from tests.sweep import each, sampled, turns

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups offscreen
Act = Callable[[Hands, Any, str], Awaitable[None]]
LEFT_LIST = "више није на овом списку"


def show(screen: Any, column: CatalogueColumn) -> None:
    if screen.table.isColumnHidden(column):
        screen.area.show_columns(next(str(one) for one in ColumnSet if column in SETS[one]))


def tap_cell(hands: Hands, code: str, column: CatalogueColumn) -> Any:
    """Search a code, so that its row is the current one, and tap a cell of the row."""
    screen = visited(hands.shop, hands.window)
    look_for(screen, code)
    show(screen, column)
    place = place_of(hands, screen, code)
    screen.table.setCurrentIndex(screen.area.rows.index(place, column))
    spot = screen.table.visualRect(screen.area.rows.index(place, column)).center()
    hands.tap(screen.table.viewport(), spot)
    assert screen.table.cell_editor is not None or screen.table.cell_list is not None
    return screen


def strike(hands: Hands, sign: str) -> None:
    """Press a key of the widget that has the keyboard."""
    focus = hands.window.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, sign)


def price_text_typed(hands: Hands, text: str) -> None:
    """Type a text while another connection writes the catalogue between its keys."""
    for number, sign in enumerate(text):
        strike(hands, sign)
        relisted(hands.shop, (BREAD, BUREK)[number % 2], price=100.0 + number)
        screen_of(hands).tick()


async def each_digit_counts_while_another_program_writes(
    hands: Hands, screen: Any, code: str, *, text: str
) -> None:
    screen = tap_cell(hands, code, CatalogueColumn.PRICE)
    price_text_typed(hands, text)
    editor = screen.table.cell_editor
    assert editor is not None, "the cell stays open"
    assert editor.text() == text
    hands.press("Enter")
    assert price_of(hands, code) == Money(text.replace(",", "."))


async def text_caret_and_selection_stay(hands: Hands, screen: Any, code: str) -> None:
    screen = tap_cell(hands, code, CatalogueColumn.SUBTITLE)
    for sign in "domaci":
        strike(hands, sign)
    editor = screen.table.cell_editor
    editor.edit.setSelection(1, 3)
    relisted(hands.shop, BREAD, name="Aaa hleb")
    screen.tick()
    assert screen.table.cell_editor is editor
    assert (editor.edit.selectionStart(), editor.edit.selectedText()) == (1, "oma")
    assert editor.edit.hasFocus()
    strike(hands, "X")
    hands.press("Enter")
    assert hands.shop.row(code).subtitle == "dXci"


def above_goes(hands: Hands, screen: Any) -> None:
    """Let a synchronisation take the first row off."""
    above = screen.model.listed.row(0)
    assert above is not None
    delisted(hands.shop, str(above.sku))
    screen.tick()


async def the_edited_row_stays_the_same_article(hands: Hands, screen: Any, code: str) -> None:
    """Rows come and go above it; a sort and a text of the search move it too."""
    place = place_of(hands, screen, code)
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.PRICE))
    strike(hands, "4")
    above_goes(hands, screen)
    assert place_of(hands, screen, code) == place - 1
    screen.model.listed.sort(TableOrder.PRICE)
    strike(hands, "5")
    screen.model.listed.sort(TableOrder.PRICE)
    strike(hands, "6")
    screen.model.listed.search(hands.shop.row(code).name)
    strike(hands, ",")
    editor = screen.table.cell_editor
    assert editor.text() == "456,"
    now = screen.area.rows.index(place_of(hands, screen, code), CatalogueColumn.PRICE)
    assert editor.geometry().center() == screen.table.visualRect(now).center()
    assert screen.table.currentIndex() == now
    hands.press("Enter")
    assert price_of(hands, code) == Money(456)


async def a_cell_whose_row_goes_ends_with_words(
    hands: Hands, screen: Any, code: str, *, goes: str
) -> None:
    screen = tap_cell(hands, code, CatalogueColumn.PRICE)
    before = {one: price_of(hands, one) for one in (BREAD, BUREK, MILK)}
    for sign in "45":
        strike(hands, sign)
    if goes == "article":
        delisted(hands.shop, code)
    else:
        screen.model.listed.choose(screen.model.listed.choice.__class__(query="hleb"))
    screen.tick()
    assert screen.table.cell_editor is None
    said = " ".join(notices_in(screen.notices)) if goes == "list" else ""
    assert screen.editor.isVisible() if goes == "article" else LEFT_LIST in said
    focus = hands.window.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, "6")
    key(hands, Qt.Key.Key_Return)
    assert {one: price_of(hands, one) for one in before} == before


async def a_list_of_a_cell_stays_open(
    hands: Hands, screen: Any, code: str, *, column: CatalogueColumn
) -> None:
    """It is about its article."""
    show(screen, column)
    place = place_of(hands, screen, code)
    screen.table.edit_cell(screen.area.rows.index(place, column))
    made = screen.table.cell_list
    assert made is not None
    QTest.keyClick(made, Qt.Key.Key_Down)
    active, was, others = made.activeAction(), hands.shop.row(code), others_of(screen, code)
    above_goes(hands, screen)
    assert screen.table.cell_list is made
    assert made.isVisible()
    assert made.activeAction() is active
    if column is CatalogueColumn.CATEGORY:
        QTest.keyClick(made, Qt.Key.Key_Space)
    QTest.keyClick(made, Qt.Key.Key_Return)
    if asked_of_unit(screen):
        hands.button("Задржи цену").click()
    now = hands.shop.row(code)
    assert (now.unit, now.category_ids) != (was.unit, was.category_ids)
    assert [one for one in others_of(screen, code) if one not in others] == []


def others_of(screen: Any, code: str) -> list[tuple[str, str, tuple[str, ...]]]:
    rows = (screen.model.listed.row(number) for number in range(screen.model.listed.count))
    return [
        (one.name, one.unit, tuple(one.category_ids))
        for one in rows
        if isinstance(one, CatalogueRow) and str(one.sku) != code
    ]


ACTS: dict[str, Act] = {
    "12": partial(each_digit_counts_while_another_program_writes, text="12500,00"),
    "14": partial(each_digit_counts_while_another_program_writes, text="333"),
    "16": text_caret_and_selection_stay,
    "18": partial(a_cell_whose_row_goes_ends_with_words, goes="article"),
    "19": partial(a_cell_whose_row_goes_ends_with_words, goes="list"),
    "20": partial(a_list_of_a_cell_stays_open, column=CatalogueColumn.CATEGORY),
    "24": partial(a_list_of_a_cell_stays_open, column=CatalogueColumn.UNIT),
    "25": the_edited_row_stays_the_same_article,
}
"""Each with the code of an article that no other one changes."""


@pytest.mark.deadline(200)
@each(("code", "act"), ACTS.items())
async def test_what_is_typed_stays_with_its_article(hands: Hands, code: str, act: Act) -> None:
    relisted(hands.shop, BREAD)  # what another act took off is there again
    await act(hands, begin_visit(hands), code)


@pytest.mark.parametrize("change", sampled(["theme", "language", "width"]))
async def test_a_cell_is_open_still_when_all_is_made_anew(hands: Hands, change: str) -> None:
    made: list[bool] = []
    hands.window.rebuilt.connect(lambda: made.append(True))
    screen = tap_cell(hands, CHEESE, CatalogueColumn.PRICE)
    for sign in "125":
        strike(hands, sign)
    editor = screen.table.cell_editor
    editor.edit.setCursorPosition(1)
    match change:
        case "theme":
            assert hands.window.change(theme="dark")
        case "language":
            assert hands.window.change(language="en")
        case _:
            hands.window.resize(1100, 768)
    await came(lambda: made)
    now = screen_of(hands).table.cell_editor
    assert now is not None
    assert (now.text(), now.edit.cursorPosition()) == ("125", 1)
    assert now.edit.hasFocus()
    strike(hands, "0")
    hands.press("Enter")
    assert price_of(hands, CHEESE) == Money(1025)


DAIRY = "Млечно"
THERE = "7c1f7e5e-2f0e-4f3c-9a55-6a9a8a3f6a01"
GONE_WORDS = "Изабране јединице или категорије више нема"


def form_of(hands: Hands) -> Any:
    screen = visited(hands.shop, hands.window)
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
    words = hands.window.texts("cat.plan.is_usual", price=plan.price)
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


def with_unit(hands: Hands, code: str, words: str, *, in_cell: bool) -> Any:
    """Choose another unit of an article, in its form or in its cell of the table."""
    if in_cell:
        screen = tap_cell(hands, code, CatalogueColumn.UNIT)
        listed = screen.table.cell_list
    else:
        screen = visited(hands.shop, hands.window)
        screen.model.open(hands.shop.row(code).product_id)
        (drop,) = (one for one in hands.buttons("Јединица") if one.isVisible())
        hands.tap(drop)
        listed = QApplication.activePopupWidget()
    assert isinstance(listed, QMenu)
    wanted = next(one for one in listed.actions() if one.text() == words)
    place = listed.actionGeometry(wanted).center()
    QTest.mouseClick(listed, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    if not in_cell:
        hands.tap(screen.editor.save)
    return screen


def asked_of_unit(screen: Any) -> list[str]:
    return [one for one in lines_of(screen.editor.edits) if " је тада по " in one]


@pytest.mark.parametrize(
    ("in_cell", "answer"), turns([False, True], ["Задржи цену", "Исправи цену", "theme"])
)
async def test_a_price_is_asked_about_before_it_is_that_of_another_measure(
    hands: Hands, in_cell: bool, answer: str
) -> None:
    screen = with_unit(hands, CHEESE, "g · грам", in_cell=in_cell)
    assert asked_of_unit(screen) == ["Цена је тада по јединици g: 899,00 / g?"]
    assert hands.shop.row(CHEESE).unit == "kg"
    if answer == "theme":
        hands.window.change(theme="dark")
        screen = screen_of(hands)
        assert asked_of_unit(screen), "it stands there with what was chosen"
        answer = "Задржи цену"
    hands.button(answer).click()
    if answer == "Исправи цену":
        assert screen.editor.has_caret_in(DraftField.PRICE)
        hands.type("0,9")
        assert not asked_of_unit(screen)
        hands.press("Enter")
    assert (hands.shop.row(CHEESE).unit, asked_of_unit(screen)) == ("g", [])
    assert price_of(hands, CHEESE) == Money("0.90" if answer == "Исправи цену" else "899.00")
    screen.model.open(hands.shop.row(CHEESE).product_id)
    with_unit(hands, CHEESE, "kg · килограм", in_cell=False)
    assert asked_of_unit(screen), "the way back is another measure, too"
    hands.tap(screen.editor.drop)
    assert (asked_of_unit(screen), hands.shop.row(CHEESE).unit) == ([], "g")


async def test_a_planned_price_is_asked_about_too_and_what_was_saved_is_taken_back_whole(
    hands: Hands,
) -> None:
    desk, at = hands.shop.desk, hands.shop.clock.now()
    cheese = hands.shop.row(CHEESE).article_id or ""
    planned = PlannedPrice(cheese, Money("764.15"), at + timedelta(days=1))
    desk.plan_price(planned, by="Мира", at=at)
    screen = with_unit(hands, CHEESE, "g · грам", in_cell=False)
    both = "Цена је тада по јединици g: 899,00 / g? Планирана цена је тада по јединици g: 764,15"
    assert asked_of_unit(screen) == [f"{both} / g?"]
    assert hands.button("Исправи цену").hasFocus()
    hands.press("Enter")
    assert screen.editor.has_caret_in(DraftField.PRICE)
    hands.type("0,9")
    hands.press("Enter")
    assert asked_of_unit(screen) == ["Планирана цена је тада по јединици g: 764,15 / g?"]
    hands.press("Enter")
    assert screen.editor.has_caret_in(DraftField.PLANNED_PRICE)
    hands.type("0,7")
    hands.press("Enter")
    plan = desk.plan_of(cheese)
    assert (hands.shop.row(CHEESE).unit, plan and plan.price) == ("g", Money("0.70"))
    screen.editor.focus_field(DraftField.PRICE)
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert (hands.shop.row(CHEESE).unit, desk.plan_of(cheese)) == ("kg", planned)
    assert price_of(hands, CHEESE) == Money("899.00")
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    hands.press("Enter")
    assert (hands.shop.row(CHEESE).unit, price_of(hands, CHEESE)) == ("kg", Money("899.00"))
    with_unit(hands, CHEESE, "g · грам", in_cell=False)
    hands.tap_words("Задржи цену")
    assert (hands.shop.row(CHEESE).unit, desk.plan_of(cheese)) == ("g", planned)
    desk.plan_price(PlannedPrice(cheese, Money("0.70"), at + timedelta(days=1)), by="Мира", at=at)
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert hands.shop.row(CHEESE).unit == "g", "what was planned for a gram is not charged per kg"


@each(("code", "unit", "name", "asked"), [
    (BREAD, "пак", "паковање", False), (BREAD, "kg", "килограм", True),
    (MILK, "ml", "милилитар", True),
])  # fmt: skip
def test_a_unit_that_is_counted_alike_is_not_asked_about(
    hands: Hands, code: str, unit: str, name: str, asked: bool
) -> None:
    screen = with_unit(hands, code, f"{unit} · {name}", in_cell=False)
    assert bool(asked_of_unit(screen)) is asked
    assert (hands.shop.row(code).unit == unit) is not asked
    screen.model.drop_typed()
