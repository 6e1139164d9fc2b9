"""Cases about the correction of a receipt that is not at its end: nothing of it is issued, or the
refund is and the new receipt is not.

The screen of the correction goes on with it. Sources: till.md ("Attention"), fiscal.md 6.6.
"""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.cashier.attention.cases.case import (
    Action,
    ActionContext,
    ActionResult,
    CaseFacts,
    Step,
    StepState,
)
from pos_app.cashier.attention.cases.sale_cases import CORRECTION, SEEN, SaleCase, refusal_words
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.domain.states import AnswerClass
from pos_app.selling.receipts.correction import (
    Correction,
    CorrectionStage,
    correction_with,
    stage_of,
)
from pos_app.selling.sale.ports import SaleStore
from pos_app.selling.sale.sale import Sale


@dataclass(frozen=True, kw_only=True)
class CorrectionCase(SaleCase):
    """receipt_id: of the receipt that is corrected. sale: the part that is next."""

    icon = ("pencil", "warn")
    receipt_id: str = ""

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return refusal_words(self.sale.reason, texts) or texts(f"att.why.{self.kind}")

    def go_on_step(self, texts: Texts) -> Step:
        """What leads to the screen of the correction."""
        go_on = Action(
            "go_on", texts("att.correction.go_on"), self._go_on, "pencil", ButtonKind.FILLED,
            key_cap=ENTER,
        )  # fmt: skip
        title, words = texts(f"att.step.{self.kind}"), texts(f"att.{self.kind}.words")
        quote = self.sale.reason.text if self._is_refusal and self.sale.reason else ""
        return Step(title, words, StepState.CURRENT, quote=quote, rows=((go_on,),))

    @property
    def _is_refusal(self) -> bool:
        reason = self.sale.reason
        return reason is not None and reason.answer_class is AnswerClass.FIX

    def _go_on(self, context: ActionContext, _word: str) -> ActionResult:
        context.open_correction(self.receipt_id)
        return ""


class UnbegunCorrection(CorrectionCase):
    """Surely nothing of it is issued."""

    kind = "unbegun_correction"

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        end = Action("end", texts("corr.give_up"), self._end, "x")
        give_up = Step(
            texts("att.step.correction_end"), texts("att.correction_end.words"), rows=((end,),)
        )
        return self.go_on_step(texts), give_up

    def _end(self, context: ActionContext, _word: str) -> ActionResult:
        context.services.outbox.cancel(self.sale.key, reason=SEEN)
        return "att.act.put_away"


class HalfCorrection(CorrectionCase):
    """The refund is issued, the new receipt is not."""

    kind = "half_correction"

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        if not self._is_refusal:
            return (self.go_on_step(texts),)
        correct = Action("correct", texts("att.correct"), self._correct, "undo-2")
        by_hand = Step(
            texts("att.step.correction_by_hand"), texts("att.correction_by_hand.words"),
            rows=((correct,),),
        )  # fmt: skip
        return self.go_on_step(texts), by_hand

    def _correct(self, context: ActionContext, _word: str) -> ActionResult:
        """What the server refuses as it is becomes a cart once more."""
        context.take_back_later(self.sale.key)
        context.services.outbox.cancel(self.sale.key, reason=CORRECTION)
        return "att.cancelling"


def correction_of(sales: SaleStore, sale: Sale) -> Correction | None:
    """The correction that a refused sale is a part of; None where it is of none."""
    is_part = sale.follows is not None or sale.operation == "refund"
    return correction_with(sales, sale) if is_part else None


def case_of_correction(correction: Correction, refused: Sale) -> CorrectionCase | None:
    """None where another part of it tells more."""
    refund, new = correction.refund, correction.new
    match stage_of(correction):
        case CorrectionStage.NOT_BEGUN if refused.key == refund.key:
            kind: type[CorrectionCase] = UnbegunCorrection
        case CorrectionStage.HALF if refused.key == new.key:
            kind = HalfCorrection
        case _:
            return None
    return kind(
        id=refused.key,
        since=refund.frozen_at,
        total=new.total,
        sale=refused,
        receipt_id=refund.target or "",
    )
