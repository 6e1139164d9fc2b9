"""F1: the keys of this screen."""

from __future__ import annotations

from pos_app.cashier.keys import TYPED, told_keys
from pos_app.cashier.keys_grid import KeysGrid
from pos_app.cashier.look.look import Look
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.texts import Words


class KeysPanel(QuestionPanel):
    """What is typed first, then what is pressed."""

    def __init__(self, model: SaleModel, words: Words, look: Look) -> None:
        super().__init__(model, words, look, title=words("ask.keys"))
        told = [(_cap(cap, words), words(text)) for cap, text in (*TYPED, *told_keys())]
        self.body.addWidget(KeysGrid(look, told))
        self.body.addStretch(1)


def _cap(cap: str, words: Words) -> str:
    """A key by its own name, or by the text that names it."""
    return words(cap) if words.has(cap) else cap
