"""F1: the keys of this screen."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout

from pos_app.cashier.keys import TYPED, told_keys
from pos_app.cashier.look.buttons import KeyCap
from pos_app.cashier.look.labels import Label
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.panel import Panel
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.texts import Words


class KeysPanel(QuestionPanel):
    """Two columns of key caps with what they do."""

    def __init__(self, model: SaleModel, words: Words, look: Look) -> None:
        super().__init__(model, words, look, title=words("ask.keys"))
        panel = Panel(look)
        grid = QGridLayout(panel)
        metrics = look.metrics
        grid.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s2)
        told = [*((words(cap), text) for cap, text in TYPED), *self._pressed()]
        rows = (len(told) + 1) // 2
        for number, (cap, text) in enumerate(told):
            column = 2 * (number // rows)
            grid.addWidget(KeyCap(look, cap), number % rows, column)
            label = Label(look, words(text), step=Step.BASE, wrap=True)
            grid.addWidget(label, number % rows, column + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.body.addWidget(panel)
        self.body.addStretch(1)

    def _pressed(self) -> list[tuple[str, str]]:
        words = self.words
        return [(words(cap) if words.has(cap) else cap, text) for cap, text in told_keys()]
