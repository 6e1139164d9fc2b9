"""A manager's way through the catalogue: PIN, search, prices in place, the form, deleting."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.catalogue.table import Column
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.money import Money
from pos_app.selling.catalogue import EditMark
from pos_app.selling.catalogue_edits import EditState
from pos_app.selling.product_draft import DraftField
from tests.gui.catalogue.screens import PIN, opened
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK


def screen_of(hands: Hands) -> CatalogueScreen:
    screen = hands.window.catalogue
    assert screen is not None
    return screen


def key(hands: Hands, key: Qt.Key, text: str = "") -> None:
    """A key to whatever has the focus."""
    focus = hands.window.focusWidget()
    assert focus is not None
    modifier = Qt.KeyboardModifier.NoModifier
    QTest.sendKeyEvent(QTest.KeyAction.Click, focus, key, text, modifier)


def price_of(hands: Hands, code: str) -> Money | None:
    return hands.shop.row(code).price


def test_from_the_menu_through_the_pin_to_the_table(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("цене, артикли")
    screen = screen_of(hands)
    assert hands.window.is_in_catalogue
    assert screen.gate.isVisible()
    hands.type(PIN)
    hands.press("Enter")
    hands.type("1111")
    hands.press("Enter")
    assert screen.gate.again.error() == "Два уписа нису иста"
    hands.type(PIN)
    hands.press("Enter")
    assert screen.table.isVisible()
    assert screen.table.hasFocus()
    assert screen.rows.rowCount() == 427
    hands.press("Esc")
    assert not hands.window.is_in_catalogue
    hands.window.run(TillCommand.CATALOGUE)
    assert screen_of(hands).gate.isVisible(), "each visit asks"
    for digit in "2580":
        hands.tap(screen_of(hands).gate.pad.key(digit))
    hands.tap(screen_of(hands).gate.open)
    assert screen_of(hands).table.isVisible()


def test_a_price_is_changed_in_place_by_keys_alone(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    hands.press("F2")
    hands.type("sir mladi")
    row = screen.model.row(0)
    assert row is not None
    key(hands, Qt.Key.Key_Return)
    hands.press("Esc")
    while screen.table.currentIndex().column() < Column.PRICE:
        key(hands, Qt.Key.Key_Right)
    key(hands, Qt.Key.Key_Return)
    assert screen.table.cell_editor is not None
    screen.table.cell_editor.edit.selectAll()
    hands.type("1099,50")
    hands.press("Enter")
    assert screen.table.cell_editor is None
    row = screen.model.row(0)
    assert row is not None
    assert (row.price, row.edits) == (Money("1099.50"), EditMark.WAITING)
    (edit,) = hands.shop.desk.edits(frozenset({EditState.WAITING}))
    assert dict(edit.changes) == {"price": Money("1099.50")}
    assert edit.by == "Касир 3"


def test_esc_goes_back_step_by_step_and_keeps_what_was_typed(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    before = price_of(hands, CHEESE)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    screen.editor.focus_field(DraftField.PRICE)
    screen.editor.field(DraftField.PRICE).edit.selectAll()
    hands.type("77")
    hands.press("Esc")
    assert screen.model.current is None
    hands.press("Esc")
    assert not hands.window.is_in_catalogue
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    assert screen.editor.field(DraftField.PRICE).text() == "77"
    hands.window.change(theme="dark", language="sr-Latn")
    screen = screen_of(hands)
    assert screen.editor.field(DraftField.PRICE).text() == "77"
    assert price_of(hands, CHEESE) == before
    hands.tap(screen.editor.drop)
    assert screen.editor.field(DraftField.PRICE).text() == "899,00"
    assert not screen.editor.drop.isVisible()


def test_a_fault_stands_at_its_field_and_nothing_is_saved(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    screen.editor.type_into(DraftField.SKU, "1")
    screen.editor.type_into(DraftField.SUBTITLE, "ново")
    hands.tap(screen.editor.save)
    assert screen.editor.field(DraftField.SKU).error() == "Други артикал већ има ову шифру"
    assert hands.window.focusWidget() is screen.editor.field(DraftField.SKU).edit
    assert not hands.shop.desk.edits(frozenset({EditState.WAITING}))
    screen.editor.type_into(DraftField.SKU, "99013")
    assert screen.editor.field(DraftField.SKU).error() == ""
    hands.tap(screen.editor.save)
    product = hands.shop.catalogue.product(screen.model.current_id)
    assert product is not None
    assert (product.sku, product.subtitle) == (99013, "ново")


def test_a_new_article_can_be_sold_at_once(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    hands.tap(screen.add_key)
    hands.tap(screen.editor.save)
    assert screen.editor.field(DraftField.NAME).error() == "Упишите назив"
    screen.editor.type_into(DraftField.NAME, "Пита са вишњама")
    screen.editor.type_into(DraftField.PRICE, "120")
    screen.editor.type_into(DraftField.EAN, "8600123459994")
    screen.editor.type_into(DraftField.EAN, "96385074")
    hands.tap(screen.editor.save)
    assert not screen.model.is_changed
    hands.window.show_sale()
    hands.scan("96385074")
    assert hands.rows()[0].startswith("1 × Пита са вишњама")


def test_ticked_rows_are_deleted_after_a_question(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    for code in (BREAD, BUREK):
        screen.model.tick(hands.shop.row(code).product_id)
    hands.tap(screen.band.delete)
    hands.press("Esc")
    assert screen.rows.rowCount() == 427
    hands.tap(screen.band.delete)
    yes = next(one for one in screen.findChildren(Button) if one.accessibleName() == "Обриши"
               and one.isVisible() and one is not screen.band.delete)  # fmt: skip
    hands.tap(yes)
    assert screen.rows.rowCount() == 425
    assert not screen.model.ticked


def test_a_scan_looks_the_article_up_and_sells_nothing(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    ean = hands.shop.row(MILK).ean
    assert ean
    hands.scan(ean)
    assert hands.window.is_in_catalogue
    assert screen.model.current is not None
    assert screen.model.current.owner.ean == ean
    assert not hands.rows()
