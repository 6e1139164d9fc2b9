"""Questions in place: quantity, price, suspend, drop, create, menu, keys; notices with their
acts."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from pos_app.cashier.sale import questions
from pos_app.cashier.texts.lookup import LANGUAGES, Language
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.selling.sale.scan import ScanPurpose
from tests.fakes.people_here import CASHIERS_LACK
from tests.gui.inside import inside
from tests.gui.parts import chips_of, is_page_in_front, lines_of, page_in_front
from tests.gui.scanner.wedge import Keyboards
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, BUREK, MILK, RATES, Shop
from tests.sweep import each, sampled

NOBODYS = "8600999000014"


def f3_changes_the_quantity_of_the_current_line(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    inside(hands.window).model.entry.enter_code(MILK)
    hands.press("PgUp")
    hands.press("F3")
    panel = page_in_front(hands.window.frame, "ask.quantity")
    assert panel.field.edit.hasFocus()
    hands.type("12")
    hands.press("Enter")
    assert hands.rows()[0] == "12 × Хлеб бели Сава 500 g, 707,88"
    assert inside(hands.window).model.cart.next_quantity is None


def digits_before_f3_stand_in_the_question(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.type("5")
    hands.press("F3")
    assert isinstance(inside(hands.window).model.questions.question, questions.LineQuantity)
    hands.press("Enter")
    assert hands.rows()[0].startswith("5 ×")
    assert inside(hands.window).work_area.sale.search.text() == ""


@each(
    ("typed", "told"),
    [
        ("0", "Количина мора бити већа од нуле"),
        (",", "То није број"),
        ("1,2345", "Превише децимала"),
    ],
)
def test_a_wrong_quantity_is_told_at_the_field(anew: Anew, typed: str, told: str) -> None:
    hands = anew.begin()
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F3")
    hands.type(typed)
    hands.press("Enter")
    panel = page_in_front(hands.window.frame, "ask.quantity")
    assert panel.field.error() == told
    hands.press("Esc")
    assert hands.rows()[0].startswith("1 ×")


def f3_on_an_empty_cart_is_the_next_quantity(hands: Hands) -> None:
    hands.press("F3")
    assert inside(hands.window).model.questions.question == questions.NextQuantity()
    hands.type("4")
    hands.press("Enter")
    assert inside(hands.window).work_area.sale.search.next.accessibleName().endswith("4")
    hands.tap_article(BREAD)
    assert hands.rows()[0].startswith("4 ×")
    assert inside(hands.window).work_area.sale.search.next.accessibleName().endswith("1")


def a_quantity_is_asked_for_in_the_words_of_its_unit(hands: Hands) -> None:
    asked = []
    titles = ("ask.next", "ask.quantity", "ask.quantity")
    for code, title in zip(("", BREAD, BANANA_WEIGHED), titles, strict=True):
        if code:
            inside(hands.window).model.entry.enter_code(code)
        hands.press("F3")
        panel = page_in_front(hands.window.frame, title)
        asked.append(panel.field.edit.accessibleName())
        hands.press("Esc")
    assert asked == ["Колико комада?", "Колико комада?", "Колико kg?"]


def f4_gives_a_discount_and_takes_it_back(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code("20")
    hands.press("F4")
    assert isinstance(inside(hands.window).model.questions.question, questions.LinePrice)
    hands.type("20")
    hands.press("Enter")
    assert hands.rows() == ["1 × Кафа млевена Златна 200 g, 279,99"]
    hands.press("F4")
    hands.tap_words("Без попуста")
    assert hands.rows() == ["1 × Кафа млевена Златна 200 g, 349,99"]


def f4_sets_a_price_by_the_second_part(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code("20")
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    hands.choose(panel.segment, 2)
    hands.type("300")
    hands.press("Enter")
    assert hands.total() == "Укупно 300,00 РСД"


def a_discount_above_a_hundred_is_told_at_the_field(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code("20")
    hands.press("F4")
    hands.type("101")
    hands.press("Enter")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    assert panel.field.error() == "Попуст мора бити између 0 и 100 %"


def a_price_of_more_than_twelve_digits_is_refused_at_its_field(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    panel.segment.set_current(2)
    panel.field.set_text("1234567890123")
    hands.press("Enter")
    assert panel.field.error() == "Број је превелик"
    assert hands.total() == "Укупно 58,99 РСД"


def hold_and_recall_with_the_count_on_the_key(hands: Hands) -> None:
    button = inside(hands.window).work_area.sale.bar.buttons["F6"]
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F6")
    assert button.accessibleName() == "Узми 1"
    inside(hands.window).model.entry.enter_code(MILK)
    assert button.accessibleName() == "Остави 1"
    hands.press("F6")
    assert button.accessibleName() == "Узми 2"
    hands.tap(button)
    hands.type("1")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    assert button.accessibleName() == "Остави 1"


def a_removed_line_is_struck_and_put_back_by_touch(hands: Hands) -> None:
    for code in (BREAD, MILK, BUREK):
        inside(hands.window).model.entry.enter_code(code)
    hands.tap_cart("", 1)
    hands.tap_cart("remove", 1)
    assert len(hands.rows()) == 3
    assert hands.total() == "Укупно 223,99 РСД"
    hands.tap_cart("restore", 1)
    assert hands.total() == "Укупно 363,98 РСД"


def a_removed_line_comes_back_from_the_menu_until_the_sale_ends(hands: Hands) -> None:
    for code in (BREAD, MILK):
        inside(hands.window).model.entry.enter_code(code)
    hands.tap_cart("remove", 1)
    inside(hands.window).model.entry.enter_code(BUREK)
    assert len(hands.rows()) == 2
    hands.press("F9")
    hands.type("3")
    hands.tap_words("1 × 139,99: Млеко")
    assert [row.split(",")[0] for row in hands.rows()] == [
        "1 × Хлеб бели Сава 500 g",
        "1 × Млеко свеже 2",
        "1 × Бурек са сиром 250 g",
    ]


def dropping_a_sale_asks_a_reason(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F9")
    hands.type("6")
    assert not hands.button("Одустани").isEnabled()
    hands.press("Enter")
    assert hands.rows()
    hands.tap_words("Купац је одустао")
    assert hands.rows() == []


def price_and_take_off_by_the_menu(hands: Hands) -> None:
    hands.press("F9")
    hands.type("1")
    assert inside(hands.window).model.cart.purpose is ScanPurpose.SHOW_PRICE
    assert (
        inside(hands.window).work_area.sale.search.search.edit.placeholderText().startswith("Цена?")
    )
    hands.scan("8609910700134")
    assert hands.notice().startswith("Хлеб бели Сава 500 g: 58,99")
    assert hands.rows() == []
    hands.scan("8609910700134")
    assert hands.notice() == ""
    hands.press("F9")
    hands.type("2")
    hands.scan("8609910700134")
    assert hands.total() == "Укупно 0,00 РСД"
    assert inside(hands.window).model.cart.purpose is ScanPurpose.ADD


def test_an_unknown_code_is_created_by_a_manager(hands: Hands) -> None:
    hands.scan(NOBODYS)
    assert hands.notice().startswith(f"Нема артикла са кодом {NOBODYS}")
    assert hands.shop.tones.played == ["no"]
    hands.tap_words("Нови артикал")
    panel = page_in_front(hands.window.frame, "ask.create")
    panel.name.set_text("Чај од нане")
    hands.press("Enter")
    assert panel.price.edit.hasFocus()
    hands.type("199")
    hands.tap_words("Е 10")
    panel.price.edit.setFocus()
    hands.press("Enter")
    assert hands.rows() == ["1 × Чај од нане, 199,00"]
    assert inside(hands.window).model.cart.ticket.cart.active[0].article.frozen.label is TaxLabel.E
    hands.scan(NOBODYS)
    assert hands.rows() == ["2 × Чај од нане, 398,00"]


async def test_a_new_article_has_the_rates_that_the_processor_tells(hands: Hands) -> None:
    inside(hands.window).model.questions.ask(questions.NewArticle(NOBODYS))
    assert [one.spec.words for one in choices_of(hands)] == [
        "Ђ 20\xa0%",
        "Е 10\xa0%",
        "Г 0\xa0%",
        "А —",
    ]
    hands.press("Esc")
    hands.shop.server.rates = (TaxRates(RATES.valid_from, {"Ђ": Decimal(22), "Е": Decimal("8.5")}),)
    await hands.shop.serve()
    inside(hands.window).model.questions.ask(questions.NewArticle(NOBODYS))
    assert [one.spec.words for one in choices_of(hands)] == [
        "Ђ 22\xa0%",
        "Е 8,5\xa0%",
        "Г 0\xa0%",
        "А —",
    ]


def choices_of(hands: Hands) -> list[Button]:
    panel = page_in_front(hands.window.frame, "ask.create")
    return [one for one in panel.labels.buttons() if isinstance(one, Button)]


def a_new_article_needs_a_name_and_a_price(hands: Hands) -> None:
    hands.scan(NOBODYS)
    hands.tap_words("Нови артикал")
    panel = page_in_front(hands.window.frame, "ask.create")
    panel.answer()
    assert panel.name.error() == "Упишите назив"
    panel.name.set_text("Чај")
    panel.answer()
    assert panel.price.error() == "То није број"


def test_a_cashier_sells_an_unknown_code_at_an_open_price(
    shop_data: Path, sell_in: Callable[..., Hands]
) -> None:
    shop = Shop(shop_data, forbids=CASHIERS_LACK)
    hands = sell_in(shop)
    hands.scan(NOBODYS)
    hands.tap_words("Продај по унетој цени")
    hands.type("2")
    hands.type("250")
    hands.press("Enter")
    assert hands.total() == "Укупно 250,00 РСД"
    hands.window.close()
    shop.close()


def notices_stay_until_read_and_count_each_other(hands: Hands) -> None:
    hands.scan(NOBODYS)
    hands.scan("8600999000021")
    hands.scan("8609910700134")
    assert hands.notice().startswith("Нема артикла са кодом 8600999000021 · Још 1 код није додат ")
    hands.press("Esc")
    assert hands.notice().startswith(f"Нема артикла са кодом {NOBODYS} Ништа")
    hands.press("Esc")
    assert hands.notice() == ""
    assert len(hands.rows()) == 1


def escape_goes_back_step_by_step_and_destroys_nothing(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.press("Esc")
    assert not inside(hands.window).work_area.is_paying
    hands.type("3*")
    hands.type("si")
    for _ in range(6):
        hands.press("Esc")
    assert len(hands.rows()) == 1
    assert inside(hands.window).model.cart.next_quantity is None


@each(("key", "question"), [("F1", questions.KeysOfScreen()), ("F9", questions.More())])
def test_menus_open_and_close(anew: Anew, key: str, question: object) -> None:
    hands = anew.begin()
    hands.press(key)
    assert inside(hands.window).model.questions.question == question
    hands.press("Esc")
    assert inside(hands.window).model.questions.question is None
    assert inside(hands.window).work_area.sale.search.search.edit.hasFocus()


def test_the_language_changes_at_once_and_names_stay(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F9")
    hands.tap_words("Језик: English")
    assert hands.total() == "Total 58,99 RSD"
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    hands.press("F9")
    hands.tap_words("Language: Latinica")
    hands.press("Esc")
    assert hands.button("Naplata").isVisible()
    assert (
        chips_of(inside(hands.window).work_area.sale.picker.chips)[0].accessibleName() == "Omiljeno"
    )


def test_picker_and_theme_are_switched_in_the_menu(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("до краја рада: Артикли као листа")
    picker = inside(hands.window).work_area.sale.picker
    assert picker.view is picker.list
    hands.press("F9")
    hands.tap_words("Изглед: Тамни изглед")
    assert hands.window.theme.palette.name == "dark"


def a_typed_key_goes_to_the_search_from_anywhere(hands: Hands) -> None:
    inside(hands.window).work_area.sale.bar.buttons["F9"].setFocus()
    hands.type("sir")
    assert inside(hands.window).work_area.sale.search.text() == "sir"


def test_a_serbian_keyboard_searches_in_cyrillic(hands: Hands) -> None:
    hands.keys = Keyboards(layout="rs-cyrillic", now=hands.keys.now)
    hands.type("сир")
    assert inside(hands.window).work_area.sale.search.text() == "сир"
    hands.scan("8609910700134")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


def a_bar_code_typed_as_a_quantity_is_asked_about_and_no_scanner_agrees(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F3")
    hands.type("86099107")
    hands.press("Enter")
    panel = page_in_front(hands.window.frame, "sure.title")
    assert panel.confirm.accessibleName().startswith("Количина је необично велика 86.099.107 ком")
    hands.scan("8609951100139")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    hands.press("Enter")
    assert is_page_in_front(hands.window.frame, "ask.quantity")
    hands.type("2")
    hands.press("Enter")
    assert hands.rows() == ["2 × Хлеб бели Сава 500 g, 117,98", "1 × Млеко свеже 2,8 % 1 l, 139,99"]


@each("how", ["F12", "a finger"])
def test_a_large_quantity_that_is_right(anew: Anew, how: str) -> None:
    hands = anew.begin()
    hands.type("1500*")
    assert is_page_in_front(hands.window.frame, "sure.title")
    if how == "F12":
        hands.press("F12")
    else:
        hands.tap_words("Тачно је")
    hands.scan("8609910700134")
    assert hands.rows() == ["1.500 × Хлеб бели Сава 500 g, 88.485,00"]


def test_a_bar_code_typed_as_cash_received_is_asked_about(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.type("86099107")
    hands.pad("+")
    assert is_page_in_front(hands.window.frame, "sure.title")
    hands.scan("8609951100139")
    hands.press("F12")
    assert hands.total() == "Укупно 198,98 РСД"
    assert inside(hands.window).model.confirmation.last is None
    hands.shop.pause()
    hands.pad("+")
    hands.press("F12")
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.confirmation.last.money_taken.tendered.cash == Money(86099107)
    assert inside(hands.window).work_area.sale.search.text() == ""


def test_a_held_cart_is_listed_with_the_time_at_which_it_was_held(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.shop.clock.go_on(17 * 60_000)
    hands.press("F6")
    hands.shop.clock.go_on(60_000)
    hands.press("F6")
    assert hands.button("1 ставка · 10:47 · Касир 3").isEnabled()


def nothing_typed_goes_from_one_cart_to_another_or_through_the_payment(hands: Hands) -> None:
    search = inside(hands.window).work_area.sale.search
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.type("sir")
    hands.press("F6")
    assert search.text() == ""
    inside(hands.window).model.entry.enter_code(MILK)
    hands.type("sir")
    hands.press("F12")
    hands.press("Esc")
    assert (search.text(), len(hands.rows())) == ("", 1)
    hands.type("12")
    held = inside(hands.window).model.cart.suspended()
    inside(hands.window).model.cart.recall(held[0].id)
    assert (search.text(), hands.total()) == ("", "Укупно 58,99 РСД")


@each(
    ("typed", "why"),
    [
        ("0*", "Количина мора бити већа од нуле"),
        ("0*1", "Количина мора бити већа од нуле"),
        ("0,0001*", "Превише децимала"),
        ("0,0001*1", "Превише децимала"),
        ("8609910700134*", "Број је превелик"),
    ],
)
def test_what_is_no_quantity_is_told(anew: Anew, typed: str, why: str) -> None:
    hands = anew.begin()
    hands.type(typed)
    hands.press("Enter")
    told = inside(hands.window).work_area.sale.search.search.error()
    assert told == f"Испред * иде количина. {why}"
    assert inside(hands.window).work_area.sale.picker.rows.window.count > 0
    assert inside(hands.window).model.cart.next_quantity is None


def digits_that_nobody_has_are_told_as_a_code(hands: Hands) -> None:
    hands.type("99999")
    told = lines_of(inside(hands.window).work_area.sale.picker)
    assert told[0] == "Нема артикла са том шифром"


@each(
    "step",
    (
        f3_changes_the_quantity_of_the_current_line,
        digits_before_f3_stand_in_the_question,
        f3_on_an_empty_cart_is_the_next_quantity,
        a_quantity_is_asked_for_in_the_words_of_its_unit,
        f4_gives_a_discount_and_takes_it_back,
        f4_sets_a_price_by_the_second_part,
        a_discount_above_a_hundred_is_told_at_the_field,
        a_price_of_more_than_twelve_digits_is_refused_at_its_field,
        hold_and_recall_with_the_count_on_the_key,
        a_removed_line_is_struck_and_put_back_by_touch,
        a_removed_line_comes_back_from_the_menu_until_the_sale_ends,
        dropping_a_sale_asks_a_reason,
        price_and_take_off_by_the_menu,
        a_new_article_needs_a_name_and_a_price,
        notices_stay_until_read_and_count_each_other,
        escape_goes_back_step_by_step_and_destroys_nothing,
        a_typed_key_goes_to_the_search_from_anywhere,
        a_bar_code_typed_as_a_quantity_is_asked_about_and_no_scanner_agrees,
        nothing_typed_goes_from_one_cart_to_another_or_through_the_payment,
        digits_that_nobody_has_are_told_as_a_code,
    ),
)
def test_questions_in_place_and_notices(anew: Anew, step: Callable[[Hands], None]) -> None:
    """Each begins with an empty cart."""
    step(anew.begin())


# --- a new article in another language, and in a shop without any --------------------------------


@pytest.mark.parametrize("language", sampled(LANGUAGES))
def test_a_new_article_is_sold_by_the_piece_in_each_language(
    hands: Hands, language: Language
) -> None:
    hands.window.change(language=language)
    inside(hands.window).model.questions.ask(questions.NewArticle(NOBODYS))
    panel = page_in_front(hands.window.frame, "ask.create")
    chosen = panel.units.checkedButton()
    assert (chosen.accessibleName(), panel.units.checkedId()) == ("ком", 0)


def test_the_unit_stays_chosen_when_the_language_changes(hands: Hands) -> None:
    inside(hands.window).model.questions.ask(questions.NewArticle(NOBODYS))
    panel = page_in_front(hands.window.frame, "ask.create")
    unit = panel.units.button(2)
    unit.click()
    symbol = unit.accessibleName()
    hands.window.change(language="en")
    again = page_in_front(hands.window.frame, "ask.create")
    assert again.units.checkedButton().accessibleName() == symbol != ""


def test_the_first_article_of_a_shop_is_created_from_its_scan(
    tmp_path: Path, sell_in: Callable[..., Hands]
) -> None:
    shop = Shop(tmp_path / "new")
    hands = sell_in(shop)
    hands.scan(NOBODYS)
    hands.tap_words("Нови артикал")
    panel = page_in_front(hands.window.frame, "ask.create")
    shown = [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
    assert "Јединица" not in shown  # it has none yet
    hands.type("hleb")
    hands.press("Enter")
    hands.type("60")
    hands.press("Enter")
    assert hands.rows() == ["1 × hleb, 60,00"]
    assert shop.catalogue.count() == 1
    hands.window.close()
    shop.close()
