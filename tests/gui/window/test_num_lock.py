"""The numeric pad types its digits whether Num Lock is on or off, on every screen.

With Num Lock on its keys are digits to the system already: `make test` tries one way so.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.sale.questions import LineQuantity
from pos_app.domain.money.money import Money
from tests.gui.inside import inside
from tests.gui.patience import until
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD

BREAD_EAN = "8609910700134"
PIN = "147258"


@pytest.fixture(
    params=[False, pytest.param(True, marks=pytest.mark.long)], ids=["num-lock-off", "num-lock-on"]
)
def pad(hands: Hands, request: pytest.FixtureRequest) -> Hands:
    hands.keys.num_lock = request.param
    return hands


def _edit(hands: Hands) -> QLineEdit:
    found = hands.window.focusWidget()
    assert isinstance(found, QLineEdit)
    return found


def test_a_code_and_enter_sells_that_article(pad: Hands) -> None:
    pad.type_on_pad(f"{BREAD}\r")
    lines = inside(pad.window).model.cart.ticket.cart.active
    assert [str(line.article.frozen.gtin) for line in lines] == [BREAD_EAN]


def test_with_num_lock_on_too(hands: Hands) -> None:
    assert hands.keys.num_lock
    hands.type_on_pad(f"{BREAD}\r")
    hands.shop.pause()
    hands.type_on_pad("500")
    hands.pad("+")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert last.money_taken.tendered.total == Money("500")


def test_an_amount_and_plus_is_cash_received(pad: Hands) -> None:
    pad.scan(BREAD_EAN)
    pad.shop.pause()
    pad.type_on_pad("500")
    pad.pad("+")
    last = inside(pad.window).model.confirmation.last
    assert last is not None
    assert last.money_taken.tendered.total == Money("500")


def test_no_key_of_it_is_navigation_on_the_sale(pad: Hands) -> None:
    pad.scan(BREAD_EAN)
    pad.scan("8609951100139")
    current = inside(pad.window).model.cart.current_line_id
    pad.type_on_pad("9")  # Page Up of a pad without Num Lock
    pad.type_on_pad(".")  # and Delete
    assert inside(pad.window).model.cart.current_line_id == current
    assert len(inside(pad.window).model.cart.ticket.cart.active) == 2
    assert _edit(pad).text() == "9."


def test_a_key_that_is_held_down_types_on(pad: Hands) -> None:
    keys = pad.keys
    keys.window = pad.window.windowHandle()
    keys.now += 500
    keys.press(75)
    for _ in range(3):
        keys.now += 250
        keys.release(75, repeat=True)
        keys.press(75, repeat=True)
    keys.release(75)
    assert _edit(pad).text() == "4444"


def test_the_payment_takes_an_amount(pad: Hands) -> None:
    pad.scan(BREAD_EAN)
    pad.press("F12")
    pad.type_on_pad("123.5")
    payment = inside(pad.window).work_area.payment.model
    assert payment is not None
    assert str(payment.tender.payments.total.amount) == "123.50"
    assert _edit(pad).text() == "123,5"


def test_alt_and_a_digit_chooses_a_method_of_the_payment(pad: Hands) -> None:
    pad.scan(BREAD_EAN)
    pad.press("F12")
    keys = pad.keys
    keys.press(56)
    keys.now += 300
    keys.tap(80)
    keys.now += 300
    keys.release(56)
    payment = inside(pad.window).work_area.payment.model
    assert payment is not None
    assert [method for method, _ in payment.tender.paid] == [payment.methods[1]]


def _quantity(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F3")
    assert isinstance(inside(hands.window).model.questions.question, LineQuantity)


def _discount(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F4")


@pytest.mark.parametrize("opened", [_quantity, _discount])
def test_a_field_of_a_question_takes_a_number(pad: Hands, opened: Callable[[Hands], None]) -> None:
    opened(pad)
    pad.type_on_pad("24")
    assert _edit(pad).text() == "24"


async def test_the_pin_opens_and_a_cell_of_the_catalogue_takes_a_price(pad: Hands) -> None:
    inside(pad.window).open("catalogue")
    pad.type_on_pad(f"{PIN}\r{PIN}\r")
    screen = inside(pad.window).catalogue
    assert screen is not None
    await until(lambda: screen.model.is_open)
    place = screen.model.listed.index_of(pad.shop.row(BREAD).product_id)
    assert place is not None
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.PRICE))
    pad.type_on_pad("77.5\r")
    assert pad.shop.row(BREAD).price == Money("77.5")
