"""Measures a till with many waiting sales: a step of the outbox, Attention, the log's file.

    python -m tests.bench.waiting FOLDER SIZE

The server is in memory, so that only the till is measured. Each figure is a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.metrics import measure as measured
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.receipt.server_status import ProcessorState
from tests.bench.figures import TOLD, Figure, Target
from tests.bench.place import Size
from tests.fakes.big_till import fill
from tests.fakes.fiscal_server import Fault
from tests.gui.attention import cases
from tests.gui.attention.screens import framed
from tests.gui.payment.shop import Shop
from tests.gui.pictures import styled

_OPENED = 12
_SEEN = 10
"""The steps after which server and processor have surely been asked for their state."""
_LOG = Target(16, 16)


async def measure(application: QApplication, folder: Path, size: Size) -> AsyncIterator[Figure]:
    """Measure with the processor away, then with the server away as well."""
    steps = size.waiting_steps
    filled = Shop(folder)
    fill(filled.store, ended=size.ended, waiting=size.waiting)
    filled.close()
    shop = Shop(folder)
    shop.server.processor = ProcessorState.AWAY
    shop.server.faults.extend([Fault.WAIT] * (_SEEN + 2 * steps))  # it signs nothing
    words = f"{size.waiting:,} sales wait"
    began = time.perf_counter()
    shop.outbox.recover()
    yield Figure.single("recovering at the start", 1000 * (time.perf_counter() - began), "ms")
    shop.server.running = False
    reading = await _steps(shop, 90)
    yield Figure.of(f"step of the outbox, {words}, still being read", reading)
    for name, running in (("the server is away", False), ("its processor is away", True)):
        shop.server.running = running
        shop.clock.go_on(20_000)
        await _steps(shop, _SEEN)
        yield Figure.of(f"step of the outbox, {words}, {name}", await _steps(shop, steps))
    look = Theme(theme="light", metrics=measured(touch_mm=12, text_percent=100, width=1366))
    with styled(application, look):
        yield Figure.of(f"Attention opened, {words}", _opened(shop, look, min(_OPENED, steps)))
    for running in (True, False):
        shop.server.running = running
        yield await _log_of(shop, folder, steps, "processor" if running else "server")
    shop.close()


async def _steps(shop: Shop, count: int) -> list[float]:
    times = []
    for _ in range(count):
        began = time.perf_counter()
        wait = await shop.outbox.step()
        times.append(1000 * (time.perf_counter() - began))
        shop.clock.go_on(wait)
    return times


def _opened(shop: Shop, theme: Theme, count: int) -> list[float]:
    """Milliseconds from the press to the painted screen; a sale comes before it, so that all rows
    are made."""
    times = []
    for _ in range(count):
        holder, screen = framed(shop, UiContext(theme, Texts()))
        holder.resize(1366, 734)
        cases.sold(shop)
        began = time.perf_counter()
        screen.refresh()
        holder.grab()
        times.append(1000 * (time.perf_counter() - began))
        holder.deleteLater()
    return times


async def _log_of(shop: Shop, folder: Path, sold: int, away: str) -> Figure:
    """The longest log while a shop sells without a pause."""
    longest = 0
    for _ in range(sold):
        cases.sold(shop)
        await _steps(shop, 1)
        longest = max(longest, (folder / "till" / "till.db-wal").stat().st_size)
    name = f"till.db-wal at its longest, {sold} sales, the {away} away"
    return Figure.single(name, longest / 1_000_000, "MB", _LOG)


async def _tell(application: QApplication, folder: Path, size: Size) -> None:
    async for figure in measure(application, folder, size):
        print(TOLD + figure.to_json(), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    asyncio.run(_tell(QApplication([]), Path(sys.argv[1]), Size(**json.loads(sys.argv[2]))))
