"""Prices of many articles, planned for a day."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog

from pos_app.cashier.catalogue.bulk import BulkKind
from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.catalogue.coming_labels import ComingLabelsPanel
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import ATTENTION, REPORTS
from pos_app.domain.money.money import Money
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import OF_PLAN, DraftField
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.report import ReportName
from pos_app.selling.synchronisation.catalogue_edits import EditState, NewEdit
from tests.fakes.people_here import let_in
from tests.gui.catalogue.screens import (
    PIN,
    change,
    changed_there,
    coming,
    priced,
    relisted,
    show_sheet,
    undecided,
)
from tests.gui.catalogue.test_catalogue import begin_visit, came, edit_cell, ended, key, price_of
from tests.gui.catalogue.test_import import notice_key, page_of, written
from tests.gui.inside import inside
from tests.gui.parts import in_front, lines_of, notices_in, visible_parts
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, BUREK, CHEESE, COFFEE, MILK

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


def go_to(hands: Hands, day: date) -> None:
    """Let the window's clock be at noon of a day."""
    wait = beginning_of(day) + timedelta(hours=12) - hands.shop.clock.now()
    hands.shop.clock.go_on(wait // timedelta(milliseconds=1))


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


async def test_prices_are_planned_as_they_were_shown_and_taken_back(hands: Hands) -> None:
    screen = await open_form(hands, BREAD, BUREK)
    hands.type("10")
    await type_period(hands, screen, "24.12.2090", "31.12.2090")
    assert "Важи од 24.12.2090. закључно са 31.12.2090. Потом опет садашња цена." in told(screen)
    assert "58,99 → 64,89" in told(screen)
    await do(hands, screen)
    assert any("Планиране су цене 2 артикла." in one for one in notices_in(screen.notices))
    period = (beginning_of(FAR), beginning_of(date(2091, 1, 1)))
    assert plan_of(hands, BREAD) == ("64.89", *period)
    assert plan_of(hands, BUREK) == ("181.50", *period)
    assert price_of(hands, BREAD) == Money("58.99")
    hands.tap(notice_key(screen, "Врати измене"))
    hands.tap(notice_key(screen, "Врати измене"))
    await ended(screen)
    assert (plan_of(hands, BREAD), plan_of(hands, BUREK)) == (None, None)


async def test_the_preview_and_the_end_count_the_prices_of_variants(hands: Hands) -> None:
    """Of an article with variants each has a planned price, and a label."""
    page = hands.shop.catalogue.page(limit=100)
    many = next(one for one in page if one.articles > 1)
    screen = begin_visit(hands)
    for product_id in (many.product_id, hands.shop.row(BREAD).product_id):
        screen.model.listed.tick(product_id)
    hands.tap(screen.band.changes[BulkKind.PRICE])
    await seen()
    hands.type("10")
    await type_period(hands, screen, "24.12.2090")
    prices = hands.window.texts.count("cat.bulk.prices", many.articles + 1)
    assert f"2 артикла се мењају ({prices})" in told(screen)
    await do(hands, screen)
    done = f"Планиране су цене 2 артикла ({prices})."
    assert any(done in one for one in notices_in(screen.notices))


@pytest.mark.parametrize("is_planned", [True, False], ids=["planned", "at once"])
async def test_a_variant_without_a_price_of_its_own_changes_from_the_price_of_its_product(
    hands: Hands, is_planned: bool
) -> None:
    page = hands.shop.catalogue.page(limit=100)
    product_id = next(one for one in page if one.articles > 1).product_id
    priced, *_ = hands.shop.catalogue.variants(product_id)
    screen = begin_visit(hands)
    for owner_id, price in ((product_id, "200"), (priced.id, "")):
        screen.model.open(product_id, owner_id)
        screen.editor.type_into(DraftField.PRICE, price)
        hands.tap(screen.editor.save)
    screen.model.listed.tick(product_id)
    hands.tap(screen.band.changes[BulkKind.PRICE])
    await seen()
    hands.type("-10")
    if is_planned:
        await type_period(hands, screen, "24.12.2090")
    else:
        await came(screen.bulk.do.isEnabled)
        await seen()
    assert "остаје" not in told(screen)
    assert told(screen).count("200,00 → 180,00") == (1 if is_planned else 2)
    await do(hands, screen)
    if is_planned:
        go_to(hands, FAR)
    variants = hands.shop.catalogue.variants(product_id)
    assert next(one.price for one in variants if one.id == priced.id) == Money(180)
    product = hands.shop.catalogue.product(product_id)
    assert product is not None
    (own,) = [one.price for one in product.variants if one.id == priced.id]
    assert own is None, "it follows its product in later changes too"


async def test_one_price_for_all_is_shown_as_odd_and_its_faults_stand_at_their_fields(
    hands: Hands,
) -> None:
    screen = await open_form(hands, BREAD, BUREK)
    form = screen.bulk.price
    form.way.setFocus()
    hands.press("Right")
    hands.tap(form.amount)
    hands.type("0")
    await came(screen.bulk.do.isEnabled)
    assert "2 нове цене су нула или необично велике" in told(screen)
    hands.type("99")
    for begins, ends, fault, at in (
        ("23.7.2020", "", "Тај дан је прошао", form.begins),
        ("abc", "", "Дан се пише као", form.begins),
        ("31.2.", "", "Тог дана нема у календару", form.begins),
        ("", "24.12.2090", "Упишите од када важи", form.begins),
        ("24.12.2090", "23.12.2090", "Завршава се пре него што почне", form.ends),
    ):
        await type_period(hands, screen, begins, ends)
        hands.press("Enter")
        assert fault in at.error(), (begins, ends)
        assert screen.bulk is not None, "nothing is done"
        assert at.edit.hasFocus()
        assert form.begins.y() == form.ends.y(), "what is told below a field moves no other"
    await type_period(hands, screen, "30.11.", "1.12.26")
    assert "Важи од 30.11.2026. закључно са 01.12.2026." in told(screen)
    await type_period(hands, screen, "24.12.2090")
    await do(hands, screen)
    assert plan_of(hands, BREAD) == ("99.00", beginning_of(FAR), None)


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


async def test_a_plan_that_would_begin_by_now_is_shown_anew(hands: Hands) -> None:
    """The form stood open over midnight; a second press plans what holds at once."""
    screen = await open_form(hands, BREAD)
    go_to(hands, FAR - DAY)
    hands.type("10")
    await type_period(hands, screen, "24.12.2090")
    assert "Важи од 24.12.2090." in told(screen)
    go_to(hands, FAR)
    hands.press("Enter")
    await came(lambda: "Важи одмах, од 24.12.2090." in told(screen))
    assert plan_of(hands, BREAD) is None
    await came(screen.bulk.do.isEnabled)
    await do(hands, screen)
    assert price_of(hands, BREAD) == Money("64.89")


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


async def test_attention_has_the_labels_of_tomorrow_until_they_are_printed(
    hands: Hands, tmp_path: Path
) -> None:
    """Its row leads to them past the manager's PIN; what changes later is not in it. Those that
    were not printed the day before are told of on the day."""
    room: Any = hands.window.frame.room(ATTENTION)
    now = hands.shop.clock.now()
    planned(hands, MILK, "1", now + timedelta(seconds=5))
    planned(hands, COFFEE, "1", beginning_of(day_of(now) + 3 * DAY))
    assert room.count().many == 1
    hands.shop.desk.drop_plan(own_id(hands, MILK), by="Мира", at=now)
    assert room.count().many == 0
    coming(hands.shop)
    assert (room.count().many, room.count().to_decide) == (1, 0)
    hands.window.frame.open(ATTENTION)
    await seen()
    hands.tap_words("Отвори налепнице")
    await seen()
    screen = inside(hands.window).catalogue
    assert screen.bulk is None, "the PIN is asked for first"
    let_in(screen.model, PIN)
    await seen()
    assert isinstance(screen.bulk, ComingLabelsPanel)
    assert "3 цене се мењају тог дана" in told(screen)
    assert not notices_in(screen.notices), "it is said once"
    tomorrow = day_of(now) + DAY
    screen.files.print_coming_labels(tomorrow, tmp_path / "labels.pdf", only_changed=False)
    await ended(screen)
    assert room.count().many == 0
    hands.shop.desk.drop_plan(own_id(hands, BREAD), by="Мира", at=now)
    assert room.count().many == 1, "its label says a price that does not come"
    planned(hands, BREAD, "151", beginning_of(tomorrow))
    assert room.count().many == 1, "its label says another price"
    go_to(hands, tomorrow)
    hands.window.frame.open(ATTENTION)
    hands.tap_words("Налепница за данас: 1")
    await seen()
    hands.tap_words("Отвори налепнице")
    await seen()
    screen = inside(hands.window).catalogue
    let_in(screen.model, PIN)
    await seen()
    assert "3 цене се мењају тог дана. 1 нема налепницу са новом ценом" in told(screen)
    screen.files.print_coming_labels(tomorrow, tmp_path / "labels.pdf", only_changed=True)
    await ended(screen)
    assert any("1 налепница је у датотеци." in one for one in notices_in(screen.notices))
    assert room.count().many == 0


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


async def begun_for_good(hands: Hands) -> None:
    """Bread costs 53,09 in place of 58,99 by a plan without an end that has begun."""
    screen = await open_form(hands, BREAD)
    hands.type("-10")
    await type_period(hands, screen, "24.12.2090")
    await do(hands, screen)
    go_to(hands, FAR + 30 * DAY)
    assert price_of(hands, BREAD) == Money("53.09")


@pytest.mark.parametrize("way", ["cell", "form"])
async def test_a_typed_price_takes_the_place_of_a_plan_without_an_end(
    hands: Hands, way: str
) -> None:
    await begun_for_good(hands)
    plan = plan_of(hands, BREAD)
    screen = begin_visit(hands)
    if way == "cell":
        edit_cell(hands, screen, BREAD, CatalogueColumn.PRICE)
        screen.table.cell_editor.edit.selectAll()
        hands.type("70")
        hands.press("Enter")
    else:
        screen.model.open(hands.shop.row(BREAD).product_id)
        await seen()
        assert "Сада важи планирана цена: 53,09. Нова цена је замењује." in lines_of(screen.editor)
        screen.editor.type_into(DraftField.PRICE, "70")
        hands.tap(screen.editor.save)
    await seen()
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("70"), None)
    screen.area.focus_table()
    key(hands, Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("53.09"), plan)


async def test_a_typed_price_leaves_a_plan_with_an_end_and_the_table_says_so(hands: Hands) -> None:
    now = hands.shop.clock.now()
    planned(hands, BREAD, "49", now - DAY, now + DAY)
    screen = begin_visit(hands)
    edit_cell(hands, screen, BREAD, CatalogueColumn.PRICE)
    screen.table.cell_editor.edit.selectAll()
    hands.type("70")
    hands.press("Enter")
    await seen()
    assert price_of(hands, BREAD) == Money("49")
    assert any("Сада важи планирана цена: 49,00" in one for one in notices_in(screen.notices))
    screen.model.open(hands.shop.row(BREAD).product_id)
    await seen()
    assert "Сада важи планирана цена: 49,00" in lines_of(screen.editor)
    assert screen.model.value(DraftField.PRICE) == "70,00"


@pytest.mark.parametrize("price", ["70", "58,99", "53,09"])
async def test_an_imported_price_takes_the_place_of_a_plan_without_an_end(
    hands: Hands, price: str
) -> None:
    """The preview says what is charged and what is to be, and taking back puts the plan back."""
    planned(hands, BREAD, "53.09", LONG_AGO)
    plan = plan_of(hands, BREAD)
    screen = begin_visit(hands)
    page = await page_of(screen, written(hands, "Šifra;Cena", f"1;{price}"))
    becomes = Money(price.replace(",", "."))
    changes = [one for one in lines_of(page) if "Планирана цена: 53,09 → " in one]
    assert len(changes) == 1
    assert (f"Cena: 53,09 → {becomes}".replace(".", ",") in changes[0]) is (price != "53,09")
    hands.press("Enter")
    await ended(screen)
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (becomes, None)
    hands.tap(notice_key(screen, "Врати измене"))
    hands.tap(notice_key(screen, "Врати измене"))
    await ended(screen)
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("53.09"), plan)


async def test_an_imported_price_stays_beside_the_plan_that_its_row_names(hands: Hands) -> None:
    planned(hands, BREAD, "53.09", LONG_AGO)
    plan = plan_of(hands, BREAD)
    screen = begin_visit(hands)
    heads = "Šifra;Cena;Planirana cena;Planirana od"
    page = await page_of(screen, written(hands, heads, "1;70;53,09;24.12.2020."))
    assert not any("Planirana" in one and "→" in one for one in lines_of(page))
    hands.press("Enter")
    await ended(screen)
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("53.09"), plan)


async def test_a_price_of_the_platform_ends_a_plan_without_an_end_and_attention_says_so(
    hands: Hands,
) -> None:
    """A plan with an end, and one that is yet to come, go on."""
    planned(hands, BREAD, "53.09", LONG_AGO)
    planned(hands, MILK, "99", LONG_AGO, beginning_of(FAR))
    planned(hands, CHEESE, "99", beginning_of(FAR))
    relisted(hands.shop, BREAD, name="Хлеб бели")
    assert price_of(hands, BREAD) == Money("53.09")
    for code in (MILK, CHEESE, BREAD):
        relisted(hands.shop, code, price=70.0)
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("70"), None)
    assert price_of(hands, MILK) == Money("99")
    assert plan_of(hands, CHEESE) is not None
    hands.window.frame.open(ATTENTION)
    await seen()
    attention: Any = in_front(hands.window.frame, "att.title")
    told_of = [one for one in lines_of(attention.case_view) if "(53,09)" in one]
    assert len(told_of) == 1
    assert "Хлеб" in told_of[0]
    assert "платформ" in told_of[0]


async def told_in_attention(hands: Hands) -> list[str]:
    """What Attention says of plans that were taken off."""
    hands.window.frame.open(ATTENTION)
    await seen()
    attention: Any = in_front(hands.window.frame, "att.title")
    return [one for one in lines_of(attention.case_view) if "планирана цена скинута" in one]


@pytest.mark.parametrize("is_many", [False, True], ids=["one", "many"])
@pytest.mark.parametrize(("side", "price"), [("Ова каса", "61"), ("Списак", "1099")])
async def test_a_price_that_a_person_decides_on_takes_the_place_of_a_plan_without_an_end(
    hands: Hands, side: str, price: str, is_many: bool
) -> None:
    """Either answer names the price that is charged then; a plan with an end goes on."""
    now = hands.shop.clock.now()
    for code in (BREAD, MILK):
        priced(hands.shop, code, "61")
    planned(hands, BREAD, "70", LONG_AGO)
    planned(hands, MILK, "49", now - DAY, now + DAY)
    changed_there(hands.shop, [BREAD, MILK])
    assert price_of(hands, BREAD) == Money("70")
    screen = undecided(hands.shop, hands.window)
    await seen()
    if is_many:
        which = "all_ours" if side == "Ова каса" else "all_theirs.list"
        hands.tap_words(hands.window.texts(f"cat.conflicts.{which}"))
        await seen()
        hands.tap_words("Одлучи за 2")
        await came(lambda: not hands.shop.desk.edits(frozenset({EditState.CONFLICT})))
    else:
        for _ in range(2):
            hands.tap(
                next(
                    one
                    for one in screen_buttons(screen)
                    if one.accessibleName().startswith(f"Цена са ПДВ, {side}")
                )
            )
            await seen()
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money(price), None)
    assert price_of(hands, MILK) == Money("49")
    (told_of,) = await told_in_attention(hands)
    assert "(70,00)" in told_of
    assert "(49,00)" not in told_of


async def test_a_decision_about_a_name_leaves_a_plan_without_an_end(hands: Hands) -> None:
    article = hands.shop.catalogue.article(own_id(hands, CHEESE))
    assert article is not None
    change(hands.shop, article, {"name": "Сир наш"})
    planned(hands, CHEESE, "70", LONG_AGO)
    changed_there(hands.shop, [], named=CHEESE)
    screen = undecided(hands.shop, hands.window)
    await seen()
    hands.tap(next(one for one in screen_buttons(screen) if "Списак" in one.accessibleName()))
    await seen()
    assert price_of(hands, CHEESE) == Money("70")


def screen_buttons(screen: Any) -> list[QAbstractButton]:
    return visible_parts(screen.conflicts, QAbstractButton)


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


async def test_attention_names_the_plan_of_a_follower_when_the_price_is_withdrawn(
    hands: Hands,
) -> None:
    product_id, variant_id = followed(hands, "180")
    hands.shop.clock.go_on(1234)
    screen = begin_visit(hands)
    screen.model.open(product_id)
    screen.editor.type_into(DraftField.PRICE, "250")
    hands.tap(screen.editor.save)
    await seen()
    edits = hands.shop.desk.edits(frozenset({EditState.WAITING}))
    (edit,) = [one for one in edits if one.article_id == product_id]
    hands.shop.desk.withdraw(edit.id, by="Мира", at=hands.shop.clock.now())
    assert hands.shop.desk.plan_of(variant_id) is None
    (told_of,) = await told_in_attention(hands)
    assert "(180,00)" in told_of


@pytest.mark.parametrize("names_plan", [False, True])
async def test_an_imported_price_of_a_product_takes_the_place_of_a_plan_of_its_variant(
    hands: Hands, names_plan: bool
) -> None:
    product_id, variant_id = followed(hands, "180")
    plan = hands.shop.desk.plan_of(variant_id)
    screen = begin_visit(hands)
    product = hands.shop.catalogue.product(product_id)
    assert product is not None
    heads, row = "Naziv;Cena", f"{product.name};250"
    if names_plan:
        heads, row = f"{heads};Planirana cena", f"{row};"
    page = await page_of(screen, written(hands, heads, row))
    lines = [one for one in lines_of(page) if "Cena: 180,00 → 250,00" in one]
    assert len(lines) == (0 if names_plan else 1)
    hands.press("Enter")
    await ended(screen)
    assert charged_for(hands, variant_id) == Money("180" if names_plan else "250")
    hands.tap(notice_key(screen, "Врати измене"))
    hands.tap(notice_key(screen, "Врати измене"))
    await ended(screen)
    assert hands.shop.desk.plan_of(variant_id) == plan
    assert charged_for(hands, variant_id) == Money("180")


async def test_a_platform_that_brings_the_price_of_a_plan_ends_it_without_asking_anybody(
    hands: Hands,
) -> None:
    planned(hands, BREAD, "70", LONG_AGO)
    relisted(hands.shop, BREAD, price=70.0)
    assert (price_of(hands, BREAD), plan_of(hands, BREAD)) == (Money("70"), None)
    assert not hands.shop.catalogue.facts().plans_ended


async def reported(hands: Hands) -> list[tuple[str, str, str, str]]:
    """What the report has of each change: code, cause, new price, and who made it."""
    inside(hands.window).go_home()
    hands.window.frame.open(REPORTS)
    screen: Any = in_front(hands.window.frame, "rep.title")
    if not screen.model.is_open:
        let_in(screen.model, PIN)
    screen.room.choose(ReportName.PRICES)
    screen.room.choose_preset(Preset.DAYS)
    screen.room.choose_days(date(2020, 1, 1), FAR + 30 * DAY)
    await came(lambda: screen.model.is_current and not screen.model.is_asking)
    table = screen.model.report.table
    heads = [one.name for one in table.columns]
    lines = [dict(zip(heads, line.cells, strict=True)) for line in table.lines]
    assert all(one["difference"] == one["new"] - one["old"] for one in lines)
    assert all(one["label"] and one["unit"] for one in lines)
    return sorted(
        (one["code"], f"{why.cause} {why.percent or ''}".strip(), str(one["new"]), one["by"])
        for one in lines
        for why in (one["cause"],)
    )


async def test_the_report_has_each_change_with_its_cause(hands: Hands) -> None:
    screen = begin_visit(hands)
    screen.model.open(hands.shop.row(BREAD).product_id)
    screen.editor.type_into(DraftField.PRICE, "60")
    hands.tap(screen.editor.save)
    screen = await open_form(hands, BREAD)
    hands.type("10")
    await came(screen.bulk.do.isEnabled)
    await seen()
    await do(hands, screen)
    hands.tap(notice_key(screen, "Врати измене"))
    hands.tap(notice_key(screen, "Врати измене"))
    await ended(screen)
    show_sheet(hands.shop, screen, f"Шифра;Цена\n{CHEESE};750".encode())
    hands.press("Enter")
    await ended(screen)
    relisted(hands.shop, MILK, price=150.0)
    screen = await open_form(hands, COFFEE)
    hands.type("-50")
    await type_period(hands, screen, "24.12.2090", "24.12.2090")
    await do(hands, screen)
    go_to(hands, FAR + DAY)
    by = hands.shop.services.cashier
    half = str(Money.rounded(hands.shop.row(COFFEE).price.amount / 2))
    assert await reported(hands) == sorted(
        [
            (BREAD, "edit", "60.00", by),
            (BREAD, "bulk 10", "66.00", by),
            (BREAD, "taken_back", "60.00", by),
            (CHEESE, "import", "750.00", by),
            (MILK, "platform", "150.00", "file"),
            (COFFEE, "plan -50", half, by),
            (COFFEE, "plan_end", str(price_of(hands, COFFEE)), by),
        ]
    )
