"""The till as a program of its own: `python -m tests.gui.window.program FOLDER PICTURE`.

It sells one bread through the real loop and outbox, takes a picture, and closes its window. It
writes its observations to standard output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.start.app import run
from pos_app.cashier.window.till_window import TillWindow
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.scanner.wedge import send_scan
from tests.gui.window.shop import Shop, demo_catalogue

GIVE_UP_MS = 20_000


def say(*words: object) -> None:
    """Write one row to standard output."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def main(data: Path, picture: Path) -> int:
    """Sell and close; returns the program's status."""
    demo_catalogue(data)
    opened: list[Shop] = []

    @contextmanager
    def open_services() -> Iterator[TillServices]:
        shop = Shop(data, real_time=True)
        opened.append(shop)
        yield shop.services
        say("the counter was closed")
        shop.close()

    def on_ready(window: TillWindow) -> None:
        say("ready", window.tasks.names)
        no_other = Qt.ApplicationAttribute.AA_DisableNativeVirtualKeyboard
        say("no keyboard but ours", QApplication.testAttribute(no_other))
        QTimer.singleShot(0, window, lambda: sell(window))
        QTimer.singleShot(GIVE_UP_MS, window, window.close)

    def sell(window: TillWindow) -> None:
        send_scan("8609910700134", at=1_000, window=window.windowHandle())
        send_scan("8609951100139", at=2_000, window=window.windowHandle())
        say("total", inside(window).model.cart.total)
        QTimer.singleShot(0, window, break_down)
        QTimer.singleShot(600, window, lambda: pay(window))

    def break_down() -> None:
        raise KeyError("a bug of this program")

    def pay(window: TillWindow) -> None:
        say("notice", [type(one).__name__ for one in inside(window).model.context.notices])
        inside(window).work_area.sale.cash()
        watch = QTimer(window)
        watch.timeout.connect(lambda: look(window))
        watch.start(20)

    def look(window: TillWindow) -> None:
        last = inside(window).model.confirmation.last
        if last is not None and last.state is SaleState.DONE and window.isVisible():
            say("issued", inside(window).cart.large.accessibleName())
            inside(window).model.entry.enter_code("20")
            window.grab().save(str(picture))
            window.close()

    def background(services: TillServices) -> list[Coroutine[object, object, None]]:
        return [services.outbox.run()]

    status = run(
        open_services=open_services, background=background, on_ready=on_ready, size=(1366, 768)
    )
    say("ended", status, "signed", len(opened[0].server.ledger))
    return status


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
