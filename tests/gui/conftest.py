"""What tests of a window share: the house's rules, shops, tills in windows, and hands at them."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.house import _a_hand_in_no_hurry, _no_error_is_logged, in_real_time
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, hands, little, sell_in, theme
from tests.gui.window.real_till import real
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import few, shop, shop_data

__all__ = [
    "_a_hand_in_no_hurry", "_no_error_is_logged", "few", "hands", "in_real_time", "little", "real",
    "sell_in", "shop", "shop_data", "template", "theme",
]  # fmt: skip


@pytest.fixture
def anew(hands: Hands) -> Anew:
    return Anew(hands)


@pytest.fixture(scope="session")
def touch_screen(qapp: QApplication) -> QPointingDevice:
    return QTest.createTouchDevice()
