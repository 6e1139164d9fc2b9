"""The drawer opens for cash, at the confirm, and nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from pos_app.documents.blocks import Document
from pos_app.errors import NotDelivered
from pos_app.settings import PrinterSettings
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop

WIRED = PrinterSettings(kind="network", address="10.0.0.7", drawer="pin2")
NO_DRAWER = PrinterSettings(kind="network", address="10.0.0.7")
BREAD = "8609910700134"


class SlowPapers:
    """The port PaperDesk of a printer that takes its time."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.free = asyncio.Event()
        self.fault: NotDelivered | None = None

    async def print(self, paper: Document, *, key: str) -> None:
        raise AssertionError(key)

    async def open_drawer(self, *, by: str) -> None:
        self.opened.append(by)
        await self.free.wait()
        if self.fault is not None:
            raise self.fault


@pytest.fixture
def papers() -> SlowPapers:
    return SlowPapers()


def wired(shop: Shop, papers: SlowPapers, printer: PrinterSettings) -> Shop:
    settings = shop.counter.settings.model_copy(update={"printer": printer})
    shop.counter = replace(shop.counter, papers=papers, settings=settings)
    return shop


@pytest.mark.parametrize(
    ("printer", "key", "times"),
    [(WIRED, "+", 1), (WIRED, "-", 0), (NO_DRAWER, "+", 0)],
    ids=["cash", "card", "no drawer"],
)
async def test_it_opens_for_cash_where_there_is_one(
    shop: Shop,
    sell_in: Callable[[Shop], Hands],
    papers: SlowPapers,
    printer: PrinterSettings,
    key: str,
    times: int,
) -> None:
    hands = sell_in(wired(shop, papers, printer))
    hands.scan(BREAD)
    hands.shop.pause()
    hands.pad(key)
    hands.scan(BREAD)  # the next sale has begun, whatever the printer does
    await seen()
    assert len(hands.rows()) == 1
    assert papers.opened == ["Касир 3"] * times
    papers.free.set()
    await hands.window.tasks.close()


async def test_a_drawer_that_stays_shut_is_no_trouble_of_the_sale(
    shop: Shop, sell_in: Callable[[Shop], Hands], papers: SlowPapers
) -> None:
    papers.fault = NotDelivered("The local server can't be reached.")
    papers.free.set()
    hands = sell_in(wired(shop, papers, WIRED))
    hands.scan(BREAD)
    hands.shop.pause()
    hands.pad("+")
    await seen()
    assert papers.opened == ["Касир 3"]
    assert hands.rows() == []
    assert hands.window.model.last is not None
    await hands.window.tasks.close()
