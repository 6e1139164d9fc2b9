"""A typed number is far above the usual: it is corrected, or said to be right."""

from __future__ import annotations

from pos_app.cashier.confirm_amount import ConfirmAmount
from pos_app.cashier.keys import KeyAction
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.questions import UnusualAmountQuestion
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme


class UnusualAmountPanel(QuestionPanel):
    """Enter corrects; F12, or a finger, says that it is right."""

    def __init__(
        self, question: UnusualAmountQuestion, model: SaleModel, texts: Texts, theme: Theme
    ) -> None:
        super().__init__(model, texts, theme, title=texts("sure.title"))
        self._agreed = question.agreed
        self.sure = ConfirmAmount(theme, texts, question.unusual)
        self.sure.agreed.connect(self._agree)
        self.body.addWidget(self.sure, 1)
        self.offer(texts("sure.mend"), model.ask_again, icon="undo-2")

    def take_key(self, act: KeyAction) -> None:
        if act is KeyAction.PAY:
            self._agree()

    def _agree(self) -> None:
        self.model.answered(self._agreed)
