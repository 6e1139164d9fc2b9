"""A manager is told of changes that a synchronisation brings during typing, and nobody's change is
lost."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.catalogue import decisions
from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.catalogue.variant_button import VariantButton
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.edit_panel import SideButton
from pos_app.cashier.ui.labels import Label
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.product_draft import DraftField
from tests.gui.catalogue.screens import delisted, opened, relisted
from tests.gui.catalogue.test_catalogue import key
from tests.gui.crawl.floating import open_menus
from tests.gui.inside import inside
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import until
from tests.gui.window.hands import Hands
from tests.gui.window.shop import CHEESE
from tests.sweep import sampled

BEFORE, THEIRS, OURS = "899,00", "1.099,00", "950,00"
LARGE = {
    "id": "0b6f4f6c-8b43-4d0c-9c50-6a3f1b1a7d11",
    "name": "Sir",
    "variantName": "veliki",
    "taxRateLabel": "Е",
    "price": 1.0,
}
GONE = "Овог артикла више нема у каталогу"
NOT_SAVED = "Уписано није сачувано"
ADD_AGAIN = "Додај као нов артикал"
BECAME = f"У међувремену је: {THEIRS}"


def typed_in(hands: Hands, field: DraftField, text: str) -> CatalogueScreen:
    """The form of an article, with a field typed by keys."""
    screen = opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    type_into(hands, field, text)
    return screen


def type_into(hands: Hands, field: DraftField, text: str) -> None:
    edit = inside(hands.window).catalogue.editor.field(field).edit
    edit.setFocus()
    edit.selectAll()
    hands.type(text)


def product_of(hands: Hands) -> Product:
    product = hands.shop.catalogue.product(hands.shop.row(CHEESE).product_id)
    assert product is not None
    return product


def sides(screen: CatalogueScreen) -> dict[str, SideButton]:
    return {one.accessibleName(): one for one in visible_parts(screen.editor.edits, SideButton)}


def _price_cell(hands: Hands, screen: CatalogueScreen) -> None:
    """Begin to edit the price of the last row in the table."""
    screen.filters.search.set_text("sir")
    screen.filters.search_now()
    number = screen.model.listed.count - 1
    assert number > 0
    screen.table.edit_cell(screen.area.rows.index(number, CatalogueColumn.PRICE))
    assert screen.table.cell_editor is not None
    screen.table.cell_editor.edit.selectAll()
    hands.type("77")


@pytest.mark.parametrize("goes", sampled(["before", "own"]))
def test_a_cell_that_is_edited_is_about_its_own_article_alone(hands: Hands, goes: str) -> None:
    """Another program takes a row off, one above or the edited one: no other article gets the typed
    price."""
    screen = opened(hands.shop, hands.window)
    _price_cell(hands, screen)
    rows = [
        row
        for n in range(screen.model.listed.count)
        if (row := screen.model.listed.row(n)) is not None
    ]
    gone = rows[0 if goes == "before" else -1]
    edited = rows[-1].product_id
    ids = [one.product_id for one in rows[:-1] if one is not gone]
    before = [hands.shop.catalogue.product(one) for one in ids]
    delisted(hands.shop, str(gone.sku))
    screen.tick()
    editor = screen.table.cell_editor
    if editor is not None:
        QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    assert screen.table.cell_editor is None
    own = hands.shop.catalogue.product(edited)
    assert (own and own.price) == (Money(77) if goes == "before" else None)
    for was, now in zip(before, map(hands.shop.catalogue.product, ids), strict=True):
        assert was is not None
        assert now is not None
        assert now.price == was.price


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
def test_the_list_of_a_cell_ends_with_its_row(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    screen.filters.search.set_text("sir")
    screen.filters.search_now()
    gone = screen.model.listed.row(0)
    assert gone is not None
    screen.table.edit_cell(screen.area.rows.index(0, CatalogueColumn.CATEGORY))
    assert screen.table.cell_list is not None
    delisted(hands.shop, str(gone.sku))
    screen.tick()
    assert screen.table.cell_list is None
    assert not open_menus()


MINE, THERE = f"Цена са ПДВ, Ваш упис: {OURS}", f"Цена са ПДВ, Сада сачувано: {THEIRS}"


@pytest.mark.parametrize(
    ("is_noticed", "decided"),
    sampled(product([True, False], [(THERE, Money(1099)), (MINE, Money(950))])),
)
def test_a_field_that_both_changed_is_decided_by_the_manager(
    hands: Hands, is_noticed: bool, decided: tuple[str, Money]
) -> None:
    chosen, price = decided
    screen = typed_in(hands, DraftField.PRICE, OURS)
    relisted(hands.shop, CHEESE, price=1099.0)
    if is_noticed:
        screen.tick()
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


@pytest.mark.long
def test_what_another_changed_is_decided_after_a_search_too(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    relisted(hands.shop, CHEESE, price=1099.0)
    screen.filters.search.set_text("sir")
    screen.filters.search_now()
    hands.tap(screen.editor.save)
    assert set(sides(screen)) == {MINE, THERE}


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


@pytest.mark.long
def test_what_was_typed_on_an_earlier_visit_is_over_what_it_showed_then(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    screen.model.close()
    relisted(hands.shop, CHEESE, price=1099.0)
    screen.tick()
    screen.model.open(product_of(hands).id)
    assert screen.editor.field(DraftField.PRICE).error() == BECAME
    hands.tap(screen.editor.save)
    assert product_of(hands).price == Money(1099)


def test_a_cell_that_both_changed_opens_the_form_to_decide(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.listed.index_of(hands.shop.row(CHEESE).product_id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.PRICE))
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
    place = screen.model.listed.index_of(hands.shop.row(CHEESE).product_id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.PRICE))
    relisted(hands.shop, CHEESE, price=1099.0)
    hands.press("Enter")
    assert product_of(hands).price == Money(1099)
    assert not screen.model.typed_texts


@pytest.mark.long
def test_an_undone_cell_takes_back_no_change_of_another(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.listed.index_of(hands.shop.row(CHEESE).product_id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.SUBTITLE))
    hands.type("nas")
    hands.press("Enter")
    decisions.withdraw(screen.model, hands.shop.desk.open_edits(product_of(hands).id)[0])
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
    relisted(hands.shop, CHEESE, variants=[LARGE], hasVariants=True)
    hands.tap(screen.editor.save)
    now = hands.shop.catalogue.product(product.id)
    assert now is not None
    names = {one.variant_name for one in now.variants}
    assert names == {"mali", "veliki"}


def articles_of(hands: Hands) -> list[Product]:
    """The products that now have the code of the cheese."""
    rows = [one for one in hands.shop.catalogue.page(limit=1000) if str(one.sku) == CHEESE]
    found = [hands.shop.catalogue.product(one.product_id) for one in rows]
    return [one for one in found if one is not None]


def reported_gone(screen: CatalogueScreen) -> bool:
    """Whether the form says that its article is gone and that the typed text is not saved."""
    words = " ".join(lines_of(screen.editor.edits))
    return screen.editor.isVisible() and GONE in words and NOT_SAVED in words


def way(screen: CatalogueScreen) -> Button:
    """The key that adds the form's contents as a new article."""
    return next(
        one
        for one in visible_parts(screen.editor.edits, Button)
        if one.accessibleName() == ADD_AGAIN
    )


@pytest.mark.parametrize(
    "is_noticed", sampled([True, False]), ids=["while it is open", "at the press"]
)
def test_what_was_typed_for_an_article_that_is_gone_stays_until_it_is_decided(
    hands: Hands, is_noticed: bool
) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    name, was = product_of(hands).name, product_of(hands).id
    delisted(hands.shop, CHEESE)
    if is_noticed:
        screen.tick()
        assert reported_gone(screen)
        assert not screen.editor.save.isEnabled()
    hands.press("Enter")
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    assert not articles_of(hands), "nothing comes back by a press of Save"
    assert hands.window.focusWidget() is way(screen)
    hands.press("Space")
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    assert not articles_of(hands), "it is added where it is saved"
    hands.tap(screen.editor.save)
    (again,) = articles_of(hands)
    assert (again.name, again.price) == (name, Money(950))
    assert again.id != was
    assert not screen.model.is_changed


def test_what_was_typed_for_an_article_that_is_gone_can_be_thrown_away(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    delisted(hands.shop, CHEESE)
    screen.tick()
    hands.tap(screen.editor.drop)
    assert not screen.editor.isVisible()
    assert not screen.model.typed_texts


def test_a_form_of_an_article_that_is_gone_is_not_left_unsaid(hands: Hands) -> None:
    """Neither by another row, nor by its key, nor by leaving the screen."""
    screen = typed_in(hands, DraftField.PRICE, OURS)
    delisted(hands.shop, CHEESE)
    screen.tick()
    screen.table.setFocus()
    hands.press("Down")
    assert reported_gone(screen)
    hands.tap(screen.editor.close_button)
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS
    hands.press("Esc")
    assert not screen.isVisible()
    screen = opened(hands.shop, hands.window)
    assert hands.window.focusWidget() is way(screen)
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS


@pytest.mark.long
def test_what_was_typed_on_an_earlier_visit_is_shown_once_its_article_is_gone(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    screen.model.close()
    delisted(hands.shop, CHEESE)
    screen.tick()
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS


def test_a_form_whose_article_is_gone_says_so_where_nothing_was_typed(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    screen.model.open(product_of(hands).id)
    screen.editor.focus_first()
    delisted(hands.shop, CHEESE)
    screen.tick()
    assert screen.editor.isVisible()
    assert " ".join(lines_of(screen.editor.edits)).count(GONE) == 1
    hands.press("Esc")
    assert not screen.editor.isVisible()


@pytest.mark.long
@pytest.mark.parametrize(
    "is_noticed", sampled([False, True]), ids=["at the press", "while it is typed"]
)
def test_what_was_typed_in_a_cell_of_an_article_that_is_gone_is_shown_in_the_form(
    hands: Hands, is_noticed: bool
) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.listed.index_of(product_of(hands).id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.PRICE))
    if is_noticed:
        hands.type(OURS)
    delisted(hands.shop, CHEESE)
    if is_noticed:
        screen.tick()
    else:
        hands.type(OURS)
        hands.press("Enter")
    assert reported_gone(screen)
    assert screen.editor.field(DraftField.PRICE).text() == OURS


@pytest.mark.long
def test_an_undone_cell_of_an_article_that_is_gone_is_told(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.listed.index_of(product_of(hands).id)
    assert place is not None
    screen.table.edit_cell(screen.area.rows.index(place, CatalogueColumn.SUBTITLE))
    hands.type("nas")
    hands.press("Enter")
    decisions.withdraw(screen.model, hands.shop.desk.open_edits(product_of(hands).id)[0])
    delisted(hands.shop, CHEESE)
    screen.table.setFocus()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert any(GONE in one.text() for one in visible_parts(screen.notices, Label))


@pytest.mark.long
def test_an_article_that_is_gone_is_added_again_with_its_variants(hands: Hands) -> None:
    screen, product_id = opened(hands.shop, hands.window), product_of(hands).id
    relisted(hands.shop, CHEESE, variants=[LARGE], hasVariants=True)
    screen.tick()
    screen.model.open(product_id)
    type_into(hands, DraftField.NAME, "Sir mladi")
    delisted(hands.shop, CHEESE)
    screen.tick()
    hands.tap(way(screen))
    hands.tap(screen.editor.save)
    assert screen.model.current_id != product_id
    again = hands.shop.catalogue.product(screen.model.current_id)
    assert again is not None
    assert again.name == "Sir mladi"
    assert [one.variant_name for one in again.variants] == ["veliki"]
    assert again.variants[0].id != LARGE["id"]


def test_a_variant_that_is_gone_is_added_again_to_its_product(hands: Hands) -> None:
    screen, product_id = opened(hands.shop, hands.window), product_of(hands).id
    relisted(hands.shop, CHEESE, variants=[LARGE], hasVariants=True)
    screen.tick()
    screen.model.open(product_id)
    hands.tap(next(one for one in visible_parts(screen.editor, VariantButton)))
    type_into(hands, DraftField.PRICE, OURS)
    relisted(hands.shop, CHEESE, variants=[], hasVariants=False)
    screen.tick()
    assert reported_gone(screen)
    hands.tap(way(screen))
    hands.tap(screen.editor.save)
    product = hands.shop.catalogue.product(product_id)
    assert product is not None
    (again,) = product.variants
    assert (again.variant_name, again.price) == ("veliki", Money(950))


def test_a_row_whose_article_is_gone_already_is_told_as_it_is_opened(hands: Hands) -> None:
    screen = opened(hands.shop, hands.window)
    place = screen.model.listed.index_of(product_of(hands).id)
    assert place is not None
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.NAME))
    delisted(hands.shop, CHEESE)
    screen.table.setFocus()
    hands.press("Enter")
    assert not screen.editor.isVisible()
    assert any(GONE in one.text() for one in visible_parts(screen.notices, Label))


async def test_a_manager_who_deletes_an_article_is_told_of_no_other(hands: Hands) -> None:
    screen = typed_in(hands, DraftField.PRICE, OURS)
    screen.model.close()
    screen.model.listed.tick(product_of(hands).id)
    hands.tap(screen.band.delete)
    yes = next(
        one for one in visible_parts(screen.notices, Button) if one.accessibleName() == "Обриши"
    )
    await until(yes.isEnabled)
    hands.tap(yes)
    await until(lambda: screen.work is None)
    assert not articles_of(hands)
    assert not screen.editor.isVisible()
    assert not screen.model.typed_texts
