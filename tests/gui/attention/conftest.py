"""The screen Attention in a window over a real till.db, and a person's hands at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QVBoxLayout, QWidget

from pos_app.cashier.attention.actions import AttentionRoom
from pos_app.cashier.attention.case_list import CaseList
from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.cases.sale_cases import SEEN
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
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.receipt.states import RequestState
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import ENDED, SaleState
from tests.fakes.people_here import sign_in
from tests.fakes.receipt_files import NotingViewer
from tests.gui.attention import cases
from tests.gui.attention.counter import TABLE, Counter, hold
from tests.gui.parts import in_front, only
from tests.gui.payment.conftest import KEYS, Finger, shop, theme
from tests.gui.payment.shop import CASHIER, Shop

__all__ = ["Caring", "care", "shop", "theme"]


@dataclass
class Caring(Finger):
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

    async def anew(self) -> None:
        """End what the step before left, and forget what it told."""
        server, doubts = self.shop.server, self.shop.doubts
        server.running, server.damaged = True, False
        self.shop.outbox.take_server_fault(None)
        server.processor, server.jobs_left_off = ProcessorState.READY, 0
        server.jobs = server.alarms = server.open = ()
        server.half_signed.clear()
        server.faults.clear()
        server.find_out(signed=True)
        doubts.faults.clear()
        doubts.foreign.clear()
        doubts.pairs.clear()
        doubts.refused, doubts.ends, doubts.is_silent = [], RequestState.NEEDS_HUMAN, False
        self.shop.receipt_files.fault, self.viewer.opens = None, True
        self.frame.open(ATTENTION)
        self.shop.clock.go_on(10_000)
        await cases.settle(self.shop, 20)
        for sale in self.shop.store.sales.last(50):
            if sale.state is SaleState.REFUSED:
                self.shop.outbox.cancel(sale.key, reason=SEEN)
        await cases.settle(self.shop, 20)
        sales, now = self.shop.store.sales, self.shop.clock.now()
        for sale in sales.credits_owed():
            sales.note_paid_out(sale.key, gave=Money.ZERO, by=CASHIER, at=now)
        for sale in sales.last(50):
            if sale.state in ENDED:
                sales.mark_shown(sale.key)
        await self.until(lambda: not self.tasks.names)
        self.screen.refresh()
        doubts.told.clear()
        doubts.ends_of_jobs.clear()
        self.taken.clear()
        self.viewer.files.clear()
        files = self.shop.receipt_files
        for noted in (files.asked, files.instead, files.opened_instead):
            noted.clear()
        assert self.waiting() == 0, self.rows()

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

    @property
    def buttons(self) -> list[str]:
        found = self.case_view.findChildren(QAbstractButton)
        return [one.accessibleName() or one.text() for one in found if one.isVisible()]

    @property
    def said(self) -> str:
        labels = self.case_view.findChildren(QLabel)
        return " ".join(one.text() for one in labels if one.isVisible()).replace("\u200b", "")

    @property
    def news(self) -> str:
        """The words at the bottom, without the positions where a path may break."""
        return self.case_view.news_text().replace("\u200b", "")

    def state(self, sale: Sale) -> SaleState:
        return self.shop.store.sales.sale(sale.key).state

    @property
    def side(self) -> CaseList:
        self.frame.open(ATTENTION)
        return only(in_front(self.frame, "att.title"), CaseList)

    def rows(self) -> list[str]:
        return [row.accessibleName() for row in self.side.rows.values()]


@pytest.fixture
def signed_in(shop: Shop) -> None:
    """Sign in a manager, before the screen is made."""
    sign_in(shop.services)
    shop.services.here.person = shop.services.people.people()[0]


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
