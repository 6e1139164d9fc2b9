"""The screen Attention in a window over a real till.db, and a person's hands at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QVBoxLayout, QWidget

from pos_app.cashier.attention.actions import AttentionRoom
from pos_app.cashier.attention.case_list import CaseList
from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.services.tasks import CoreEvents, Tasks
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.metrics import Metrics
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Change, Frame, ShopChange
from pos_app.cashier.window.screens import ATTENTION
from pos_app.selling.sale.sale import Sale
from tests.fakes.people_here import CASHIERS_LACK, sign_in
from tests.fakes.receipt_files import NotingViewer
from tests.gui.attention import cases
from tests.gui.attention.counter import TABLE, Counter, hold
from tests.gui.parts import in_front, page_in_front
from tests.gui.patience import waited
from tests.gui.payment.conftest import KEYS, shop, theme
from tests.gui.payment.shop import Shop

__all__ = ["Caring", "care", "shop", "theme"]


@dataclass
class Caring:
    shop: Shop
    frame: Frame
    window: QWidget
    viewer: NotingViewer
    content: QWidget

    @property
    def counter(self) -> Counter:
        assert isinstance(self.frame.home_room, Counter)
        return self.frame.home_room

    @property
    def room(self) -> AttentionRoom:
        room = self.frame.room(ATTENTION)
        assert isinstance(room, AttentionRoom)
        return room

    @property
    def screen(self) -> AttentionScreen:
        """The open screen; it is opened where it was left."""
        self.frame.open(ATTENTION)
        screen: AttentionScreen = in_front(self.frame, "att.title")
        return screen

    @property
    def bugs(self) -> list[BaseException]:
        return self.counter.bugs

    @property
    def taken(self) -> list[Sale]:
        """The sales that went back to the cart."""
        return self.counter.taken

    @property
    def tasks(self) -> Tasks:
        return self.frame.tasks

    @property
    def is_left(self) -> bool:
        return self.frame.is_home

    def waiting(self) -> int:
        self.frame.count()
        return self.frame.waiting.many

    def change(self, *, metrics: Metrics | None = None, language: Language | None = None) -> None:
        """Make the screen again in other sizes or words, as the window does."""
        before, column = self.content, self.window.layout()
        assert column is not None
        ui = self.frame.ui.changed(metrics=metrics, language=language)
        before.hide()
        before.setParent(None)
        self.content = hold(self.frame, ui)
        column.addWidget(self.content)
        self.content.show()
        before.deleteLater()

    async def until(self, seen: Callable[[], object]) -> None:
        """Let outbox and screen work until `seen` holds; at most 60 s."""
        deadline = time.monotonic() + 60
        while not seen():
            assert time.monotonic() < deadline, "it never came"
            assert not self.bugs, self.bugs
            self.shop.clock.go_on(await self.shop.outbox.step())
            await asyncio.sleep(0.002)

    async def opened(self) -> None:
        """Show the screen, as a new visit, and wait until it has asked the server."""
        self.screen.model.leave()
        self.window.show()
        self.window.activateWindow()
        await self.until(lambda: QApplication.activeWindow() is self.window)
        await self.refreshed()

    async def refreshed(self) -> None:
        """Let the screen show the present state."""
        self.screen.refresh()
        await self.until(lambda: not self.tasks.names)
        await asyncio.sleep(0)
        await asyncio.sleep(0.01)

    @property
    def case_view(self) -> CaseView:
        assert self.screen.case_view is not None
        return self.screen.case_view

    @property
    def steps(self) -> StepsView:
        assert self.case_view.steps is not None
        return self.case_view.steps

    def field(self, name: str) -> Field:
        shown = [one for one in self.window.findChildren(Field) if one.isVisible()]
        return next(one for one in shown if one.edit.accessibleName() == name)

    def press(self, *names: str) -> None:
        """Press keys by name, or type a text character by character.

        The focus gets them: keys to a window would run a nested loop under this coroutine.
        """
        for name in names:
            for key in [KEYS[name]] if name in KEYS else name:
                QTest.keyClick(QApplication.focusWidget() or self.window, key)

    def tap(self, name: str) -> None:
        """Tap the visible button with that name."""
        button = self.button(name)
        assert button.isEnabled(), button.toolTip()
        waited(button)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def button(self, name: str) -> QAbstractButton:
        shown = [one for one in self.window.findChildren(QAbstractButton) if one.isVisible()]
        found = [one for one in shown if one.accessibleName().startswith(name)]
        assert found, f"no {name} among {[one.accessibleName() for one in shown]}"
        return found[0]

    @property
    def side(self) -> CaseList:
        self.frame.open(ATTENTION)
        side: CaseList = page_in_front(self.frame, "att.list")
        return side

    def rows(self) -> list[str]:
        return [row.accessibleName() for row in self.side.rows.values()]


@pytest.fixture
def no_manager(shop: Shop) -> None:
    """Sign in a cashier alone, before the screen is made."""
    sign_in(shop.services, CASHIERS_LACK)


@pytest.fixture
def care(theme: Theme, shop: Shop) -> Iterator[Caring]:
    """The screen in its window: outbox events refresh it."""
    window, viewer = QWidget(), NotingViewer()
    ui = UiContext(theme, Texts())
    frame = Frame(TABLE, shop.services, ui, viewer=viewer, acts={}, parent=window)
    content = hold(frame, ui)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(content)
    window.resize(1366, 734)
    made = Caring(shop, frame, window, viewer, content)
    frame.open(ATTENTION)
    events = CoreEvents(shop.services, window)
    events.sale_moved.connect(lambda sale: frame.announce(Change(ShopChange.SALES, sale)))
    events.server_changed.connect(lambda: frame.announce(Change(ShopChange.SERVER)))
    yield made
    window.close()
    window.deleteLater()
    QApplication.processEvents()
    assert made.bugs == []


__all__ = ["cases"]
