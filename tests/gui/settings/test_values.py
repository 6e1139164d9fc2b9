"""Values of the settings: found by their words, typed, refused and saved, by real keys."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from pos_app.cashier.services import display_setup
from pos_app.cashier.settings import values, values_page
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values import ValuePage
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.texts.lookup import LANGUAGES, Texts
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.field import Field, IconButton, NumberField, NumberRange
from pos_app.cashier.ui.panel import EmptyState
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.backups import DAILY, FOLDER, BackupSetup
from pos_app.selling.sale import cashier_setup
from pos_app.selling.sale.unusual_amounts import Measure
from tests.fakes.services_in_memory import BackupsInMemory
from tests.gui.parts import only
from tests.gui.patience import until
from tests.gui.settings.conftest import (
    Reopened,
    at_page,
    choose_value,
    is_red,
    save,
    saved,
    says,
    settings_acts,
    type_over,
    written,
)
from tests.gui.window.hands import Hands


def found(screen: SettingsScreen) -> list[str]:
    """The words of the findings, without their pages."""
    return [row.accessibleName().rpartition(", ")[0] for row in screen.finder.rows]


def focused(hands: Hands) -> str:
    focus = hands.window.focusWidget()
    return focus.accessibleName() if focus is not None else ""


async def test_what_is_found_by_its_words(hands: Hands) -> None:
    """Values in either script, pages by their names."""
    screen, _ = await at_page(hands, PageName.PROCESSOR)
    await search(hands, screen, "rolni")
    for step in (
        each_page_is_found_by_its_name_and_what_is_nowhere_says_so,
        what_is_called_so_stands_before_what_only_speaks_of_it,
        arrows_go_through_what_was_found_and_a_press_opens_it,
        enter_leads_to_a_page_and_presses_nothing_there,
        letters_after_one_enter_are_typed_on_the_page,
        a_value_is_found_in_either_script_and_enter_leads_to_its_field,
    ):
        await step(hands, screen)


async def search(hands: Hands, screen: SettingsScreen, typed: str) -> None:
    hands.press("F2")
    await until(screen.finder.field.edit.hasFocus)
    screen.finder.field.edit.selectAll()
    hands.type(typed)
    await until(lambda: screen.finder.field.text() == typed and bool(screen.finder.rows))


async def each_page_is_found_by_its_name_and_what_is_nowhere_says_so(
    hands: Hands, screen: SettingsScreen
) -> None:
    for name in PageName:
        title = hands.window.texts(f"set.page.{name}")
        screen.finder.field.set_text(title)
        assert title in found(screen)
    for typed in ("skener", "vaga", "вага"):
        screen.finder.field.set_text(typed)
        assert found(screen)[0] == "Скенер"
    screen.finder.field.set_text("limit")
    assert found(screen)[0] == "Највише готовине у фиоци, у динарима"
    hands.press("F2")
    screen.finder.field.edit.selectAll()
    hands.type("qqq")
    await until(lambda: screen.finder.field.text() == "qqq" and not screen.finder.rows)
    assert screen.finder.area.isVisible()
    nothing = screen.finder.area.findChildren(EmptyState)[-1]
    assert nothing.button is not None
    await until(nothing.button.isVisible)
    hands.press("Tab")
    assert hands.window.focusWidget() is nothing.button
    hands.tap(nothing.button)
    await until(lambda: not screen.finder.is_searching)


async def what_is_called_so_stands_before_what_only_speaks_of_it(
    hands: Hands, screen: SettingsScreen
) -> None:
    await search(hands, screen, "kopij")
    words = found(screen)
    assert words.index("Копија коју купац потписује") < words.index("Примерака сваког рачуна")


async def arrows_go_through_what_was_found_and_a_press_opens_it(
    hands: Hands, screen: SettingsScreen
) -> None:
    await search(hands, screen, "refund")
    rows = screen.finder.rows
    assert len(rows) > 2
    await until(rows[-1].isVisible)
    hands.press("Down")
    await until(rows[0].hasFocus)
    hands.press("Down")
    await until(rows[1].hasFocus)
    hands.press("End")
    await until(rows[-1].hasFocus)
    hands.press("Home")
    await until(rows[0].hasFocus)
    hands.press("Up")
    await until(screen.finder.field.edit.hasFocus)
    hands.tap(rows[-1])
    await until(lambda: screen.model.page is not PageName.PROCESSOR)


async def enter_leads_to_a_page_and_presses_nothing_there(
    hands: Hands, screen: SettingsScreen
) -> None:
    """The main button of the page of backups would make one."""
    await search(hands, screen, "rezervna")
    hands.press("Enter")
    await until(lambda: screen.model.page is PageName.BACKUP)
    assert screen.model.backup.work is None
    backups = hands.shop.services.backups
    assert isinstance(backups, BackupsInMemory)
    assert backups.begun == []


async def letters_after_one_enter_are_typed_on_the_page(
    hands: Hands, screen: SettingsScreen
) -> None:
    """Also after a part of it that is hidden yet, such as the form of a new customer."""
    for typed in ("kupci", "novi kupac"):
        screen.model.choose(PageName.LOOK)
        screen.show_model()
        await search(hands, screen, typed)
        hands.press("Enter")
        await until(lambda: screen.model.page is PageName.BUYERS)
        hands.type("mer")
        await until(lambda: screen.model.buyers.query == "mer")
        screen.model.buyers.search("")
    screen.finder.clear()


async def a_value_is_found_in_either_script_and_enter_leads_to_its_field(
    hands: Hands, screen: SettingsScreen
) -> None:
    await search(hands, screen, "rolni")
    assert found(screen) == ["Кованица у ролни"]
    hands.press("Enter")
    await until(lambda: screen.model.page is PageName.SHIFT)
    await until(lambda: focused(hands) == "Кованица у ролни")
    hands.press("Esc")
    assert not screen.finder.is_searching
    assert not hands.window.frame.is_home, "the first Esc ends the search alone"
    hands.press("Esc")
    assert hands.window.frame.is_home
    await until(lambda: not screen.model.processor.running)


async def test_the_list_of_pages_is_one_stop_of_tab(hands: Hands) -> None:
    screen, _ = await at_page(hands, PageName.LOOK)
    screen.list.focus_current()
    for _ in range(2):
        hands.press("Down")
    at = hands.window.focusWidget()
    assert at is screen.list.rows[screen.model.page]
    hands.press("Tab")
    assert hands.window.focusWidget() not in screen.list.rows.values()
    hands.press("Shift+Tab")
    assert hands.window.focusWidget() is at
    hands.press("Shift+Tab")
    assert hands.window.focusWidget() is screen.finder.field.edit, "it stands above the list"
    hands.press("Tab")
    assert hands.window.focusWidget() is at
    pages = [*screen.list.rows]
    for key, page in (("End", pages[-1]), ("Home", pages[0])):
        hands.press(key)
        assert screen.model.page is page
        assert hands.window.focusWidget() is screen.list.rows[page]


NO_KEYS = Qt.KeyboardModifier.NoModifier
ALL = [one for groups in values.VALUE_PAGES.values() for group in groups for one in group.values]


def row_of(page: Any, setting: str) -> values_page.ValueRow:
    row: values_page.ValueRow = page.form.rows[setting]
    return row


async def told_at_once(
    hands: Hands, page: Any, row: values_page.ValueRow, *typed: tuple[str, str]
) -> None:
    """Type what can't be: its row says why, and nothing can be saved."""
    for text, words in typed:
        type_over(hands, only(row, Field), text)
        await until(partial(says, row, words))
        assert page.acts.save.is_missing
        assert is_red(row.part), text


async def refused(hands: Hands, page: Any, row: values_page.ValueRow, words: str) -> None:
    """Save: the row says why that can't be, and nothing is written."""
    before = written(hands.shop)
    await save(hands, page)
    await until(partial(says, row, words))
    assert (written(hands.shop), is_red(row.part)) == (before, True)


async def test_a_number_and_a_switch_are_saved_and_so_at_once_and_a_list_is_refused(
    hands: Hands,
) -> None:
    services = hands.shop.services
    screen, page = await at_page(hands, PageName.SELLING)
    row, model = row_of(page, "till.refund_reasons"), screen.model.values[ValuePage.SELLING]
    model.type("till.refund_reasons", "Квар\nКвар")  # a reason twice
    await refused(hands, page, row, "Не може тако")
    assert model.typed_values["till.refund_reasons"] == "Квар\nКвар", "it stays typed"
    assert settings_acts(hands.shop) == [], "nothing was done"
    hands.tap(page.acts.drop)
    type_over(hands, only(row_of(page, "till.ask_above_pieces"), Field), "12")
    hands.tap(only(row_of(page, "till.refund_needs_manager"), CheckBox))
    await saved(hands, page)
    assert written(hands.shop)["till"] == {"ask_above_pieces": 12, "refund_needs_manager": True}
    assert services.settings.till.ask_above_pieces == 12
    assert services.limits.above[Measure.PIECE] == 12
    assert services.settings.till.refund_needs_manager
    rows = {(one.subject, one.before, one.after) for one in settings_acts(hands.shop)}
    assert rows == {
        ("till.ask_above_pieces", "100", "12"),
        ("till.refund_needs_manager", "False", "True"),
    }


async def test_each_word_of_a_list_without_an_order_has_a_box(hands: Hands) -> None:
    """The same words in another order are no change."""
    screen, page = await at_page(hands, PageName.SELLING)
    row = row_of(page, "till.paid_later")
    boxes = {one.accessibleName(): one for one in row.findChildren(CheckBox)}
    assert [name for name, one in boxes.items() if one.isChecked()] == ["Чек", "Пренос на рачун"]
    bring_into_sight(row)
    for _ in range(2):
        hands.tap(boxes["Чек"])
    assert not screen.model.values[ValuePage.SELLING].has_changes
    hands.tap(boxes["Чек"])
    hands.tap(boxes["Друго"])
    await saved(hands, page)
    assert written(hands.shop)["till"] == {"paid_later": ["wiretransfer", "other"]}
    (act,) = settings_acts(hands.shop)
    assert (act.subject, act.after) == ("till.paid_later", "wiretransfer\nother")


def type_lines(hands: Hands, row: values_page.ValueRow, text: str) -> None:
    """Replace the text of a field with several lines, by keys."""
    lines = only(row, QPlainTextEdit)
    lines.setFocus()
    lines.selectAll()
    hands.press("Backspace")
    for number, line in enumerate(text.split("\n")):
        if number:
            hands.press("Enter")
        for sign in line:
            QTest.sendKeyEvent(QTest.KeyAction.Click, lines, Qt.Key.Key_unknown, sign, NO_KEYS)


@pytest.mark.deadline(120)
async def test_what_a_receipt_says_is_judged_before_the_server_meets_it(
    reopened: Reopened, hands: Hands
) -> None:
    """With a wrong account in its settings the server would not open the shop."""
    shop = hands.shop
    _, page = await at_page(hands, PageName.RECEIPTS)
    header, footer, accounts, payee, papers = (
        row_of(page, f"receipt.{one}")
        for one in ("header", "footer", "bank_accounts", "payee", "papers")
    )
    for row in (header, footer):  # each receipt would show a box in the sign's place
        type_lines(hands, row, "Pekara \u6f22")
        await refused(hands, page, row, "знак који не може да се одштампа")
        hands.tap(page.acts.drop)
    type_lines(hands, payee, "Pekara Lipa\nNovi Sad")
    await refused(hands, page, payee, "недостаје текући рачун")
    type_lines(hands, accounts, "840-955845-11")
    await refused(hands, page, accounts, "није број рачуна")
    assert written(shop) == {}
    type_lines(hands, accounts, "840-955845-10")
    await saved(hands, page)
    receipt: dict[str, object] = {
        "bank_accounts": ["840-955845-10"],
        "payee": "Pekara Lipa\nNovi Sad",
    }
    assert written(shop)["receipt"] == receipt
    await until(lambda: len(reopened.reopened) == 1)
    type_lines(hands, header, "\n  Pekara Lipa \n\nNovi Sad\n \n")
    type_lines(hands, footer, "\n")
    only(row_of(page, "receipt.short_code"), CheckBox).setFocus()
    hands.press("Space")
    await save(hands, page)
    await until(lambda: len(reopened.reopened) == 2)
    receipt |= {"header": ["", "  Pekara Lipa", "", "Novi Sad"], "footer": [], "short_code": True}
    assert written(shop)["receipt"] == receipt
    edit = only(header, QPlainTextEdit)
    await until(lambda: edit.toPlainText() == "\n  Pekara Lipa\n\nNovi Sad")
    await told_at_once(hands, page, papers, ("0", "Најмање 1"), ("4", "Највише 3"))
    type_over(hands, only(papers, Field), "2")
    await until(page.acts.save.isEnabled)
    hands.press("Enter")
    await until(lambda: len(reopened.reopened) == 3)
    assert written(shop)["receipt"] == receipt | {"papers": 2}


async def test_a_number_is_changed_by_its_steps_as_far_as_it_may(hands: Hands) -> None:
    _, page = await at_page(hands, PageName.LOOK)
    field = only(row_of(page, "till.text_percent"), NumberField)
    less, more = (one for one in field.findChildren(IconButton))
    assert not less.isEnabled()
    assert "100" in less.toolTip()
    for percent in ("110", "120", "130", "140", "150"):
        hands.tap(more)
        assert field.text() == percent
    assert not more.isEnabled()
    hands.tap(less)
    field.edit.setFocus()
    hands.press("Down")
    assert field.text() == "130"
    await save(hands, page)
    await until(lambda: written(hands.shop).get("till") == {"text_percent": 130})


def test_a_step_changes_the_second_digit(qtbot: QtBot, theme: Theme) -> None:
    numbers = NumberRange(0, 99_999, "", "", values.number_text)
    field = NumberField(theme, name="", numbers=numbers, less_name="", more_name="")
    qtbot.addWidget(field)
    for text, by, then in (
        ("9", 1, "10"), ("10", -1, "9"), ("99", 1, "100"), ("110", 1, "120"), ("100", -1, "99"),
        ("2550", 1, "2600"), ("10.000", -1, "9900"), ("9999", 1, "10.000"), ("x", 1, "0"),
    ):  # fmt: skip
        field.set_text(text)
        field.step(by)
        assert field.text() == then


async def test_shifts_are_put_away_with_the_next_start(hands: Hands) -> None:
    _, page = await at_page(hands, PageName.SHIFT)
    roll = row_of(page, "shift.roll")
    await told_at_once(
        hands, page, roll, ("abc", "Цео број"), ("0", "Најмање 1"), ("9999", "Највише 1000")
    )
    hands.tap(page.acts.drop)
    choose_value(hands, row_of(page, "shift.use"), "off")
    await save(hands, page)
    await until(lambda: "кад се каса поново отвори" in page.acts.words)
    assert written(hands.shop)["shift"] == {"use": "off"}
    assert "shift.use" in values.AT_START


async def test_shifts_are_not_put_away_while_one_is_open(hands: Hands) -> None:
    shop = hands.shop
    _, page = await at_page(hands, PageName.SHIFT)
    shop.database.shifts.ensure_open(by="Мира", at=shop.clock.now())
    choose_value(hands, row_of(page, "shift.use"), "off")
    await until(lambda: "Смена је отворена" in page.acts.words)
    assert page.acts.save.is_missing


async def test_what_the_environment_gives_can_not_be_changed(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so with the words of the setting."""
    shop = hands.shop
    monkeypatch.setenv("POS_APP_SHIFT__ROLL", "25")
    shop.cashier_settings.given = (cashier_setup.NAME, cashier_setup.IN_VAT)
    display = (display_setup.MONITOR, display_setup.PICTURES, display_setup.THEME)
    shop.display_settings.given = display
    shop.backup_settings.setup = BackupSetup("/media/x", given_elsewhere=(FOLDER, DAILY))
    screen, page = await at_page(hands, PageName.SHIFT)
    assert not only(row_of(page, "shift.roll"), Field).isEnabled()
    assert row_of(page, "shift.use").part.isEnabled()
    _, page = await at_page(hands, PageName.VAT)
    assert not page.form.cards[False].isEnabled()
    assert says(page, "У систему ПДВ-а")
    _, page = await at_page(hands, PageName.DISPLAY)
    form = page.form
    parts = (form.monitor, form.pictures, form.choose, form.look)
    assert [part.isEnabled() for part in parts] == [False] * 4
    assert says(form, "Монитор за купца, Место слика, Изглед екрана за купца")
    _, page = await at_page(hands, PageName.BACKUP)
    screen.tick()
    await until(lambda: says(page, "Друго место копија"))
    form = page.form
    parts = (form.folder, form.choose, form.clear, form.daily)
    assert [part.isEnabled() for part in parts] == [False] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_value_has_its_words(language: str) -> None:
    texts = Texts(language)  # type: ignore[arg-type]
    for setting in ALL:
        assert texts(f"set.value.{setting}")
        assert texts(f"set.value.{setting}_words")
        for choice in values.choices_of(setting):
            assert texts(f"set.value.{setting}.{choice}")
        if values.kind_of(setting) is values.ValueKind.NUMBER:
            least, most = values.range_of(setting)
            assert most is not None
            assert 0 <= least < most
