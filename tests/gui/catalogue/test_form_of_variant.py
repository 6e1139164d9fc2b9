"""The form of a variant stays that of the variant, however it was opened."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.cashier.catalogue.conflicts_view import ConflictsPage
from pos_app.cashier.catalogue.variant_button import VariantButton
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import VARIANTS, NewEdit
from tests.gui.catalogue.screens import change, changed_variant, delisted, undecided
from tests.gui.catalogue.test_catalogue import begin_visit, pressed
from tests.gui.catalogue.test_changed_meanwhile import type_into
from tests.gui.parts import notices_in, visible_parts
from tests.gui.window.hands import Hands, seen

AJVAR, HOT = "Ајвар Зимница", 309
"""A product with variants, and the code of its second one."""


def ajvar(hands: Hands) -> Product:
    (row,) = (one for one in hands.shop.catalogue.page(limit=1000) if one.name == AJVAR)
    product = hands.shop.catalogue.product(row.product_id)
    assert product is not None
    return product


def prices(product: Product) -> list[Money | None]:
    return [product.price, *(one.price for one in product.variants)]


def open_hot(hands: Hands, screen: Any) -> None:
    """Open the form of the second variant by its button in that of the product."""
    screen.model.open(ajvar(hands).id)
    buttons = visible_parts(screen.editor, VariantButton)
    hands.tap(next(one for one in buttons if f"· {HOT} ·" in one.accessibleName()))
    assert screen.model.current.owner.sku == HOT


async def asked_about_hot(hands: Hands) -> tuple[Any, str]:
    """The page of decisions, about a variant's price; and the variant's id."""
    hot = next(one for one in ajvar(hands).variants if one.sku == HOT)
    article = hands.shop.catalogue.article(hot.id)
    assert article is not None
    change(hands.shop, article, {"price": Money(411)})
    changed_variant(hands.shop, HOT, price=422.0)
    screen = undecided(hands.shop, hands.window)
    await seen()
    return screen, hot.id


@pytest.mark.parametrize("by_key", [False, True])
async def test_the_page_of_decisions_opens_the_variant_that_it_names(
    hands: Hands, by_key: bool
) -> None:
    before = prices(ajvar(hands))
    screen, hot_id = await asked_about_hot(hands)
    (page,) = visible_parts(screen, ConflictsPage)
    opens = [one for one in visible_parts(page, Button) if one.accessibleName().startswith("Артик")]
    pressed(hands, opens[0].accessibleName(), by_key=by_key)
    assert screen.model.current.owner.id == hot_id
    hands.tap_words("Цена са ПДВ, Ова каса")
    type_into(hands, DraftField.PRICE, "444")
    hands.tap(screen.editor.save)
    assert prices(ajvar(hands)) == [*before[:2], Money(444), *before[3:]]


async def test_the_form_of_a_variant_stays_while_rows_come_and_go(hands: Hands) -> None:
    screen = begin_visit(hands)
    open_hot(hands, screen)
    screen.area.focus_table()
    row = screen.table.currentIndex().row()
    delisted(hands.shop, str(screen.model.listed.row(0).sku))
    screen.tick()
    assert screen.table.currentIndex().row() == row - 1
    assert screen.model.current.owner.sku == HOT


async def test_a_variant_that_went_as_its_page_was_pressed_is_told(hands: Hands) -> None:
    screen, _ = await asked_about_hot(hands)
    others = tuple(one for one in ajvar(hands).variants if one.sku != HOT)
    edit = NewEdit.changing(
        ajvar(hands).id, ajvar(hands).id, {VARIANTS: others}, by="Мира", at=hands.shop.clock.now()
    )
    hands.shop.desk.record(edit)
    hands.tap_words("Артикал: ")
    assert any("више нема у каталогу" in one for one in notices_in(screen.notices))
