"""The till's window on a real file, outbox, server and processor, each a program of its own.

A press in such a window has its whole effect: HTTP, journal, signature, and back.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self, cast

import pytest
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from pos_app import settings
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.receipt_export import ReceiptExportProcess
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.bootstrap.till.till import services_of
from pos_app.cashier.services.till_services import TillServices
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import ENDED, SaleState
from tests.e2e import shop as programs
from tests.e2e.nursery import RECEIPT_EXPORT, child, door
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import PlayedTones, Shop
from tests.integration.local_api.wires import until

OUTCOMES = ENDED | {SaleState.REFUSED, SaleState.DOUBT}
DEAD_SECONDS = 0.45
"""Exact payment does nothing for that long after a scan."""


class _Queue(QObject):
    """Qt delivers queued signals in the order in which they were sent. Signals: `delivered()`."""

    delivered = Signal()


@dataclass
class RealTill:
    """shop: its programs, which a test stops, kills and gives faults."""

    shop: programs.Shop
    core: TillCore
    services: TillServices
    hands: Hands

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Run the outbox, which sends confirmed sales to the server."""
        outbox = asyncio.create_task(self.core.outbox.run(), name="outbox")
        try:
            await until(lambda: self.core.outbox.view.status is not None)
            yield
        finally:
            await self.hands.window.frame.tasks.close()
            outbox.cancel()
            await asyncio.gather(outbox, return_exceptions=True)
            await self.core.let_go()

    async def walk(self, *steps: Callable[[Self], Awaitable[None]]) -> None:
        """Do each step at this one till, and go home after it."""
        async with self.at_work():
            for step in steps:
                await step(self)
                await self.by_hand(self.hands.window.frame.go_home)

    async def enter_twice(self, big: QWidget) -> None:
        """Press Enter, and again while it is issued and the large button can't be pressed: the
        second one leads nowhere."""
        frame = self.hands.window.frame
        top = frame.top
        self.shop.change(delay_ms=300)
        await self.press("Enter")
        await self.until(lambda: not big.isEnabled())
        await self.press("Enter")
        assert frame.top is top
        self.shop.change(delay_ms=0)

    async def by_hand(self, act: Callable[..., object], *words: object) -> None:
        """Do an act of the hands between two steps of every coroutine: a key that is sent to a
        window runs a nested loop, in which a task that is under way would be lost. It ends once
        whatever the act queued is delivered, as an eye sees the window only after that: without it
        the coroutine, which a timer wakes, may go on before a view shows its model."""
        done, queue = asyncio.get_running_loop().create_future(), _Queue()
        queue.delivered.connect(lambda: done.set_result(None), Qt.ConnectionType.QueuedConnection)

        def do() -> None:
            try:
                act(*words)
            finally:  # pytest-qt reports an exception
                queue.delivered.emit()

        QTimer.singleShot(0, do)
        await done

    async def press(self, *names: str) -> None:
        for name in names:
            await self.by_hand(self.hands.press, name)

    async def type(self, text: str) -> None:
        await self.by_hand(self.hands.type, text)

    async def scan(self, code: str) -> None:
        await self.by_hand(self.hands.scan, code)

    async def tap(self, widget: QWidget) -> None:
        await self.until(widget.isVisible)  # a new page appears a moment later
        await self.by_hand(self.hands.tap, widget)

    async def tap_words(self, words: str) -> None:
        await self.until(lambda: bool(self.hands.buttons(words)))  # it may appear a moment later
        await self.by_hand(self.hands.tap_words, words)

    async def until(self, check: Callable[[], bool]) -> None:
        """Wait for the effect of another program or of a task of the window."""
        await until(check)

    async def sold(self, *codes: str) -> Sale:
        for code in codes:
            await self.scan(code)
        await asyncio.sleep(DEAD_SECONDS)
        await self.press("Ctrl+Enter")
        return await self.ended()

    def last(self) -> Sale:
        return self.core.database.sales.last(1)[0]

    async def ended(self) -> Sale:
        found = self.core.database.sales.last
        await until(lambda: any(one.state in OUTCOMES for one in found(1)))
        return self.last()


@contextmanager
def opened(
    folder: Path,
    template: Path,
    sell_in: SellIn,
    *,
    told: str = "",
    before: Callable[[TillServices], object] = lambda _: None,
) -> Iterator[RealTill]:
    """A shop with the demo's articles, whose processor and server run. template: a data folder with
    the articles. told: additional settings. before: called before the window opens. It is opened
    outside of any coroutine, because opening a window runs Qt's loop."""
    with programs.opened(folder / "real", template, door()) as shop:
        with (shop.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(told)
        shop.processor()
        shop.server()
        with started(shop, sell_in, before=before) as till:
            yield till


@contextmanager
def started(
    shop: programs.Shop,
    sell_in: SellIn,
    *,
    before: Callable[[TillServices], object] = lambda _: None,
) -> Iterator[RealTill]:
    """The till of a shop whose programs run, with nothing in memory."""
    with open_till_core(settings.load(shop.data)) as core:
        api, forked = LocalApi(shop.url, core.install), child(RECEIPT_EXPORT)
        exports = ReceiptExportProcess(api, shop.data, command=forked)
        services = replace(services_of(core, PlayedTones()), receipt_export=exports)
        before(services)
        counter = _Counter(services, core)
        counter.until_closed.callback(exports.close)
        hands = sell_in(cast("Shop", counter))
        yield RealTill(shop, core, services, hands)
        counter.until_closed.close()


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    """The window of this test alone; its outbox works in `at_work`."""
    with opened(tmp_path, template, sell_in) as made:
        yield made
        asyncio.get_event_loop().run_until_complete(made.core.let_go())


@dataclass
class _Counter:
    """The parts of a shop that the cashier's hands need."""

    services: TillServices
    core: TillCore
    until_closed: ExitStack = field(default_factory=ExitStack)

    @property
    def catalogue(self) -> object:
        return self.core.catalogue

    def row(self, code: str) -> CatalogueRow:
        return self.core.catalogue.page(code, limit=1)[0]
