"""F1: the keys of this screen."""

from __future__ import annotations

from pos_app.cashier.commands import Screen, told_keys
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.panel import KeysGrid
from pos_app.cashier.ui.theme import Theme


class KeysPanel(QuestionPanel):
    """What is typed first, then what is pressed."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.keys"))
        self.body.addWidget(KeysGrid(theme, told_keys(Screen.SALE, texts)))
        self.body.addStretch(1)
