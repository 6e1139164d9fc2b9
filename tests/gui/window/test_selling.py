"""A sale by keyboard alone, by touch alone, and by scanner: each to its receipt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.domain.money import number_text
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.state import SaleState
from tests.gui.parts import page_in_front, words_on
from tests.gui.window import shop
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each

BREAD, MILK, WATER = "8609910700134", "8609951100139", "8609920500236"
CASH, CARD = PaymentMethod.CASH, PaymentMethod.CARD


def test_one_key_ends_a_sale_of_scanned_items(hands: Hands) -> None:
    hands.scan(BREAD, MILK)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99", "1 × Млеко свеже 2,8 % 1 l, 139,99"]
    assert hands.total() == "Укупно 198,98 РСД"
    hands.pay("+")
    sale = hands.sold()
    assert (sale.state, sale.total) == (SaleState.FROZEN, Money("198.98"))
    assert sale.money_taken.tendered.cash == Money(199)
    assert hands.rows() == []
    hands.serve()
    assert hands.sold().state is SaleState.DONE
    assert "ABCD1234-ABCD1234-1" in hands.cart.large.accessibleName()
    assert hands.shop.tones.played == ["item", "item", "done"]


def by_keyboard_alone(hands: Hands) -> None:
    for typed in (shop.BREAD, f"3*{shop.MILK}", f"0,412*{shop.BANANA}"):
        hands.press(f"#{typed}", "Enter")
    assert [row.split(" ×")[0] for row in hands.rows()] == ["1", "3", "0,412"]
    hands.press("#burek", "Down", "Enter")
    assert len(hands.rows()) == 4
    for key, typed, row in (("F3", "1,5", 2), ("F4", "10", 1)):
        hands.press("PgUp", key, f"#{typed}", "Enter")
        assert hands.rows()[row].endswith("284,99" if key == "F3" else "377,97")
    hands.press("PgUp", "Del")
    assert len(hands.ticket.cart.active) == 3
    hands.press("F12")
    assert hands.area.is_paying
    hands.press("Enter", "Enter")
    assert hands.sale()
    assert (hands.area.is_paying, hands.rows()) == (False, [])


def by_touch_alone(hands: Hands) -> None:
    for code in (shop.BREAD, shop.BREAD, shop.BUREK):
        hands.tap_article(code)
    hands.tap_cart("plus", 1)
    hands.tap_cart("", 0)
    hands.tap_cart("minus", 0)
    assert [row.split(" ×")[0] for row in hands.rows()] == ["1", "2"]
    hands.tap_article(shop.BANANA)
    for key in ("1", ",", "5", "Унеси"):
        hands.tap_words(key)
    assert hands.rows()[-1].startswith("1,500 × Банана")
    hands.tap_words("Готовина тачно")
    assert hands.sold().money_taken.on_receipt.by_method == ((CASH, hands.sold().total),)


def _as_the_platform_sends_it(key: Qt.Key) -> Callable[[Hands], None]:
    def press(hands: Hands) -> None:
        QTest.keyClick(hands.window.windowHandle(), key, Qt.KeyboardModifier.KeypadModifier)
        hands.filter.decide_now()

    return press


PAY: list[tuple[Callable[[Hands], None], str, PaymentMethod, str]] = [
    (lambda hands: hands.press("Ctrl+Enter"), "", CASH, "59.00"),
    (lambda hands: hands.pad("+"), "100", CASH, "100.00"),
    (lambda hands: hands.pad("-"), "", CARD, "58.99"),
    (lambda hands: hands.press("Ctrl+Shift+Enter"), "", CARD, "58.99"),
    (_as_the_platform_sends_it(Qt.Key.Key_Plus), "", CASH, "59.00"),
    (_as_the_platform_sends_it(Qt.Key.Key_Minus), "", CARD, "58.99"),
]


@each(("press", "typed", "method", "given"), PAY)
def test_keys_that_pay(
    anew: Anew, press: Callable[[Hands], None], typed: str, method: PaymentMethod, given: str
) -> None:
    hands = anew.begin()
    press(hands)  # dead on an empty cart
    assert (hands.sale(), hands.shop.tones.played) == (None, ["no"])
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type(typed)
    press(hands)
    (paid,) = hands.sold().money_taken.tendered.by_method
    assert (paid[0], str(paid[1])) == (method, given)
    assert hands.area.sale.search.text() == ""


def what_costs_nothing_is_sold_in_the_payment_alone(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F4", "#100", "Enter")
    assert hands.total() == "Укупно 0,00 РСД"
    hands.shop.pause()
    for key in "+-":
        hands.pad(key)
        assert hands.sale() is None
        assert hands.notice().startswith("Укупно је 0,00: ништа се не плаћа Ништа није издато")
    hands.press("F12", "Enter", "Enter")
    assert hands.sold().total == Money.ZERO


def too_little_cash_is_said_and_nothing_is_issued(hands: Hands) -> None:
    hands.press(f"#{shop.COFFEE}", "Enter", "#200")
    hands.pad("+")
    assert hands.sale() is None
    assert hands.notice().startswith("Треба 349,99, а примљено је 200,00 Ништа није издато")


def what_has_no_letter_takes_no_hit_of_a_search(hands: Hands) -> None:
    for typed in ("+1", "0-1"):
        hands.press(f"#{typed}", "Enter")
        assert (hands.rows(), hands.shop.tones.played[-1]) == ([], "no")
        hands.press("Esc")


def every_enter_in_the_search_says_what_happened(hands: Hands) -> None:
    hands.tap_article(shop.BREAD)
    field = hands.area.sale.search.search
    for typed, told in {
        "1,5": "укуцајте 1,5*", "0,": "укуцајте 0,*", "zzzz": "Нема артикла за „zzzz“",
        "-": "Нема артикла за „-“", "0*": "Испред * иде количина",
    }.items():  # fmt: skip
        hands.press(f"#{typed}", "Enter")
        assert told in field.error(), typed
        assert hands.shop.tones.played[-1] == "no"
        assert (len(hands.rows()), hands.area.sale.search.text()) == (1, typed)
        hands.press("Esc")
        assert field.error() == ""
    hands.press("#1,5", "Enter", "#*")
    assert str(hands.model.cart.next_quantity) == "1.500"
    assert field.error() == ""
    hands.press("#99887", "Enter")
    assert "99887" in hands.notice()


def a_scan_after_confirm_belongs_to_the_next_sale(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.scan(MILK)
    hands.press("Enter", "Enter")
    hands.scan(WATER)
    sold = hands.shop.till.carts.cart_of(hands.sold().cart_id).cart
    assert [line.article.frozen.gtin for line in sold.active] == [BREAD, MILK]
    assert hands.gtins() == [WATER]


def a_scan_is_never_typed_into_a_field(hands: Hands) -> None:
    hands.type("sir")
    hands.scan(BREAD)
    assert hands.area.sale.search.text() == "sir"
    hands.press("Esc", "F12", "#500")
    hands.scan(shop.BANANA_WEIGHED)
    assert (str(hands.payment.due), str(hands.payment.tender.payments.cash)) == ("355.37", "500.00")
    assert hands.area.is_paying


@each(
    "act",
    [
        by_keyboard_alone, by_touch_alone, what_costs_nothing_is_sold_in_the_payment_alone,
        too_little_cash_is_said_and_nothing_is_issued, what_has_no_letter_takes_no_hit_of_a_search,
        every_enter_in_the_search_says_what_happened,
        a_scan_after_confirm_belongs_to_the_next_sale, a_scan_is_never_typed_into_a_field,
    ],
)  # fmt: skip
def test_to_its_receipt(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _asked(hands: Hands) -> str:
    assert hands.area.panel is not None
    return " ".join(one.accessibleName() for one in hands.area.panel.findChildren(QWidget))


ODD = [
    ("412*", shop.BANANA, "412 kg Банана, укупно 78.275,88 РСД", "412"),
    ("101*", BREAD, "Количина је необично велика", "101"),
    ("1,5*", BREAD, "1,5", "1,500"),
    ("", "2600001000337", "0,559", "0,559"),
    ("", "2600013990008", "110,122", "110,122"),
]
"""What is typed, what is scanned, the words, and the quantity."""


@each(("typed", "code", "told", "quantity"), ODD)
def test_a_quantity_that_nobody_sells_is_asked_about(
    anew: Anew, typed: str, code: str, told: str, quantity: str
) -> None:
    """Enter does not answer the question."""
    hands = anew.begin()
    for key in ("Enter", "F12"):
        hands.type(typed)
        hands.model.entry.enter_code(code)
        assert told in _asked(hands)
        assert hands.rows() == []
        hands.press(key)
        if key == "Enter":
            assert hands.rows() == []
            while hands.model.questions.is_asked:
                hands.press("Esc")
    (row,) = hands.rows()
    assert row.startswith(f"{quantity} × ")
    (line,) = hands.ticket.cart.active
    assert line.stated_total in (None, line.total)


def the_item_that_is_left_out(hands: Hands) -> None:
    """Bread is scanned while the till asks whether 40 kg are right."""
    hands.press(f"#40*{shop.BANANA}", "Enter")
    hands.scan(BREAD)
    assert "40 kg Банана" in _asked(hands)
    hands.press("Esc")


def the_item_that_can_not_be_entered(hands: Hands) -> None:
    """Its code is unknown; both scans wait until the quantity is typed."""
    hands.press("F3")
    hands.scan("5901234123457", BREAD)
    hands.press("#5", "Enter")


def the_item_that_is_not_there_to_be_taken_off(hands: Hands) -> None:
    hands.type("5*")
    taken_off(hands, MILK)
    hands.scan(BREAD)


def the_payment(hands: Hands) -> None:
    """The field that shows the quantity lies under the payment."""
    hands.scan(MILK)
    hands.press("#5*", "F12")
    assert hands.paying.head.news_text() == "Раније укуцано 5* није узето"
    hands.scan(BREAD)


@each("ended_by", [
    the_item_that_is_left_out, the_item_that_can_not_be_entered,
    the_item_that_is_not_there_to_be_taken_off, the_payment,
])  # fmt: skip
def test_a_quantity_ends_with_the_item_it_was_typed_for(
    anew: Anew, ended_by: Callable[[Hands], None]
) -> None:
    hands = anew.begin()
    ended_by(hands)
    assert hands.rows()[-1].startswith("1 × Хлеб")


PRICED_CHEESE = "2600013009908"
"""The label of 990 dinars of cheese at 899,00 a kilogram."""


def test_what_is_left_as_it_is_leaves_the_price_of_a_label(hands: Hands) -> None:
    hands.scan(PRICED_CHEESE)
    before = hands.rows()
    assert before[0].endswith(", 990,00")
    for by in ("F3", "minus"):
        hands.press("F3") if by == "F3" else hands.tap_cart("minus", 0)
        assert "990,00" in _asked(hands)
        assert "989,80" not in _asked(hands)
        hands.press("Enter")
        assert hands.rows() == before
    hands.press("F3", "#1,101", "Enter")
    assert hands.rows() == before
    hands.press("F4")
    hands.choose(page_in_front(hands.window.frame, "ask.price_head").segment, 2)
    hands.press("#899", "Enter")
    assert hands.rows() == before
    hands.press("F3", "#2", "Enter")
    assert hands.rows()[0].endswith("1.798,00"), "another quantity is priced anew"


def panel(hands: Hands) -> Any:
    """The question that is asked, whichever it is."""
    found = hands.area.panel
    assert found is not None
    return found


def told(hands: Hands) -> str:
    """Price and result as a screen reader reads them."""
    reckoning: QWidget = panel(hands).reckoning
    assert reckoning.isVisible()
    return reckoning.accessibleName()


def a_weight_tells_price_and_total_as_it_is_typed(hands: Hands) -> None:
    hands.model.entry.enter_code(shop.BANANA)
    assert told(hands) == "189,99 / kg, Укупно –"
    parts = [one for one in panel(hands).findChildren(QWidget) if one.isVisible()]
    words = " | ".join(words for part in parts for words in words_on(part))
    assert words.count(hands.shop.name(shop.BANANA)) == 1, "the article is named once"
    hands.type("1,5")
    assert told(hands) == "189,99 / kg, Укупно 284,99"
    hands.type("6")
    assert told(hands) == "189,99 / kg, Укупно 296,38"
    hands.press("Backspace")
    hands.tap_words("6")  # the pad counts as typing
    assert told(hands).endswith("296,38")
    hands.press("Enter")
    assert hands.rows() == ["1,560 × Банана, 296,38"]


@each(
    ("part", "typed", "comes_to"),
    [
        (0, "20", "839,98"),
        (1, "50", "999,97"),
        (2, "300", "900,00"),
        (0, "101", "–"),
        (1, "1050", "–"),
        (1, "0", "–"),
    ],
)
def test_a_discount_tells_what_the_line_comes_to(
    anew: Anew, part: int, typed: str, comes_to: str
) -> None:
    hands = anew.begin()
    hands.type("3*")
    hands.model.entry.enter_code(shop.COFFEE)
    hands.press("F4")
    hands.choose(panel(hands).segment, part)
    assert told(hands) == "3 × 349,99 / ком, Укупно –"
    hands.type(typed)
    assert told(hands) == f"3 × 349,99 / ком, Укупно {comes_to}"
    hands.press("Enter")
    if comes_to == "–":
        assert panel(hands).field.error()
        assert hands.shop.tones.played[-1] == "no"
    else:
        assert hands.rows() == [f"3 × Кафа млевена Златна 200 g, {comes_to}"]


def off_the_cart(hands: Hands, amount: str) -> None:
    hands.press("F12", "F4")
    page = page_in_front(hands.window.frame, "pay.discount")
    hands.choose(page.kind, 1)
    hands.press(f"#{amount}", "Enter", "Esc")


def off_the_line(hands: Hands, amount: str) -> None:
    hands.press("F4")
    hands.choose(panel(hands).segment, 1)
    hands.press(f"#{amount}", "Enter")


def at_price(hands: Hands, price: str) -> None:
    hands.press("F4")
    hands.choose(panel(hands).segment, 2)
    hands.press(f"#{price}")


def taken_off(hands: Hands, code: str) -> None:
    hands.model.entry.set_purpose(ScanPurpose.TAKE_OFF)
    hands.scan(code)


def recalled(hands: Hands) -> None:
    hands.press("F6", "F6", "1", "Enter")


NO_LONGER_FITS: list[tuple[str, str, str, Callable[[Hands], object], str, str]] = [
    # articles, off the current line, off the cart, what is done, the total then, which discounts go
    ("1 11", "", "100", lambda hands: hands.press("Del"), "58,99", "корпа"),
    ("1 11", "", "100", lambda hands: taken_off(hands, MILK), "58,99", "корпа"),
    ("1 11", "", "100", lambda hands: hands.press("F4", "#90", "Enter"), "72,99", "корпа"),
    ("1 11", "", "100", lambda hands: (at_price(hands, "1"), hands.press("Enter")), "59,99",
     "корпа"),
    ("11 1", "", "139,99", lambda hands: hands.press("Del"), "139,99", "корпа"),
    ("1 11", "", "100", lambda hands: (recalled(hands), hands.press("Del")), "58,99", "корпа"),
    ("3*1", "", "100", lambda hands: hands.press("F3", "#1", "Enter"), "58,99", "корпа"),
    ("2*1", "", "50", lambda hands: hands.tap_cart("minus", 0), "8,99", ""),
    ("11 3*1", "100", "", lambda hands: hands.press("F3", "#1", "Enter"), "198,98", "ставка"),
    ("3*1", "100", "", lambda hands: (at_price(hands, "20"), hands.press("Enter")), "60,00",
     "ставка"),
    ("2*1", "58,99", "", lambda hands: hands.tap_cart("minus", 0), "58,99", "ставка"),
    ("2*1", "58,99", "", lambda hands: taken_off(hands, BREAD), "58,99", "ставка"),
    ("3*1", "100", "50", lambda hands: hands.press("F3", "#1", "Enter"), "8,99", "ставка"),
    ("2*1", "70", "40", lambda hands: hands.press("F4", "#90", "Enter"), "11,80", "корпа"),
    ("3*1", "100", "70", lambda hands: hands.press("F4", "#90", "Enter"), "17,70", "корпа"),
    ("3*1", "100", "", lambda hands: (hands.press("F4"), hands.tap_words("Без попуста")),
     "176,97", ""),
    ("1 11", "", "198,98", lambda hands: hands.press("F3", "#2", "Enter"), "139,99", ""),
]  # fmt: skip
GOES = {"корпа": "на корпу отпада", "ставка": "отпада: Хлеб бели"}


@each(("entered", "of_line", "of_cart", "act", "total", "goes"), NO_LONGER_FITS)
def test_a_discount_that_no_longer_fits_goes_and_is_told(
    anew: Anew,
    entered: str,
    of_line: str,
    of_cart: str,
    act: Callable[[Hands], object],
    total: str,
    goes: str,
) -> None:
    hands = anew.begin()
    for typed in entered.split():
        hands.press(f"#{typed}", "Enter")
    if of_line:
        off_the_line(hands, of_line)
    if of_cart:
        off_the_cart(hands, of_cart)
    act(hands)
    assert hands.total() == f"Укупно {total} РСД"
    said = hands.notice()
    assert ("отпада" in said) is bool(goes), said
    if not goes:
        return
    assert GOES[goes] in said
    assert hands.shop.tones.played[-1] == "attention"
    hands.press("F12", "Enter", "Enter")
    assert number_text.amount_text(hands.sold().total) == total


def the_last_line_goes_and_comes_back_with_the_discount(hands: Hands) -> None:
    hands.enter(shop.BREAD)
    off_the_cart(hands, "50")
    hands.press("Del")
    assert hands.ticket.cart.is_empty
    assert hands.notice() == ""
    hands.model.cart.put_back_line(hands.model.cart.removed_lines[0].id)
    assert hands.total() == "Укупно 8,99 РСД"
    assert hands.notice() == ""


def an_earlier_line_comes_back_to_less_than_the_discount(hands: Hands) -> None:
    hands.press("#1", "Enter", "#11", "Enter")
    off_the_cart(hands, "58,99")
    hands.press("PgUp", "Del", "Del")
    assert hands.ticket.cart.is_empty
    bread = hands.model.cart.removed_lines[0]
    assert bread.article.frozen.name.startswith("Хлеб")
    hands.model.cart.put_back_line(bread.id)
    assert hands.total() == "Укупно 58,99 РСД"
    assert "Попуст од 58,99 на корпу отпада" in hands.notice()


def the_question_says_which_discount_goes(hands: Hands) -> None:
    hands.press("#3*1", "Enter")
    off_the_line(hands, "100")
    words = "Попуст од 100,00 отпада: Хлеб бели Сава 500 g. Остатак није већи од попуста"
    hands.press("F3", "#2")
    assert told(hands) == "58,99 / ком (−100,00), Укупно 17,98"
    hands.press("Backspace")
    assert told(hands) == "58,99 / ком (−100,00), Укупно –"
    hands.press("#1")
    assert told(hands).startswith("58,99 / ком, Укупно 58,99, " + words)
    hands.press("Esc")
    at_price(hands, "30")
    assert "Укупно 90,00, " + words in told(hands)
    hands.press("Enter")
    assert hands.total() == "Укупно 90,00 РСД"
    off_the_cart(hands, "80")
    assert hands.notice() == "", "another discount is given"
    hands.press("F4", "#50")
    assert "Укупно 45,00, Попуст од 80,00 на корпу отпада. " in told(hands)
    hands.press("Enter")
    assert hands.total() == "Укупно 45,00 РСД"


def what_was_taken_off_stays_told_too(hands: Hands) -> None:
    hands.press("#1", "Enter", "#11", "Enter")
    off_the_cart(hands, "100")
    taken_off(hands, MILK)
    assert "Попуст од 100,00 на корпу отпада" in hands.notice()
    hands.press("Esc")
    assert hands.notice().startswith("Скинуто: Млеко")


@each(
    "act",
    [
        the_last_line_goes_and_comes_back_with_the_discount,
        an_earlier_line_comes_back_to_less_than_the_discount,
        the_question_says_which_discount_goes,
        what_was_taken_off_stays_told_too,
    ],
)
def test_a_discount_beside_what_is_left(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def an_amount_off_a_line_is_on_the_receipt_to_the_para(hands: Hands) -> None:
    hands.scan(shop.CHEESE_WEIGHED)
    hands.press("F4")
    hands.choose(panel(hands).segment, 1)
    hands.press("#20,39", "Enter")
    assert hands.rows() == ["0,412 × Сир млади домаћи, 350,00"]
    hands.pay("-")
    assert str(hands.sold().total) == "350.00"


@each(
    "act",
    [
        a_weight_tells_price_and_total_as_it_is_typed,
        an_amount_off_a_line_is_on_the_receipt_to_the_para,
    ],
)
def test_what_it_comes_to(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
