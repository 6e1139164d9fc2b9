"""Two receipts of one act, a refund and what follows it, that somebody waits for at the till: a
correction, an exchange. Each goes on when its screen is left.

Source: till.md ("Receipts").
"""

from __future__ import annotations

from enum import StrEnum

from pos_app.cashier.services import TillServices
from pos_app.domain.states import AnswerClass
from pos_app.errors import PosError
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, stage_of
from pos_app.selling.sale.sale import Sale


class Enter(StrEnum):
    """The next act of the big button, and of Enter."""

    CORRECT = "correct"
    WAIT = "wait"
    AGAIN = "again"
    """Nothing is issued: send the refund once more."""
    ISSUE = "issue"
    """Send the new receipt after a refund that is issued."""
    ATTENTION = "attention"
    """Open Attention: nobody knows whether it was issued."""
    BACK = "back"
    ASK = "ask"
    """Ask once more for the receipt that is to be corrected."""


ENTER_ICONS = {
    Enter.CORRECT: "pencil",
    Enter.WAIT: "loader-circle",
    Enter.AGAIN: "refresh-cw",
    Enter.ISSUE: "check",
    Enter.ATTENTION: "bell",
    Enter.BACK: "arrow-left",
    Enter.ASK: "refresh-cw",
}
_ENTER = {
    PairStage.REFUNDING: Enter.WAIT,
    PairStage.ISSUING: Enter.WAIT,
    PairStage.NOT_BEGUN: Enter.AGAIN,
    PairStage.HALF: Enter.ISSUE,
    PairStage.IN_DOUBT: Enter.ATTENTION,
    PairStage.DONE: Enter.BACK,
    PairStage.GIVEN_UP: Enter.BACK,
}


class PairInFront:
    """The base of a screen's model; the screen's room passes each change of a sale to it."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.pair: FrozenPair | None = None
        """The begun pair, or None before."""
        self.trouble: PosError | None = None

    def hear(self, sale: Sale) -> bool:
        """Take a change of a sale, and tell whether the sale is part of this pair."""
        pair, sales = self.pair, self.services.sales
        if pair is None or sale.key not in (pair.refund.key, pair.new.key):
            return False
        self.pair = FrozenPair(sales.sale(pair.refund.key), sales.sale(pair.new.key))
        return True

    @property
    def stage(self) -> PairStage | None:
        return None if self.pair is None else stage_of(self.pair)

    @property
    def doubt_is_young(self) -> bool:
        """Whether a doubt is being looked up, and may end in a moment."""
        pair = self.pair
        return pair is not None and pair.next_part.key in self.services.outbox.young_doubts

    @property
    def is_refused(self) -> bool:
        """Whether the server refused the refund as it is: surely nothing was issued."""
        pair = self.pair
        return self.stage is PairStage.NOT_BEGUN and pair is not None and is_refusal(pair.refund)

    @property
    def next_enter(self) -> Enter:
        stage = self.stage
        if stage is PairStage.IN_DOUBT and self.doubt_is_young:
            return Enter.WAIT
        return Enter.BACK if stage is None else _ENTER[stage]

    def go_on(self) -> None:
        """Have the unissued receipts sent. Raises NotAllowed."""
        assert self.pair is not None
        self.services.outbox.try_again(self.pair.next_part.key)
        self.trouble = None


def is_refusal(sale: Sale) -> bool:
    """Whether the server refused it as it is, and did not only lack time or help."""
    return sale.reason is not None and sale.reason.answer_class is AnswerClass.FIX
