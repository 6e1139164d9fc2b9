"""Presses keys and scans on the real window, in the window's own process."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field

from pos_app.bootstrap.till.core import TillCore
from pos_app.cashier.scanner.decoder import ENTER
from pos_app.cashier.window.till_window import TillWindow
from tests.bench.painted import Paints, Rest
from tests.bench.place import Size
from tests.gui.inside import inside
from tests.gui.scanner.wedge import Keyboards

_GIVE_UP = 30.0
_BY_HAND_MS = 200
_DEAD_SECONDS = 0.42


class Quiet(Rest):
    async def reached(self) -> float:
        """Wait for the rest; returns its moment."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.tell(lambda: None if waiting.done() else waiting.set_result(None))
        await asyncio.wait_for(waiting, _GIVE_UP)
        return self.since


@dataclass
class Hands:
    """A cashier at the window. codes: EANs of articles sold by the piece."""

    window: TillWindow
    core: TillCore
    size: Size
    codes: list[str]
    control: str
    newer: str
    keys: Keyboards = field(init=False)
    cart_paints: Paints = field(init=False)
    quiet: Quiet = field(init=False)
    scanned: int = 0

    def __post_init__(self) -> None:
        self.keys = Keyboards(window=self.window.windowHandle(), now=_milliseconds())
        self.cart_paints = Paints(inside(self.window).cart.list)
        self.quiet = Quiet()

    def next_ean(self) -> str:
        self.scanned += 1
        return self.codes[self.scanned % len(self.codes)]

    def at_this_moment(self) -> None:
        """Stamp the next keys with the machine's clock."""
        self.keys.now = max(self.keys.now + 1, _milliseconds())

    def scan(self, ean: str) -> float:
        """Milliseconds from Enter to the row's paint. The keys before Enter are delivered first;
        the filter holds them."""
        self.keys.scan(ean, gap=2, suffix="none")
        began = time.perf_counter()
        self.keys.press(ENTER)
        self.keys.release(ENTER)
        self.keys.now += 2
        return (self.cart_paints.ended - began) * 1000

    def press(self, place: int) -> None:
        """Press a key 0.2 s after the last one."""
        self.keys.now += _BY_HAND_MS
        self.keys.tap(place, hold=_BY_HAND_MS)

    def clear_cart(self) -> None:
        """Drop the open cart, with a reason."""
        if inside(self.window).model.cart.ticket.cart.lines:
            inside(self.window).model.cart.void("the cart of a benchmark")

    async def until_alive(self) -> None:
        """Wait as a hand does between the last scan and the key of payment."""
        await self.pause(_DEAD_SECONDS)

    async def pause(self, seconds: float) -> None:
        """Let the window work for at least `seconds`. The keys' clock, which runs ahead of the
        machine's after many scans, goes on by as much."""
        clock, milliseconds = self.core.till.clock, math.ceil(seconds * 1000)
        await clock.pause(milliseconds, until=asyncio.Event())
        self.keys.now += milliseconds


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000
