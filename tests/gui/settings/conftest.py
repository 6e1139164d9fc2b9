"""The till's window, a shop, and a manager's hands."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.server.ports import ServerDecisions
from tests.gui.window.hands import hands, sell_in, theme
from tests.gui.window.shop import NoDoubts, Shop
from tests.gui.window.shop_fixtures import bare_template as template
from tests.gui.window.shop_fixtures import few, shop, shop_data

__all__ = ["few", "hands", "sell_in", "shop", "shop_data", "template", "theme", "touch_screen"]


class Reopened(NoDoubts):
    """A server that notes each request to open the shop again."""

    def __init__(self) -> None:
        self.reopened: list[str] = []

    async def reopen(self, *, by: str) -> None:
        self.reopened.append(by)


@pytest.fixture
def reopened(shop: Shop) -> Reopened:
    """The fixture is applied before the window of the shop is made."""
    made = Reopened()
    shop.services = replace(shop.services, server_decisions=cast("ServerDecisions", made))
    return made


@pytest.fixture(scope="session")
def touch_screen(qapp: QApplication) -> QPointingDevice:
    return QTest.createTouchDevice()


def settings_acts(shop: Shop) -> list[ActRow]:
    """The rows about settings in the table of acts."""
    day, now = timedelta(days=1), shop.clock.now()
    acts = shop.services.acts.acts(since=now - day, until=now + day)
    return [one for one in acts if one.done is NotedAct.SETTINGS]
