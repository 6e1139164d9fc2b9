"""The panels of questions, and which of them shows a question."""

from __future__ import annotations

from pos_app.cashier.commands import KeyPage, help_page, told_keys
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.choices import removed_panel, suspended_panel, which_panel
from pos_app.cashier.sale.panels.forms import CreatePanel, VoidPanel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.panels.more import Menu, more_panel
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
from pos_app.cashier.screens import SCREENS
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.panel import KeysGrid
from pos_app.cashier.ui.theme import Theme

_SCREENS = tuple((one.key, f"keys.{one.name}") for one in SCREENS if one.key)


class KeysPanel(QuestionPanel):
    """F1: text to type comes first, then keys to press."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.keys"))
        self.body.addWidget(
            KeysGrid(theme, [*help_page(KeyPage.SALE, texts), *told_keys(_SCREENS, texts)])
        )
        self.body.addStretch(1)


def panel_for(question: Question, menu: Menu, texts: Texts, theme: Theme) -> QuestionPanel:
    model = menu.model
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
            return _list_for(question, menu, texts, theme)


def _list_for(
    question: SuspendedCarts | RemovedLines | More | KeysOfScreen, menu: Menu, texts: Texts,
    theme: Theme,
) -> QuestionPanel:  # fmt: skip
    match question:
        case SuspendedCarts():
            return suspended_panel(menu.model, texts, theme)
        case RemovedLines():
            return removed_panel(question, menu.model, texts, theme)
        case More():
            return more_panel(menu, texts, theme)
        case KeysOfScreen():
            return KeysPanel(menu.model, texts, theme)
