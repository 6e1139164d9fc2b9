"""Pictures of the question whether the till is closed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pos_app.cashier.window.frame import CLOSING, AskedToClose
from pos_app.cashier.window.screens import RECEIPTS, REPORTS
from pos_app.cashier.window.till_window import TillWindow
from tests.fakes.fiscal_server import Fault
from tests.fakes.services_in_memory import WorkInMemory
from tests.gui.crawl.posing import named, over_till
from tests.gui.inside import inside
from tests.gui.window.screens import fill
from tests.gui.window.screens import received as money_typed
from tests.gui.window.shop import BREAD, Shop, run


def _sell(shop: Shop, window: TillWindow, fault: Fault) -> None:
    inside(window).model.entry.enter_code(BREAD)
    shop.pause()
    shop.server.faults.append(fault)
    inside(window).work_area.sale.cash()


def shift(shop: Shop, window: TillWindow) -> None:
    shop.services.shifts.ensure_open(by="Ана Марија Стефановић", at=shop.clock.now())
    window.ways_out.ask()


def sales(shop: Shop, window: TillWindow) -> None:
    for fault in (Fault.IN_DOUBT, Fault.FIX):
        _sell(shop, window, fault)
        run(shop.serve(2))
    for _ in range(2):
        _sell(shop, window, Fault.NONE)
    window.ways_out.ask()


def received(shop: Shop, window: TillWindow) -> None:
    """Money was typed for the cart, and its payment left; the backup of the day is being made."""
    fill(shop, window)
    money_typed(shop, window)
    shop.backups.makes_daily = True
    window.ways_out.ask()


def works(shop: Shop, window: TillWindow) -> None:
    """Two files are written, and the desktop session ends."""
    fill(shop, window)
    for name in (RECEIPTS, REPORTS):
        room: Any = window.frame.room(name)
        room.exporting.begin(WorkInMemory(), Path("r.csv"))
    window.frame.cover(CLOSING, AskedToClose(window.close, by_session=True))


SCENES = named(shift, sales, received, works)
posed = over_till(SCENES)
