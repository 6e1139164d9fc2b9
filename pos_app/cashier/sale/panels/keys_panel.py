"""F1: the keys of this screen."""

from __future__ import annotations

from pos_app.cashier.keys import TYPED, told_keys
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.panel import KeysGrid
from pos_app.cashier.ui.theme import Theme


class KeysPanel(QuestionPanel):
    """What is typed first, then what is pressed."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.keys"))
        told = [(_cap(cap, texts), texts(text)) for cap, text in (*TYPED, *told_keys())]
        self.body.addWidget(KeysGrid(theme, told))
        self.body.addStretch(1)


def _cap(cap: str, texts: Texts) -> str:
    """A key by its own name, or by the text that names it."""
    return texts(cap) if texts.has(cap) else cap
