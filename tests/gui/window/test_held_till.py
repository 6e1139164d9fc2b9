"""Another program holds `till.db` for seconds: the window goes on, and every scan is entered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.cashier.sale.notices import ActFailed, ScansWaiting
from pos_app.cashier.sale.questions import NextQuantity, WeightQuestion
from pos_app.domain.money.money import Quantity
from pos_app.errors import DatabaseBusy
from tests.fakes.inner_connection import connection_of
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BANANA, Shop

EANS = ("8609910700134", "8609951100139")
UNKNOWN = "5901234123457"
SCANS = 5
PATIENCE_SECONDS = 0.5
"""More than the window waits for another program, and far less than a program without one does."""


class Hold:
    """Another program's lock of the file, until it releases it."""

    def __init__(self, shop: Shop) -> None:
        path = Path(connection_of(shop.database.sales).filename)
        self._connection = with_checksums(path, make=False)
        keep_log(self._connection)
        self._connection.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self.let_go()
        self._connection.close()


@contextmanager
def held(hands: Hands) -> Iterator[Hold]:
    hold = Hold(hands.shop)
    try:
        yield hold
    finally:
        hold.close()


async def entered(hands: Hands) -> None:
    """Wait until all waiting scans are in the cart."""
    async with asyncio.timeout(30.0):
        while hands.model.entry.waiting:
            await seen()
            await asyncio.sleep(0.01)


def pieces(hands: Hands) -> list[tuple[str, int]]:
    lines = hands.ticket.cart.active
    return [(line.article.frozen.name, int(line.quantity.amount)) for line in lines]


async def test_scans_while_it_is_held(hands: Hands) -> None:
    waits: list[float] = []
    with held(hands) as hold:
        for code in EANS * SCANS:
            began = time.monotonic()
            hands.scan(code)
            waits.append(time.monotonic() - began)
            await seen()
        assert pieces(hands) == []
        assert hands.model.context.notices == (ScansWaiting(len(waits)),)
        hold.let_go()
        await entered(hands)
    assert min(waits) < PATIENCE_SECONDS, "a scan that waited for the file would stop the window"
    assert pieces(hands) == [(hands.shop.name(code), SCANS) for code in EANS]
    assert hands.model.context.notices == ()


async def test_what_was_scanned_goes_before_what_is_pressed(hands: Hands) -> None:
    """No other code, question or payment goes before it: it would end in another sale."""
    hands.scan(EANS[0])
    hands.model.entry.set_next_quantity(Quantity(3))
    hands.shop.pause()
    with held(hands) as hold:
        hands.scan(EANS[1])
        hold.let_go()
        hands.shop.pause()
        before = hands.ticket.key
        hands.pad("+")
        hands.press("F12")
        hands.model.entry.set_next_quantity(Quantity(7))
        hands.model.questions.ask(NextQuantity())
        hands.press("F6")
        assert hands.ticket.key == before
        assert not hands.area.is_paying
        assert hands.model.questions.question is None
        await entered(hands)
    bread, milk = (hands.shop.name(code) for code in EANS)
    assert pieces(hands) == [(bread, 1), (milk, 3)]


async def test_a_payment_waits_for_what_was_scanned_during_it(hands: Hands) -> None:
    hands.scan(EANS[0])
    hands.press("F12")
    with held(hands) as hold:
        hands.scan(EANS[1])
        hold.let_go()
        hands.press("Enter", "Enter")
        assert hands.area.is_paying, "not confirmed without it"
        await entered(hands)
    assert len(pieces(hands)) == 2
    paid = hands.payment
    assert paid.due == hands.model.cart.total
    assert hands.shop.database.sales.last(1) == []


async def test_a_question_about_a_scan_stays_until_its_answer_is_stored(hands: Hands) -> None:
    hands.model.entry.enter_code(BANANA)
    assert isinstance(hands.model.questions.question, WeightQuestion)
    hands.scan(EANS[0])
    hands.type("2")
    with held(hands):
        hands.press("Enter")
        await seen()
        assert isinstance(hands.model.questions.question, WeightQuestion)
        told = hands.model.context.notices[-1]
        assert isinstance(told, ActFailed)
        assert isinstance(told.error, DatabaseBusy)
        assert [code.text for code in hands.model.entry.waiting] == [EANS[0]]
    hands.press("Enter")
    await entered(hands)
    assert len(pieces(hands)) == 2


async def test_a_notice_of_held_scans_that_was_read_does_not_come_back(hands: Hands) -> None:
    with held(hands):
        hands.scan(EANS[0])
        assert "Подаци касе су заузети" in hands.notice()
        hands.press("Esc")
        hands.model.entry.enter_blocked()
        hands.model.entry.enter_blocked()
        assert hands.notice() == ""
        assert not any(isinstance(one, ActFailed) for one in hands.model.context.notices)
    await entered(hands)
    assert len(pieces(hands)) == 1


async def test_a_code_that_could_not_be_stored_stays_with_a_cart_that_is_held(hands: Hands) -> None:
    hands.scan(EANS[0])
    with held(hands):
        hands.scan(UNKNOWN)
        await seen()
    hands.press("F6", "F6", "Enter")
    assert [one.code for one in hands.ticket.missed] == [UNKNOWN]
