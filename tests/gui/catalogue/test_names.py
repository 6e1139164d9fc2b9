"""A manager's units and categories: the page of both, by keys, mouse and finger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.name_edits import keep_name_edit, name_edit
from pos_app.adapters.sqlite.catalogue.names import withdraw_deletions
from pos_app.adapters.sqlite.database import transaction
from pos_app.cashier.window.screens import ATTENTION, CATALOGUE
from pos_app.domain.article.product import Category, Unit
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.own_names import Named, NameKind
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import let_in
from tests.gui.catalogue import screens
from tests.gui.catalogue.test_catalogue import button_of, ended, key, screen_of
from tests.gui.parts import chips_of, lines_of
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop

UNIT, CATEGORY = NameKind.UNIT, NameKind.CATEGORY
NAMES = "Јединице и категорије"


def opened(hands: Hands, kind: NameKind = UNIT) -> Any:
    """The page, opened by its key above the table."""
    screen = screens.visited(hands.shop, hands.window)
    hands.tap_words(NAMES)
    page = screen.names
    if kind is CATEGORY:
        hands.choose(page.kinds, 1)
    return page


def listed(page: Any) -> list[str]:
    return [one.accessibleName().split(",")[0] for one in page.buttons.values()]


def choose(hands: Hands, page: Any, name: str) -> None:
    hands.tap(next(one for one in page.buttons.values() if one.accessibleName().startswith(name)))


def counted(hands: Hands, kind: NameKind) -> dict[str, int]:
    return {one.named.name: one.rows for one in hands.shop.catalogue.counted_names(kind)}


def named(hands: Hands, kind: NameKind, name: str) -> Named:
    every = hands.shop.catalogue.counted_names(kind)
    return next(one.named for one in every if one.named.name == name)


async def a_unit_is_made_and_renamed_by_keys_alone(hands: Hands) -> None:
    page = opened(hands)
    assert page.buttons[named(hands, UNIT, "грам").id].hasFocus()
    page.add.setFocus(Qt.FocusReason.TabFocusReason)
    key(hands, Qt.Key.Key_Space, " ")
    assert page.form.name.edit.hasFocus()
    assert page.acts.save.spec.words == "Упишите назив"
    hands.type("paleta")
    hands.press("Tab")
    hands.type("kg")
    assert page.form.symbol.error() == ""
    page.acts.save.click()
    assert page.form.symbol.error() == "То већ има: килограм"
    assert page.form.symbol.edit.hasFocus(), "what is wrong is led to"
    hands.press("Backspace", "Backspace", "#pal")
    page.acts.save.click()
    page.acts.save.click()  # a second press makes no second one
    assert listed(page).count("paleta") == 1
    page.form.name.set_text("палета")
    page.acts.save.click()
    assert (counted(hands, UNIT)["палета"], "paleta" in listed(page)) == (0, False)
    choose(hands, page, "грам")
    assert page.acts.save.isEnabled() is False
    key(hands, Qt.Key.Key_Down)
    assert page.form.title.text() == "килограм"


async def a_rename_is_sold_from_now_on(hands: Hands) -> None:
    hands.scan(hands.shop.row(BREAD).ean or "")
    frozen = hands.ticket.cart.active[0].article.frozen.unit
    page = opened(hands)
    choose(hands, page, "комад")
    page.form.symbol.set_text("kmd")
    page.acts.save.click()
    hands.press("Esc", "Esc")
    hands.scan(hands.shop.row("12").ean or "")
    units = [one.article.frozen.unit for one in hands.ticket.cart.active]
    assert units == [frozen, "kmd"], "what was entered stays"
    hands.press("#0,5*")
    hands.scan(hands.shop.row("12").ean or "")
    panel = hands.area.panel
    assert panel is not None
    assert "комад" in " ".join(lines_of(panel)), "half a piece is asked about as before"


async def the_order_is_the_shops(hands: Hands) -> None:
    page = opened(hands, CATEGORY)
    first, second = listed(page)[:2]
    choose(hands, page, second)
    page.form.name.set_text("Моје")
    hands.tap(page.form.up)
    assert listed(page)[:2] == [second, first]
    assert not page.form.up.isEnabled()
    page.acts.save.click()
    assert listed(page)[:2] == ["Моје", first], "its place is no change of its name"
    second = "Моје"
    hands.press("Esc")
    filters = screen_of(hands).filters
    await until(lambda: chips_of(filters.chips)[1].spec.words.startswith(second))


async def a_merge_asks_first_moves_and_can_be_taken_back(hands: Hands) -> None:
    page = opened(hands, CATEGORY)
    before = counted(hands, CATEGORY)
    choose(hands, page, "Пекара")
    hands.tap(page.form.merge)
    page.removal.stop.setFocus(Qt.FocusReason.TabFocusReason)
    assert page.removal.do.spec.key == "", "Enter presses what has the ring"
    hands.press("Enter")
    assert not hands.buttons("Нека остане")
    hands.tap(page.form.merge)
    panel = page.removal
    await until(panel.do.isEnabled)
    assert f"Имају је {before['Пекара']} артикла." in " ".join(lines_of(panel))
    panel.do.click()
    assert panel.into.hasFocus(), "nothing goes before it is said what they get"
    panel.into.set_current(named(hands, CATEGORY, "Млечно").id)
    panel.into.chosen.emit("")
    await until(panel.do.isEnabled)
    panel.do.click()
    panel.do.click()  # a second press is no second act
    screen = screen_of(hands)
    await ended(screen)
    assert "Пекара" not in counted(hands, CATEGORY)
    assert counted(hands, CATEGORY)["Млечно"] == before["Пекара"] + before["Млечно"]
    assert "„Пекара“ је спојено са „Млечно“." in " ".join(lines_of(screen.notices))
    new = Category("c9", "Пекара", 9)
    hands.shop.desk.add_name(new, by="Ана", at=hands.shop.clock.now())
    hands.tap(button_of(screen, "Врати измене"))
    hands.tap(button_of(screen, "Врати измене"))
    await ended(screen)
    told = " ".join(lines_of(screen.notices))
    assert "постоји „Пекара“ Ништа није враћено. У „Јединице и категорије“ преименујте" in told
    hands.shop.desk.delete_name(new, by="Ана", at=hands.shop.clock.now())
    hands.tap(screen.filters.undo_button)
    assert "„Пекара“ се враћа." in " ".join(lines_of(screen.notices))
    hands.tap(button_of(screen, "Врати измене"))
    await ended(screen)
    assert "„Пекара“ је опет у списку." in " ".join(lines_of(screen.notices))
    assert counted(hands, CATEGORY) == before


async def a_price_is_not_that_of_another_measure(hands: Hands) -> None:
    page = opened(hands)
    before = counted(hands, UNIT)
    assert before["килограм"]
    for ask, others in ((page.form.merge, ["грам", "литар"]), (page.form.delete, ["комад", ""])):
        choose(hands, page, "килограм")
        hands.tap(ask)
        panel = page.removal
        await until(panel.do.isEnabled)
        assert panel.do.spec.words == "Изаберите шта артикли добијају"
        panel.do.click()
        assert panel.into.hasFocus()
        for other in others:
            panel.into.set_current(named(hands, UNIT, other).id if other else "-")
            panel.into.chosen.emit("")
            await until(panel.do.isEnabled)
            assert panel.do.spec.words == "Изаберите другу"
            assert "а цене остају какве јесу" in " ".join(lines_of(panel))
            panel.do.click()
            assert (page.removal, panel.into.hasFocus()) == (panel, True)
        hands.press("Esc")
        assert not hands.buttons("Нека остане")
    assert counted(hands, UNIT) == before


async def what_nothing_has_goes_at_once_and_esc_keeps_it(hands: Hands) -> None:
    unit = Unit("u1", "палета", "пал")
    hands.shop.desk.add_name(unit, by="Мира", at=hands.shop.clock.now())
    page = opened(hands)
    choose(hands, page, "палета")
    hands.tap(page.form.delete)
    await until(page.removal.do.isEnabled)
    assert page.removal.into.isHidden()
    hands.press("Esc")
    assert (page.removal, "палета" in listed(page)) == (None, True)
    hands.tap(page.form.delete)
    await until(page.removal.do.isEnabled)
    hands.tap(page.removal.do)
    assert "палета" not in listed(page)
    assert screen_of(hands).model.is_naming


async def what_changed_meanwhile_is_seen_first(hands: Hands) -> None:
    """Another program renames what is being typed in, and deletes what is asked about."""
    at, old = hands.shop.clock.now(), Unit("u1", "палета", "пал")
    hands.shop.desk.add_name(old, by="Мира", at=at)
    page = opened(hands)
    choose(hands, page, "палета")
    page.form.name.set_text("палетица")
    hands.shop.desk.change_name(old, replace(old, name="даска"), by="Ана", at=at)
    page.acts.save.click()
    assert "Неко је ово променио у међувремену" in " ".join(lines_of(page.form))
    assert ".." not in " ".join(lines_of(page.form))
    assert page.form.title.text() == "даска"
    assert page.form.name.text() == "палетица", "what was typed stays"
    page.acts.save.click()
    assert "палетица" in listed(page)
    hands.tap(page.form.delete)
    await until(page.removal.do.isEnabled)
    hands.shop.desk.delete_name(named(hands, UNIT, "палетица"), by="Ана", at=at)
    hands.tap(page.removal.do)
    assert (page.removal, "палетица" in listed(page)) == (None, False)


async def what_is_typed_stays_while_the_screen_is_left(hands: Hands) -> None:
    page = opened(hands)
    choose(hands, page, "литар")
    page.form.name.set_text("литра")
    screen = screen_of(hands)
    hands.tap(page.add)
    hands.type("dzak")
    hands.press("Esc")
    assert page.add.spec.words == "Нова јединица: није сачувано"
    hands.press("Esc")
    assert not screen.model.is_naming
    assert "Измене јединица и категорија још нису сачуване" in lines_of(screen.notices)
    hands.press("Esc", "Esc")
    hands.window.frame.open(CATALOGUE)
    let_in(screen.model, screens.PIN)
    page = opened(hands)
    hands.tap(page.add)
    assert page.form.name.text() == "dzak"
    hands.tap(page.acts.drop)
    choose(hands, page, "литар")
    assert page.form.name.text() == "литра"
    hands.tap(page.acts.drop)
    assert page.form.name.text() == "литар"
    hands.press("Esc")
    assert not lines_of(screen.notices)


async def what_both_changed_is_decided_there(hands: Hands) -> None:
    old = named(hands, CATEGORY, "Пекара")
    at = hands.shop.clock.now()
    hands.shop.desk.change_name(old, replace(old, name="Хлебара"), by="Мира", at=at)
    connection = connection_of(hands.shop.desk)
    edit = name_edit(connection, CATEGORY, old.id)
    assert edit is not None
    theirs = replace(edit, theirs=replace(old, name="Пекарство"))
    keep_name_edit(connection, CATEGORY, old.id, theirs)
    hands.window.frame.open(ATTENTION)
    await until(lambda: hands.buttons("Отвори јединице и категорије"))
    hands.tap_words("Отвори јединице и категорије")
    screen = screen_of(hands)
    let_in(screen.model, screens.PIN)
    assert screen.names.isVisible(), "the case leads there"
    hands.press("Esc")
    screen.filters.show_chips()
    await until(lambda: hands.buttons("Јединице и категорије: одлука"))
    hands.tap_words("Јединице и категорије: одлука")
    page = screen.names
    hands.choose(page.kinds, 1)
    choose(hands, page, "Хлебара")
    hands.tap_words("Која важи?, Списак: Пекарство")
    assert "Пекарство" in listed(page)
    assert hands.shop.desk.name_edits() == ()
    assert hands.shop.catalogue.facts().names_to_decide == 0


async def what_articles_have_again_is_not_deleted(hands: Hands) -> None:
    """A list brought an article of a category that was deleted here."""
    new = Category("11111111-1111-4111-8111-111111111111", "Сезонско", 9)
    at = hands.shop.clock.now()
    edit = NameEdit(kind=CATEGORY, id=new.id, base=new, ours=None, theirs=new, by="Мира", at=at)
    connection = connection_of(hands.shop.desk)
    keep_name_edit(connection, CATEGORY, new.id, edit)
    article = next(iter(hands.shop.catalogue.page(limit=1)))
    given = NewEdit.changing(
        article.product_id, article.product_id, {"categories": (new.id,)}, by="Мира", at=at
    )
    hands.shop.desk.record(given)
    index = CatalogueIndex(connection, {}, PriceReason(PriceCause.PLATFORM))
    with transaction(connection):
        withdraw_deletions(index, by="", at=at)
    hands.window.frame.open(ATTENTION)
    await until(lambda: hands.buttons("Отвори јединице и категорије"))
    hands.tap_words("Отвори јединице и категорије")
    let_in(screen_of(hands).model, screens.PIN)
    page = screen_of(hands).names
    hands.choose(page.kinds, 1)
    choose(hands, page, "Сезонско")
    assert not hands.buttons("Пошаљи поново")
    hands.tap_words("Нека остане")
    assert "Сезонско" in listed(page)
    assert hands.shop.desk.name_edits() == ()
    assert not hands.buttons("Нека остане")


@pytest.mark.parametrize("act", [
    a_unit_is_made_and_renamed_by_keys_alone, a_rename_is_sold_from_now_on, the_order_is_the_shops,
    a_merge_asks_first_moves_and_can_be_taken_back, a_price_is_not_that_of_another_measure,
    what_nothing_has_goes_at_once_and_esc_keeps_it, what_changed_meanwhile_is_seen_first,
    what_is_typed_stays_while_the_screen_is_left, what_both_changed_is_decided_there,
    what_articles_have_again_is_not_deleted,
])  # fmt: skip
async def test_units_and_categories(
    shop: Shop, sell_in: SellIn, act: Callable[[Hands], Awaitable[None]]
) -> None:
    await act(sell_in(shop))
