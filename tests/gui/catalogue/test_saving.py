"""A manager's change is stored whole or not at all, taken back by Ctrl+Z, and safe from a list."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.own_names import name_as_there
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.cashier.catalogue.columns import SETS, CatalogueColumn, ColumnSet
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.store_model import StoreText
from pos_app.cashier.ui.choices import CheckBox
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.catalogue.editing import open_for_edit
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import VARIANTS, EditState, NewEdit
from pos_app.selling.synchronisation.own_names import NameKind
from tests.fakes.platform_setup import OURS
from tests.fakes.small_disk import fill, make_room
from tests.gui.catalogue.screens import change, relisted, store_listed, visited
from tests.gui.catalogue.test_catalogue import (
    begin_visit,
    button_of,
    edit_cell,
    key,
    look_for,
    place_of,
    product_of,
)
from tests.gui.inside import inside
from tests.gui.parts import lines_of, notices_in, visible_parts
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, type_over
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK, CHEESE, Shop
from tests.sweep import turns

_F = DraftField
OPEN_PRICE = "Цену уписује касир"
ONLY_THERE = "Платформа је сачувала, ова каса добија касније"
NO_ROOM = "Нема места на диску"
MOST_PAGES = 60
"""Every save of these tests fits into that many pages."""
TYPED = {_F.PRICE: "777,00", _F.PLANNED_PRICE: "555,00", _F.PLANNED_FROM: "24.12.2030."}


def type_all(hands: Hands, typed: dict[DraftField, str]) -> None:
    """Type into the fields of the form by keys."""
    for field, text in typed.items():
        edit = inside(hands.window).catalogue.editor.field(field).edit
        edit.setFocus()
        edit.selectAll()
        hands.type(text)


def tick(hands: Hands, words: str) -> None:
    """Tick a box of the form by the keyboard."""
    boxes = visible_parts(inside(hands.window).catalogue.editor, CheckBox)
    box = next(one for one in boxes if one.accessibleName() == words)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)


def disk_of(hands: Hands) -> Path:
    return hands.shop.services.settings.data.parent


def in_force(shop: Shop, product_id: str) -> tuple[object, ...]:
    """Everything that is stored about a product."""
    edited = open_for_edit(shop.catalogue, shop.desk, product_id, product_id)
    edits = shop.desk.edits(frozenset(EditState))
    categories = [one.category.name for one in shop.catalogue.categories()]
    return edited, edits, categories


def press_until_stored(hands: Hands, product_id: str) -> int:
    """Press "save" with ever one more page of room; returns how often it was refused."""
    shop, screen = hands.shop, inside(hands.window).catalogue
    assert screen is not None
    before = in_force(shop, product_id)
    filler = fill(disk_of(hands))
    for refused in range(MOST_PAGES):
        hands.tap(screen.editor.save)
        if not screen.model.is_changed and not screen.model.is_new:
            return refused
        assert any(NO_ROOM in line for line in lines_of(screen.editor))
        assert in_force(shop, product_id) == before
        make_room(filler, 1)
    raise AssertionError("it was never stored")


def test_a_saved_article_is_stored_whole_or_not_at_all(little: Hands) -> None:
    shop, screen = little.shop, visited(little.shop, little.window)
    product_id = shop.row(CHEESE).product_id
    screen.model.open(product_id)
    type_all(little, TYPED)
    tick(little, OPEN_PRICE)
    hands = little
    screen.editor.categories.other_wanted.emit()
    hands.type("Sirevi nasi")
    hands.press("Enter")
    assert press_until_stored(little, product_id) > 1
    edited = open_for_edit(shop.catalogue, shop.desk, product_id, product_id)
    assert edited is not None
    assert edited.owner.price == Money(777)
    assert edited.marks.open_price
    assert edited.plan is not None
    assert edited.plan.price == Money(555)
    names = {one.category.id: one.category.name for one in shop.catalogue.categories()}
    assert "Sirevi nasi" in [names[one] for one in edited.owner.categories]


async def test_a_store_that_only_its_platform_could_store_is_told_so(little: Hands) -> None:
    shop = little.shop
    shop.platform_setup.told = OURS
    screen, page = await at_page(little, PageName.STORE)
    await screen.model.platform.load()
    model, field = screen.model.store, page.fields[StoreText.PHONE]
    type_over(little, field, "021 123")
    before = shop.catalogue.store()
    filler = fill(disk_of(little))
    await until(page.acts.save.isEnabled)
    little.tap(page.acts.save)
    await until(lambda: bool(shop.platform_setup.sent) and not model.running)
    assert shop.catalogue.store() == before
    assert any(ONLY_THERE in line and NO_ROOM in line for line in lines_of(page))
    assert field.text() == "021 123"
    filler.unlink()
    store_listed(shop, phone="021 123")
    screen.tick()
    now = shop.catalogue.store()
    assert now is not None
    assert now.phone == "021 123"
    assert not any(ONLY_THERE in line for line in lines_of(page)), "it is here as well now"
    assert not model.has_changes


def ajvar(hands: Hands) -> Product:
    """A product with variants."""
    (row,) = (one for one in hands.shop.catalogue.page(limit=1000) if one.name == "Ајвар Зимница")
    product = hands.shop.catalogue.product(row.product_id)
    assert product is not None
    return product


def press_undo(hands: Hands) -> None:
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)


def go_to_another_row(hands: Hands, screen: Any) -> None:
    screen.area.focus_table()
    key(hands, Qt.Key.Key_Up)


async def test_what_another_article_has_by_now_is_told_and_taken_back_once_it_is_free(
    hands: Hands,
) -> None:
    screen = begin_visit(hands)
    burek = hands.shop.catalogue.article(hands.shop.row(BUREK).article_id or "")
    bread = hands.shop.row(BREAD).article_id or ""
    assert burek is not None
    edit_cell(hands, screen, BREAD, CatalogueColumn.CODE)
    screen.table.cell_editor.set_text("77001")
    hands.press("Enter")
    change(hands.shop, burek, {"sku": int(BREAD)})
    screen.tick()
    go_to_another_row(hands, screen)
    press_undo(hands)
    assert any("То има други артикал" in one for one in notices_in(screen.notices))
    assert not screen.model.typed_texts, "nobody typed it"
    change(hands.shop, burek, {"sku": int(BUREK)})
    screen.tick()
    press_undo(hands)
    assert hands.shop.row(BREAD).article_id == bread


async def test_a_unit_of_variants_is_taken_back_after_a_look_at_their_prices(hands: Hands) -> None:
    (kilogram,) = (one.id for one in hands.shop.catalogue.units() if one.symbol == "kg")
    article = hands.shop.catalogue.article
    product = ajvar(hands)
    bare = tuple(replace(one, sale_unit_id=None) for one in product.variants)
    edit = NewEdit.changing(
        product.id, product.id, {VARIANTS: bare}, by="Мира", at=hands.shop.clock.now()
    )
    hands.shop.desk.record(edit)
    screen = begin_visit(hands)
    screen.model.open(product.id)
    screen.model.put(DraftField.UNIT, kilogram)
    screen.editor.save.click()
    hands.tap_words("Задржи цену")
    assert article(bare[0].id).unit == "kg"
    screen.head.button.click()
    go_to_another_row(hands, screen)
    press_undo(hands)
    assert article(bare[0].id).unit == "kg"
    assert hands.button("Исправи цену").hasFocus()
    hands.tap_words("Задржи цену")
    assert article(bare[0].id).unit != "kg"
    assert not screen.model.typed_texts


BACK = "је поново у каталогу"


def noted(hands: Hands, product: Product) -> list[object]:
    """All that this shop has of a product, also what no platform has a field for."""
    desk, owners = hands.shop.desk, (product, *product.variants)
    return [product, *((desk.marks(one.id), desk.plan_of(one.id)) for one in owners)]


def delete_in_form(hands: Hands, screen: Any) -> None:
    hands.tap(screen.editor.delete)
    hands.tap(button_of(screen, "Обриши"))


def made_here(hands: Hands) -> str:
    made, at = str(uuid4()), hands.shop.clock.now()
    create_for_code(
        hands.shop.desk, product_id=made, name="Мед", label=TaxLabel.DJ, price=Money(990),
        code="4006381333931", by="Мира", at=at,
    )  # fmt: skip
    return made


@pytest.mark.parametrize(("of", "way"), turns(["file", "here"], ["key", "button", "visit"]))
async def test_what_was_deleted_comes_back_with_all_its_fields(
    hands: Hands, of: str, way: str
) -> None:
    """Also one that no platform has, and after another screen was seen meanwhile."""
    screen, desk, at = begin_visit(hands), hands.shop.desk, hands.shop.clock.now()
    made = hands.shop.row(BREAD).product_id if of == "file" else made_here(hands)
    desk.note(made, Marks(pinned=True, barcodes=(Barcode("777"),)), by="Мира", at=at)
    desk.plan_price(PlannedPrice(made, Money(51), at + timedelta(days=1)), by="Мира", at=at)
    price = {"price": Money(62), "name": "Нови назив"}
    desk.record(NewEdit.changing(made, made, price, by="Мира", at=at))
    screen.model.reload_if_outdated()
    screen.model.open(made)
    product = hands.shop.catalogue.product(made)
    assert product is not None
    before = noted(hands, product)
    delete_in_form(hands, screen)
    assert hands.shop.catalogue.product(made) is None
    (notice,) = notices_in(screen.notices)
    assert "Обрисано: Нови назив" in notice
    assert "Ctrl+Z" in notice
    if way == "visit":
        screen = begin_visit(hands)
    if way == "button":
        hands.tap(button_of(screen, "Врати"))
    else:
        if way == "key":  # the form is left; on a new visit Esc would leave the catalogue
            hands.press("Esc")
        screen.area.focus_table()
        press_undo(hands)
    assert any(BACK in one for one in notices_in(screen.notices))
    back = hands.shop.catalogue.product(made)
    assert back is not None
    assert noted(hands, back) == before
    assert screen.table.currentIndex().row() == screen.model.listed.index_of(made)
    press_undo(hands)
    assert hands.shop.catalogue.product(made) == back, "a second press changes nothing"


async def test_a_code_that_another_article_took_is_told_and_nothing_comes_back(
    hands: Hands,
) -> None:
    screen = begin_visit(hands)
    burek = hands.shop.catalogue.article(hands.shop.row(BUREK).article_id or "")
    assert burek is not None
    screen.model.open(hands.shop.row(BREAD).product_id)
    delete_in_form(hands, screen)
    change(hands.shop, burek, {"sku": int(BREAD)})
    screen.tick()
    screen.area.focus_table()
    press_undo(hands)
    assert any("То има други артикал" in one for one in notices_in(screen.notices))
    change(hands.shop, burek, {"sku": int(BUREK)})
    press_undo(hands)
    assert hands.shop.row(BREAD).product_id


pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups offscreen


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


THERE = "7c1f7e5e-2f0e-4f3c-9a55-6a9a8a3f6a01"
GONE_WORDS = "Изабране јединице или категорије више нема"


def bread(hands: Hands) -> Product:
    product = hands.shop.catalogue.product(hands.shop.row(BREAD).product_id)
    assert product is not None
    return product


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


def told_gone(within: QWidget) -> bool:
    return any(GONE_WORDS in one for one in lines_of(within))


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


async def test_a_price_that_a_list_changed_while_it_was_typed_is_decided(hands: Hands) -> None:
    screen = begin_visit(hands)
    for code, in_cell in ((CHEESE, False), (BUREK, True)):
        if in_cell:
            edit_cell(hands, screen, code, CatalogueColumn.PRICE)
        else:
            screen.model.open(hands.shop.row(code).product_id)
            type_over(hands, screen.editor.field(_F.PRICE), "950,00")
        relisted(hands.shop, code, price=1099.0)
        if in_cell:
            hands.type("950,00")
            hands.press("Enter")
        else:
            hands.tap(screen.editor.save)
        assert product_of(hands, code).price == Money(1099), "nothing is overwritten"
        hands.tap_words("Цена са ПДВ, Ваш упис: 950,00")
        hands.tap(screen.editor.save)
        assert product_of(hands, code).price == Money(950)
        screen.model.close()
    edit_cell(hands, screen, BREAD, CatalogueColumn.PRICE)
    relisted(hands.shop, BREAD, price=1099.0)
    hands.press("Enter")
    assert product_of(hands, BREAD).price == Money(1099), "nothing was typed"
