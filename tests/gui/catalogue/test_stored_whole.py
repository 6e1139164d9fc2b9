"""A manager's change is stored whole or not at all, whenever the disk gets full."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.store_model import StoreText
from pos_app.cashier.ui.choices import CheckBox
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.editing import open_for_edit
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation.catalogue_edits import EditState
from tests.fakes.platform_setup import OURS
from tests.fakes.small_disk import fill, make_room
from tests.gui.catalogue.screens import store_listed, visited
from tests.gui.inside import inside
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, type_over
from tests.gui.window.hands import Hands
from tests.gui.window.shop import CHEESE, Shop

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
