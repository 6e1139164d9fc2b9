"""Which panel a question has."""

from __future__ import annotations

from pos_app.cashier.sale.creating import Creating
from pos_app.cashier.sale.panels.choices import held_panel, removed_panel, which_panel
from pos_app.cashier.sale.panels.create import CreatePanel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.panels.keys_panel import KeysPanel
from pos_app.cashier.sale.panels.more import Menu, more_panel
from pos_app.cashier.sale.panels.price import LinePricePanel, PricePanel
from pos_app.cashier.sale.panels.quantity import QuantityPanel
from pos_app.cashier.sale.panels.unusual_amount import UnusualAmountPanel
from pos_app.cashier.sale.panels.void import VoidPanel
from pos_app.cashier.sale.questions import (
    KeysOfScreen,
    LinePrice,
    LineQuantity,
    More,
    NewArticle,
    NextQuantity,
    PriceQuestion,
    Question,
    RemovedLines,
    SuspendedCarts,
    UnusualAmountQuestion,
    VariantQuestion,
    VoidQuestion,
    WeightQuestion,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme


def panel_for(question: Question, menu: Menu, texts: Texts, theme: Theme) -> QuestionPanel:
    """The panel that asks a question."""
    model, lines, carts = menu.model, menu.lines, menu.carts
    match question:
        case WeightQuestion() | LineQuantity() | NextQuantity():
            return QuantityPanel(question, model, lines, texts, theme)
        case PriceQuestion():
            return PricePanel(question, model, lines, texts, theme)
        case LinePrice():
            return LinePricePanel(question, model, lines, texts, theme)
        case UnusualAmountQuestion():
            return UnusualAmountPanel(question, model, texts, theme)
        case VariantQuestion():
            return which_panel(question, model, texts, theme)
        case VoidQuestion():
            return VoidPanel(model, carts, texts, theme)
        case NewArticle():
            return CreatePanel(question, model, Creating(model), texts, theme)
        case _:
            return _list_for(question, menu, texts, theme)


def _list_for(
    question: SuspendedCarts | RemovedLines | More | KeysOfScreen, menu: Menu, texts: Texts,
    theme: Theme,
) -> QuestionPanel:  # fmt: skip
    match question:
        case SuspendedCarts():
            return held_panel(menu.model, menu.carts, texts, theme)
        case RemovedLines():
            return removed_panel(question, menu.model, menu.lines, texts, theme)
        case More():
            return more_panel(menu, texts, theme)
        case KeysOfScreen():
            return KeysPanel(menu.model, texts, theme)
