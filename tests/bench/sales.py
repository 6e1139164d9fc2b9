"""Measures three items and exact cash: from the pay key to the next sale, and to the shown
receipt."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from pos_app.cashier.scanner.decoder import KEYPAD_PLUS
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import ENDED, SaleState
from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.gui.inside import inside

ITEMS = 3
FELT_MS = 300
_GIVE_UP = 30.0
_OWN = Target(60, 60)


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds from the pay key. ready: its event has returned, the next cart is open and
    painted. quiet: the whole window is painted. receipt_shown: the receipt's number is painted."""

    ready: float
    quiet: float
    receipt_shown: float


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    async for figure in own(hands):
        yield figure
    ended = Ended(hands)
    _delay(hands, FELT_MS)
    felt = [await sell(hands, ended) for _ in range(hands.size.felt)]
    _delay(hands, 0)
    ready, shown = [one.ready for one in felt], [one.receipt_shown for one in felt]
    words = f"processor at {FELT_MS} ms"
    yield Figure.of(f"pay key → ready for the next scan, {words}", ready, _OWN)
    yield Figure.of(f"pay key → receipt signed and shown, {words}", shown)


async def own(hands: Hands) -> AsyncIterator[Figure]:
    ended = Ended(hands)
    await sell(hands, ended)
    own = [await sell(hands, ended) for _ in range(hands.size.sales)]
    yield Figure.of("pay key → ready for the next scan", [one.ready for one in own], _OWN)
    yield Figure.of("pay key → whole window painted", [one.quiet for one in own], _OWN)
    name = "pay key → receipt signed and shown, processor at 0 ms"
    yield Figure.of(name, [one.receipt_shown for one in own])


async def of_lines(hands: Hands) -> AsyncIterator[Figure]:
    ended = Ended(hands)
    for lines in hands.size.lines:
        taken = [await sell(hands, ended, lines=lines) for _ in range(hands.size.carts)]
        ready = Figure.of("pay key → ready, a sale of so many lines", [one.ready for one in taken])
        yield replace(ready, size=lines)
        name = "pay key → receipt signed and shown, a sale of so many lines"
        yield replace(Figure.of(name, [one.receipt_shown for one in taken]), size=lines)


class Ended:
    """Waits for the end of one sale."""

    def __init__(self, hands: Hands) -> None:
        self._changed = asyncio.Event()
        self._sales: dict[str, Sale] = {}
        hands.window.services.outbox.listen(on_sale=self._hear)

    def _hear(self, sale: Sale) -> None:
        if sale.state in ENDED or sale.state is SaleState.REFUSED:
            self._sales[sale.key] = sale
            self._changed.set()

    async def of(self, key: str) -> Sale:
        """The sale of that key, once it has ended. No other is kept, since they would add up over a
        day."""
        async with asyncio.timeout(_GIVE_UP):
            while key not in self._sales:
                self._changed.clear()
                await self._changed.wait()
        sale = self._sales[key]
        self._sales.clear()
        return sale


async def sell(hands: Hands, ended: Ended, *, lines: int = ITEMS) -> Taken:
    hands.clear_cart()
    for _ in range(lines):
        hands.at_this_moment()
        hands.scan(hands.next_ean())
    await hands.until_alive()
    await hands.quiet.reached()
    model, keys = inside(hands.window).model, hands.keys
    before = model.cart.ticket.id
    hands.at_this_moment()
    began = time.perf_counter()
    keys.press(KEYPAD_PLUS)
    ready = time.perf_counter()
    keys.release(KEYPAD_PLUS)
    last = model.confirmation.last
    if model.cart.ticket.id == before or last is None or not model.cart.ticket.cart.is_empty:
        raise AssertionError("the pay key did not end the sale")
    quiet = await hands.quiet.reached()
    sale = await ended.of(last.key)
    shown = await hands.quiet.reached()
    if (
        sale.receipt is None
        or model.confirmation.last is None
        or model.confirmation.last.receipt is None
    ):
        raise AssertionError(f"no receipt: {sale.state} {sale.reason}")
    return Taken(
        ready=1000 * (ready - began),
        quiet=1000 * (quiet - began),
        receipt_shown=1000 * (shown - began),
    )


def _delay(hands: Hands, milliseconds: int) -> None:
    # The till does not load these, and its memory is measured.
    from contextlib import closing
    from http import HTTPStatus
    from http.client import HTTPConnection
    from urllib.parse import urlsplit

    place, body = urlsplit(hands.control), json.dumps({"delay_ms": milliseconds})
    with closing(HTTPConnection(place.netloc, timeout=10.0)) as door:
        door.request("PATCH", f"{place.path}/state", body, {"Content-Type": "application/json"})
        assert door.getresponse().status == HTTPStatus.OK
