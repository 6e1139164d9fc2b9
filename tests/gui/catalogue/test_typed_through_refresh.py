"""A cell that is edited keeps text, caret, selection and article, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.catalogue.columns import SETS, CatalogueColumn, ColumnSet
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.table import TableOrder
from tests.gui.catalogue.screens import delisted, opened, relisted
from tests.gui.catalogue.test_catalogue import (
    begin_visit,
    came,
    key,
    look_for,
    place_of,
    price_of,
    screen_of,
)
from tests.gui.parts import notices_in
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK
from tests.sweep import each, sampled

Act = Callable[[Hands, Any, str], Awaitable[None]]
LEFT_LIST = "више није на овом списку"


def show(screen: Any, column: CatalogueColumn) -> None:
    if screen.table.isColumnHidden(column):
        screen.area.show_columns(next(str(one) for one in ColumnSet if column in SETS[one]))


def tap_cell(hands: Hands, code: str, column: CatalogueColumn) -> Any:
    """Search a code, so that its row is the current one, and tap a cell of the row."""
    screen = opened(hands.shop, hands.window)
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


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
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
