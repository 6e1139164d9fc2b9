"""Selling at the window: keys that pay, quantities, discounts, buyers, a held till, and a sale that
is taken back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.cashier.attention.cases.sale_cases import CORRECTION, ToTakeBack
from pos_app.domain.money import number_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.state import SaleState
from tests.fakes.inner_connection import connection_of
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.window import shop
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop
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


def cancelled(hands: Hands) -> Sale:
    sales, now, of = hands.shop.database.sales, hands.shop.clock.now(), hands.sold().key
    sales.request_cancel(of, reason=CORRECTION, at=now)
    sales.move(of, SaleState.CANCELLING, at=now)
    return sales.move(of, SaleState.CANCELLED, at=now)


def take_back(hands: Hands, sale: Sale) -> None:
    inside(hands.window).open("attention")
    attention = inside(hands.window).attention
    attention.refresh()
    case = next(one for one in attention.model.cases if one.id == sale.key)
    assert isinstance(case, ToTakeBack)
    attention.room.take_back(case.sale)


def test_a_corporate_card_takes_its_voucher_from_a_corrected_sale_too(hands: Hands) -> None:
    """What it sent back was told until the confirm, and counts as given."""
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    hands.press("F12", "#20", "F5", "#100000008")
    hands.tap_words("Корпоративна картица")
    hands.press("#123", "Enter", "Enter")
    take_back(hands, cancelled(hands))
    hands.shop.pause()
    hands.press("F12", "F5")
    hands.tap_words("Корпоративна картица")
    hands.press("Esc")
    assert hands.payment.tender.paid == ()
    assert hands.paying.issue.accessibleName() == "Упиши тачан износ 59,00"


EANS = ("8609910700134", "8609951100139")
UNKNOWN = "5901234123457"


class Hold:
    """Another program's lock of the file, until it releases it."""

    def __init__(self, shop: Shop) -> None:
        path = Path(connection_of(shop.database.sales).filename)
        self._connection = with_checksums(path, make=False)
        keep_log(self._connection)
        self._connection.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self.let_go()
        self._connection.close()


@contextmanager
def held(hands: Hands) -> Iterator[Hold]:
    hold = Hold(hands.shop)
    try:
        yield hold
    finally:
        hold.close()


async def test_a_code_that_could_not_be_stored_stays_with_a_cart_that_is_held(hands: Hands) -> None:
    hands.scan(EANS[0])
    with held(hands):
        hands.scan(UNKNOWN)
        await seen()
    hands.press("F6", "F6", "Enter")
    assert [one.code for one in hands.ticket.missed] == [UNKNOWN]


PIB = "100000008"


def add_text(hands: Hands, text: str) -> None:
    hands.press("F12")
    hands.tap_words("Текст")
    hands.press(f"#{text}", "Ctrl+Enter", "Esc")


def issued(hands: Hands) -> dict[str, Any]:
    """What the sale of the case asks the server to sign."""
    made = json.loads(hands.shop.database.sales.body(hands.sold().key))
    assert isinstance(made, dict)
    return made


def sign(hands: Hands) -> str:
    """The sale's words about additions to the receipt, "" without any."""
    shown = hands.cart.added
    return shown.accessibleName() if shown.isVisible() else ""


async def test_the_buyer_of_a_scanned_receipt_goes_on_a_cart_whose_payment_was_begun(
    hands: Hands,
) -> None:
    hands.enter(BREAD)
    add_text(hands, "hvala")
    hands.press("F12", "F4", "#5", "Esc", "Esc")
    hands.scan(url(payload(buyer=f"10:{PIB}".encode())))
    await seen()
    hands.tap_words("Купац")
    assert PIB in sign(hands)
    hands.press("F12", "F4")
    assert hands.payment.discount_draft.text == "5", "it is not given yet"
    hands.press("Esc", "Enter", "Enter")
    assert issued(hands)["buyerId"] == f"10:{PIB}"
    assert "hvala" in str(issued(hands))
