"""A manager is told of changes that a synchronisation brings during typing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.catalogue.variant_button import VariantButton
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.edit_panel import SideButton
from pos_app.cashier.ui.labels import Label
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import EditState
from tests.gui.catalogue.screens import conflicted, delisted, relisted, visited
from tests.gui.catalogue.test_catalogue import (
    begin_visit,
    button_of,
    edit_cell,
    key,
    place_of,
    product_of,
)
from tests.gui.crawl.floating import open_menus
from tests.gui.inside import inside
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import until
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import each

Act = Callable[[Hands, Any, str], Awaitable[None]]
THEIRS, OURS = "1.099,00", "950,00"
GONE = "Овог артикла више нема у каталогу"
NOT_SAVED = "Уписано није сачувано"
ADD_AGAIN = "Додај као нов артикал"
BECAME = f"У међувремену је: {THEIRS}"
MINE, THERE = f"Цена са ПДВ, Ваш упис: {OURS}", f"Цена са ПДВ, Сада сачувано: {THEIRS}"


def large(code: str) -> dict[str, object]:
    """A variant that the platform lists of an article."""
    return {
        "id": f"0b6f4f6c-8b43-4d0c-9c50-{int(code):012d}",
        "name": "Sir",
        "variantName": "veliki",
        "taxRateLabel": "Е",
        "price": 1.0,
    }


def type_into(hands: Hands, field: DraftField, text: str) -> None:
    edit = inside(hands.window).catalogue.editor.field(field).edit
    edit.setFocus()
    edit.selectAll()
    hands.type(text)


def type_price(hands: Hands, screen: Any, code: str, text: str = OURS) -> None:
    """Open the form of an article, and type its price by keys."""
    screen.model.open(hands.shop.row(code).product_id)
    type_into(hands, DraftField.PRICE, text)


def sides(screen: Any) -> dict[str, SideButton]:
    return {one.accessibleName(): one for one in visible_parts(screen.editor.edits, SideButton)}


def articles_of(hands: Hands, code: str) -> list[Product]:
    """The products that now have that code."""
    rows = [one for one in hands.shop.catalogue.page(limit=1000) if str(one.sku) == code]
    found = [hands.shop.catalogue.product(one.product_id) for one in rows]
    return [one for one in found if one is not None]


def reported_gone(screen: Any) -> bool:
    """Whether the form says that its article is gone and that the typed text is not saved."""
    words = " ".join(lines_of(screen.editor.edits))
    return screen.editor.isVisible() and GONE in words and NOT_SAVED in words


def way(screen: Any) -> Button:
    """The key that adds the form's contents as a new article."""
    buttons = visible_parts(screen.editor.edits, Button)
    return next(one for one in buttons if one.accessibleName() == ADD_AGAIN)


async def a_field_is_decided(
    hands: Hands, screen: Any, code: str, *, is_noticed: bool, chosen: str, price: int
) -> None:
    type_price(hands, screen, code)
    relisted(hands.shop, code, price=1099.0)
    if is_noticed:
        screen.tick()
        assert screen.editor.field(DraftField.PRICE).error() == BECAME
        assert set(sides(screen)) == {MINE, THERE}
    hands.tap(screen.editor.save)
    assert product_of(hands, code).price == Money(1099), "nothing is overwritten"
    assert screen.editor.field(DraftField.PRICE).error() == BECAME
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    assert hands.window.focusWidget() is sides(screen)[MINE]
    sides(screen)[chosen].setFocus()
    QTest.keyClick(sides(screen)[chosen], Qt.Key.Key_Space)
    assert not sides(screen)
    assert screen.editor.field(DraftField.PRICE).error() == ""
    if screen.editor.save.isEnabled():
        hands.tap(screen.editor.save)
    assert product_of(hands, code).price == Money(price)
    assert not screen.model.is_changed


async def what_only_one_side_changed_is_merged(hands: Hands, screen: Any, code: str) -> None:
    type_price(hands, screen, code)
    relisted(hands.shop, code, name="Sir mladi, domaci", subtitle="sa salasa")
    hands.tap(screen.editor.save)
    product = product_of(hands, code)
    assert (product.price, product.name) == (Money(950), "Sir mladi, domaci")
    assert product.subtitle == "sa salasa"
    (edit,) = hands.shop.desk.open_edits(product.id)
    assert set(edit.changes) == {"price"}


async def the_same_value_is_no_question(hands: Hands, screen: Any, code: str) -> None:
    type_price(hands, screen, code, "1099")
    relisted(hands.shop, code, price=1099.0)
    hands.tap(screen.editor.save)
    assert not screen.model.is_changed
    assert product_of(hands, code).price == Money(1099)
    assert not hands.shop.desk.open_edits(product_of(hands, code).id)


async def a_cell_opens_the_form_to_decide(hands: Hands, screen: Any, code: str) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.PRICE)
    relisted(hands.shop, code, price=1099.0)
    hands.type(OURS)
    hands.press("Enter")
    assert product_of(hands, code).price == Money(1099), "nothing is overwritten"
    assert screen.editor.isVisible()
    assert hands.window.focusWidget() is sides(screen)[MINE]
    hands.press("Space")
    assert not sides(screen)
    hands.tap(screen.editor.save)
    assert product_of(hands, code).price == Money(950)


async def a_cell_left_as_it_was_overwrites_nothing(hands: Hands, screen: Any, code: str) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.PRICE)
    relisted(hands.shop, code, price=1099.0)
    hands.press("Enter")
    assert product_of(hands, code).price == Money(1099)
    assert not screen.model.typed_texts


def withdrawn(hands: Hands, code: str) -> None:
    """Another program of this shop takes the change back."""
    (edit,) = hands.shop.desk.open_edits(product_of(hands, code).id)
    hands.shop.desk.withdraw(edit.id, by="Мира", at=hands.shop.clock.now())


async def an_undone_cell_takes_back_no_change_of_another(
    hands: Hands, screen: Any, code: str
) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.SUBTITLE)
    hands.type("nas")
    hands.press("Enter")
    withdrawn(hands, code)
    relisted(hands.shop, code, subtitle="njihov")
    screen.table.setFocus()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert product_of(hands, code).subtitle == "njihov"
    assert not screen.model.is_changed, "nobody typed what stood there before"
    assert "поново мењано" in " ".join(lines_of(screen.notices))


async def a_change_that_was_cut_on_its_way_is_taken_back(
    hands: Hands, screen: Any, code: str
) -> None:
    before = product_of(hands, code).price
    hands.shop.services.platform_here.saved_url = "https://platform.example/v2"
    type_price(hands, screen, code)
    hands.tap(screen.editor.save)
    (edit,) = hands.shop.desk.open_edits(product_of(hands, code).id)
    hands.shop.desk.move(edit.id, EditState.SENDING, at=hands.shop.clock.now())
    for _ in range(2):  # as it was shown before it was sent, and as it is shown now
        hands.tap_words("Повуци измену")
        assert (product_of(hands, code).price, screen.model.failure) == (before, None)
    hands.shop.services.platform_here.saved_url = None


async def ctrl_z_takes_back_what_the_form_saved_last(hands: Hands, screen: Any, code: str) -> None:
    before = product_of(hands, code)
    type_price(hands, screen, code)
    type_into(hands, DraftField.SUBTITLE, "nas")
    hands.tap(screen.editor.save)
    screen.model.close()
    screen.area.focus_table()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    now = product_of(hands, code)
    assert (now.price, now.subtitle) == (before.price, before.subtitle)
    assert "Враћено: " in (told := " ".join(lines_of(screen.notices)))
    assert before.price is not None
    assert f"→ {amount_text(before.price)}" in told


async def ctrl_z_after_a_decision_takes_nothing_else_back(
    hands: Hands, screen: Any, code: str
) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.SUBTITLE)
    hands.type("nas")
    hands.press("Enter")
    conflicted(hands.shop, BREAD, ours="70", theirs="80")
    screen.model.reload_if_outdated()
    screen.model.open(product_of(hands, BREAD).id)
    hands.tap_words("Цена са ПДВ, Ова каса")
    screen.model.close()
    screen.area.focus_table()
    for _ in range(2):
        key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
        assert product_of(hands, code).subtitle == "nas"
        assert "не враћа" in " ".join(lines_of(screen.notices))


async def a_variant_that_came_stays_beside_a_new_one(hands: Hands, screen: Any, code: str) -> None:
    product = product_of(hands, code)
    screen.model.open(product.id)
    hands.tap(screen.editor.add_variant)
    type_into(hands, DraftField.VARIANT_NAME, "mali")
    relisted(hands.shop, code, variants=[large(code)], hasVariants=True)
    hands.tap(screen.editor.save)
    now = hands.shop.catalogue.product(product.id)
    assert now is not None
    assert {one.variant_name for one in now.variants} == {"mali", "veliki"}


async def what_was_typed_stays_until_it_is_decided(
    hands: Hands, screen: Any, code: str, *, is_noticed: bool
) -> None:
    type_price(hands, screen, code)
    name, was = product_of(hands, code).name, product_of(hands, code).id
    delisted(hands.shop, code)
    if is_noticed:
        screen.tick()
        assert reported_gone(screen)
        assert not screen.editor.save.isEnabled()
    hands.press("Enter")
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    assert not articles_of(hands, code), "nothing comes back by a press of Save"
    assert hands.window.focusWidget() is way(screen)
    hands.press("Space")
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    assert not articles_of(hands, code), "it is added where it is saved"
    hands.tap(screen.editor.save)
    (again,) = articles_of(hands, code)
    assert (again.name, again.price) == (name, Money(950))
    assert again.id != was
    assert not screen.model.is_changed


async def it_is_not_left_unsaid_and_can_be_thrown_away(
    hands: Hands, screen: Any, code: str
) -> None:
    """Neither another row nor leaving the screen leaves it."""
    type_price(hands, screen, code)
    delisted(hands.shop, code)
    screen.tick()
    screen.table.setFocus()
    hands.press("Down")
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    hands.press("Esc")
    assert not screen.isVisible()
    screen = visited(hands.shop, hands.window)
    assert hands.window.focusWidget() is way(screen)
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    hands.tap(screen.editor.drop)
    assert not screen.editor.isVisible()
    assert not screen.model.typed_texts


async def what_was_typed_in_a_cell_is_shown_in_the_form(
    hands: Hands, screen: Any, code: str, *, is_noticed: bool
) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.PRICE)
    if is_noticed:
        hands.type(OURS)
    delisted(hands.shop, code)
    if is_noticed:
        screen.tick()
    else:
        hands.type(OURS)
        hands.press("Enter")
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS


def is_told(screen: Any) -> bool:
    return any(GONE in one.text() for one in visible_parts(screen.notices, Label))


async def an_undone_cell_is_told(hands: Hands, screen: Any, code: str) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.SUBTITLE)
    hands.type("nas")
    hands.press("Enter")
    withdrawn(hands, code)
    delisted(hands.shop, code)
    screen.table.setFocus()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert is_told(screen)


async def a_row_is_told_as_it_is_opened(hands: Hands, screen: Any, code: str) -> None:
    place = screen.area.rows.index(place_of(hands, screen, code), CatalogueColumn.NAME)
    screen.table.setCurrentIndex(place)
    delisted(hands.shop, code)
    screen.table.setFocus()
    hands.press("Enter")
    assert not screen.editor.isVisible()
    assert is_told(screen)


async def it_is_added_again_with_its_variants(hands: Hands, screen: Any, code: str) -> None:
    product_id = product_of(hands, code).id
    relisted(hands.shop, code, variants=[large(code)], hasVariants=True)
    screen.tick()
    screen.model.open(product_id)
    type_into(hands, DraftField.NAME, "Sir mladi")
    delisted(hands.shop, code)
    screen.tick()
    hands.tap(way(screen))
    hands.tap(screen.editor.save)
    assert screen.model.current_id != product_id
    again = hands.shop.catalogue.product(screen.model.current_id)
    assert again is not None
    assert again.name == "Sir mladi"
    assert [one.variant_name for one in again.variants] == ["veliki"]
    assert again.variants[0].id != large(code)["id"]


async def a_variant_is_added_again_to_its_product(hands: Hands, screen: Any, code: str) -> None:
    product_id = product_of(hands, code).id
    relisted(hands.shop, code, variants=[large(code)], hasVariants=True)
    screen.tick()
    screen.model.open(product_id)
    hands.tap(next(one for one in visible_parts(screen.editor, VariantButton)))
    type_into(hands, DraftField.PRICE, OURS)
    relisted(hands.shop, code, variants=[], hasVariants=False)
    screen.tick()
    assert reported_gone(screen)
    hands.tap(way(screen))
    hands.tap(screen.editor.save)
    product = hands.shop.catalogue.product(product_id)
    assert product is not None
    (again,) = product.variants
    assert (again.variant_name, again.price) == ("veliki", Money(950))


async def who_deletes_an_article_is_told_of_no_other(hands: Hands, screen: Any, code: str) -> None:
    type_price(hands, screen, code)
    screen.model.close()
    screen.model.listed.tick(product_of(hands, code).id)
    hands.tap(screen.band.delete)
    yes = button_of(screen, "Обриши")
    await until(yes.isEnabled)
    hands.tap(yes)
    await until(lambda: screen.work is None)
    assert not articles_of(hands, code)
    assert not screen.editor.isVisible()
    assert not screen.model.typed_texts


async def the_list_of_a_cell_ends_with_its_row(hands: Hands, screen: Any, code: str) -> None:
    edit_cell(hands, screen, code, CatalogueColumn.CATEGORY)
    assert screen.table.cell_list is not None
    delisted(hands.shop, code)
    screen.tick()
    assert screen.table.cell_list is None
    assert not open_menus()


ACTS: dict[str, Act] = {
    "14": a_cell_left_as_it_was_overwrites_nothing,
    "15": partial(a_field_is_decided, is_noticed=True, chosen=THERE, price=1099),
    "16": partial(a_field_is_decided, is_noticed=False, chosen=MINE, price=950),
    "18": what_only_one_side_changed_is_merged,
    "19": the_same_value_is_no_question,
    "21": a_cell_opens_the_form_to_decide,
    "22": an_undone_cell_takes_back_no_change_of_another,
    "36": a_change_that_was_cut_on_its_way_is_taken_back,
    "37": ctrl_z_takes_back_what_the_form_saved_last,
    "39": ctrl_z_after_a_decision_takes_nothing_else_back,
    "23": a_variant_that_came_stays_beside_a_new_one,
    "24": partial(what_was_typed_stays_until_it_is_decided, is_noticed=True),
    "25": partial(what_was_typed_stays_until_it_is_decided, is_noticed=False),
    "26": it_is_not_left_unsaid_and_can_be_thrown_away,
    "29": partial(what_was_typed_in_a_cell_is_shown_in_the_form, is_noticed=True),
    "30": partial(what_was_typed_in_a_cell_is_shown_in_the_form, is_noticed=False),
    "31": an_undone_cell_is_told,
    "32": a_row_is_told_as_it_is_opened,
    "33": it_is_added_again_with_its_variants,
    "34": a_variant_is_added_again_to_its_product,
    "38": the_list_of_a_cell_ends_with_its_row,
    "35": who_deletes_an_article_is_told_of_no_other,
}
"""Each with the code of an article that no other one changes."""


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
@pytest.mark.deadline(200)
@each(("code", "act"), ACTS.items())
async def test_nothing_that_somebody_changed_or_typed_is_lost(
    hands: Hands, code: str, act: Act
) -> None:
    await act(hands, begin_visit(hands), code)
