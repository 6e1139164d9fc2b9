"""The panels of questions, and which of them shows a question."""

from __future__ import annotations

from pos_app.cashier.commands import KeyPage, help_page, help_rows
from pos_app.cashier.sale import questions
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels import choices, forms, frame, numbers
from pos_app.cashier.sale.panels.more import Menu, look_panel, more_panel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.panel import KeysGrid
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.screens import SCREENS

_SCREENS = tuple((one.key, f"keys.{one.name}") for one in SCREENS if one.key)


class KeysPanel(frame.QuestionPanel):
    """F1 at the sale: first the text to type, then the keys to press, Esc last."""

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.keys"))
        *keys, escape = help_page(KeyPage.SALE, texts)
        self.body.addWidget(KeysGrid(theme, [*keys, *help_rows(_SCREENS, texts), escape]))
        self.body.addStretch(1)


def panel_for(
    question: questions.Question, menu: Menu, texts: Texts, theme: Theme
) -> frame.QuestionPanel:
    model = menu.model
    match question:
        case questions.WeightQuestion() | questions.LineQuantity() | questions.NextQuantity():
            return numbers.QuantityPanel(question, model, texts, theme)
        case questions.PriceQuestion():
            return numbers.PricePanel(question, model, texts, theme)
        case questions.LinePrice():
            return numbers.LinePricePanel(question, model, texts, theme)
        case questions.UnusualAmountQuestion():
            return numbers.UnusualAmountPanel(question, model, texts, theme)
        case questions.VoidQuestion():
            return forms.VoidPanel(model, texts, theme)
        case questions.CartName():
            return forms.CartNamePanel(model, texts, theme)
        case questions.NewArticle():
            return forms.CreatePanel(question, model, texts, theme)
        case _:
            return _list_for(question, menu, texts, theme)


def _list_for(
    question: questions.VariantQuestion
    | questions.SuspendedCarts
    | questions.RemovedLines
    | questions.More
    | questions.LanguageAndTheme
    | questions.KeysOfScreen,
    menu: Menu,
    texts: Texts,
    theme: Theme,
) -> frame.QuestionPanel:
    match question:
        case questions.VariantQuestion():
            return choices.which_panel(question, menu.model, texts, theme)
        case questions.SuspendedCarts():
            return choices.SuspendedPanel(menu.model, texts, theme)
        case questions.RemovedLines():
            return choices.removed_panel(question, menu.model, texts, theme)
        case questions.More():
            return more_panel(menu, texts, theme)
        case questions.LanguageAndTheme():
            return look_panel(menu, texts, theme)
        case questions.KeysOfScreen():
            return KeysPanel(menu.model, texts, theme)
