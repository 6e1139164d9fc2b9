"""What a synchronisation brings while a manager types is told, and nobody's change is lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.catalogue.columns import Column
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.edit_panel import SideKey
from pos_app.domain.money import Money
from pos_app.domain.product import Product
from pos_app.selling.catalogue.product_draft import DraftField
from tests.gui.catalogue.screens import opened, relisted
from tests.gui.catalogue.test_catalogue import key
from tests.gui.parts import shown
from tests.gui.window.hands import Hands
from tests.gui.window.shop import CHEESE

BEFORE, THEIRS, OURS = "899,00", "1.099,00", "950,00"
BECAME = f"У међувремену је: {THEIRS}"


def typed_in(hands: Hands, field: DraftField, text: str) -> CatalogueScreen:
    """The form of an article, with a field typed by keys."""
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    type_into(hands, field, text)
    return screen


def type_into(hands: Hands, field: DraftField, text: str) -> None:
    assert hands.window.catalogue is not None
    edit = hands.window.catalogue.editor.field(field).edit
    edit.setFocus()
    edit.selectAll()
    hands.type(text)


def product_of(hands: Hands) -> Product:
    product = hands.shop.catalogue.product(hands.shop.row(CHEESE).product_id)
    assert product is not None
    return product


def sides(screen: CatalogueScreen) -> dict[str, SideKey]:
    return {one.accessibleName(): one for one in shown(screen.editor.edits, SideKey)}


MINE, THERE = f"Цена са ПДВ, Ваш упис: {OURS}", f"Цена са ПДВ, Сада сачувано: {THEIRS}"


@pytest.mark.parametrize("is_noticed", [False, True], ids=["at the press", "while it is open"])
@pytest.mark.parametrize(("chosen", "price"), [(MINE, Money(950)), (THERE, Money(1099))])
def test_a_field_that_both_changed_is_decided_by_the_manager(
    hands: Hands, is_noticed: bool, chosen: str, price: Money
) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    relisted(hands.shop, CHEESE, price=1099.0)
    if is_noticed:
        screen.refresh()
        assert screen.editor.field(DraftField.PRICE).error() == BECAME
        assert set(sides(screen)) == {MINE, THERE}
    hands.tap(screen.editor.save)
    assert product_of(hands).price == Money(1099), "nothing is overwritten"
    assert screen.editor.field(DraftField.PRICE).error() == BECAME
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    assert hands.window.focusWidget() is sides(screen)[MINE]
    sides(screen)[chosen].setFocus()
    QTest.keyClick(sides(screen)[chosen], Qt.Key.Key_Space)
    assert not sides(screen)
    assert screen.editor.field(DraftField.PRICE).error() == ""
    if screen.editor.save.isEnabled():
        hands.tap(screen.editor.save)
    assert product_of(hands).price == price
    assert not screen.model.is_changed


def test_fields_that_only_one_side_changed_are_merged(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    relisted(hands.shop, CHEESE, name="Sir mladi, domaci", subtitle="sa salasa")
    hands.tap(screen.editor.save)
    product = product_of(hands)
    assert (product.price, product.name) == (Money(950), "Sir mladi, domaci")
    assert product.subtitle == "sa salasa"
    (edit,) = hands.shop.desk.open_edits(product.id)
    assert set(edit.changes) == {"price"}


def test_the_same_value_from_both_sides_is_no_question(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, "1099")
    relisted(hands.shop, CHEESE, price=1099.0)
    hands.tap(screen.editor.save)
    assert not screen.model.is_changed
    assert product_of(hands).price == Money(1099)
    assert not hands.shop.desk.open_edits(product_of(hands).id)


def test_what_was_typed_on_an_earlier_visit_is_over_what_it_showed_then(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    screen.model.close()
    relisted(hands.shop, CHEESE, price=1099.0)
    screen.refresh()
    screen.model.open(product_of(hands).id)
    assert screen.editor.field(DraftField.PRICE).error() == BECAME
    hands.tap(screen.editor.save)
    assert product_of(hands).price == Money(1099)


def test_a_cell_that_both_changed_opens_the_form_to_decide(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.place_of(hands.shop.row(CHEESE).product_id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, Column.PRICE))
    relisted(hands.shop, CHEESE, price=1099.0)
    hands.type(OURS)
    hands.press("Enter")
    assert product_of(hands).price == Money(1099), "nothing is overwritten"
    assert screen.editor.isVisible()
    assert hands.window.focusWidget() is sides(screen)[MINE]
    hands.press("Space")
    assert not sides(screen)
    hands.tap(screen.editor.save)
    assert product_of(hands).price == Money(950)


def test_a_cell_that_is_left_as_it_was_overwrites_nothing(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.place_of(hands.shop.row(CHEESE).product_id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, Column.PRICE))
    relisted(hands.shop, CHEESE, price=1099.0)
    hands.press("Enter")
    assert product_of(hands).price == Money(1099)
    assert not screen.model.typed


def test_an_undone_cell_takes_back_no_change_of_another(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.place_of(hands.shop.row(CHEESE).product_id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, Column.SUBTITLE))
    hands.type("nas")
    hands.press("Enter")
    screen.model.withdraw(hands.shop.desk.open_edits(product_of(hands).id)[0])
    relisted(hands.shop, CHEESE, subtitle="njihov")
    screen.table.setFocus()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert product_of(hands).subtitle == "njihov"
    assert len(sides(screen)) == 2


def test_a_variant_that_came_meanwhile_stays_beside_a_new_one(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    product = product_of(hands)
    screen.model.open(product.id)
    hands.tap(screen.editor.add_variant)
    type_into(hands, DraftField.VARIANT_NAME, "mali")
    other = {"id": "0b6f4f6c-8b43-4d0c-9c50-6a3f1b1a7d11", "name": "Sir", "variantName": "veliki",
             "taxRateLabel": "Е", "price": 1.0}  # fmt: skip
    relisted(hands.shop, CHEESE, variants=[other], hasVariants=True)
    hands.tap(screen.editor.save)
    now = hands.shop.catalogue.product(product.id)
    assert now is not None
    names = {one.variant_name for one in now.variants}
    assert names == {"mali", "veliki"}
