"""The till's window, a shop, and a manager's hands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.gui.window.hands import hands, little, sell_in, theme
from tests.gui.window.shop import Shop
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import shop_data

__all__ = ["hands", "little", "sell_in", "shop_data", "template", "theme", "touch_screen"]


@pytest.fixture
def shop(shop_data: Path) -> Iterator[Shop]:
    made = Shop(shop_data, file_work=child(CATALOGUE_FILES))
    yield made
    made.close()


@pytest.fixture(scope="session")
def touch_screen(qapp: QApplication) -> QPointingDevice:
    return QTest.createTouchDevice()
