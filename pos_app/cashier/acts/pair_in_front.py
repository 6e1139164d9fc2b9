"""A correction or an exchange while somebody waits for it at the till. Such an act has two
receipts, a refund and the receipt that follows it, and goes on when its screen is left.

Source: till.md ("Receipts").
"""

from __future__ import annotations

from enum import StrEnum

from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import PosError
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, stage_of
from pos_app.selling.sale.sale import Sale


class PairStep(StrEnum):
    """The act that the big button, or Enter, does next."""

    CORRECT = "correct"
    WAIT = "wait"
    AGAIN = "again"
    """Send the refund again: no receipt was issued."""
    ISSUE = "issue"
    """Send the new receipt: the refund is issued."""
    ATTENTION = "attention"
    """Open Attention: nobody knows whether a receipt was issued."""
    BACK = "back"
    NEXT = "next"
    """Go on to the next sale: both receipts are issued."""
    ASK = "ask"
    """Ask the server again for the receipt that is to be corrected."""


_ENTER = {
    PairStage.REFUNDING: PairStep.WAIT,
    PairStage.ISSUING: PairStep.WAIT,
    PairStage.NOT_BEGUN: PairStep.AGAIN,
    PairStage.HALF: PairStep.ISSUE,
    PairStage.IN_DOUBT: PairStep.ATTENTION,
    PairStage.DONE: PairStep.NEXT,
    PairStage.GIVEN_UP: PairStep.BACK,
}


class PairInFront:
    """The base class of the models of both screens. A screen's room passes each change of a sale to
    `follow_sale`."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.pair: FrozenPair | None = None
        self.trouble: PosError | None = None

    def follow_sale(self, sale: Sale) -> bool:
        """Read the pair anew if the changed sale is part of it; return whether it is."""
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
        """Whether the pair's doubt is still being looked up, and may end in a moment."""
        pair = self.pair
        return pair is not None and pair.next_part.key in self.services.outbox.young_doubts

    @property
    def is_doubted(self) -> bool:
        """Whether a doubt stopped the act, so that a person may agree to what is doubted."""
        return False

    def agree(self) -> None:
        """Take what is doubted as right."""

    @property
    def is_refused(self) -> bool:
        """Whether the server refused the refund, so that surely nothing was issued."""
        pair = self.pair
        return self.stage is PairStage.NOT_BEGUN and pair is not None and is_refusal(pair.refund)

    @property
    def next_enter(self) -> PairStep:
        stage = self.stage
        if stage is PairStage.IN_DOUBT and self.doubt_is_young:
            return PairStep.WAIT
        return PairStep.BACK if stage is None else _ENTER[stage]

    def go_on(self) -> None:
        """Send the next part, which was refused, once more. Raises NotAllowed."""
        assert self.pair is not None
        self.services.outbox.try_again(self.pair.next_part.key)
        self.trouble = None


def is_refusal(sale: Sale) -> bool:
    """Whether the server refused the content of the sale. It is False where the server only needs
    time, or a person's help."""
    return sale.reason is not None and sale.reason.answer_class is AnswerClass.FIX
