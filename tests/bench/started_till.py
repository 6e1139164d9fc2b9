"""The till, which notes the moments from its command line to its first scan."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.start import scripted_sale
from pos_app.cashier.window.till_window import TillWindow
from pos_app.settings import Settings
from tests.bench import screen


class StartedTill(TillProgram):
    """Scans `code` once its window is painted, and closes it. It loads nothing that a till does not
    load itself."""

    def __init__(self, settings: Settings, moments: dict[str, float], *, code: str) -> None:
        super().__init__(settings)
        self._moments = moments
        self._code = code

    def start(self) -> None:
        self.run(on_ready=self._on_ready, size=screen.SIZE)
        assert "scanned" in self._moments, "the first scan is not in the cart"

    @contextmanager
    def _open_services(self) -> Iterator[TillServices]:
        self._note("application")
        with super()._open_services() as counter:
            self._note("databases")
            yield counter

    def _on_ready(self, window: TillWindow) -> None:
        self._note("window")
        # The events that show it, its first paint among them, come before a timer of zero.
        QTimer.singleShot(0, window, lambda: self._scan(window))

    def _scan(self, window: TillWindow) -> None:
        self._note("painted")
        scripted_sale.scan(window, self._code)
        room = window.frame.home_room
        assert isinstance(room, SaleRoom)
        active = room.model.cart.ticket.cart.active
        if active and active[-1].article.frozen.gtin == self._code:
            self._note("scanned")
            self._moments["processor"] = time.process_time()
        window.close()

    def _note(self, name: str) -> None:
        self._moments[name] = time.monotonic()
