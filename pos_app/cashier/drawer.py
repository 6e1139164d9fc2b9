"""The cash drawer: opened when a sale for cash is confirmed, and by F10; never waited for."""

from __future__ import annotations

from typing import NoReturn

from PySide6.QtCore import QObject

from pos_app import log
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.server_act import ServerAct
from pos_app.cashier.tasks import Tasks
from pos_app.domain.money import Money
from pos_app.errors import NotAllowed, PosError
from pos_app.selling.drawer import open_by_hand
from pos_app.selling.sale import Sale

_log = log.get(__name__)


class Drawer(QObject):
    """The drawer of one window's counter."""

    def __init__(self, model: SaleModel, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._tasks = tasks
        self._by_hand = ServerAct("drawer", model, tasks, self)

    def open_for(self, sale: Sale) -> None:
        """Ask for it where cash was taken and there is a drawer."""
        counter = self._model.counter
        has_cash = sale.taken.tendered.cash > Money.ZERO
        if has_cash and sale.kind.takes_money and counter.has_drawer:
            assert counter.papers is not None
            self._tasks.start(
                counter.papers.open_drawer(key=counter.till.new_key(), by=counter.cashier),
                name="open the drawer",
                on_failure=_stays_shut,
            )

    def open_by_hand(self) -> None:
        """F10: open it without a sale, which is kept; say so where there is none."""
        counter = self._model.counter
        papers = counter.papers
        if papers is None or not counter.has_drawer:
            self._model.attempt(_no_drawer)
            return
        self._by_hand.start(
            lambda: open_by_hand(
                papers=papers,
                openings=counter.openings,
                clock=counter.till.clock,
                key=counter.till.new_key(),
                by=counter.cashier,
            )
        )


def _stays_shut(error: PosError) -> None:
    """The cashier sees that, and has F10 and its key."""
    _log.warning("the drawer did not open: %s", error.what)


def _no_drawer() -> NoReturn:
    raise NotAllowed(
        "No cash drawer is set up.",
        safe="The cart is as it was.",
        do="Set printer.drawer in the settings, and restart the till.",
        kind="no_drawer",
    )
