"""The numeric pad types its digits whether Num Lock is on or off, on every screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.domain.money.money import Money
from tests.gui.inside import inside
from tests.gui.patience import until
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD

BREAD_EAN = "8609910700134"
PIN = "147258"
PAD_4, PAD_2, ALT = 75, 80, 56


def _edit(hands: Hands) -> QLineEdit:
    found = hands.window.focusWidget()
    assert isinstance(found, QLineEdit)
    return found


@pytest.mark.parametrize("is_on", [False, True], ids=["num-lock-off", "num-lock-on"])
def test_at_the_sale_and_in_the_payment(hands: Hands, is_on: bool) -> None:
    keys = hands.keys
    keys.num_lock = is_on
    hands.type_on_pad(f"{BREAD}\r")
    hands.scan("8609951100139")
    assert hands.gtins() == [BREAD_EAN, "8609951100139"]
    current = hands.model.cart.current_line_id
    hands.type_on_pad("9")  # Page Up of a pad without Num Lock
    hands.type_on_pad(".")  # and Delete
    assert (hands.model.cart.current_line_id, len(hands.rows())) == (current, 2)
    assert _edit(hands).text() == "9."
    hands.press("Esc")
    for key, typed in (("F3", "24"), ("F4", "15")):
        hands.press(key)
        hands.type_on_pad(typed)
        assert _edit(hands).text() == typed
        hands.press("Esc")
    keys.press(PAD_4)
    for _ in range(3):  # a key that is held down types on
        keys.now += 250
        keys.release(PAD_4, repeat=True)
        keys.press(PAD_4, repeat=True)
    keys.release(PAD_4)
    assert _edit(hands).text() == "4444"
    hands.press("Esc")
    hands.press("F12")
    hands.type_on_pad("123.5")
    assert (str(hands.payment.tender.payments.total), _edit(hands).text()) == ("123.50", "123,5")
    hands.press("Del")
    keys.press(ALT)
    keys.now += 300
    keys.tap(PAD_2)
    keys.now += 300
    keys.release(ALT)
    assert [method for method, _ in hands.payment.tender.paid] == [hands.payment.methods[1]]
    hands.press("Esc")
    hands.press("F6")
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.type_on_pad("500")
    hands.pad("+")
    assert hands.sold().money_taken.tendered.total == Money("500")


async def test_the_pin_opens_and_a_cell_of_the_catalogue_takes_a_price(hands: Hands) -> None:
    inside(hands.window).open("catalogue")
    hands.type_on_pad(f"{PIN}\r{PIN}\r")
    screen = inside(hands.window).catalogue
    await until(lambda: screen.model.is_open)
    place = screen.model.listed.index_of(hands.shop.row(BREAD).product_id)
    assert place is not None
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.PRICE))
    hands.type_on_pad("77.5\r")
    assert hands.shop.row(BREAD).price == Money("77.5")
