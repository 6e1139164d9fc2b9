"""Paying with real keys and taps, over a real till.db."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QApplication

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.state import SaleState
from tests.gui.parts import lines_of
from tests.gui.payment.conftest import Paying
from tests.gui.payment.shop import Shop, named
from tests.sweep import each

CARD, CASH, VOUCHER = PaymentMethod.CARD, PaymentMethod.CASH, PaymentMethod.VOUCHER


def taken(pay: Paying) -> dict[PaymentMethod, Money]:
    """The frozen payments, read back from till.db."""
    sale = pay.shop.store.sales.sale(pay.confirmed[-1].sale.key)
    assert sale.state is SaleState.FROZEN
    return dict(sale.money_taken.tendered.by_method)


def the_keyboard_alone_pays_a_mixed_payment(pay: Paying) -> None:
    pay.press("Alt+2", "1000", "Alt+1", "1", "0", "00", "Enter")
    assert taken(pay) == {CARD: Money(1000), CASH: Money(1000)}
    assert pay.confirmed[0].sale.money_taken.change == Money(325)


def a_finger_alone_pays_a_mixed_payment(pay: Paying) -> None:
    pay.tap("Картица")
    for key in ("1", "0", "0", "0", ",", "0"):
        pay.tap(key)
    pay.tap("Готовина")
    pay.tap("Новчаница 1.000")
    assert pay.figure == "Кусур 325,00"
    pay.tap("Издај рачун")
    assert taken(pay) == {CARD: Money(1000), CASH: Money(1000)}


@each(
    ("typed", "shown", "figure"),
    [
        (("2000",), "2.000", "Кусур 325,00"),
        (("2000,5",), "2.000,5", "Кусур 325,00"),
        (("2000.5",), "2.000,5", "Кусур 325,00"),
        (("2000", "Back"), "200", "Преостало 1.475,00"),
        (("2000", "Del"), "", "Преостало 1.675,00"),
        (("abc2x0",), "20", "Преостало 1.655,00"),
        (("Alt+2",), "1.674,72", "Кусур 0,00"),
        (("Alt+2", "2000"), "2.000", "Превише 325,28"),
    ],
)
def test_digits_always_type_an_amount(
    pay: Paying, typed: tuple[str, ...], shown: str, figure: str
) -> None:
    pay.anew()
    pay.press(*typed)
    assert (pay.focused_text, pay.figure) == (shown, figure)


def a_held_enter_confirms_nothing(pay: Paying) -> None:
    handle = pay.window.windowHandle()
    pay.press("Enter")
    again = QKeyEvent(
        QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
    )
    QApplication.sendEvent(handle, again)
    assert pay.confirmed == []
    assert pay.figure == "Кусур 0,00"


def cash_far_above_the_receipt_is_asked_about_and_enter_goes_back(pay: Paying) -> None:
    pay.press("86009990", "Enter")
    assert pay.confirmed == []
    page = pay.layout.page
    assert page is not None
    assert page.accessibleName() == "Примљена готовина је много већа од износа 86.009.990,00"
    assert pay.shop.tones.played == ["attention"]
    pay.press("Enter")
    assert (pay.confirmed, pay.focused_text) == ([], "86.009.990")
    pay.press("Back", "Back", "Back", "Back", "Enter")
    assert taken(pay) == {CASH: Money(8600)}


def the_change_is_told_as_handed_over_and_as_the_paper_says_it(pay: Paying) -> None:
    pay.press("2000")
    assert pay.figure == "Кусур 325,00"
    assert "на рачуну 325,28 · примљено 2.000,00 од 1.674,72" in lines_of(pay.layout.figure)
    pay.press("Del", "1675")
    assert any("заокружено +0,28" in line for line in lines_of(pay.layout.figure))
    pay.press("Del", "2000", "Enter")
    sale = pay.confirmed[0].sale
    assert (sale.money_taken.change, sale.change_on_paper) == (Money(325), Money("325.28"))


def back_keeps_all_that_was_typed(pay: Paying) -> None:
    model = pay.panel.model
    assert model is not None
    pay.press("Alt+2", "1000", "F5", "123456788", "Esc")
    assert pay.backs == []
    pay.press("Esc")
    assert pay.backs == [True]
    pay.begin(model.ticket)
    assert pay.panel.model is model
    assert pay.focused_text == "1.000"
    assert pay.button("Купац").accessibleName() == "Купац: ПИБ 123456788"


def a_scan_keeps_payments_and_says_so(pay: Paying) -> None:
    model = pay.panel.model
    assert model is not None
    pay.panel.ticket_changed(pay.shop.add(model.ticket, named("Кифла", "100.00")))
    assert pay.news == "Додато: Кифла"
    pay.anew()
    pay.press("2000")
    model = pay.panel.model
    assert model is not None
    basket = pay.shop.add(model.ticket, named("Торта", "900.00"))
    pay.panel.ticket_changed(basket)
    assert pay.figure == "Преостало 575,00"
    assert pay.news == "Додато: Торта · плаћања су остала"
    pay.press("Alt+2", "Enter")
    assert taken(pay) == {CASH: Money(2000), CARD: Money("574.72")}


def an_outdated_cart_is_told_and_nothing_is_lost(pay: Paying) -> None:
    model = pay.panel.model
    assert model is not None
    pay.shop.add(model.ticket, named("Торта", "900.00"))
    pay.press("Alt+2", "Enter")
    assert pay.confirmed == []
    notice = pay.layout.page
    assert notice is not None
    assert notice.accessibleName().startswith("Рачун није издат.")
    pay.press("Esc")
    assert (pay.backs, pay.focused_text) == ([], "1.674,72")


async def test_without_a_processor_a_shop_may_hold_its_sales(
    folder: Path, show: Callable[..., Paying]
) -> None:
    shop = Shop(folder / "other", queue_without_processor="hold")
    shop.server.running = False
    pay = show(shop)
    pay.begin(shop.basket())
    await shop.outbox.step()
    pay.press("Enter", "Enter")
    assert pay.confirmed == []
    page = pay.layout.page
    assert page is not None
    assert "F6" in page.accessibleName()
    shop.close()


def keys_of_the_payment_come_before_shortcuts_of_the_window(pay: Paying) -> None:
    fired = []
    for sequence in ("F5", "Alt+2", "Return", "Esc"):
        shortcut = QShortcut(sequence, pay.window)
        shortcut.activated.connect(lambda key=sequence: fired.append(key))
    pay.press("Alt+2", "Enter")
    assert fired == []
    assert taken(pay) == {CARD: Money("1674.72")}


@each(
    "step",
    [
        the_keyboard_alone_pays_a_mixed_payment,
        a_finger_alone_pays_a_mixed_payment,
        a_held_enter_confirms_nothing,
        cash_far_above_the_receipt_is_asked_about_and_enter_goes_back,
        the_change_is_told_as_handed_over_and_as_the_paper_says_it,
        back_keeps_all_that_was_typed,
        a_scan_keeps_payments_and_says_so, an_outdated_cart_is_told_and_nothing_is_lost,
        keys_of_the_payment_come_before_shortcuts_of_the_window,
    ],
)  # fmt: skip
def test_payments_by_key_and_finger(pay: Paying, step: Callable[[Paying], None]) -> None:
    """Each begins with a cart of its own."""
    step(pay.anew())
