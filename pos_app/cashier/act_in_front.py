"""One act on a receipt, from its confirmation to its end, for whoever waits for it in front of the
till: a refund, a copy, a further payment, a closing.

It is kept in till.db like a sale, and goes on when the screen is left.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from enum import StrEnum

from pos_app.cashier.frame import Change, Changed
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState

REFUSED_IN_FRONT = "refused_in_front"
"""Why a refused act is cancelled: whoever waited saw it, and goes on from what was typed."""
TO_CART = "correction"
"""Why a sale is cancelled whose lines wait to be put into the cart again."""


class Stage(StrEnum):
    """How far the act is, as a person waits for it."""

    UNDER_WAY = "under_way"
    """It is sent, or looked up and may end in a moment."""
    DONE = "done"
    REFUSED = "refused"
    """It surely did not happen, and nothing more happens by itself."""
    DOUBT = "doubt"
    """It may have happened; it is looked up longer, and Attention has it."""


_STAGES = {
    SaleState.FROZEN: Stage.UNDER_WAY,
    SaleState.SENDING: Stage.UNDER_WAY,
    SaleState.CANCELLING: Stage.UNDER_WAY,
    SaleState.DONE: Stage.DONE,
    SaleState.REFUSED: Stage.REFUSED,
    SaleState.CANCELLED: Stage.REFUSED,
    SaleState.DOUBT: Stage.DOUBT,
}


class ActInFront:
    """The room of a screen holds one, and lets it hear each change."""

    def __init__(self, young_doubts: Callable[[], Container[str]]) -> None:
        """young_doubts: keys of acts in doubt for which nobody is called yet."""
        self._young_doubts = young_doubts
        self.sale: Sale | None = None
        """The act as it was told last; None while nobody waits for one."""

    def begin(self, sale: Sale) -> None:
        """Wait for this one, which was just confirmed."""
        self.sale = sale

    def forget(self) -> None:
        """Nobody waits for it any more; it goes on all the same."""
        self.sale = None

    def hear(self, change: Change) -> bool:
        """Whether the change was the act's own."""
        told, waited = change.sale, self.sale
        if change.what is not Changed.SALES or told is None or waited is None:
            return False
        if told.key != waited.key:
            return False
        self.sale = told
        return True

    @property
    def stage(self) -> Stage | None:
        if self.sale is None:
            return None
        stage = _STAGES[self.sale.state]
        is_young = stage is Stage.DOUBT and self.sale.key in self._young_doubts()
        return Stage.UNDER_WAY if is_young else stage
