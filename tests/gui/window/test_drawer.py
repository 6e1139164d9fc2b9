"""The drawer opens for cash, at the confirm, and by F10; nobody waits for it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import apsw
import pytest

from pos_app import errors
from pos_app.cashier.sale.server_acts import SHOW_MS
from pos_app.documents.blocks import Document
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.server.drawer_openings import OpeningOutcome
from pos_app.settings import PrinterSettings
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.gui.inside import inside
from tests.gui.parts import lines_of, pass_time
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import MILK, Shop
from tests.sweep import each

WIRED = PrinterSettings(kind="network", address="10.0.0.7", drawer="pin2")
BREAD = "8609910700134"


class SlowPapers:
    """The port ServerReceiptPrinter of a slow printer."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.keys: list[str] = []
        self.free = asyncio.Event()
        self.fault: errors.RemoteError | None = None

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> None:
        raise AssertionError(key)

    async def open_drawer(self, *, key: str, by: str) -> None:
        self.keys.append(key)
        self.opened.append(by)
        await self.free.wait()
        if self.fault is not None:
            raise self.fault


@pytest.fixture
def papers() -> SlowPapers:
    return SlowPapers()


def wired(shop: Shop, papers: SlowPapers, printer: PrinterSettings) -> Shop:
    settings = shop.services.settings.having(printer=printer)
    shop.services = replace(shop.services, receipt_printer=papers, started_with=settings)
    return shop


@pytest.fixture
def till(shop: Shop, sell_in: SellIn, papers: SlowPapers) -> Anew:
    """A till with a drawer."""
    return Anew(sell_in(wired(shop, papers, WIRED)))


async def sell_bread(hands: Hands, key: str = "+") -> None:
    hands.scan(BREAD)
    hands.pay(key)
    await seen()


def kept(hands: Hands) -> list[tuple[str, OpeningOutcome]]:
    """The openings without a sale: the cashier and the outcome of each."""
    found = hands.shop.database.drawer.openings(since=datetime(2000, 1, 1, tzinfo=UTC))
    return [(one.cashier, one.outcome) for one in found]


@each(
    ("kind", "key", "times"),
    [
        (DocumentKind.SALE, "+", 1),
        (DocumentKind.SALE, "-", 0),
        (DocumentKind.ADVANCE, "+", 1),
        (DocumentKind.PROFORMA, "+", 0),
        (DocumentKind.TRAINING, "+", 0),
    ],
)
async def test_it_opens_for_cash_that_a_customer_pays(
    till: Anew, papers: SlowPapers, kind: DocumentKind, key: str, times: int
) -> None:
    """The next sale begins, whatever the printer does."""
    hands = till.begin()
    papers.opened.clear()
    papers.free.clear()
    hands.model.cart.set_kind(kind)
    await sell_bread(hands, key)
    hands.scan(BREAD)
    assert len(hands.rows()) == 1
    assert papers.opened == ["Касир 3"] * times
    assert kept(hands) == [], "it is no opening by hand"
    papers.free.set()
    await seen()


async def test_one_that_was_opened_by_its_key_is_told_no_more(
    till: Anew, papers: SlowPapers
) -> None:
    hands, papers.fault = till.begin(), errors.Refused(what="x")
    papers.free.set()
    await sell_bread(hands)
    await hands.shop.serve()
    hands.tap(hands.window.status)
    await seen()
    hands.tap_words("Фиока је отворена")
    await seen()
    assert "Све је у реду" in lines_of(inside(hands.window).attention)
    assert "Фиока" not in hands.bottom_line()
    hands.press("Esc")
    assert (hands.notice(), len(papers.opened)) == ("", 1)


async def test_what_takes_long_shows_that_it_runs_and_a_second_press_asks_nothing(
    till: Anew, papers: SlowPapers
) -> None:
    hands = till.begin()
    hands.window.frame.home.show_bug(ValueError("x"))
    unread = hands.model.context.notices
    hands.press("F10")
    pass_time(hands.window, SHOW_MS)
    assert hands.notice().startswith("Фиока се отвара")
    hands.press("F10")
    hands.scan(MILK)
    await seen()
    assert (papers.opened, len(hands.rows())) == (["Касир 3"], 1)
    papers.free.set()
    await seen()
    assert hands.model.context.notices == unread


@pytest.mark.logs_error(
    r"opening 1 of the drawer: (opened|shut|unknown), which is not kept: The disk took no more data"
)
async def test_a_till_that_can_t_keep_it_opens_nothing_and_what_became_of_it_is_told(
    till: Anew, papers: SlowPapers
) -> None:
    hands, papers.fault = till.begin(), errors.Refused(what="x")
    full = apsw.FullError("full")
    with refused(connection_of(hands.shop.database.sales), full):
        hands.press("F10")
        await seen()
    assert hands.notice().startswith("Нема места на диску")
    assert papers.opened == []
    hands.press("Esc", "F10")
    await seen()
    with refused(connection_of(hands.shop.database.sales), full):
        papers.free.set()
        await seen()
    assert hands.notice().startswith("Фиока се није отворила")
    assert kept(hands) == [("Касир 3", OpeningOutcome.ASKED)]  # it may have opened
