"""Which panel a question has."""

from __future__ import annotations

from pos_app.cashier.look.look import Look
from pos_app.cashier.sale.asking import (
    HeldCarts,
    HowMuch,
    IsRight,
    KeysOfScreen,
    LinePrice,
    LineQuantity,
    More,
    NewArticle,
    NextQuantity,
    Question,
    RemovedLines,
    WhatPrice,
    WhichOne,
    WhyDrop,
)
from pos_app.cashier.sale.creating import Creating
from pos_app.cashier.sale.panels.choices import held_panel, removed_panel, which_panel
from pos_app.cashier.sale.panels.create import CreatePanel
from pos_app.cashier.sale.panels.drop import DropPanel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.panels.keys_panel import KeysPanel
from pos_app.cashier.sale.panels.more import MoreActs, more_panel
from pos_app.cashier.sale.panels.price import LinePricePanel, PricePanel
from pos_app.cashier.sale.panels.quantity import QuantityPanel
from pos_app.cashier.sale.panels.sure import SurePanel
from pos_app.cashier.texts import Words


def panel_for(question: Question, acts: MoreActs, words: Words, look: Look) -> QuestionPanel:
    """The panel that asks a question."""
    model, lines, carts = acts.model, acts.lines, acts.carts
    match question:
        case HowMuch() | LineQuantity() | NextQuantity():
            return QuantityPanel(question, model, lines, words, look)
        case WhatPrice():
            return PricePanel(question, model, lines, words, look)
        case LinePrice():
            return LinePricePanel(question, model, lines, words, look)
        case IsRight():
            return SurePanel(question, model, words, look)
        case WhichOne():
            return which_panel(question, model, words, look)
        case WhyDrop():
            return DropPanel(model, carts, words, look)
        case NewArticle():
            return CreatePanel(question, model, Creating(model), words, look)
        case _:
            return _list_for(question, acts, words, look)


def _list_for(
    question: HeldCarts | RemovedLines | More | KeysOfScreen, acts: MoreActs, words: Words,
    look: Look,
) -> QuestionPanel:  # fmt: skip
    match question:
        case HeldCarts():
            return held_panel(acts.model, acts.carts, words, look)
        case RemovedLines():
            return removed_panel(question, acts.model, acts.lines, words, look)
        case More():
            return more_panel(acts, words, look)
        case KeysOfScreen():
            return KeysPanel(acts.model, words, look)
