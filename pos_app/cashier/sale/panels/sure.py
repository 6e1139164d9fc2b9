"""A typed number is far above the usual: it is corrected, or said to be right."""

from __future__ import annotations

from pos_app.cashier.keys import Act
from pos_app.cashier.look.look import Look
from pos_app.cashier.sale.asking import IsRight
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sure import Sure
from pos_app.cashier.texts import Words


class SurePanel(QuestionPanel):
    """Enter corrects; F12, or a finger, says that it is right."""

    def __init__(self, question: IsRight, model: SaleModel, words: Words, look: Look) -> None:
        super().__init__(model, words, look, title=words("sure.title"))
        self._agreed = question.agreed
        self.sure = Sure(look, words, question.unusual)
        self.sure.agreed.connect(self._agree)
        self.body.addWidget(self.sure, 1)
        self.offer(words("sure.mend"), model.ask_again, icon="undo-2")

    def take_key(self, act: Act) -> None:
        if act is Act.PAY:
            self._agree()

    def _agree(self) -> None:
        self.model.answered(self._agreed)
