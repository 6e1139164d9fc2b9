"""A cell that is edited keeps text, caret, selection and article, whatever is written meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.catalogue.columns import SETS, CatalogueColumn, ColumnSet
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.table import TableOrder
from tests.gui.catalogue.screens import delisted, opened, relisted
from tests.gui.catalogue.test_catalogue import came, ended, key, price_of, screen_of
from tests.gui.catalogue.test_import import page_of, written
from tests.gui.parts import notices_in
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK

LEFT_LIST = "више није на овом списку"


def place_of(screen: CatalogueScreen, hands: Hands, code: str) -> int:
    place = screen.model.listed.index_of(hands.shop.row(code).product_id)
    assert place is not None
    return place


def show(screen: CatalogueScreen, column: CatalogueColumn) -> None:
    if screen.table.isColumnHidden(column):
        screen.area.show_columns(next(str(one) for one in ColumnSet if column in SETS[one]))


def tap_cell(hands: Hands, code: str, column: CatalogueColumn) -> CatalogueScreen:
    """Search a code, so that its row is the current one, and tap a cell of the row."""
    screen = opened(hands.shop, hands.window)
    screen.filters.search.set_text(code)
    screen.filters.search_now()
    show(screen, column)
    place = place_of(screen, hands, code)
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


def price_text_typed(hands: Hands, text: str, codes: tuple[str, ...] = (BREAD, BUREK)) -> None:
    """Type a text while another connection writes the catalogue between its keys."""
    for number, sign in enumerate(text):
        strike(hands, sign)
        relisted(hands.shop, codes[number % len(codes)], price=100.0 + number)
        screen_of(hands).tick()


@pytest.mark.parametrize("text", ["12500,00", "1234,50", "333"])
def test_each_digit_counts_while_another_program_writes(hands: Hands, text: str) -> None:
    screen = tap_cell(hands, CHEESE, CatalogueColumn.PRICE)
    price_text_typed(hands, text)
    editor = screen.table.cell_editor
    assert editor is not None, "the cell stays open"
    assert editor.text() == text
    hands.press("Enter")
    assert price_of(hands, CHEESE) == Money(text.replace(",", "."))


async def test_each_digit_counts_while_the_till_imports(hands: Hands) -> None:
    """The child process of the till writes rows that sort above and below the edited one."""
    screen = opened(hands.shop, hands.window)
    lines = [f"{90_000 + n};{'Ајвар' if n % 2 else 'Шљива'} {n};{10 + n},00;20" for n in range(60)]
    page = await page_of(screen, written(hands, "Šifra;Naziv;Cena;PDV", *lines))
    hands.press("Enter")
    del page
    place = place_of(screen, hands, CHEESE)
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.PRICE))
    screen.table.setFocus()
    key(hands, Qt.Key.Key_Return)
    for sign in "12500":
        strike(hands, sign)
        screen.tick()
        QApplication.processEvents()
    await came(lambda: screen.model.listed.count == 427 + 60)
    await ended(screen)
    screen.tick()
    for sign in ",00":
        strike(hands, sign)
    assert screen.table.cell_editor is not None
    assert screen.table.cell_editor.text() == "12500,00"
    hands.press("Enter")
    assert price_of(hands, CHEESE) == Money(12500)
    assert screen.model.listed.count == 487


def test_the_text_of_a_cell_its_caret_and_its_selection_stay(hands: Hands) -> None:
    screen = tap_cell(hands, CHEESE, CatalogueColumn.SUBTITLE)
    for sign in "domaci":
        strike(hands, sign)
    editor = screen.table.cell_editor
    assert editor is not None
    editor.edit.setSelection(1, 3)
    relisted(hands.shop, BREAD, name="Aaa hleb")
    screen.tick()
    assert screen.table.cell_editor is editor
    assert (editor.edit.selectionStart(), editor.edit.selectedText()) == (1, "oma")
    assert editor.edit.hasFocus()
    strike(hands, "X")
    hands.press("Enter")
    assert hands.shop.row(CHEESE).subtitle == "dXci"


@pytest.mark.parametrize("first", ["before", "none"])
def test_the_edited_row_stays_the_same_article_where_it_moves(hands: Hands, first: str) -> None:
    """Rows come and go above it; a sort and a text of the search move it too."""
    screen = opened(hands.shop, hands.window)
    place = place_of(screen, hands, CHEESE)
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.PRICE))
    strike(hands, "4")
    if first == "before":
        above = screen.model.listed.row(0)
        assert above is not None
        delisted(hands.shop, str(above.sku))
        screen.tick()
        assert place_of(screen, hands, CHEESE) == place - 1
    screen.model.listed.sort(TableOrder.PRICE)
    strike(hands, "5")
    screen.model.listed.sort(TableOrder.PRICE)
    strike(hands, "6")
    screen.model.listed.search("sir mladi")
    strike(hands, ",")
    editor = screen.table.cell_editor
    assert editor is not None
    assert editor.text() == "456,"
    now = screen.area.rows.index(place_of(screen, hands, CHEESE), CatalogueColumn.PRICE)
    assert editor.geometry().center() == screen.table.visualRect(now).center()
    assert screen.table.currentIndex() == now
    hands.press("Enter")
    assert price_of(hands, CHEESE) == Money(456)


def test_the_current_row_stays_the_same_article(hands: Hands) -> None:
    """A digit that is typed right after a row above went opens the cell of the same article."""
    screen = opened(hands.shop, hands.window)
    place = place_of(screen, hands, CHEESE)
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.PRICE))
    screen.table.setFocus()
    above = screen.model.listed.row(0)
    assert above is not None
    delisted(hands.shop, str(above.sku))
    screen.tick()
    strike(hands, "7")
    hands.press("Enter")
    assert price_of(hands, CHEESE) == Money(7)


@pytest.mark.parametrize("goes", ["article", "list"])
def test_a_cell_whose_row_goes_ends_with_words(hands: Hands, goes: str) -> None:
    screen = tap_cell(hands, CHEESE, CatalogueColumn.PRICE)
    before = {code: price_of(hands, code) for code in (BREAD, BUREK, MILK)}
    for sign in "45":
        strike(hands, sign)
    if goes == "article":
        delisted(hands.shop, CHEESE)
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
    assert {code: price_of(hands, code) for code in before} == before


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
@pytest.mark.parametrize("column", [CatalogueColumn.CATEGORY, CatalogueColumn.UNIT])
def test_a_list_of_a_cell_stays_open_and_is_about_its_article(
    hands: Hands, column: CatalogueColumn
) -> None:
    screen = opened(hands.shop, hands.window)
    show(screen, column)
    place = place_of(screen, hands, CHEESE)
    screen.table.edit_cell(screen.area.rows.index(place, column))
    made = screen.table.cell_list
    assert made is not None
    QTest.keyClick(made, Qt.Key.Key_Down)
    active, was = made.activeAction(), hands.shop.row(CHEESE)
    above = screen.model.listed.row(0)
    assert above is not None
    others = _others(screen, hands)
    delisted(hands.shop, str(above.sku))
    screen.tick()
    assert screen.table.cell_list is made
    assert made.isVisible()
    assert made.activeAction() is active
    if column is CatalogueColumn.CATEGORY:
        QTest.keyClick(made, Qt.Key.Key_Space)
    QTest.keyClick(made, Qt.Key.Key_Return)
    now = hands.shop.row(CHEESE)
    assert (now.unit, now.category_ids) != (was.unit, was.category_ids)
    assert [one for one in _others(screen, hands) if one not in others] == []


def _others(screen: CatalogueScreen, hands: Hands) -> list[tuple[str, str, tuple[str, ...]]]:
    rows = (screen.model.listed.row(number) for number in range(screen.model.listed.count))
    return [
        (one.name, one.unit, tuple(one.category_ids))
        for one in rows
        if isinstance(one, CatalogueRow) and str(one.sku) != CHEESE
    ]


@pytest.mark.parametrize("change", ["theme", "language", "width"])
async def test_a_cell_is_open_still_when_the_content_is_made_anew(
    hands: Hands, change: str
) -> None:
    made: list[bool] = []
    hands.window.rebuilt.connect(lambda: made.append(True))
    screen = tap_cell(hands, CHEESE, CatalogueColumn.PRICE)
    for sign in "125":
        strike(hands, sign)
    editor = screen.table.cell_editor
    assert editor is not None
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
