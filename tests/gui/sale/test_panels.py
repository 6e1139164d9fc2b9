"""Questions in place: quantity, price, suspend, drop, create, menu, keys; notices with their
acts."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from pos_app.cashier.sale import questions
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel, TaxRates
from tests.gui.parts import is_page_in_front, lines_of, page_in_front
from tests.gui.scanner.wedge import Keyboards
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, BUREK, MILK, RATES, Shop
from tests.sweep import each

NOBODYS = "8600999000014"


def f3_changes_the_quantity_of_the_current_line(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.model.entry.enter_code(MILK)
    hands.press("PgUp")
    hands.press("F3")
    panel = page_in_front(hands.window.frame, "ask.quantity")
    assert panel.field.edit.hasFocus()
    hands.type("12")
    hands.press("Enter")
    assert hands.rows()[0] == "12 × Хлеб бели Сава 500 g, 707,88"
    assert hands.model.cart.next_quantity is None


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
    hands.model.entry.enter_code(BREAD)
    hands.press("F3")
    hands.type(typed)
    hands.press("Enter")
    panel = page_in_front(hands.window.frame, "ask.quantity")
    assert panel.field.error() == told
    hands.press("Esc")
    assert hands.rows()[0].startswith("1 ×")


def f3_on_an_empty_cart_is_the_next_quantity(hands: Hands) -> None:
    hands.press("F3")
    assert hands.model.questions.question == questions.NextQuantity()
    hands.type("4")
    hands.press("Enter")
    assert hands.area.sale.search.next.accessibleName().endswith("4")
    hands.tap_article(BREAD)
    assert hands.rows()[0].startswith("4 ×")
    assert hands.area.sale.search.next.accessibleName().endswith("1")


def a_quantity_is_asked_for_in_the_words_of_its_unit(hands: Hands) -> None:
    asked = []
    titles = ("ask.next", "ask.quantity", "ask.quantity")
    for code, title in zip(("", BREAD, BANANA_WEIGHED), titles, strict=True):
        if code:
            hands.model.entry.enter_code(code)
        hands.press("F3")
        panel = page_in_front(hands.window.frame, title)
        asked.append(panel.field.edit.accessibleName())
        hands.press("Esc")
    assert asked == ["Колико комада?", "Колико комада?", "Колико килограма?"]


def a_price_of_more_than_twelve_digits_is_refused_at_its_field(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    panel.segment.set_current(2)
    panel.field.set_text("1234567890123")
    hands.press("Enter")
    assert panel.field.error() == "Број је превелик"
    assert hands.total() == "Укупно 58,99 РСД"


def hold_and_recall_with_the_count_on_the_key(hands: Hands) -> None:
    button = hands.area.sale.bar.buttons["F6"]
    hands.model.entry.enter_code(BREAD)
    hands.press("F6")
    assert button.accessibleName() == "Узми 1"
    hands.model.entry.enter_code(MILK)
    assert button.accessibleName() == "Остави 1"
    hands.press("F6")
    assert button.accessibleName() == "Узми 2"
    hands.tap(button)
    hands.type("1")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    assert button.accessibleName() == "Остави 1"


def a_removed_line_is_struck_and_put_back_by_touch(hands: Hands) -> None:
    for code in (BREAD, MILK, BUREK):
        hands.model.entry.enter_code(code)
    hands.tap_cart("", 1)
    hands.tap_cart("remove", 1)
    assert len(hands.rows()) == 3
    assert hands.total() == "Укупно 223,99 РСД"
    hands.tap_cart("restore", 1)
    assert hands.total() == "Укупно 363,98 РСД"


def a_removed_line_comes_back_from_the_menu_until_the_sale_ends(hands: Hands) -> None:
    for code in (BREAD, MILK):
        hands.model.entry.enter_code(code)
    hands.tap_cart("remove", 1)
    hands.model.entry.enter_code(BUREK)
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
    hands.model.entry.enter_code(BREAD)
    hands.press("F9")
    hands.type("5")
    assert hands.button("Изаберите разлог").isVisible()
    hands.press("Enter")
    assert hands.rows()
    hands.tap_words("Купац је одустао")
    assert hands.rows() == []


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
    assert hands.ticket.cart.active[0].article.frozen.label is TaxLabel.E
    hands.scan(NOBODYS)
    assert hands.rows() == ["2 × Чај од нане, 398,00"]


async def test_a_new_article_has_the_rates_that_the_processor_tells(hands: Hands) -> None:
    hands.model.questions.ask(questions.NewArticle(NOBODYS))
    assert [one.spec.words for one in choices_of(hands)] == [
        "Ђ 20\xa0%",
        "Е 10\xa0%",
        "Г 0\xa0%",
        "А —",
    ]
    hands.press("Esc")
    hands.shop.server.rates = (TaxRates(RATES.valid_from, {"Ђ": Decimal(22), "Е": Decimal("8.5")}),)
    await hands.shop.serve()
    hands.model.questions.ask(questions.NewArticle(NOBODYS))
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
    panel.name.set_text("Шнала " * 500)
    panel.price.set_text("250")
    panel.answer()
    assert panel.name.error()


def a_typed_key_goes_to_the_search_from_anywhere(hands: Hands) -> None:
    hands.area.sale.bar.buttons["F9"].setFocus()
    hands.type("sir")
    assert hands.area.sale.search.text() == "sir"


def test_a_serbian_keyboard_searches_in_cyrillic(hands: Hands) -> None:
    hands.keys = Keyboards(layout="rs-cyrillic", now=hands.keys.now)
    hands.type("сир")
    assert hands.area.sale.search.text() == "сир"
    hands.scan("8609910700134")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


def a_bar_code_typed_as_a_quantity_is_asked_about_and_no_scanner_agrees(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
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


def test_a_bar_code_typed_as_cash_received_is_asked_about(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.type("86099107")
    hands.pad("+")
    assert is_page_in_front(hands.window.frame, "sure.title")
    hands.scan("8609951100139")
    hands.press("F12")
    assert hands.total() == "Укупно 198,98 РСД"
    assert hands.sale() is None
    hands.shop.pause()
    hands.pad("+")
    hands.press("F12")
    assert hands.sale() is not None
    assert hands.sale().money_taken.tendered.cash == Money(86099107)
    assert hands.area.sale.search.text() == ""


def test_a_held_cart_is_listed_with_the_time_at_which_it_was_held(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.shop.clock.go_on(17 * 60_000)
    hands.press("F6")
    hands.shop.clock.go_on(60_000)
    hands.press("F6")
    assert hands.button("1 ставка · 10:47 · Касир 3").isEnabled()


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
    told = hands.area.sale.search.search.error()
    assert told == f"Испред * иде количина. {why}"
    assert hands.area.sale.picker.rows.window.count > 0
    assert hands.model.cart.next_quantity is None


def digits_that_nobody_has_are_told_as_a_code(hands: Hands) -> None:
    hands.type("99999")
    told = lines_of(hands.area.sale.picker)
    assert told[0] == "Нема артикла са том шифром"


def a_new_article_is_sold_by_the_piece_and_its_unit_stays_chosen(hands: Hands) -> None:
    hands.model.questions.ask(questions.NewArticle(NOBODYS))
    panel = page_in_front(hands.window.frame, "ask.create")
    assert (panel.units.checkedButton().accessibleName(), panel.units.checkedId()) == ("ком", 0)
    unit = panel.units.button(2)
    unit.click()
    symbol = unit.accessibleName()
    hands.window.change(language="en")
    again = page_in_front(hands.window.frame, "ask.create")
    assert again.units.checkedButton().accessibleName() == symbol != ""


def an_open_price_is_asked_for(hands: Hands) -> None:
    """Of an article that has none, and for a code that nobody knows."""
    hands.type("2*")
    hands.model.entry.enter_code("449")
    assert is_page_in_front(hands.window.frame, "ask.price")
    hands.type("120")
    hands.press("Enter")
    assert hands.total() == "Укупно 240,00 РСД"
    hands.scan(NOBODYS)
    hands.tap_words("Продај по унетој цени")
    hands.type("1")
    hands.type("250")
    hands.press("Enter")
    assert hands.total() == "Укупно 490,00 РСД"


@each(
    "step",
    (
        f3_changes_the_quantity_of_the_current_line,
        f3_on_an_empty_cart_is_the_next_quantity,
        a_quantity_is_asked_for_in_the_words_of_its_unit,
        a_price_of_more_than_twelve_digits_is_refused_at_its_field,
        hold_and_recall_with_the_count_on_the_key,
        a_removed_line_is_struck_and_put_back_by_touch,
        a_removed_line_comes_back_from_the_menu_until_the_sale_ends,
        dropping_a_sale_asks_a_reason,
        a_new_article_needs_a_name_and_a_price,
        a_typed_key_goes_to_the_search_from_anywhere,
        a_bar_code_typed_as_a_quantity_is_asked_about_and_no_scanner_agrees,
        digits_that_nobody_has_are_told_as_a_code,
        an_open_price_is_asked_for,
        a_new_article_is_sold_by_the_piece_and_its_unit_stays_chosen,
    ),
)
def test_questions_in_place_and_notices(anew: Anew, step: Callable[[Hands], None]) -> None:
    """Each begins with an empty cart."""
    step(anew.begin())


def test_the_first_article_of_a_shop_is_created_from_its_scan(
    tmp_path: Path, sell_in: Callable[..., Hands]
) -> None:
    shop = Shop(tmp_path / "new")
    hands = sell_in(shop)
    hands.scan(NOBODYS)
    hands.tap_words("Нови артикал")
    panel = page_in_front(hands.window.frame, "ask.create")
    assert "Јединица" not in lines_of(panel)  # it has none yet
    hands.type("hleb")
    hands.press("Enter")
    hands.type("60")
    hands.press("Enter")
    assert hands.rows() == ["1 × hleb, 60,00"]
    assert shop.catalogue.count() == 1
    hands.window.close()
    shop.close()
