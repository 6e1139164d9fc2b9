"""An act on a receipt (a refund, a copy, a further payment or a closing) while somebody waits for
it at the till.

The act is kept in till.db like a sale and goes on when the screen is left.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from enum import StrEnum

from pos_app.cashier.window.frame import Change, ShopChange
from pos_app.domain.receipt.states import REVERSED
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState

REFUSED_IN_FRONT = "refused_in_front"
"""The cancel reason of a refused act that its screen still followed. The person may have left the
screen by then."""
GOES_BACK = "goes_back"
"""The cancel reason of a refused act whose screen said that what was received for it goes back to
the customer; of any other one what was received stays given."""
TO_CART = "correction"
"""The cancel reason of a sale whose lines wait to be put into the cart again."""


class Stage(StrEnum):
    """The stage of an act as the person who waits sees it."""

    UNDER_WAY = "under_way"
    """The act is sent, or is looked up and may end in a moment."""
    DONE = "done"
    REFUSED = "refused"
    """The act surely did not happen, and nothing more happens by itself."""
    DOUBT = "doubt"
    """The act may have happened; it is looked up for longer, and Attention shows it."""


_STAGES = {
    SaleState.FROZEN: Stage.UNDER_WAY,
    SaleState.SENDING: Stage.UNDER_WAY,
    SaleState.CANCELLING: Stage.UNDER_WAY,
    SaleState.DONE: Stage.DONE,
    SaleState.REFUSED: Stage.REFUSED,
    SaleState.CANCELLED: Stage.REFUSED,
    SaleState.DOUBT: Stage.DOUBT,
}


def is_undone(sale: Sale) -> bool:
    """Whether one of the act's two receipts was issued, and a manager undid it."""
    return sale.reason is not None and sale.reason.code == REVERSED


class ActInFront:
    """Keeps the act that one screen waits for. The screen's room passes each change to
    `follow_change`."""

    def __init__(self, young_doubts: Callable[[], Container[str]]) -> None:
        """young_doubts: the keys of acts whose doubt is so young that nobody is called yet."""
        self._young_doubts = young_doubts
        self.sale: Sale | None = None
        """The act as last known, or None while nobody waits for one; it goes on all the same."""

    def follow_change(self, change: Change) -> bool:
        """Take the change if it is the act's own, and tell whether it was."""
        sales, waited = change.sale, self.sale
        if change.what is not ShopChange.SALES or sales is None or waited is None:
            return False
        if sales.key != waited.key:
            return False
        self.sale = sales
        return True

    @property
    def stage(self) -> Stage | None:
        if self.sale is None:
            return None
        stage = _STAGES[self.sale.state]
        is_young = stage is Stage.DOUBT and self.sale.key in self._young_doubts()
        return Stage.UNDER_WAY if is_young else stage
