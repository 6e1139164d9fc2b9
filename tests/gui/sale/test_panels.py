"""Questions in place, and what was typed into one that is asked again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

from pos_app.cashier.sale import questions
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.field import Field
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.gui.parts import is_page_in_front, lines_of, only, page_in_front
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA, BREAD, BUREK, MILK, Shop
from tests.sweep import each

NOBODYS, FREE = "8600999000014", "8600999000021"
EMPTY = "Корпа је празна"


def is_order(hands: Hands, words: str) -> bool:
    """Whether the big button with these words is plain, because something is missing."""
    button = hands.button(words)
    assert isinstance(button, BigButton)
    return button.is_missing


def f3_changes_the_quantity_of_the_current_line(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.model.entry.enter_code(MILK)
    hands.press("PgUp", "F3")
    panel = page_in_front(hands.window.frame, "ask.quantity")
    assert panel.field.edit.hasFocus()
    hands.type("1a")
    assert (panel.field.text(), hands.shop.tones.played[-1]) == ("1", "no")
    assert "само број" in panel.field.edit.accessibleDescription()
    hands.press("#2", "Enter")
    assert hands.rows()[0] == "12 × Хлеб бели Сава 500 g, 707,88"
    assert hands.model.cart.next_quantity is None


def a_usual_discount_of_a_line_is_one_tap(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    hands.choose(panel.segment, 1)
    hands.tap_words("Попуст и цена 10\u00a0%")
    assert (panel.field.text(), panel.reckoning.total()) == ("10", "53,09")
    hands.press("Enter")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 53,09"]


def a_wrong_discount_of_a_line_is_an_order(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F4", "#101")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    assert is_order(hands, "Исправите број")
    assert panel.reckoning.total() == "–"
    hands.press("Backspace")
    assert not is_order(hands, "Промени")
    assert panel.reckoning.total() == "53,09"
    hands.press("Esc")


def f3_on_an_empty_cart_is_the_next_quantity(hands: Hands) -> None:
    hands.press("F3")
    assert hands.model.questions.question == questions.NextQuantity()
    hands.press("#4", "Enter")
    assert hands.area.sale.search.next.accessibleName().endswith("4")
    hands.tap_article(BREAD)
    assert hands.rows()[0].startswith("4 ×")
    assert hands.area.sale.search.next.accessibleName().endswith("1")


def a_removed_line_comes_back_from_the_menu_until_the_sale_ends(hands: Hands) -> None:
    for code in (BREAD, MILK):
        hands.model.entry.enter_code(code)
    hands.tap_cart("remove", 1)
    hands.model.entry.enter_code(BUREK)
    assert len(hands.rows()) == 2
    hands.press("F9")
    menu = page_in_front(hands.window.frame, "ask.more")
    for key, row in (("End", -1), ("Home", 0)):
        hands.press(key)
        assert menu.buttons[row].hasFocus()
    hands.press("#3")
    hands.tap_words("1 × 139,99: Млеко")
    assert [row.split(",")[0] for row in hands.rows()] == [
        "1 × Хлеб бели Сава 500 g",
        "1 × Млеко свеже 2",
        "1 × Бурек са сиром 250 g",
    ]


def dropping_a_sale_asks_a_reason(hands: Hands) -> None:
    hands.press("F9")
    menu = page_in_front(hands.window.frame, "ask.more")
    off = [one.accessibleName() for one in menu.buttons if one.toolTip() == EMPTY]
    assert ["Одбаци корпу" in one for one in off] == [False, True]
    assert not any(one.isEnabled() for one in menu.buttons if one.toolTip() == EMPTY)
    hands.press("Esc")
    hands.model.entry.enter_code(BREAD)
    hands.press("F9", "#5")
    assert hands.button("Изаберите разлог").isVisible()
    hands.press("Enter")
    assert hands.rows()
    panel = page_in_front(hands.window.frame, "ask.drop")
    for _ in range(2):  # a second tap on the reason does nothing more
        hands.tap_words("Купац је одустао")
        assert hands.rows()
        assert [button.isChecked() for button in panel.reasons] == [True, False, False]
        assert panel.field.text() == "", "the field is for other words"
    hands.press("#20")
    assert panel.field.error() == "Овде иде разлог: 1–3 или речима"
    assert not any(button.isChecked() for button in panel.reasons), "it was a number"
    hands.press("#2")
    assert [button.isChecked() for button in panel.reasons] == [False, True, False]
    assert (panel.yes.kind, panel.safe.kind) == (ButtonKind.DANGER, ButtonKind.PLAIN)
    assert panel.safe.geometry().right() < panel.yes.geometry().left()
    panel.safe.setFocus()
    hands.press("Enter")
    assert hands.rows()
    hands.press("F9", "#5")
    assert page_in_front(hands.window.frame, "ask.drop").reasons[1].isChecked()
    hands.tap_words("Одбаци корпу")
    assert hands.rows() == []


def a_drop_takes_a_digit_and_enter(hands: Hands) -> None:
    """By keys, and by a tap on the reason with Enter after it."""
    for choose in (lambda: hands.press("#3"), lambda: hands.tap_words("Погрешно откуцано")):
        hands.model.entry.enter_code(BREAD)
        hands.press("F9", "#5")
        choose()
        hands.press("Enter")
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


def a_new_article_needs_a_name_and_a_price(hands: Hands) -> None:
    hands.scan(NOBODYS)
    hands.tap_words("Нови артикал")
    panel = page_in_front(hands.window.frame, "ask.create")
    panel.answer()
    assert panel.name.error() == "Упишите назив"
    panel.name.set_text("Чај")
    assert is_order(hands, "Упишите цену")
    hands.press("Enter")
    assert panel.price.edit.hasFocus()
    hands.press("#,")
    assert is_order(hands, "Исправите цену")
    hands.press("Enter")
    assert panel.price.error() == "То није број"
    panel.name.set_text("Шнала " * 500)
    panel.price.set_text("250")
    panel.answer()
    assert panel.name.error()


def a_bar_code_typed_as_a_quantity_is_asked_about_and_no_scanner_agrees(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3", "#86099107", "Enter")
    panel = page_in_front(hands.window.frame, "sure.title")
    assert panel.confirm.accessibleName().startswith("Количина је необично велика 86.099.107 ком")
    hands.scan("8609951100139")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    hands.press("Enter")
    assert is_page_in_front(hands.window.frame, "ask.quantity")
    hands.press("#2", "Enter")
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
    hands.pay("+")
    hands.press("F12")
    assert hands.sale() is not None
    assert hands.sale().money_taken.tendered.cash == Money(86099107)
    assert hands.area.sale.search.text() == ""


@each(
    ("typed", "why"),
    [
        ("0*1", "Количина мора бити већа од нуле"),
        ("0,0001*", "Превише децимала"),
        ("8609910700134*", "Број је превелик"),
    ],
)
def test_what_is_no_quantity_is_told(anew: Anew, typed: str, why: str) -> None:
    hands = anew.begin()
    hands.press(f"#{typed}", "Enter")
    told = hands.area.sale.search.search.error()
    assert told == f"Испред * иде количина. {why}"
    assert hands.area.sale.picker.rows.window.count > 0
    assert hands.model.cart.next_quantity is None


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
    hands.press("#120", "Enter")
    assert hands.total() == "Укупно 240,00 РСД"
    hands.scan(NOBODYS)
    hands.tap_words("Продај по унетој цени")
    hands.press("#1", "#250", "Enter")
    assert hands.total() == "Укупно 490,00 РСД"


def a_price_of_nothing_is_asked_about_once_a_cart(hands: Hands) -> None:
    """When its article is made, when it is entered, and when it is typed."""

    def is_asked() -> bool:
        return is_page_in_front(hands.window.frame, "sure.title")

    hands.scan(FREE)
    hands.tap_words("Нови артикал")
    hands.press("#zvrk", "Enter", "#0", "Enter")
    told = page_in_front(hands.window.frame, "sure.title").confirm.accessibleName()
    assert told == "Цена је нула: даје се бесплатно 0,00"
    hands.press("Enter")
    assert page_in_front(hands.window.frame, "ask.create").price.text() == "0"
    assert hands.shop.catalogue.count("zvrk") == 0
    hands.press("Enter", "F12")
    assert (is_asked(), hands.rows()) == (False, ["1 × zvrk, 0,00"])
    hands.scan(FREE)
    assert (is_asked(), hands.rows()) == (False, ["2 × zvrk, 0,00"])
    hands.press("Del")
    hands.scan(FREE, "8609910700134")
    assert (is_asked(), hands.rows()) == (True, ["2 × zvrk, 0,00"])
    hands.tap_words("Не додај")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    hands.press("F4")
    hands.choose(page_in_front(hands.window.frame, "ask.price_head").segment, 2)
    hands.press("#0", "Enter")
    assert is_asked()
    hands.press("Enter")
    assert is_page_in_front(hands.window.frame, "ask.price_head")
    hands.press("Esc")
    hands.model.entry.enter_code("449")
    hands.press("#0", "Enter")
    assert is_asked()
    hands.press("Esc", "Esc")
    assert hands.total() == "Укупно 58,99 РСД"


@each(
    "step",
    [
        f3_changes_the_quantity_of_the_current_line, f3_on_an_empty_cart_is_the_next_quantity,
        a_removed_line_comes_back_from_the_menu_until_the_sale_ends, dropping_a_sale_asks_a_reason,
        a_drop_takes_a_digit_and_enter,
        a_usual_discount_of_a_line_is_one_tap,
        a_new_article_needs_a_name_and_a_price, a_wrong_discount_of_a_line_is_an_order,
        a_bar_code_typed_as_a_quantity_is_asked_about_and_no_scanner_agrees,
        an_open_price_is_asked_for, a_price_of_nothing_is_asked_about_once_a_cart,
        a_new_article_is_sold_by_the_piece_and_its_unit_stays_chosen,
    ],
)  # fmt: skip
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
    hands.press("#hleb", "Enter", "#60", "Enter")
    assert hands.rows() == ["1 × hleb, 60,00"]
    assert shop.catalogue.count() == 1
    hands.window.close()
    shop.close()


Ask = Callable[[Hands], object]


def field(hands: Hands) -> str:
    panel = hands.area.panel
    assert panel is not None
    return only(panel, Field).text()


def drop(hands: Hands) -> None:
    hands.model.questions.ask(questions.VoidQuestion())


ASKED: dict[str, tuple[Ask, str, str]] = {
    "F3": (lambda hands: hands.press("F3"), "7", "7"),
    "F4": (lambda hands: hands.press("F4"), "15", "15"),
    "next": (lambda hands: hands.model.questions.ask(questions.NextQuantity()), "4", "4"),
    "weighed": (lambda hands: hands.model.entry.enter_code(BANANA), "0,412", "0,412"),
    "drop": (drop, "ode", "ode"),
}


@each(("ask", "typed", "stands"), ASKED.values())
def test_what_was_typed_stands_there_again(anew: Anew, ask: Ask, typed: str, stands: str) -> None:
    hands = anew.begin()
    hands.model.entry.enter_code(BREAD)
    before = (hands.rows(), hands.total())
    ask(hands)
    hands.press(f"#{typed}", "Esc")
    assert hands.model.questions.question is None
    assert (hands.rows(), hands.total()) == before
    ask(hands)
    assert field(hands) == stands
    hands.press("Esc")
    ask(hands)
    assert field(hands) == stands


def what_was_answered_is_asked_afresh(hands: Hands) -> None:
    for key, typed, after in (("F3", "7", "7"), ("F4", "15", "")):
        hands.model.entry.enter_code(BREAD)
        hands.press(key, f"#{typed}", "Esc", key, "Enter")
        assert hands.model.questions.question is None
        hands.press(key)
        assert field(hands) == after
        hands.press("Esc", "F6")


def a_line_that_has_changed_meanwhile_is_asked_afresh(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3", "#7", "Esc")
    hands.model.entry.enter_code(BREAD)
    hands.press("F3")
    assert field(hands) == "2"


def another_cart_is_asked_afresh_and_the_first_is_not(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    drop(hands)
    hands.press("#ode", "Esc", "F6")
    hands.model.entry.enter_code(BREAD)
    drop(hands)
    assert field(hands) == ""
    hands.press("Esc")
    first = hands.model.cart.suspended()[0].id
    hands.model.cart.recall(first)
    drop(hands)
    assert field(hands) == "ode"


def the_new_price_is_still_a_price(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    hands.choose(panel.segment, 2)
    hands.press("#49,99", "Esc", "F4")
    again = page_in_front(hands.window.frame, "ask.price_head")
    assert (again.segment.current(), field(hands)) == (2, "49,99")
    hands.press("Enter")
    assert hands.total() == "Укупно 49,99 РСД"


def a_new_article_keeps_all_its_fields(hands: Hands) -> None:
    question = questions.NewArticle("8600999000014")
    hands.model.questions.ask(question)
    panel = page_in_front(hands.window.frame, "ask.create")
    panel.name.set_text("Со")
    panel.price.set_text("55")
    panel.labels.button(2).setChecked(True)
    kept = panel.entries()
    hands.press("Esc")
    hands.model.questions.ask(question)
    again = page_in_front(hands.window.frame, "ask.create")
    assert again.entries() == kept
    hands.press("Esc")
    hands.model.questions.ask(questions.NewArticle("8600999000021"))
    other = page_in_front(hands.window.frame, "ask.create")
    assert other.name.text() == ""


def back_from_a_doubted_number_is_one_step_with_the_number_in_it(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3", "#86009990", "Enter")
    assert isinstance(hands.model.questions.question, questions.UnusualAmountQuestion)
    hands.press("Esc")
    assert isinstance(hands.model.questions.question, questions.LineQuantity)
    assert field(hands) == "86009990"
    hands.press("Esc")
    assert hands.model.questions.question is None


def a_discount_on_the_receipt_waits_for_its_enter(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F12", "F4", "#10", "Esc")
    assert hands.total() == "Укупно 58,99 РСД"
    hands.press("F4", "Enter")
    assert hands.total() == "Укупно 53,09 РСД"


ANSWERED: dict[str, tuple[Ask, str]] = {
    name: (ASKED[name][0], ASKED[name][1]) for name in ("F3", "F4", "weighed", "drop")
}


@each(("ask", "typed"), ANSWERED.values())
def test_what_could_not_be_stored_is_not_lost(anew: Anew, ask: Ask, typed: str) -> None:
    hands = anew.begin()
    hands.model.entry.enter_code(BREAD)
    before = (hands.rows(), hands.total())
    ask(hands)
    hands.type(typed)
    full = apsw.FullError("database or disk is full")
    with refused(connection_of(hands.shop.database.sales), full):
        hands.press("Enter")
    assert hands.notice().startswith("Нема места на диску")
    assert (hands.rows(), hands.total()) == before
    if hands.model.questions.question is None:
        ask(hands)
    assert field(hands) == typed
    hands.press("Enter")
    assert (hands.rows(), hands.total()) != before


@each(
    "act",
    [
        what_was_answered_is_asked_afresh, a_line_that_has_changed_meanwhile_is_asked_afresh,
        another_cart_is_asked_afresh_and_the_first_is_not,
        the_new_price_is_still_a_price,
        a_new_article_keeps_all_its_fields,
        back_from_a_doubted_number_is_one_step_with_the_number_in_it,
        a_discount_on_the_receipt_waits_for_its_enter,
    ],
)  # fmt: skip
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
