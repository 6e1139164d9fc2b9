"""A cashier who pays by keys right after a scan is not slowed by what the scan changes."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from pos_app.cashier.scanner.decoder import ENTER
from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.scanner.wedge import F12
from tests.gui.window.hands import Hands

BREAD_EAN = "8609910700134"


@pytest.mark.usefixtures("in_real_time")
@pytest.mark.parametrize("pause", [50, 200])
def test_enter_after_a_scan_and_the_key_of_payment_is_taken(hands: Hands, pause: int) -> None:
    QTest.qWait(500)  # the window has stood for a while
    for _ in range(2):
        hands.scan(BREAD_EAN)
        for key in (F12, ENTER):
            QTest.qWait(pause)
            hands.keys.now += pause
            hands.keys.tap(key)
        layout = layout_of(inside(hands.window).work_area.payment)
        assert layout.issue.accessibleName().startswith("Издај рачун")
        QTest.qWait(420)
        hands.keys.now += 420
        hands.keys.tap(ENTER)
        assert inside(hands.window).model.cart.ticket.cart.is_empty
