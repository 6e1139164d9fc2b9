"""Values of the settings by real keys and presses, in the real file: they apply at once."""

from __future__ import annotations

import tomllib
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from pos_app.cashier.settings import values, values_page
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.texts.lookup import LANGUAGES, Texts
from pos_app.cashier.ui.choices import CheckBox, DropDown
from pos_app.cashier.ui.field import Field
from pos_app.selling.sale.unusual_amounts import Measure
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, only, page_in_front, page_shown
from tests.gui.patience import until
from tests.gui.settings.conftest import Reopened, settings_acts
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

NO_KEYS = Qt.KeyboardModifier.NoModifier
ALL = [one for groups in values.VALUE_PAGES.values() for group in groups for one in group.values]


async def at_page(hands: Hands, name: PageName) -> values_page.ValuesPage:
    frame = hands.window.frame
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    if not screen.model.is_open:
        let_in(screen.model, PIN)
    screen.model.choose(name)
    page: values_page.ValuesPage = await page_shown(frame, f"set.page.{name}")
    return page


def rows_of(page: Any) -> dict[str, values_page.ValueRow]:
    rows: dict[str, values_page.ValueRow] = page.form.rows
    return rows


def row_of(page: values_page.ValuesPage, setting: str) -> values_page.ValueRow:
    return rows_of(page)[setting]


def written(shop: Shop) -> dict[str, dict[str, object]]:
    path = shop.services.settings.data / "settings.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def says(row: values_page.ValueRow, words: str) -> bool:
    return any(words in line for line in lines_of(row))


async def saved(hands: Hands, page: values_page.ValuesPage) -> None:
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: page.acts.words.startswith("Сачувано"))


async def test_a_number_a_switch_a_choice_and_a_list_are_saved_and_so_at_once(hands: Hands) -> None:
    services = hands.shop.services
    page = await at_page(hands, PageName.SELLING)
    pieces = row_of(page, "till.ask_above_pieces")
    pieces.part.setFocus()
    field = only(pieces, Field)
    field.edit.selectAll()
    hands.type("12")
    switch = only(row_of(page, "till.refund_needs_manager"), CheckBox)
    hands.tap(switch)
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


async def test_what_can_not_be_is_told_at_its_field_and_nothing_is_written(hands: Hands) -> None:
    page = await at_page(hands, PageName.SHIFT)
    roll = row_of(page, "shift.roll")
    field = only(roll, Field)
    for typed, told in (("abc", "Цео број"), ("0", "Најмање 1"), ("9999", "Највише 1000")):
        field.edit.setFocus()
        field.edit.selectAll()
        hands.type(typed)
        await until(partial(says, roll, told))
        assert not page.acts.save.isEnabled()
    assert written(hands.shop) == {}


async def test_a_list_that_is_refused_is_told_and_stays_typed(hands: Hands) -> None:
    page = await at_page(hands, PageName.SELLING)
    row = row_of(page, "weight_codes.price_prefixes")
    model = inside(hands.window).settings.model.values[page_name(page)]
    model.type("weight_codes.price_prefixes", "20\n26")  # 20 is a prefix of weights already
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: any("Не може тако" in line for line in lines_of(row)))
    assert written(hands.shop) == {}
    assert model.typed_values["weight_codes.price_prefixes"] == "20\n26"
    assert settings_acts(hands.shop) == [], "nothing was done"


def type_into(hands: Hands, row: values_page.ValueRow, text: str) -> None:
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


async def test_an_account_that_is_none_is_refused_before_the_server_meets_it(
    reopened: Reopened, hands: Hands
) -> None:
    """With such an account in its settings the server would not open the shop; the payee has
    several lines."""
    page = await at_page(hands, PageName.RECEIPTS)
    accounts, payee = (row_of(page, f"receipt.{one}") for one in ("bank_accounts", "payee"))
    type_into(hands, payee, "Pekara Lipa\nNovi Sad")
    for typed, row, told in (
        ("", payee, "недостаје рачун у банци"),
        ("840-955845-11", accounts, "није број рачуна"),
    ):
        type_into(hands, accounts, typed)
        await until(page.acts.save.isEnabled)
        hands.tap(page.acts.save)
        await until(partial(says, row, told))
        assert written(hands.shop) == {}
    type_into(hands, accounts, "840-955845-10")
    await saved(hands, page)
    assert written(hands.shop)["receipt"] == {
        "bank_accounts": ["840-955845-10"],
        "payee": "Pekara Lipa\nNovi Sad",
    }
    await until(lambda: len(reopened.reopened) == 1)


async def test_words_of_the_shop_keep_the_empty_lines_between_others(
    reopened: Reopened, hands: Hands
) -> None:
    page = await at_page(hands, PageName.RECEIPTS)
    header, footer = (row_of(page, f"receipt.{one}") for one in ("header", "footer"))
    type_into(hands, header, "\n  Pekara Lipa \n\nNovi Sad\n \n")
    type_into(hands, footer, "\n")
    short = only(row_of(page, "receipt.short_code"), CheckBox)
    short.setFocus()
    hands.press("Space")
    await saved(hands, page)
    assert written(hands.shop)["receipt"] == {
        "header": ["", "  Pekara Lipa", "", "Novi Sad"],
        "footer": [],
        "short_code": True,
    }
    await until(lambda: len(reopened.reopened) == 1)
    assert only(header, QPlainTextEdit).toPlainText() == "\n  Pekara Lipa\n\nNovi Sad"


async def test_so_many_copies_of_a_receipt_are_typed_and_the_server_reads_it(
    reopened: Reopened, hands: Hands
) -> None:
    page = await at_page(hands, PageName.RECEIPTS)
    row = row_of(page, "receipt.papers")
    field = only(row, Field)
    for typed, told in (("0", "Најмање 1"), ("4", "Највише 3"), ("2", "")):
        field.edit.setFocus()
        field.edit.selectAll()
        hands.type(typed)
        if told:
            await until(partial(says, row, told))
            assert not page.acts.save.isEnabled()
    await until(page.acts.save.isEnabled)
    hands.press("Enter")
    await until(lambda: written(hands.shop).get("receipt") == {"papers": 2})
    await until(lambda: len(reopened.reopened) == 1)


async def test_a_sign_that_no_font_writes_is_refused_at_its_field(hands: Hands) -> None:
    """Each receipt would show a box in its place."""
    page = await at_page(hands, PageName.RECEIPTS)
    rows = {one: row_of(page, f"receipt.{one}") for one in ("header", "footer")}
    for name, row in rows.items():
        type_into(hands, row, "Pekara \u6f22")
        await until(page.acts.save.isEnabled)
        hands.tap(page.acts.save)
        await until(partial(says, row, "знак који не може да се одштампа"))
        assert written(hands.shop) == {}, name
        type_into(hands, row, "Pekara")


def page_name(page: values_page.ValuesPage) -> values.ValuePage:
    names = rows_of(page)
    return next(
        one
        for one, groups in values.VALUE_PAGES.items()
        if next(iter(names)) in {value for group in groups for value in group.values}
    )


async def test_another_look_is_painted_at_once(hands: Hands) -> None:
    page = await at_page(hands, PageName.LOOK)
    before = hands.window.theme.metrics.touch
    only(row_of(page, "till.touch_mm"), DropDown).chosen.emit("15")
    only(row_of(page, "till.theme"), DropDown).chosen.emit("dark")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: hands.window.theme.palette.name == "dark")
    assert hands.window.theme.metrics.touch > before
    assert written(hands.shop)["till"] == {"touch_mm": 15, "theme": "dark"}


async def test_each_tone_is_heard_at_its_key(hands: Hands) -> None:
    await at_page(hands, PageName.LOOK)
    hands.shop.tones.played.clear()
    for button in page_in_front(hands.window.frame, "set.sounds").buttons.values():
        button.click()
    assert hands.shop.tones.played == ["item", "no", "done", "attention"]


async def test_shifts_are_not_put_away_while_one_is_open(hands: Hands) -> None:
    shop = hands.shop
    shop.database.shifts.ensure_open(by="Мира", at=shop.clock.now())
    page = await at_page(hands, PageName.SHIFT)
    only(row_of(page, "shift.use"), DropDown).chosen.emit("off")
    await until(lambda: "Смена је отворена" in page.acts.words)
    assert not page.acts.save.isEnabled()


async def test_what_holds_from_the_next_start_says_so(hands: Hands) -> None:
    page = await at_page(hands, PageName.SHIFT)
    only(row_of(page, "shift.use"), DropDown).chosen.emit("off")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: "кад се каса поново отвори" in page.acts.words)
    assert written(hands.shop)["shift"] == {"use": "off"}
    assert "shift.use" in values.AT_START


async def test_what_the_environment_gives_can_not_be_changed(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POS_APP_SHIFT__ROLL", "25")
    page = await at_page(hands, PageName.SHIFT)
    assert not only(row_of(page, "shift.roll"), Field).isEnabled()
    assert isinstance(row_of(page, "shift.use").part, QAbstractButton)
    assert row_of(page, "shift.use").part.isEnabled()


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
