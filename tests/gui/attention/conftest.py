"""The screen Attention in a window over a real till.db, and a person's hands at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QVBoxLayout, QWidget

from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.core_events import CoreEvents
from pos_app.cashier.tasks import Tasks
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.sale import Sale
from tests.fakes.receipt_files import NotingViewer
from tests.gui.attention import cases
from tests.gui.patience import waited
from tests.gui.payment.conftest import KEYS, shop, theme
from tests.gui.payment.shop import Shop

__all__ = ["Caring", "care", "shop", "theme"]


@dataclass
class Caring:
    """A person at the screen."""

    shop: Shop
    screen: AttentionScreen
    window: QWidget
    tasks: Tasks
    texts: Texts
    bugs: list[BaseException]
    viewer: NotingViewer
    backs: list[bool] = field(default_factory=list)
    taken: list[Sale] = field(default_factory=list)

    async def until(self, seen: Callable[[], object]) -> None:
        """Let outbox and screen work until something is seen; at most 5 s."""
        deadline = time.monotonic() + 5
        while not seen():
            assert time.monotonic() < deadline, "it never came"
            assert not self.bugs, self.bugs
            self.shop.clock.go_on(await self.shop.outbox.step())
            await asyncio.sleep(0.002)

    async def opened(self) -> None:
        """The screen is shown and has asked the server."""
        self.window.show()
        self.window.activateWindow()
        await self.until(lambda: QApplication.activeWindow() is self.window)
        await self.refreshed()

    async def refreshed(self) -> None:
        """Everything that is told at the moment is shown."""
        self.screen.refresh()
        await self.until(lambda: not self.tasks.names)
        await asyncio.sleep(0)
        await asyncio.sleep(0.01)

    @property
    def case(self) -> CaseView:
        assert self.screen.case is not None
        return self.screen.case

    @property
    def steps(self) -> StepsView:
        assert self.case.steps is not None
        return self.case.steps

    def field(self, name: str) -> Field:
        """The visible field that is called so."""
        shown = [one for one in self.window.findChildren(Field) if one.isVisible()]
        return next(one for one in shown if one.edit.accessibleName() == name)

    def press(self, *names: str) -> None:
        """Keys by name, or a text typed character by character.

        To the focus itself: keys to a window would run a nested loop under this coroutine.
        """
        for name in names:
            for key in [KEYS[name]] if name in KEYS else name:
                QTest.keyClick(QApplication.focusWidget() or self.window, key)

    def tap(self, name: str) -> None:
        """A finger on the visible button that is called so."""
        button = self.button(name)
        assert button.isEnabled(), button.toolTip()
        waited(button)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def button(self, name: str) -> QAbstractButton:
        """The visible button whose accessible name begins so."""
        shown = [one for one in self.window.findChildren(QAbstractButton) if one.isVisible()]
        found = [one for one in shown if one.accessibleName().startswith(name)]
        assert found, f"no {name} among {[one.accessibleName() for one in shown]}"
        return found[0]

    def rows(self) -> list[str]:
        """Names of the rows at the left."""
        return [row.accessibleName() for row in self.screen._frame.side.rows.values()]


@pytest.fixture
def no_manager(shop: Shop) -> None:
    """A cashier alone is signed in, before the screen is made."""
    shop.services = replace(shop.services, is_manager=False)


@pytest.fixture
def care(theme: Theme, shop: Shop) -> Iterator[Caring]:
    """The screen as the window holds it: outbox events refresh it."""
    window = QWidget()
    words = Texts()
    bugs: list[BaseException] = []
    viewer = NotingViewer()
    tasks = Tasks(on_error=bugs.append, on_bug=bugs.append)
    screen = AttentionScreen(shop.services, words, theme, tasks, viewer, parent=window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(screen)
    window.resize(1366, 734)
    hearing = CoreEvents(shop.services, window)
    hearing.sale_moved.connect(lambda _: screen.refresh())
    hearing.server_changed.connect(screen.refresh)
    made = Caring(shop, screen, window, tasks, words, bugs, viewer)
    screen.back_pressed.connect(lambda: made.backs.append(True))
    screen.runner.sale_taken.connect(made.taken.append)
    yield made
    window.close()
    window.deleteLater()
    QApplication.processEvents()
    assert bugs == []


__all__ = ["cases"]
