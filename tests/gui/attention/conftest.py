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

from pos_app.cashier.attention.actions import ActionRunner
from pos_app.cashier.attention.case_list import CaseList
from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.tasks import CoreEvents, Tasks
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.metrics import Metrics
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.sale.sale import Sale
from tests.fakes.receipt_files import NotingViewer
from tests.gui.attention import cases
from tests.gui.parts import only
from tests.gui.patience import waited
from tests.gui.payment.conftest import KEYS, shop, theme
from tests.gui.payment.shop import Shop

__all__ = ["Caring", "care", "shop", "theme"]


@dataclass
class Caring:
    """A person at the screen."""

    shop: Shop
    runner: ActionRunner
    ui: UiContext
    window: QWidget
    tasks: Tasks
    bugs: list[BaseException]
    viewer: NotingViewer
    backs: list[bool] = field(default_factory=list)
    taken: list[Sale] = field(default_factory=list)
    screen: AttentionScreen = field(init=False)

    def __post_init__(self) -> None:
        self.screen = self._made()
        self.runner.sale_taken.connect(self.taken.append)

    def change(self, *, metrics: Metrics | None = None, language: Language | None = None) -> None:
        """The screen in other sizes or words, as the window makes it anew."""
        before = self.screen
        self.ui = self.ui.changed(metrics=metrics, language=language)
        self.runner.speak(self.ui.texts)
        before.hide()
        before.setParent(None)
        self.screen = self._made()
        before.deleteLater()

    def _made(self) -> AttentionScreen:
        column = self.window.layout()
        assert column is not None
        screen = AttentionScreen(self.shop.services, self.ui, self.runner, self.window)
        column.addWidget(screen)
        screen.back_pressed.connect(lambda: self.backs.append(True))
        return screen

    async def until(self, seen: Callable[[], object]) -> None:
        """Let outbox and screen work until something is seen; at most 5 s."""
        deadline = time.monotonic() + 5
        while not seen():
            assert time.monotonic() < deadline, "it never came"
            assert not self.bugs, self.bugs
            self.shop.clock.go_on(await self.shop.outbox.step())
            await asyncio.sleep(0.002)

    def refresh(self) -> None:
        """Show how things are, on whatever screen there is now."""
        self.screen.refresh()

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
        return [row.accessibleName() for row in only(self.screen, CaseList).rows.values()]


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
    waiting = AttentionModel(shop.services)
    waiting.load()
    runner = ActionRunner(shop.services, waiting, words, tasks, viewer, parent=window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    window.resize(1366, 734)
    made = Caring(shop, runner, UiContext(theme, words), window, tasks, bugs, viewer)
    events = CoreEvents(shop.services, window)
    events.sale_moved.connect(lambda _: made.screen.refresh())
    events.server_changed.connect(made.refresh)
    yield made
    window.close()
    window.deleteLater()
    QApplication.processEvents()
    assert bugs == []


__all__ = ["cases"]
