"""Ctrl+Z takes back the change that was saved last, whole and of its own article, and saves no text
that is only typed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from PySide6.QtCore import Qt

from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import CatalogueRow, create_for_code
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import VARIANTS, NewEdit
from tests.gui.catalogue.screens import change, relisted
from tests.gui.catalogue.test_catalogue import (
    begin_visit,
    button_of,
    came,
    edit_cell,
    ended,
    key,
    product_of,
)
from tests.gui.catalogue.test_changed_meanwhile import large, type_into
from tests.gui.catalogue.test_form_of_variant import HOT, ajvar, open_hot, prices
from tests.gui.parts import notices_in
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, BUREK, CHEESE
from tests.sweep import turns

UNSAVED = "уписано, а није сачувано"


def press_undo(hands: Hands) -> None:
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)


def go_to_another_row(hands: Hands, screen: Any) -> None:
    screen.area.focus_table()
    key(hands, Qt.Key.Key_Up)


def name_saved(hands: Hands, screen: Any) -> str:
    """Save another name of the bread in its form; returns the one that it had."""
    before = product_of(hands, BREAD).name
    screen.model.open(hands.shop.row(BREAD).product_id)
    type_into(hands, DraftField.NAME, "hleb novi")
    hands.tap(screen.editor.save)
    assert product_of(hands, BREAD).name == "hleb novi"
    return before


@pytest.mark.parametrize("text", ["6", "1,2,3", "kg"])
async def test_text_that_is_not_saved_is_neither_saved_nor_lost(hands: Hands, text: str) -> None:
    screen = begin_visit(hands)
    row: CatalogueRow = hands.shop.row(BREAD)
    name = name_saved(hands, screen)
    unit = next(one.id for one in hands.shop.catalogue.units() if one.symbol == "kg")
    field, put = (DraftField.UNIT, unit) if text == "kg" else (DraftField.PRICE, text)
    if field is DraftField.UNIT:
        screen.editor.focus_field(field)
        screen.model.put(field, put)
    else:
        type_into(hands, field, put)
    screen.head.button.click()
    go_to_another_row(hands, screen)
    for _ in range(2):
        press_undo(hands)
        assert any(UNSAVED in one for one in notices_in(screen.notices))
        now = hands.shop.row(BREAD)
        assert (now.name, now.price, now.unit) == ("hleb novi", row.price, row.unit)
    screen.model.open(row.product_id)
    assert screen.model.value(field) == put
    screen.notices.put_away()
    screen.editor.focus_field(DraftField.SUBTITLE)
    press_undo(hands)
    assert any(UNSAVED in one for one in notices_in(screen.notices))
    hands.tap(screen.editor.drop)
    screen.head.button.click()
    go_to_another_row(hands, screen)
    press_undo(hands)
    assert product_of(hands, BREAD).name == name
    assert any("Враћено: " in one for one in notices_in(screen.notices))
    assert not screen.model.typed_texts


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


@pytest.mark.parametrize(("form", "product_price"), turns(["closed", "open"], ["389.99", "500"]))
async def test_a_change_of_a_variant_is_taken_back_of_the_variant(
    hands: Hands, form: str, product_price: str
) -> None:
    screen = begin_visit(hands)
    await seen()
    if product_price == "500":
        screen.model.open(ajvar(hands).id)
        type_into(hands, DraftField.PRICE, "500")
        hands.press("Enter")
    before = prices(ajvar(hands))
    assert before[0] == Money(product_price)
    open_hot(hands, screen)
    type_into(hands, DraftField.PRICE, "500")
    hands.press("Enter")
    assert prices(ajvar(hands))[2] == Money(500)
    if form == "closed":
        hands.press("Esc")
    go_to_another_row(hands, screen)
    assert screen.editor.isVisible() is (form == "open")
    press_undo(hands)
    assert prices(ajvar(hands)) == before
    assert any("Враћено: " in one for one in notices_in(screen.notices))
    if form == "open":
        assert screen.model.current.owner.sku == HOT
        assert screen.table.currentIndex().row() == screen.model.listed.index_of(ajvar(hands).id)


async def test_the_name_that_is_typed_in_a_row_of_one_variant_is_discarded(hands: Hands) -> None:
    product = product_of(hands, CHEESE)
    relisted(hands.shop, CHEESE, variants=[large(CHEESE)], hasVariants=True)
    screen = begin_visit(hands)
    place = screen.model.listed.index_of(product.id)
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.NAME))
    screen.table.cell_editor.set_text("sir novi")
    hands.press("Esc")
    assert screen.model.typed_texts
    press_undo(hands)
    assert not screen.model.typed_texts
    now = hands.shop.catalogue.product(product.id)
    assert now is not None
    assert now.name == product.name


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


async def test_a_deleted_variant_comes_back_at_its_place(hands: Hands) -> None:
    screen, desk, at = begin_visit(hands), hands.shop.desk, hands.shop.clock.now()
    hot = next(one for one in ajvar(hands).variants if one.sku == HOT)
    desk.plan_price(PlannedPrice(hot.id, Money(51), at + timedelta(days=1)), by="Мира", at=at)
    before = noted(hands, ajvar(hands))
    for by_key in (True, False):
        open_hot(hands, screen)
        delete_in_form(hands, screen)
        assert HOT not in [one.sku for one in ajvar(hands).variants]
        if by_key:
            screen.editor.focus_field(DraftField.SUBTITLE)
            press_undo(hands)
        else:
            hands.tap(button_of(screen, "Врати"))
        assert noted(hands, ajvar(hands)) == before
        hands.press("Esc")


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


async def test_many_that_were_deleted_come_back_after_a_question(hands: Hands) -> None:
    screen = begin_visit(hands)
    products = [product_of(hands, code) for code in (BREAD, CHEESE)]
    before = [noted(hands, one) for one in products]
    for one in products:
        screen.model.listed.tick(one.id)
    hands.tap(screen.band.delete)
    yes = button_of(screen, "Обриши")
    await came(yes.isEnabled)
    await seen()
    hands.tap(yes)
    await ended(screen)
    assert hands.shop.catalogue.product(products[0].id) is None
    hands.press("Esc")
    screen.area.focus_table()
    press_undo(hands)
    assert any("Вратити 2 обрисана артикла?" in one for one in notices_in(screen.notices))
    hands.tap(button_of(screen, "Врати измене"))
    await ended(screen)
    assert [noted(hands, product_of(hands, code)) for code in (BREAD, CHEESE)] == before
