"""The till's window on a shop of its own, and the cashier's hands."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, hands, sell_in, theme
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import few, shop, shop_data

__all__ = ["few", "hands", "sell_in", "shop", "shop_data", "template", "theme", "touch_screen"]


@pytest.fixture
def anew(hands: Hands) -> Anew:
    return Anew(hands)


@pytest.fixture(scope="session")
def touch_screen(qapp: QApplication) -> QPointingDevice:
    return QTest.createTouchDevice()
