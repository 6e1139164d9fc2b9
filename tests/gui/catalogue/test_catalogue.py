"""A manager's way through the catalogue: PIN, search, prices in place, the form, deleting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from pos_app.cashier.catalogue.columns import SETS, CatalogueColumn
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.keyboard_layout import Special
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.window.screens import CATALOGUE
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.people.rights import Role
from pos_app.selling.synchronisation import catalogue_edits
from tests.fakes.people_here import let_in, quick
from tests.gui.catalogue import screens
from tests.gui.inside import inside
from tests.gui.parts import lines_of, notices_in, right_of, visible_parts
from tests.gui.patience import until
from tests.gui.pictures import settle
from tests.gui.window.finger import Finger
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, BUREK, CHEESE, CHEESE_WEIGHED, COFFEE, MILK, Shop
from tests.sweep import each

Act = Callable[[Hands, Any], Awaitable[None]]
YOGHURT, APPLE = "12", "17"
SMALL_YOGHURT = "81"
"""The code of a variant of an article with three."""


def screen_of(hands: Hands) -> Any:
    return inside(hands.window).catalogue


def key(
    hands: Hands,
    key: Qt.Key,
    text: str = "",
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Send a key to the widget that has the focus."""
    focus = hands.window.focusWidget()
    assert focus is not None
    QTest.sendKeyEvent(QTest.KeyAction.Click, focus, key, text, modifier)


def price_of(hands: Hands, code: str) -> Money | None:
    return hands.shop.row(code).price


async def came(is_seen: Callable[[], object]) -> None:
    """Wait for the effect of another process, whose start alone may take seconds."""
    deadline = time.monotonic() + 40
    while not is_seen():
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.01)


async def ended(screen: Any) -> None:
    """Wait until long work is over."""
    await came(lambda: screen.work is None)


def button_of(screen: Any, words: str) -> Button:
    """The button of the question above the table."""
    (found,) = (one for one in visible_parts(screen.notices, Button) if one.spec.words == words)
    return found


def pressed(hands: Hands, words: str, *, by_key: bool) -> None:
    """Press a button with a finger, or with Space."""
    button = hands.button(words)
    if by_key:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        key(hands, Qt.Key.Key_Space, " ")
    else:
        hands.tap(button)
    settle()


def look_for(screen: Any, words: str) -> None:
    screen.filters.search.set_text(words)
    screen.filters.search_now()


def product_of(hands: Hands, code: str) -> Product:
    product = hands.shop.catalogue.product(hands.shop.row(code).product_id)
    assert product is not None
    return product


def place_of(hands: Hands, screen: Any, code: str) -> int:
    """The number of an article's row in the table."""
    place: int = screen.model.listed.index_of(hands.shop.row(code).product_id)
    return place


def edit_cell(hands: Hands, screen: Any, code: str, column: CatalogueColumn) -> None:
    screen.table.edit_cell(screen.area.rows.index(place_of(hands, screen, code), column))


async def test_a_finger_alone_finds_opens_types_and_saves(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    hands = sell_in(shop, width=1024, touch=15)
    finger = Finger(hands.window, touch_screen)
    hands.shop.services.manager.save_pin(quick(screens.PIN))
    hands.window.frame.open(CATALOGUE)
    screen = screen_of(hands)
    for digit in screens.PIN:
        finger.tap(screen.gate.panel.pad.key(digit))
    finger.tap(screen.gate.panel.enter)
    await until(screen.filters.search.isVisible)
    finger.tap(screen.filters.search.edit)
    finger.type("13")
    finger.special(Special.HIDE)
    table = screen.table
    finger.tap(
        table.viewport(), table.visualRect(screen.area.rows.index(0, CatalogueColumn.NAME)).center()
    )
    if not screen.editor.isVisible():
        finger.tap(
            table.viewport(),
            table.visualRect(screen.area.rows.index(0, CatalogueColumn.CODE)).center(),
        )
    assert screen.editor.isVisible()
    assert not table.isVisible(), "on a narrow screen the fields take the place of the table"
    finger.tap(screen.editor.field(DraftField.SUBTITLE).edit)
    screen.editor.field(DraftField.SUBTITLE).edit.selectAll()
    finger.type("са села")
    finger.special(Special.HIDE)
    finger.tap(screen.editor.save)
    assert screen.model.current.owner.subtitle == "са села"
    finger.tap(screen.head.button)
    assert table.isVisible()
    finger.tap(screen.head.button)
    finger.tap(screen.head.button)
    assert not inside(hands.window).is_in("catalogue")


def begin_visit(hands: Hands) -> Any:
    """The catalogue anew; what an earlier act typed, ticked or scanned is thrown away."""
    inside(hands.window).go_home()
    model = inside(hands.window).model
    if model.cart.ticket.cart.lines:
        model.cart.void("test")
    while model.context.notices:
        model.context.dismiss()
    screen = screens.visited(hands.shop, hands.window)
    screen.model.close()
    for owner in list(screen.model.typed_texts):
        screen.model.typed_texts.forget(owner)
    screen.model.listed.untick()
    look_for(screen, "")
    return screen


PACKS = "8600000000017; 8600000000024 2,5"


def left_by(hands: Hands, way: str) -> None:
    """Leave the form of a new article in one of the possible ways."""
    screen = screen_of(hands)
    if way == "Esc":
        hands.press("Esc")
    elif way == "mouse":
        hands.tap(screen.head.button)
    elif way == "row":
        screen.model.open(hands.shop.row(BREAD).product_id)
    else:
        hands.scan("8609910700134")


async def esc_goes_back_step_by_step_and_keeps_what_was_typed(hands: Hands, screen: Any) -> None:
    before = price_of(hands, CHEESE)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    screen.editor.focus_field(DraftField.PRICE)
    screen.editor.field(DraftField.PRICE).edit.selectAll()
    hands.type("77")
    hands.press("Esc")
    assert screen.model.current is None
    hands.press("Esc")
    assert not inside(hands.window).is_in("catalogue")
    screen = screens.visited(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    assert screen.editor.field(DraftField.PRICE).text() == "77"
    hands.window.change(theme="dark", language="sr-Latn")
    screen = screen_of(hands)
    assert screen.editor.field(DraftField.PRICE).text() == "77"
    assert price_of(hands, CHEESE) == before
    hands.tap(screen.editor.drop)
    assert screen.editor.field(DraftField.PRICE).text() == "899,00"
    assert not screen.editor.drop.isVisible()
    hands.window.change(theme="light", language="sr-Cyrl")


async def a_fault_stands_at_its_field_and_nothing_is_saved(hands: Hands, screen: Any) -> None:
    screen.model.open(hands.shop.row(YOGHURT).product_id)
    for field, text, told in (
        (DraftField.PRICE, "1,2,3", "То није број"),
        (DraftField.SKU, "0", "Шифра је цео број од 1 навише"),
        (DraftField.PLANNED_FROM, "31.11.", "Тог дана нема у календару"),
    ):
        typed_into = screen.editor.field(field)
        screen.editor.focus_field(field, select=True)
        hands.type(text)
        assert typed_into.error() == "", "the text may be unfinished"
        hands.press("Tab")
        assert typed_into.error().startswith(told), field
    screen.model.drop_typed()
    price = screen.editor.field(DraftField.PRICE)
    screen.editor.focus_field(DraftField.PRICE, select=True)
    hands.type("-5")
    assert price.edit.accessibleDescription() == "Овде иде само број", "5 is another number"
    screen.model.drop_typed()
    screen.editor.type_into(DraftField.SKU, "1")
    screen.editor.type_into(DraftField.SUBTITLE, "ново")
    assert right_of(screen.editor.field(DraftField.SUBTITLE)) == right_of(screen.editor.save)
    hands.tap(screen.editor.save)
    taken = "То има други артикал: 1 Хлеб бели Сава 500 g"
    assert screen.editor.field(DraftField.SKU).error() == taken
    assert hands.window.focusWidget() is screen.editor.field(DraftField.SKU).edit
    assert not hands.shop.desk.edits(frozenset({catalogue_edits.EditState.WAITING}))
    screen.editor.type_into(DraftField.SKU, "99013")
    assert screen.editor.field(DraftField.SKU).error() == ""
    hands.tap(screen.editor.save)
    now = product_of(hands, "99013")
    assert (now.name, now.subtitle) == ("Јогурт 2,8 % 1 l", "ново")


async def a_new_article_can_be_sold_at_once(hands: Hands, screen: Any) -> None:
    hands.tap(screen.filters.add_button)
    hands.tap(screen.editor.save)
    assert screen.editor.field(DraftField.NAME).error() == "Упишите назив"
    screen.editor.type_into(DraftField.NAME, "Пита са вишњама")
    screen.editor.type_into(DraftField.PRICE, "120")
    screen.editor.type_into(DraftField.EAN, "8600123459994")
    screen.editor.type_into(DraftField.EAN, "96385074")
    hands.tap(screen.editor.save)
    assert not screen.model.is_changed
    inside(hands.window).go_home()
    hands.scan("96385074")
    assert hands.rows()[0].startswith("1 × Пита са вишњама")


async def a_search_that_finds_nothing_leaves_no_article(hands: Hands, screen: Any) -> None:
    screen.model.open(hands.shop.row("1").product_id)
    assert screen.editor.isVisible()
    look_for(screen, "zzzz")
    assert screen.model.current is None
    assert not screen.editor.isVisible()
    for _ in range(2):
        hands.press("Enter")
    assert screen.model.current is None
    look_for(screen, "")
    screen.model.open(hands.shop.row("1").product_id)
    screen.editor.type_into(DraftField.NAME, "Хлеб, недовршено")
    look_for(screen, "zzzz")
    assert screen.model.is_changed, "what was typed stays in sight"


async def what_was_typed_for_a_new_article_is_kept(hands: Hands, screen: Any) -> None:
    """No way out of the form discards the typed text, as in the form of any other article."""
    hands.tap(screen.filters.add_button)
    for way, is_told in (("Esc", True), ("mouse", True), ("row", False), ("scan", False)):
        hands.type(way)
        left_by(hands, way)
        assert screen.model.current is None or not screen.model.is_new
        said = {one.text() for one in visible_parts(screen.notices, Label)}
        assert ("Нови артикал још није сачуван" in said) is is_told, way
        if is_told:
            hands.press("Esc")
            assert inside(hands.window).is_in("catalogue")
            assert not screen.notices.is_asking
        hands.tap(screen.filters.add_button)
        assert screen.editor.field(DraftField.NAME).text() == way
        screen.editor.type_into(DraftField.PRICE, "120")
        hands.tap(screen.editor.save)
        assert not screen.model.is_changed
        hands.tap(screen.filters.add_button)
        assert screen.editor.field(DraftField.NAME).text() == ""


async def a_scan_looks_the_article_up_and_sells_nothing(hands: Hands, screen: Any) -> None:
    ean = hands.shop.row(MILK).ean
    assert ean
    hands.scan(ean)
    assert inside(hands.window).is_in("catalogue")
    assert screen.model.current.owner.ean == ean
    assert not hands.rows()
    hands.scan("lot-0016", cut=6, pause=100)
    assert notices_in(screen) == [hands.window.texts("cat.misread")]
    hands.press("Esc")


async def a_message_scanned_into_the_ean_gives_its_gtin(hands: Hands, screen: Any) -> None:
    """A scan that looks an article up finds it by its GTIN, too."""
    hands.tap(screen.filters.add_button)
    field = screen.editor.field(DraftField.EAN)
    for code, ean, told in (
        ("]d2010860012345014410LOT", "8600123450144", ""),
        ("(01)08600123450198", "8600123450198", "Контролна цифра овог ЕАН-а није тачна"),
        ("]d210LOT", "]d210LOT", "ЕАН има само цифре"),
        ("977123456789805", "9771234567898", ""),
    ):
        screen.editor.focus_field(DraftField.EAN)
        hands.scan(code)
        assert (field.text(), field.error()) == (ean, told)
    screen.model.drop_typed()
    screen.model.close()
    for code in ("]d20108609910700134" + "10LOT", "860991070013412", "860991070013412345"):
        screen.model.close()
        hands.scan(code)
        assert screen.model.current.owner.ean == "8609910700134"


async def a_label_of_a_scale_finds_its_article(hands: Hands, screen: Any) -> None:
    cheese = hands.shop.row(CHEESE).product_id
    for opened in ("", hands.shop.row(MILK).product_id):
        screen.model.close()
        if opened:
            screen.model.open(opened)
        hands.scan(CHEESE_WEIGHED)
        assert screen.model.current.owner.id == cheese
        assert screen.model.listed.count


async def a_badge_is_shown_in_no_field(hands: Hands, screen: Any) -> None:
    """A person who could read it there could make another badge."""
    hands.shop.services.people.add("Мира", Role.CASHIER, pin=quick("1357"), badge="MIRA-0001")

    def scan_it() -> None:
        hands.scan("MIRA-0001")
        (told,) = notices_in(screen)
        assert told.startswith("Ово је значка, а не артикал Ништа није унето. Значка служи за")
        assert "MIRA" not in " ".join(one.text() for one in screen.findChildren(QLineEdit))

    screen.model.open(hands.shop.row(BREAD).product_id)
    screen.editor.focus_field(DraftField.EAN)
    scan_it()
    hands.scan("8609999999999")
    assert screen.filters.search.text() == "", "the form has it"
    hands.press("Esc")
    assert not notices_in(screen)
    screen.model.close()
    screen.model.drop_typed()
    hands.press("F2")
    scan_it()
    hands.scan("8609999999999")
    assert screen.filters.search.text() == "8609999999999"


async def a_code_that_is_a_label_of_a_scale_is_told(hands: Hands, screen: Any) -> None:
    hands.tap(screen.filters.add_button)
    screen.editor.type_into(DraftField.EAN, "2000012000010")
    told = "Код 2000012000010 је и етикета ваге за артикал 12; на каси значи овај артикал"
    assert screen.editor.field(DraftField.EAN).error() == told
    screen.editor.type_into(DraftField.NAME, "Шнала")
    screen.editor.type_into(DraftField.PRICE, "250")
    assert screen.editor.field(DraftField.EAN).error() == told
    hands.tap(screen.editor.save)
    assert not screen.model.is_changed
    inside(hands.window).go_home()
    hands.scan("2000012000010")
    assert hands.rows()[0].startswith("1 × Шнала")


async def a_code_with_the_supplement_of_another_is_told(hands: Hands, screen: Any) -> None:
    screen.model.open(hands.shop.row(MILK).product_id)
    screen.editor.type_into(DraftField.EAN, "860991070013412")
    told = screen.editor.field(DraftField.EAN).error()
    assert "8609910700134 са додатком" in told


async def what_is_perhaps_not_meant_is_told_and_may_be_saved(hands: Hands, screen: Any) -> None:
    screen.model.open(hands.shop.row(MILK).product_id)
    for typed, told in (
        ("0", "Цена је нула: даје се бесплатно"),
        ("99999999999", "Неуобичајено велика цена"),
        ("150", ""),
    ):
        screen.editor.type_into(DraftField.PRICE, typed)
        assert screen.editor.field(DraftField.PRICE).error() == told
    screen.editor.type_into(DraftField.PRICE, "1000000000000")
    assert not screen.model.save()
    screen.model.drop_typed()
    edit_cell(hands, screen, MILK, CatalogueColumn.PRICE)
    screen.table.cell_editor.edit.selectAll()
    hands.type("0")
    hands.press("Enter")
    assert price_of(hands, MILK) == Money.ZERO
    (told,) = notices_in(screen.notices)
    assert "Млеко" in told
    assert "даје се бесплатно" in told


def add_variants(hands: Hands, product_id: str, **codes: str) -> None:
    """Add variants to an article by their names and codes, in the form."""
    screen = screen_of(hands)
    for name, code in codes.items():
        screen.model.open(product_id)
        hands.tap(screen.editor.add_variant)
        screen.editor.type_into(DraftField.VARIANT_NAME, name)
        screen.editor.type_into(DraftField.SKU, code)
        hands.tap(screen.editor.save)
        assert not screen.model.faults


def yes_to_delete(hands: Hands) -> QAbstractButton:
    """The button that deletes what the question is about."""
    delete = screen_of(hands).editor.delete
    return next(one for one in hands.buttons("Обриши") if one is not delete)


async def variants_are_added_sold_and_taken_off(hands: Hands, screen: Any) -> None:
    cheese = hands.shop.row(CHEESE).product_id
    screen.model.open(cheese)
    hands.tap(screen.editor.add_variant)
    assert any("продају се само варијанте" in one for one in lines_of(screen.editor))
    hands.tap(screen.editor.save)
    assert screen.editor.field(DraftField.VARIANT_NAME).error() == "Упишите назив"
    screen.model.drop_typed()
    add_variants(hands, cheese, Парче="99001", Сечен="99002")
    assert hands.shop.row("99001").articles == 2
    (edit,) = hands.shop.desk.open_edits(cheese)
    assert [one.variant_name for one in edit.changes["variants"]] == ["Парче", "Сечен"]
    unit = hands.shop.catalogue.product(cheese).sale_unit_id
    assert {one.sale_unit_id for one in edit.changes["variants"]} == {unit}
    screen.model.open(cheese)
    hands.button("Парче · 99001 · 899,00").setFocus()
    hands.press("Space")
    settle()
    assert screen.editor.field(DraftField.NAME).edit.hasFocus(), "on what was opened"
    screen.editor.type_into(DraftField.PRICE, "950")
    hands.tap(screen.editor.save)
    assert str(hands.shop.row("99001").highest) == "950.00"
    hands.tap(screen.editor.delete)
    hands.tap(yes_to_delete(hands))
    assert [one.sku for one in screen.model.current.product.variants] == [99002]
    inside(hands.window).go_home()
    hands.scan("99002")
    assert inside(hands.window).model.questions.is_asked or hands.rows()[0].startswith(
        "1 × Сир млади домаћи Сечен"
    )


async def delete_takes_the_variant_of_the_question(hands: Hands, screen: Any) -> None:
    """Another variant is opened while the question stands."""
    burek = hands.shop.row(BUREK).product_id
    add_variants(hands, burek, Парче="99011", Сечен="99012")
    screen.model.open(burek)
    first, second = screen.model.current.product.variants
    screen.model.open(burek, first.id)
    hands.tap(screen.editor.delete)
    yes = yes_to_delete(hands)
    screen.model.open(burek, second.id)
    hands.tap(yes)
    assert [one.sku for one in hands.shop.catalogue.product(burek).variants] == [99012]


async def every_field_of_an_article_has_a_cell(hands: Hands, screen: Any) -> None:
    apple = hands.shop.row(APPLE)
    values = {
        CatalogueColumn.BARCODES: (PACKS, PACKS),
        CatalogueColumn.MAKERS_CODE: ("AB-1", "AB-1"),
        CatalogueColumn.SUBTITLE: ("са села", "са села"),
        CatalogueColumn.WEIGHT: ("0,25", "0,25"),
        CatalogueColumn.DIMENSIONS: ("1x2x3", "1x2x3"),
        CatalogueColumn.PER_BASE_UNIT: ("4", "4"),
        CatalogueColumn.PLANNED_FROM: ("24.12.2030", ""),
        CatalogueColumn.PLANNED_PRICE: ("99", "99,00"),
        CatalogueColumn.PLANNED_UNTIL: ("31.12.2030", "31.12.2030."),
    }
    assert frozenset().union(*SETS.values()) == frozenset(CatalogueColumn)
    for column, (text, told) in values.items():
        screen.area.show_columns(next(one for one, columns in SETS.items() if column in columns))
        edit_cell(hands, screen, APPLE, column)
        screen.table.cell_editor.set_text(text)
        key(hands, Qt.Key.Key_Return)
        if told:
            row = screen.model.listed.row(place_of(hands, screen, APPLE))
            assert screen.area.rows.words(row, column) == told
        else:  # a day alone is no plan: the cell says so, and keeps it until the price comes
            assert screen.table.cell_fault
            hands.press("Esc")
    assert hands.shop.desk.plan_of(apple.article_id or "") is not None
    edit_cell(hands, screen, APPLE, CatalogueColumn.OPEN_PRICE)
    assert hands.shop.row(APPLE).asks_price


async def cells_are_edited_as_in_a_spreadsheet(hands: Hands, screen: Any) -> None:
    table, rows = screen.table, screen.area.rows

    def edit(column: CatalogueColumn) -> None:
        table.edit_cell(rows.index(table.currentIndex().row(), column))

    def typed(text: str, *then: str) -> None:
        table.cell_editor.edit.selectAll()
        hands.type(text)
        for one in then:
            hands.press(one)

    edit_cell(hands, screen, BREAD, CatalogueColumn.CODE)
    typed("7", "Tab")
    assert table.cell_fault == "То има други артикал: 7 Бурек са месом 250 g"
    typed("77001", "Tab")
    edit(CatalogueColumn.PRICE)
    typed("x")
    assert table.cell_fault == "Овде иде само број"
    typed("71,50", "Tab")
    row = hands.shop.row("77001")
    assert (row.price, row.edits) == (Money("71.50"), EditMark.WAITING)
    assert rows.words(row, CatalogueColumn.STATE) == "сачувано", "nobody takes it: no platform"
    assert {one.by for one in hands.shop.desk.open_edits(row.product_id)} == {"Касир 3"}
    assert not screen.editor.isVisible(), "the table keeps its width while prices are typed"
    QTest.keyClick(table.cell_list, Qt.Key.Key_Up)  # the tax label comes next, as a list
    QTest.keyClick(table.cell_list, Qt.Key.Key_Return)
    assert hands.shop.row("77001").label is not row.label
    key(hands, Qt.Key.Key_Z, "", Qt.KeyboardModifier.ControlModifier)
    assert hands.shop.row("77001").label is row.label, "undone"
    edit(CatalogueColumn.CATEGORY)
    for pressed in (Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(table.cell_list, pressed)
    assert len(hands.shop.row("77001").category_ids) == len(row.category_ids) + 1
    edit(CatalogueColumn.PRICE)
    typed("7", "Esc")
    assert price_of(hands, "77001") == Money("71.50")
    shown = screen.model.listed.row(table.currentIndex().row())
    assert "7" in rows.words(shown, CatalogueColumn.PRICE), "what was typed stands there still"


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.deadline(200)
@each("act", [
    esc_goes_back_step_by_step_and_keeps_what_was_typed,
    a_fault_stands_at_its_field_and_nothing_is_saved, a_new_article_can_be_sold_at_once,
    a_search_that_finds_nothing_leaves_no_article, what_was_typed_for_a_new_article_is_kept,
    a_scan_looks_the_article_up_and_sells_nothing, a_message_scanned_into_the_ean_gives_its_gtin,
    a_badge_is_shown_in_no_field, a_code_that_is_a_label_of_a_scale_is_told,
    a_label_of_a_scale_finds_its_article, a_code_with_the_supplement_of_another_is_told,
    what_is_perhaps_not_meant_is_told_and_may_be_saved, variants_are_added_sold_and_taken_off,
    delete_takes_the_variant_of_the_question, cells_are_edited_as_in_a_spreadsheet,
    every_field_of_an_article_has_a_cell,
])  # fmt: skip
async def test_ways_of_the_form(hands: Hands, act: Act) -> None:
    await act(hands, begin_visit(hands))


async def changes_on_both_sides_are_decided_on_a_page_by_keys(hands: Hands, screen: Any) -> None:
    names = ("Сир наш", "Сир њихов")
    screens.conflicted(hands.shop, COFFEE, ours="1149", theirs="1099", names=names)
    inside(hands.window).open("attention")
    hands.tap_words("Отвори каталог")
    screen = screen_of(hands)
    let_in(screen.model, screens.PIN)
    assert screen.conflicts.isVisible()
    theirs = hands.button("Цена са ПДВ, Списак")
    assert "1.099,00" in theirs.accessibleName()
    for step in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
        key(hands, step)
    wanted = hands.window.focusWidget()
    assert wanted is not None
    field = wanted.accessibleName().split(",")[0]
    assert "Списак" in wanted.accessibleName()
    key(hands, Qt.Key.Key_Return)
    row = hands.shop.row(COFFEE)
    decided = (row.price == Money("1099")) if field == "Цена са ПДВ" else row.name == "Сир њихов"
    assert decided
    assert row.edits is EditMark.CONFLICT
    left = hands.window.focusWidget()
    assert left is not None
    assert left.accessibleName().split(",")[0] != field, "the keyboard is on what is left"
    key(hands, Qt.Key.Key_Return)
    assert "Ништа не чека" in " ".join(lines_of(screen.conflicts))
    hands.press("Esc")
    assert screen.table.isVisible()
    assert inside(hands.window).waiting() == 0


async def a_change_is_asked_about_under_one_name(hands: Hands, screen: Any) -> None:
    screens.conflicts(hands.shop, hands.window)
    screen = screen_of(hands)
    let_in(screen.model, screens.PIN)
    hands.button("Назив, Списак").click()
    assert hands.shop.row(CHEESE).name == "Сир млади, домаћи"
    assert "Сир млади домаћи, кришка" in lines_of(screen.conflicts)


async def a_whole_article_is_decided_at_once(hands: Hands, screen: Any) -> None:
    names = ("Сир наш", "Сир њихов")
    screens.conflicted(hands.shop, YOGHURT, ours="1149", theirs="1099", names=names)
    screen = begin_visit(hands)
    hands.button("Две измене 1").click()
    assert screen.conflicts.isVisible()
    hands.button("Све из списка").click()
    row = hands.shop.row(YOGHURT)
    assert (row.price, row.name, row.edits) == (Money("1099"), "Сир њихов", EditMark.NONE)


async def one_article_of_two_is_decided_field_by_field(hands: Hands, screen: Any) -> None:
    screens.collided(hands.shop)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    hands.press("Esc")
    screen.model.open(hands.shop.row(screens.TWICE).product_id)
    assert "И други артикал има исти бар-код" in " ".join(lines_of(screen.editor))
    hands.button("Назив, Ова каса").click()
    told = " ".join(lines_of(screen.editor))
    assert "Цена са ПДВ" in told, "the rest is still to be decided"
    assert "И други артикал има исти бар-код" in told, "it is the same question"
    screen.model.show_undecided()
    settle()
    told = " ".join(lines_of(screen.conflicts))
    assert "Мед овде" in told
    assert "И други артикал има исти бар-код" in told
    hands.button("Цена са ПДВ, Списак").click()
    hands.button("Пореска ознака, Ова каса").click()
    row = hands.shop.row(screens.TWICE)
    assert (row.name, row.price, row.sku) == ("Мед овде", Money("900"), 8181)
    assert row.edits is EditMark.WAITING, "a price and its unit get one answer"


async def two_articles_of_one_code_are_decided_as_a_whole(hands: Hands, screen: Any) -> None:
    screens.collided(hands.shop, ean=None)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    told = " ".join(lines_of(screen.conflicts))
    assert "Мед тамо" in told
    hands.button("Све са ове касе").click()
    names = {row.name for row in hands.shop.catalogue.page(limit=1000)}
    assert {"Мед овде", "Мед тамо"} <= names


def variant_opened(hands: Hands, code: str) -> Product:
    """The article of a variant, whose form is opened."""
    row = hands.shop.row(code)
    product = hands.shop.catalogue.product(row.product_id)
    assert product is not None
    (variant,) = [one for one in product.variants if str(one.sku) == code]
    for article_id in (product.id, variant.id):
        screen_of(hands).model.open(product.id, article_id)
    return product


async def a_variant_of_both_sides_is_asked_about_by_what_differs(hands: Hands, screen: Any) -> None:
    yoghurt = hands.shop.row(SMALL_YOGHURT).product_id
    add_variants(hands, yoghurt, Канта="99001")
    variant_opened(hands, SMALL_YOGHURT)
    hands.tap(screen.editor.delete)
    hands.tap(yes_to_delete(hands))
    screens.variant_relisted(hands.shop, SMALL_YOGHURT, price=50.0)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    ours, theirs = hands.button("Варијанте, Ова каса"), hands.button("Варијанте, Списак")
    assert ours.accessibleName().endswith(": 180 g: нема је")
    assert theirs.accessibleName() == "Варијанте, Списак: 180 g: Цена са ПДВ 50,00"
    theirs.click()
    assert "Ништа не чека" in " ".join(lines_of(screen.conflicts))
    now = hands.shop.catalogue.product(yoghurt)
    assert now is not None
    prices = {one.variant_name: str(one.price) for one in now.variants}
    assert prices == {"180 g": "50.00", "0,5 kg": "84.99", "1 kg": "144.99", "Канта": "44.99"}


async def a_deleted_article_goes_at_the_answer_with_its_variants(hands: Hands, screen: Any) -> None:
    yoghurt = variant_opened(hands, SMALL_YOGHURT)
    screen.editor.type_into(DraftField.PRICE, "55")
    hands.tap(screen.editor.save)
    screens.delisted(hands.shop, SMALL_YOGHURT)
    screen.model.reload_if_outdated()
    screen.model.show_undecided()
    assert yoghurt.name in lines_of(screen.conflicts), "not one of its variants"
    hands.button("Да ли се још продаје?, Списак: Обрисано").click()
    assert "Ништа не чека" in " ".join(lines_of(screen.conflicts))
    assert hands.shop.catalogue.product(yoghurt.id) is None
    assert SMALL_YOGHURT not in {str(row.sku) for row in hands.shop.catalogue.page(limit=1000)}


async def what_the_platform_lost_is_told_and_sent_again(hands: Hands, screen: Any) -> None:
    screens.lost_changes(hands.shop, hands.window)
    inside(hands.window).open("attention")
    told = " ".join(lines_of(inside(hands.window).attention))
    assert "3 послате измене: платформа је враћена из копије" in told
    hands.tap_words("Отвори каталог")
    screen = screen_of(hands)
    let_in(screen.model, screens.PIN)
    assert "Ово је већ било послато" in " ".join(lines_of(screen.conflicts))
    hands.button("Све са ове касе").click()
    assert "Исто важи за 2 измене" in " ".join(lines_of(screen.conflicts))
    hands.button("Одлучи за 3").click()
    settle()
    row, facts = hands.shop.row(CHEESE), hands.shop.catalogue.facts()
    assert (row.price, row.edits) == (Money("1149"), EditMark.WAITING)
    assert (facts.lost, facts.stores_waiting, facts.names_waiting) == (0, 1, 1)


async def what_vanished_together_is_asked_about(hands: Hands, screen: Any) -> None:
    screens.vanished(hands.shop)
    many = hands.shop.catalogue.facts().gone
    assert many > 200
    inside(hands.window).open("attention")
    assert inside(hands.window).attention.model.count() == 1
    hands.tap_words("Отвори каталог")
    screen = screen_of(hands)
    let_in(screen.model, screens.PIN)
    assert screen.conflicts.isVisible()
    assert screen.model.listed.count == 427
    remove, keep = hands.button(f"Уклони {many}"), hands.button("Задржи")
    assert isinstance(remove, Button)
    assert remove.kind is ButtonKind.DANGER
    assert keep.geometry().right() < remove.geometry().left()
    keep.click()
    assert not screen.conflicts.isVisible()
    assert hands.shop.catalogue.facts().gone == many
    screen.filters.conflicts_pressed.emit()
    hands.button(f"Уклони {many}").click()
    await until(lambda: not hands.shop.catalogue.facts().gone)
    await until(lambda: "Ништа не чека" in " ".join(lines_of(screen.conflicts)))
    assert screen.model.listed.count == 427 - many
    assert hands.shop.catalogue.facts().gone == 0
    assert "Ништа не чека" in " ".join(lines_of(screen.conflicts))
    assert inside(hands.window).waiting() == 0


@pytest.mark.parametrize(
    "act",
    [
        changes_on_both_sides_are_decided_on_a_page_by_keys,
        a_change_is_asked_about_under_one_name,
        a_whole_article_is_decided_at_once,
        one_article_of_two_is_decided_field_by_field,
        two_articles_of_one_code_are_decided_as_a_whole,
        a_variant_of_both_sides_is_asked_about_by_what_differs,
        a_deleted_article_goes_at_the_answer_with_its_variants,
        what_the_platform_lost_is_told_and_sent_again,
        what_vanished_together_is_asked_about,
    ],
)
async def test_ways_to_decide(hands: Hands, act: Act) -> None:
    await act(hands, begin_visit(hands))


async def test_a_file_without_prices_is_imported_only_when_somebody_says_so(hands: Hands) -> None:
    screen = screens.visited(hands.shop, hands.window)
    path = hands.shop.services.settings.data / "bez.csv"
    path.write_text("Шифра;Назив;Порез;Cena za kupca;Залиха\n9001;Нови;Ђ;61,00;5\n")
    screen.files.read_sheet(path)
    await came(lambda: screen.import_page is not None)
    page = screen.import_page
    heads = {one.text() for one in visible_parts(page, ElidedLabel)}
    assert {"Cena za kupca", "непозната · 61,00", "Залиха"} <= heads
    assert any("1 нови артикал нема цену" in one for one in lines_of(page))
    assert page.unpriced.hasFocus()
    hands.press("Enter")
    hands.tap(page.do)
    settle()
    assert screen.work is None
    assert screen.import_page is page, "nothing is imported yet"
    key(hands, Qt.Key.Key_Space, " ")
    hands.press("Enter")
    await came(lambda: screen.model.listed.count == 428)
    await ended(screen)
    assert price_of(hands, "9001") is None
