"""The cash drawer: opened when a sale for cash is confirmed, and never waited for."""

from __future__ import annotations

from pos_app import log
from pos_app.cashier.counter import Counter
from pos_app.cashier.tasks import Tasks
from pos_app.domain.money import Money
from pos_app.errors import PosError
from pos_app.selling.basket import DocumentKind
from pos_app.selling.sale import Sale

_log = log.get(__name__)


def open_drawer(counter: Counter, sale: Sale, tasks: Tasks) -> None:
    """Ask for it where cash was taken and there is a drawer; practice takes none."""
    papers = counter.papers
    takes_cash = sale.taken.tendered.cash > Money.ZERO and sale.kind is not DocumentKind.TRAINING
    if papers is not None and counter.has_drawer and takes_cash:
        tasks.start(
            papers.open_drawer(by=counter.cashier), name="open the drawer", on_failure=_stays_shut
        )


def _stays_shut(error: PosError) -> None:
    """The cashier sees that, and has its key."""
    _log.warning("the drawer did not open: %s", error.what)
