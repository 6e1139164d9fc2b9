"""The till as it opens on a screen: `python -m tests.gui.window.on_screen FOLDER`.

It writes the size of its window and of the screen to standard output, and closes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QTimer

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.start.app import run
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.window.shop import Shop, demo_catalogue

SETTLED_MS = 700


def main(data: Path) -> int:
    """Open the till, write the sizes, close it; returns the program's status."""
    demo_catalogue(data)

    @contextmanager
    def open_services() -> Iterator[TillServices]:
        shop = Shop(data, real_time=True)
        yield shop.services
        shop.close()

    def tell(window: TillWindow) -> None:
        for size in (window.size(), window.screen().availableSize()):
            sys.stdout.write(f"{size.width()}×{size.height()}\n")
        window.close()

    def on_ready(window: TillWindow) -> None:
        QTimer.singleShot(SETTLED_MS, window, lambda: tell(window))

    return run(open_services=open_services, background=lambda _: [], on_ready=on_ready)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
