"""Pictures of the question whether the till is closed:

`python -m tests.gui.closing.screens FOLDER [--only NAME]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from pos_app.cashier.window.frame import CLOSING, AskedToClose
from pos_app.cashier.window.screens import RECEIPTS, REPORTS
from pos_app.cashier.window.till_window import TillWindow
from tests.fakes.backups import WorkInMemory
from tests.fakes.fiscal_server import Fault
from tests.gui.inside import inside
from tests.gui.pictures import LIGHT, Shape, main
from tests.gui.window.posed import window_posed
from tests.gui.window.screens import begun, fill
from tests.gui.window.shop import BREAD, Shop, run

Scene = Callable[[Shop, TillWindow], None]


def _sell(shop: Shop, window: TillWindow, fault: Fault) -> None:
    inside(window).model.entry.enter_code(BREAD)
    shop.pause()
    shop.server.faults.append(fault)
    inside(window).work_area.sale.cash()


def shift(shop: Shop, window: TillWindow) -> None:
    """Only a shift is open."""
    shop.services.shifts.ensure_open(by="Ана Марија Стефановић", at=shop.clock.now())
    window.ways_out.ask()


def sales(shop: Shop, window: TillWindow) -> None:
    """Paid sales of each kind have no receipt, and a shift is open."""
    for fault in (Fault.IN_DOUBT, Fault.FIX):
        _sell(shop, window, fault)
        run(shop.serve(2))
    for _ in range(2):
        _sell(shop, window, Fault.NONE)
    window.ways_out.ask()


def received(shop: Shop, window: TillWindow) -> None:
    """Money was typed for the cart, and its payment left; the backup of the day is being made."""
    begun(shop, window)
    shop.backups.makes_daily = True
    window.ways_out.ask()


def works(shop: Shop, window: TillWindow) -> None:
    """Two files are written, and the desktop session ends."""
    fill(shop, window)
    for name in (RECEIPTS, REPORTS):
        room: Any = window.frame.room(name)
        room.exporting.begin(WorkInMemory(), Path("r.csv"))
    window.frame.cover(CLOSING, AskedToClose(window.close, by_session=True))


_ALL: tuple[Scene, ...] = (shift, sales, received, works)
SCENES = {scene.__name__: scene for scene in _ALL}


@contextmanager
def posed(application: QApplication, shape: Shape, name: str) -> Iterator[TillWindow]:
    with window_posed(application, shape, SCENES[name]) as window:
        yield window


WANTED: tuple[tuple[Shape, tuple[str, ...]], ...] = (
    (LIGHT, tuple(SCENES)),
    (Shape("1366-dark", 1366, 768, "dark"), tuple(SCENES)),
    (Shape("1024-light", 1024, 768, "light"), tuple(SCENES)),
)
if __name__ == "__main__":
    sys.exit(main("closing the till", WANTED, posed))
