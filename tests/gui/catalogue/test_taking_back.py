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
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import VARIANTS, NewEdit
from tests.gui.catalogue.screens import change
from tests.gui.catalogue.test_catalogue import begin_visit, button_of, edit_cell, key
from tests.gui.parts import notices_in
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, BUREK
from tests.sweep import turns


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
