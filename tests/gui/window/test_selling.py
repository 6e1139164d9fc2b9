"""A sale by keyboard alone, by touch alone, and by scanner: each to its receipt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.window import shop
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, seen
from tests.sweep import each, sampled


async def test_one_key_ends_a_sale_of_scanned_items(hands: Hands) -> None:
    hands.scan("8609910700134")
    hands.scan("8609951100139")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99", "1 × Млеко свеже 2,8 % 1 l, 139,99"]
    assert hands.total() == "Укупно 198,98 РСД"

    hands.shop.pause()
    hands.pad("+")
    sale = inside(hands.window).model.confirmation.last
    assert sale is not None
    assert (sale.state, sale.total, sale.money_taken.tendered.cash) == (
        SaleState.FROZEN,
        Money("198.98"),
        Money(199),
    )
    assert hands.rows() == []

    await hands.shop.serve()
    await seen()
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.confirmation.last.state is SaleState.DONE
    assert "ABCD1234-ABCD1234-1" in inside(hands.window).cart.large.accessibleName()
    assert hands.shop.tones.played == ["item", "item", "done"]


@pytest.mark.parametrize(
    ("key", "method"),
    [(Qt.Key.Key_Plus, PaymentMethod.CASH), (Qt.Key.Key_Minus, PaymentMethod.CARD)],
)
def test_the_pads_keys_pay_as_the_platform_sends_them(
    hands: Hands, key: Qt.Key, method: PaymentMethod
) -> None:
    hands.scan("8609910700134")
    hands.shop.pause()
    pad = Qt.KeyboardModifier.KeypadModifier
    QTest.keyClick(hands.window.windowHandle(), key, pad)
    hands.filter.decide_now()
    sale = inside(hands.window).model.confirmation.last
    assert sale is not None
    assert [paid for paid, _ in sale.money_taken.tendered.by_method] == [method]
    assert inside(hands.window).work_area.sale.search.text() == ""


def what_has_no_letter_takes_no_hit_of_a_search(hands: Hands) -> None:
    for typed in ("+1", "0-1"):
        hands.type(typed)
        hands.press("Enter")
        assert hands.rows() == []
        assert hands.shop.tones.played[-1] == "no"
        hands.press("Esc")


def test_the_button_of_exact_cash_pays_whatever_is_searched(hands: Hands) -> None:
    hands.scan("8609910700134")
    hands.shop.pause()
    hands.type("mleko")
    hands.tap_words("Готовина")
    sale = inside(hands.window).model.confirmation.last
    assert sale is not None
    assert sale.money_taken.tendered.cash == Money(59)


def test_by_keyboard_alone(hands: Hands) -> None:
    hands.type(shop.BREAD)
    hands.press("Enter")
    hands.type("3*")
    hands.type(shop.MILK)
    hands.press("Enter")
    hands.type("0,412*")
    hands.type(shop.BANANA)
    hands.press("Enter")
    assert [row.split(" ×")[0] for row in hands.rows()] == ["1", "3", "0,412"]

    hands.type("burek")
    hands.press("Down")
    hands.press("Enter")
    assert len(hands.rows()) == 4
    hands.press("PgUp")
    hands.press("F3")
    hands.type("1,5")
    hands.press("Enter")
    assert hands.rows()[2].startswith("1,500 × Банана")
    hands.press("PgUp")
    hands.press("F4")
    hands.type("10")
    hands.press("Enter")
    assert hands.rows()[1].endswith("377,97")
    hands.press("PgUp")
    hands.press("Del")
    assert len(inside(hands.window).model.cart.ticket.cart.active) == 3

    hands.press("F12")
    assert inside(hands.window).work_area.is_paying
    hands.press("Enter")
    hands.press("Enter")
    assert inside(hands.window).model.confirmation.last is not None
    assert not inside(hands.window).work_area.is_paying
    assert hands.rows() == []


def test_by_touch_alone(hands: Hands) -> None:
    hands.tap_article(shop.BREAD)
    hands.tap_article(shop.BREAD)
    hands.tap_article(shop.BUREK)
    assert [row.split(",")[0] for row in hands.rows()] == [
        "2 × Хлеб бели Сава 500 g",
        "1 × Бурек са сиром 250 g",
    ]
    hands.tap_cart("plus", 1)
    hands.tap_cart("", 0)
    hands.tap_cart("minus", 0)
    assert [row.split(" ×")[0] for row in hands.rows()] == ["1", "2"]

    hands.tap_article(shop.BANANA)
    for key in ("1", ",", "5"):
        hands.tap_words(key)
    hands.tap_words("Унеси")
    assert hands.rows()[-1].startswith("1,500 × Банана")

    hands.tap_words("Готовина тачно")
    sale = inside(hands.window).model.confirmation.last
    assert sale is not None
    assert sale.money_taken.on_receipt.by_method == ((PaymentMethod.CASH, sale.total),)


def test_cash_received_by_the_touch_pad(hands: Hands) -> None:
    hands.tap_article(shop.COFFEE)
    hands.tap_words("Бројеви")
    for key in ("5", "00"):
        hands.tap_words(key)
    hands.tap_words("Готовина 500,00")
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.confirmation.last.money_taken.change == Money(150)


def test_exact_card(hands: Hands) -> None:
    for press in (lambda: hands.pad("-"), lambda: hands.press("Ctrl+Shift+Enter")):
        hands.type(shop.BREAD)
        hands.press("Enter")
        press()
        sale = inside(hands.window).model.confirmation.last
        assert sale is not None
        assert sale.money_taken.on_receipt.by_method == ((PaymentMethod.CARD, Money("58.99")),)


def test_control_enter_is_exact_cash(hands: Hands) -> None:
    hands.type(shop.BREAD)
    hands.press("Enter")
    hands.press("Ctrl+Enter")
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.confirmation.last.money_taken.tendered.cash == Money(59)


def test_digits_then_plus_is_cash_received(hands: Hands) -> None:
    hands.type(shop.BREAD)
    hands.press("Enter")
    hands.type("100")
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.confirmation.last.money_taken.change == Money(41)
    assert inside(hands.window).work_area.sale.search.text() == ""


def too_little_cash_is_said_and_nothing_is_issued(hands: Hands) -> None:
    hands.type(shop.COFFEE)
    hands.press("Enter")
    hands.type("200")
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is None
    assert hands.notice().startswith("Треба 349,99, а примљено је 200,00 Ништа није издато")


@pytest.mark.parametrize("key", sampled(["+", "-"]))
def test_what_costs_nothing_is_sold_in_the_payment_alone(hands: Hands, key: str) -> None:
    hands.type(shop.BREAD)
    hands.press("Enter")
    hands.press("F4")
    hands.type("100")
    hands.press("Enter")
    assert hands.total() == "Укупно 0,00 РСД"
    hands.pad(key)
    assert inside(hands.window).model.confirmation.last is None
    assert hands.notice().startswith("Укупно је 0,00: ништа се не плаћа Ништа није издато")
    hands.press("F12")
    hands.press("Enter")
    hands.press("Enter")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert last.total == Money.ZERO


def test_exact_payment_is_dead_on_an_empty_cart(hands: Hands) -> None:
    for key in ("pad plus", "pad -", "Ctrl+Enter"):
        hands.press(key)
        assert inside(hands.window).model.confirmation.last is None
        assert hands.shop.tones.played == ["no"]
        hands.shop.tones.played.clear()


def the_enter_of_a_scan_confirms_nothing(hands: Hands) -> None:
    hands.scan("8609910700134")
    hands.press("F12")
    hands.scan("8609951100139")
    assert inside(hands.window).model.confirmation.last is None
    assert len(hands.rows()) == 2


@each(
    ("code", "typed", "told"),
    [("16", "412", "Количина је необично велика"), ("8609910700134", "101", "Количина је")],
)
def test_a_quantity_that_nobody_sells_is_asked_about(
    anew: Anew, code: str, typed: str, told: str
) -> None:
    """412 kg of bananas for 0,412; Enter does not answer the question."""
    hands = anew.begin()
    hands.type(f"{typed}*")
    hands.scan(code) if len(code) > 3 else inside(hands.window).model.entry.enter_code(code)
    assert told in _asked(hands)
    assert "412 kg Банана, укупно 78.275,88 РСД" in _asked(hands) or code != "16"
    hands.press("Enter")
    assert hands.rows() == []


def a_part_of_a_piece_is_asked_about(hands: Hands) -> None:
    hands.type("1,5*")
    hands.scan("8609910700134")
    assert hands.rows() == []
    hands.press("F12")
    assert hands.rows()[0].startswith("1,500 × Хлеб")


def many_times_what_an_article_usually_sells_is_asked_about(hands: Hands) -> None:
    services = hands.shop.services
    article = services.catalogue.by_code(ArticleCode("16"))[0].article
    services.editor.count_sold([(article.id, Quantity("0.400"))] * 10, on=date(2026, 11, 20))
    hands.type("9*")
    inside(hands.window).model.entry.enter_code("16")
    assert hands.rows() == []
    assert "обично продаје" in _asked(hands)
    hands.press("F12")
    assert hands.rows()[0].startswith("9")


def _asked(hands: Hands) -> str:
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    return " ".join(one.accessibleName() for one in panel.findChildren(QWidget))


@each(("label", "told"), [("2600001000337", "0,559"), ("2600013990008", "110,122")])
def test_a_price_label_of_a_quantity_that_nobody_sells_is_asked_about(
    anew: Anew, label: str, told: str
) -> None:
    """A part of a loaf, a hundred kilograms of cheese: the label is another article's, or
    misread."""
    hands = anew.begin()
    hands.scan(label)
    assert hands.rows() == []
    assert told in _asked(hands)
    hands.press("Enter")
    assert hands.rows() == []
    hands.scan(label)
    hands.press("F12")
    (row,) = hands.rows()
    assert row.startswith(told)
    (line,) = inside(hands.window).model.cart.ticket.cart.active
    assert line.total == line.stated_total


PRICED_CHEESE = "2600013009908"
"""The label of 990 dinars of cheese at 899,00 a kilogram."""


@each("by", ["F3", "minus"])
def test_a_quantity_that_is_left_as_it_is_leaves_the_price_of_a_label(anew: Anew, by: str) -> None:
    hands = anew.begin()
    hands.scan(PRICED_CHEESE)
    before = hands.rows()
    assert before[0].endswith(", 990,00")
    hands.press("F3") if by == "F3" else hands.tap_cart("minus", 0)
    assert "990,00" in _asked(hands)
    assert "989,80" not in _asked(hands)
    hands.press("Enter")
    assert hands.rows() == before
    hands.press("F3")
    hands.type("1,101")
    hands.press("Enter")
    assert hands.rows() == before


def a_price_that_is_typed_as_it_is_leaves_the_price_of_a_label(hands: Hands) -> None:
    hands.scan(PRICED_CHEESE)
    before = hands.rows()
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    hands.choose(panel.segment, 2)
    hands.type("899")
    hands.press("Enter")
    assert hands.rows() == before


def another_quantity_of_a_labelled_pack_is_priced_anew(hands: Hands) -> None:
    hands.scan(PRICED_CHEESE)
    hands.press("F3")
    hands.type("2")
    hands.press("Enter")
    assert hands.rows()[0].endswith("1.798,00")


@each(
    "act",
    [
        what_has_no_letter_takes_no_hit_of_a_search,
        too_little_cash_is_said_and_nothing_is_issued,
        the_enter_of_a_scan_confirms_nothing,
        a_part_of_a_piece_is_asked_about,
        many_times_what_an_article_usually_sells_is_asked_about,
        a_price_that_is_typed_as_it_is_leaves_the_price_of_a_label,
        another_quantity_of_a_labelled_pack_is_priced_anew,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
