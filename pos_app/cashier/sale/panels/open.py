"""Which panel a question has."""

from __future__ import annotations

from pos_app.cashier.keys import TYPED, told_keys
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.choices import removed_panel, suspended_panel, which_panel
from pos_app.cashier.sale.panels.forms import CreatePanel, VoidPanel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.panels.more import MoreActs, more_panel
from pos_app.cashier.sale.panels.numbers import (
    LinePricePanel,
    PricePanel,
    QuantityPanel,
    UnusualAmountPanel,
)
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


def panel_for(question: Question, acts: MoreActs, texts: Texts, theme: Theme) -> QuestionPanel:
    """The panel that asks a question."""
    model = acts.model
    match question:
        case WeightQuestion() | LineQuantity() | NextQuantity():
            return QuantityPanel(question, model, texts, theme)
        case PriceQuestion():
            return PricePanel(question, model, texts, theme)
        case LinePrice():
            return LinePricePanel(question, model, texts, theme)
        case UnusualAmountQuestion():
            return UnusualAmountPanel(question, model, texts, theme)
        case VariantQuestion():
            return which_panel(question, model, texts, theme)
        case VoidQuestion():
            return VoidPanel(model, texts, theme)
        case NewArticle():
            return CreatePanel(question, model, texts, theme)
        case _:
            return _list_for(question, acts, texts, theme)


def _list_for(
    question: SuspendedCarts | RemovedLines | More | KeysOfScreen, acts: MoreActs, texts: Texts,
    theme: Theme,
) -> QuestionPanel:  # fmt: skip
    match question:
        case SuspendedCarts():
            return suspended_panel(acts.model, texts, theme)
        case RemovedLines():
            return removed_panel(question, acts.model, texts, theme)
        case More():
            return more_panel(acts, texts, theme)
        case KeysOfScreen():
            return KeysPanel(acts.model, texts, theme)
