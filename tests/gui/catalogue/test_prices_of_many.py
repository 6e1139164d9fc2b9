"""Prices of many articles, planned for a day."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from pos_app.cashier.catalogue.bulk import BulkKind
from pos_app.cashier.catalogue.coming_labels import ComingLabelsPanel
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import ATTENTION
from pos_app.domain.money.money import Money
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import OF_PLAN, DraftField
from pos_app.selling.synchronisation.catalogue_edits import EditState, NewEdit
from tests.gui.catalogue.screens import coming, relisted, undecided
from tests.gui.catalogue.test_catalogue import begin_visit, came, ended, key, price_of
from tests.gui.catalogue.test_import import notice_key
from tests.gui.parts import in_front, lines_of, notices_in, visible_parts
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, BUREK, CHEESE, MILK

FAR = date(2090, 12, 24)
"""A day that is yet to come for the window's clock and for the clock of the process."""
LONG_AGO = beginning_of(date(2020, 12, 24))
DAY = timedelta(days=1)


def own_id(hands: Hands, code: str) -> str:
    return hands.shop.row(code).article_id or ""


def plan_of(hands: Hands, code: str) -> tuple[str, datetime, datetime | None] | None:
    plan = hands.shop.desk.plan_of(own_id(hands, code))
    return None if plan is None else (str(plan.price), plan.begins_at, plan.ends_at)


def planned(
    hands: Hands, code: str, price: str, begins: datetime, ends: datetime | None = None
) -> None:
    plan = PlannedPrice(own_id(hands, code), Money(price), begins, ends)
    hands.shop.desk.plan_price(plan, by="Мира", at=hands.shop.clock.now())


async def open_form(hands: Hands, *codes: str) -> Any:
    """The form of a change of prices of these articles, with the caret in its first field."""
    screen = begin_visit(hands)
    for code in codes:
        screen.model.listed.tick(hands.shop.row(code).product_id)
    hands.tap(screen.band.changes[BulkKind.PRICE])
    await seen()
    return screen


async def type_period(hands: Hands, screen: Any, begins: str, ends: str = "") -> None:
    for field, text in ((screen.bulk.price.begins, begins), (screen.bulk.price.ends, ends)):
        field.set_text("")
        hands.tap(field)
        hands.type(text)
    await came(screen.bulk.do.isEnabled)
    await seen()


def told(screen: Any) -> str:
    return " ".join(one.text() for one in visible_parts(screen.bulk, Label))


async def do(hands: Hands, screen: Any) -> None:
    hands.press("Enter")
    await ended(screen)
    await seen()


async def test_a_plan_that_there_is_stays_unless_it_is_to_be_replaced(hands: Hands) -> None:
    now = hands.shop.clock.now()
    planned(hands, BREAD, "49", now - DAY, now + 9 * DAY)
    screen = await open_form(hands, BREAD, BUREK)
    hands.type("10")
    await type_period(hands, screen, "24.12.2090")
    assert "1 остаје: цена је већ планирана (Хлеб" in told(screen)
    hands.tap(screen.bulk.price.replaces_plans)
    await came(lambda: "Замењује се планирана цена: 49,00" in told(screen))
    assert "Дотле важи 58,99." in told(screen)
    await do(hands, screen)
    assert plan_of(hands, BREAD) == ("64.89", beginning_of(FAR), None)


async def test_labels_of_tomorrow_are_printed_the_evening_before(
    hands: Hands, tmp_path: Path
) -> None:
    coming(hands.shop)
    screen = begin_visit(hands)
    offer = "Сутра се мењају 3 цене, а налепнице нису одштампане."
    assert any(offer in one for one in notices_in(screen.notices))
    hands.tap(notice_key(screen, "Налепнице"))
    await seen()
    assert isinstance(screen.bulk, ComingLabelsPanel)
    assert "149,00 → 899,00" in told(screen), "it goes back"
    assert "58,99 → 149,00" in told(screen)
    assert "3 цене се мењају тог дана. 3 немају налепницу са новом ценом" in told(screen)
    tomorrow = day_of(hands.shop.clock.now()) + DAY
    hands.press("Enter")
    await seen()
    dialog = screen.findChildren(QFileDialog)[-1]
    assert dialog.isVisible(), "its file is chosen"
    dialog.reject()
    screen.files.print_coming_labels(tomorrow, tmp_path / "labels.pdf", only_changed=False)
    await ended(screen)
    assert any("3 налепнице су у датотеци." in one for one in notices_in(screen.notices))
    await came(lambda: (screen.tick(), "0 нема налепницу са новом ценом" in told(screen))[1])
    screen = begin_visit(hands)
    assert not notices_in(screen.notices), "they are printed"


@pytest.mark.parametrize("way", ["stands", "Ctrl+Z", "change of many"])
async def test_a_plan_goes_where_a_list_brings_another_measure_and_attention_says_so(
    hands: Hands, way: str
) -> None:
    """Nor does it come back by an undo of what took it off."""
    now = hands.shop.clock.now()
    for code in (CHEESE, MILK):
        planned(hands, code, "161.49", now + 3650 * DAY)
    gram = next(one.id for one in hands.shop.catalogue.units() if one.symbol == "g")
    screen: Any = None
    if way == "Ctrl+Z":
        screen = begin_visit(hands)
        screen.model.open(hands.shop.row(CHEESE).product_id)
        for field in OF_PLAN:
            screen.editor.type_into(field, "")
        hands.tap(screen.editor.save)
    elif way == "change of many":
        screen = await open_form(hands, CHEESE)
        hands.type("-10")
        await type_period(hands, screen, "24.12.2090")
        hands.tap(screen.bulk.price.replaces_plans)
        await came(lambda: "809,10" in told(screen))  # Enter does nothing before it is shown
        await do(hands, screen)
    relisted(hands.shop, MILK, price=140.0)
    relisted(hands.shop, CHEESE, saleUnitId=gram)
    if screen is not None:
        screen.tick()
        await seen()
    if way == "Ctrl+Z":
        screen.editor.focus_field(DraftField.PRICE)
        key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
        assert any("ништа није враћено" in one for one in notices_in(screen.notices))
    elif way == "change of many":
        planned(hands, CHEESE, "809.10", beginning_of(FAR))
        screen.filters.show_chips()
        await seen()
        hands.tap(screen.filters.undo_button)
        await seen()
        hands.tap(notice_key(screen, "Врати измене"))
        await ended(screen)
    assert plan_of(hands, CHEESE) is None
    assert plan_of(hands, MILK) is not None
    hands.window.frame.open(ATTENTION)
    await seen()
    attention: Any = in_front(hands.window.frame, "att.title")
    assert any("(161,49)" in one for one in lines_of(attention.case_view))
    hands.tap_words("Виђено")
    await came(lambda: not hands.shop.catalogue.facts().plans_ended)
    await came(lambda: not hands.buttons("Скинута планирана цена"))


async def told_in_attention(hands: Hands) -> list[str]:
    """What Attention says of plans that were taken off."""
    hands.window.frame.open(ATTENTION)
    await seen()
    attention: Any = in_front(hands.window.frame, "att.title")
    return [one for one in lines_of(attention.case_view) if "планирана цена скинута" in one]


async def test_attention_names_the_plan_that_a_withdrawn_price_had_replaced(hands: Hands) -> None:
    """The platform refuses the price, and its own price counts again."""
    planned(hands, BREAD, "70", LONG_AGO)
    hands.shop.clock.go_on(1234)  # a plan ends by itself at a whole minute
    screen = begin_visit(hands)
    screen.model.open(hands.shop.row(BREAD).product_id)
    await seen()
    screen.editor.type_into(DraftField.PRICE, "75")
    hands.tap(screen.editor.save)
    await seen()
    (edit,) = hands.shop.desk.edits(frozenset({EditState.WAITING}))
    for state in (EditState.SENDING, EditState.REFUSED):
        hands.shop.desk.move(edit.id, state, at=hands.shop.clock.now())
    undecided(hands.shop, hands.window)
    await seen()
    hands.tap_words("Повуци измену")
    await seen()
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("58.99"), None)
    (told_of,) = await told_in_attention(hands)
    assert "Хлеб бели Сава 500 g (70,00)" in told_of


def followed(hands: Hands, price: str) -> tuple[str, str]:
    """A product of 200,00 with a variant without a price of its own, which has a plan without an
    end; their ids."""
    page, at = hands.shop.catalogue.page(limit=100), hands.shop.clock.now()
    product_id = next(one for one in page if one.articles > 1).product_id
    variant, *_ = hands.shop.catalogue.variants(product_id)
    for owner_id, own in ((product_id, Money("200")), (variant.id, None)):
        ids = product_id, owner_id
        hands.shop.desk.record(NewEdit.changing(*ids, {"price": own}, by="Мира", at=at))
    plan = PlannedPrice(variant.id, Money(price), LONG_AGO)
    hands.shop.desk.plan_price(plan, by="Мира", at=at)
    return product_id, variant.id


def charged_for(hands: Hands, article_id: str) -> Money | None:
    article = hands.shop.catalogue.article(article_id)
    return None if article is None else article.price


async def test_a_typed_price_of_a_product_takes_the_place_of_a_plan_of_a_variant_that_follows_it(
    hands: Hands,
) -> None:
    product_id, variant_id = followed(hands, "180")
    plan = hands.shop.desk.plan_of(variant_id)
    screen = begin_visit(hands)
    screen.model.open(product_id)
    await seen()
    words = "Планиране цене сада важе за варијанте: Благи 350 g (180,00). Нова цена их замењује."
    assert words in lines_of(screen.editor)
    screen.editor.type_into(DraftField.NAME, "Ајвар домаћи")
    hands.tap(screen.editor.save)
    await seen()
    assert charged_for(hands, variant_id) == Money("180")
    screen.editor.type_into(DraftField.PRICE, "250")
    hands.tap(screen.editor.save)
    await seen()
    assert charged_for(hands, variant_id) == Money("250")
    assert words not in lines_of(screen.editor)
    screen.area.focus_table()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    await seen()
    assert hands.shop.desk.plan_of(variant_id) == plan
    product = hands.shop.catalogue.product(product_id)
    assert product is not None
    assert product.price == Money("200")
