"""The cash drawer: opened when a sale for cash is confirmed, and by F10; never waited for."""

from __future__ import annotations

from typing import NoReturn

from PySide6.QtCore import QObject, Qt, Signal

from pos_app import log
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.questions import ActFailed, NotDone
from pos_app.cashier.server_act import ServerAct
from pos_app.cashier.tasks import Tasks
from pos_app.domain.money import Money
from pos_app.errors import NotAllowed, PosError, RemoteError
from pos_app.selling.drawer import DrawerShut, open_by_hand
from pos_app.selling.sale import Sale
from pos_app.selling.server_ports import PaperDesk

_log = log.get(__name__)

OF_SALE = "drawer_of_sale"
"""The name of the act in `texts_last`."""


class DrawerControl(QObject):
    """The drawer of one window's counter. Signal: `changed()`, whether it opened."""

    changed = Signal()
    _opened = Signal()

    def __init__(self, model: SaleModel, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._tasks = tasks
        self._by_hand = ServerAct("drawer", model, tasks, self)
        self.shut: DrawerShut | None = None
        """Why it did not open with the last sale; None once it opened."""
        self._opened.connect(self._is_well, Qt.ConnectionType.QueuedConnection)

    def open_for(self, sale: Sale) -> None:
        """Ask for it where cash was taken and there is a drawer.

        That it stays shut is told once; while it stays so with the next sales, the bottom line has
        it.
        """
        services = self._model.services
        has_cash = sale.taken.tendered.cash > Money.ZERO
        if has_cash and sale.kind.takes_money and services.has_drawer:
            assert services.papers is not None
            self._tasks.start(
                self._open(services.papers, key=services.till.new_key()),
                name="open the drawer",
                on_failure=self._stays_shut,
            )

    def open_by_hand(self) -> None:
        """F10: open it without a sale, which is kept; say so where there is none."""
        services = self._model.services
        papers = services.papers
        if papers is None or not services.has_drawer:
            self._model.attempt(_no_drawer)
            return
        self._by_hand.start(lambda: self._open_by_hand(papers))

    def see(self) -> None:
        """Somebody opened it by its key, or it need not be open."""
        self._is_well()

    # --- parts -----------------------------------------------------------------------------------

    async def _open(self, papers: PaperDesk, *, key: str) -> None:
        await papers.open_drawer(key=key, by=self._model.services.cashier)
        self._opened.emit()

    async def _open_by_hand(self, papers: PaperDesk) -> None:
        services = self._model.services
        await open_by_hand(
            papers=papers,
            openings=services.openings,
            clock=services.till.clock,
            key=services.till.new_key(),
            by=services.cashier,
        )
        self._opened.emit()

    def _stays_shut(self, error: PosError) -> None:
        _log.warning("the drawer did not open: %s", error.what)
        if not isinstance(error, RemoteError):
            self._model.notify(ActFailed(error), "attention")
            return
        was_well, now = self.shut is None, self._model.services.till.clock.now()
        self.shut = DrawerShut(error, now)
        if was_well:
            self._model.notify(NotDone(OF_SALE, error), "attention")
        self.changed.emit()

    def _is_well(self) -> None:
        if self.shut is not None:
            self._model.withdraw(NotDone(OF_SALE, self.shut.why))
            self.shut = None
            self.changed.emit()


def _no_drawer() -> NoReturn:
    raise NotAllowed(
        "No cash drawer is set up.",
        safe="The cart is unchanged.",
        do="Open it with its key, and call support to set it up.",
        kind="no_drawer",
    )
