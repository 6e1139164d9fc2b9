"""Keys that pay, a quantity that nobody sells, and a discount that no longer fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.domain.money import number_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.scan import ScanPurpose
from tests.gui.parts import page_in_front
from tests.gui.window import shop
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each

BREAD, MILK = "8609910700134", "8609951100139"
CASH, CARD = PaymentMethod.CASH, PaymentMethod.CARD


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
