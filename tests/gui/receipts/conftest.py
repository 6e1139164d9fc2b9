"""The till's window over a real server, and over one whose answers a test delays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from pos_app.bootstrap.till.core import TillCore
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.documents.shown_receipt import ShownReceipt
from tests.e2e import shop as programs
from tests.fakes.receipt_files import NotingViewer
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.gui.parts import in_front
from tests.gui.payment.shop import Shop
from tests.gui.receipts.day import Day
from tests.gui.receipts.screens import stock
from tests.gui.window import shop as demo
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill


@dataclass
class NotingReceipts(ReceiptsInMemory):
    """read: the receipts that were asked for one by one."""

    read: list[str] = field(default_factory=list)

    async def receipt(self, reference: str) -> ShownReceipt:
        self.read.append(reference)
        return await super().receipt(reference)


@dataclass
class Held:
    """A window with the receipts of a day. server: delays its answers as a test wants."""

    shop: Shop
    day: Day
    server: NotingReceipts
    hands: RealTill
    viewer: NotingViewer

    @property
    def screen(self) -> ReceiptsScreen:
        screen: ReceiptsScreen = in_front(self.hands.hands.window.frame, "receipts.title")
        return screen

    def number(self) -> str:
        """The end of the shown number; "" where another receipt was asked for last."""
        shown = self.screen.opened.head.number.text()
        model = self.screen.model
        is_shown = model.can_act and model.opened and model.opened.overview.number == shown
        return shown.rpartition("-")[2] if is_shown else ""

    async def opens(self, number: str) -> None:
        await self.hands.until(lambda: self.number() == number)

    async def close(self) -> None:
        """End the window's tasks before the test's loop ends."""
        frame = self.hands.hands.window.frame
        frame.close()
        await frame.tasks.close()


@pytest.fixture
def held(tmp_path: Path, sell_in: SellIn) -> Iterator[Held]:
    shop, server = Shop(tmp_path), NotingReceipts()
    shop.receipts = server
    (day,) = stock(shop)
    shop.services = replace(shop.services, receipts=server)
    viewer = NotingViewer()
    hands = sell_in(cast("demo.Shop", shop), viewer=viewer)
    till = RealTill(cast("programs.Shop", None), cast(TillCore, None), shop.services, hands)
    yield Held(shop, day, server, till, viewer)
    shop.close()
