"""Values of the settings: typed, refused and saved, by real keys."""

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
from pos_app.cashier.texts.lookup import LANGUAGES, Texts
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.field import Field, IconButton
from pos_app.cashier.ui.number_fields import NumberField, NumberRange
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.units import Measure
from pos_app.selling.backups import DAILY, FOLDER, BackupSetup
from pos_app.selling.sale import cashier_setup
from tests.gui.inside import inside
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

MILK_EAN = "8609951100139"
NO_KEYS = Qt.KeyboardModifier.NoModifier
ALL = [one for groups in values.VALUE_PAGES.values() for group in groups for one in group.values]


def row_of(page: Any, setting: str) -> values_page.ValueRow:
    row: values_page.ValueRow = page.form.rows[setting]
    return row


async def told_when_left(
    hands: Hands, page: Any, row: values_page.ValueRow, *typed: tuple[str, str]
) -> None:
    """Type what can't be: nothing can be saved, and its row says why once the field is left."""
    for text, words in typed:
        type_over(hands, only(row, Field), text)
        await until(lambda: page.acts.save.is_missing and not is_red(row.part))
        hands.press("Tab")
        await until(partial(says, row, words))
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
    for switch in ("till.refund_needs_manager", "till.keep_batch"):
        hands.tap(only(row_of(page, switch), CheckBox))
    choose_value(hands, row_of(page, "till.expired_goods"), "refuse")
    choose_value(hands, row_of(page, "till.edition_price"), "ask")
    await saved(hands, page)
    assert written(hands.shop)["till"] == {
        "ask_above_pieces": 12, "refund_needs_manager": True, "keep_batch": True,
        "expired_goods": "refuse", "edition_price": "ask",
    }  # fmt: skip
    assert services.settings.till.ask_above_pieces == 12
    assert services.limits.above[Measure.PIECE] == 12
    assert services.settings.till.refund_needs_manager
    rows = {(one.subject, one.before, one.after) for one in settings_acts(hands.shop)}
    assert rows == {
        ("till.ask_above_pieces", "100", "12"),
        ("till.refund_needs_manager", "False", "True"),
        ("till.keep_batch", "False", "True"),
        ("till.expired_goods", "ask", "refuse"),
        ("till.edition_price", "catalogue", "ask"),
    }
    sells_as_was_set(hands)


def sells_as_was_set(hands: Hands) -> None:
    """A pack past its day is refused, a batch is kept, the price of an issue is asked for."""
    inside(hands.window).go_home()
    hands.scan(f"010{MILK_EAN}17171231")
    assert "рок је истекао" in hands.notice()
    hands.scan(f"010{MILK_EAN}10A7")
    assert "серија A7" in hands.rows()[0]
    hands.scan(f"{MILK_EAN}05")
    hands.press("#120", "Enter")
    assert [line.price for line in hands.ticket.cart.active][1:] == [Money(120)]


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
    await told_when_left(hands, page, papers, ("0", "Најмање 1"), ("4", "Највише 3"))
    pib = row_of(page, "esir.seller_pib")
    await told_when_left(hands, page, pib, ("12345678", "ПИБ има девет цифара"))
    type_over(hands, only(pib, Field), "104982316")
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
    await told_when_left(
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
