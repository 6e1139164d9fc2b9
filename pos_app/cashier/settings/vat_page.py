"""The page of VAT. Sources: look.md (Screens, 8), till.md (Settings)."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.settings.cashier_form import CashierForm
from pos_app.cashier.settings.cashier_model import CashierModel, VatQuestion
from pos_app.cashier.settings.parts import QuestionSlots, SetupPage, Start
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.words.article_texts import label_text

_QUESTION = "labels"


class VatPage(SetupPage):
    def __init__(self, model: CashierModel, ui: UiContext, start: Start) -> None:
        self._model, self._ui, self._texts = model, ui, ui.texts
        self._start = start
        self.labels = LabelsNotice(model, ui)
        self.questions, question = QuestionSlots(self._question_panel), QWidget()
        slot = self.questions.at(_QUESTION)
        slot.setContentsMargins(0, 0, 0, 0)
        question.setLayout(slot)
        form, name = CashierForm(model, ui, asks_name=False), ui.texts("set.page.vat")
        super().__init__(model, ui, start, form, name=name, below=(self.labels, question))
        self.show_model()

    def _save(self) -> None:
        if self._model.asked is not None or self._hindrance() or not self._model.ask():
            super()._save()

    def show_model(self) -> None:
        super().show_model()
        self.labels.show_model()
        self.questions.show(self._model.asked, _QUESTION)

    def order(self) -> str:
        model, texts = self._model, self._texts
        if model.asked is not None:
            return texts("set.cashier.order.answer")
        if model.name_fault:
            return texts("set.order.mend")
        if model.is_in_sale:
            return texts("set.cashier.order.sale")
        return texts("set.cashier.order.wait") if model.waiting else super().order()

    def focus_missing(self) -> None:
        if self._model.asked is not None:
            self.questions.take_focus()
        else:
            super().focus_missing()

    def standing(self) -> tuple[StateKind | None, str]:
        model = self._model
        free = model.failure is None and not model.running
        if free and model.has_changes and (words := self._hindrance()):
            return StateKind.DECIDE, words
        return super().standing()

    def _question_panel(self, asked: VatQuestion) -> tuple[NoticePanel, Button]:
        """Return the panel of the question, and its button that goes back."""
        model, texts, theme = self._model, self._texts, self._ui.theme
        word, many = "in" if asked.in_vat else "out", asked.articles
        rates = model.services.rates
        buttons = []
        for label in asked.choices:
            named = label_text(label, rates, texts) if asked.in_vat else label.value
            words = texts("set.cashier.ask.yes", label=named)
            buttons.append(yes := Button(theme, words))
            yes.clicked.connect(
                lambda _=False, label=label: self._start(model.answer(label), "save and relabel")
            )
        back = Button(theme, texts("set.cashier.ask.back"), key=ESCAPE)
        only = Button(theme, texts("set.cashier.ask.only"))
        only.clicked.connect(lambda: self._start(model.answer(None), "save the answer about VAT"))
        back.clicked.connect(model.put_question_away)
        if many is None:
            happened, safe = (
                texts("set.cashier.ask.unread"),
                texts(f"set.cashier.ask.unread.{word}"),
            )
        else:
            happened = texts.count(f"set.cashier.labels.many.{word}", many)
            safe = texts(f"set.cashier.ask.{word}")
        is_untold = many is not None and not asked.choices
        panel = NoticePanel(
            theme,
            NoticeKind.WARN,
            happened=happened,
            safe=safe,
            press=texts(f"set.cashier.ask.untold.{word}") if is_untold else "",
            safe_answer=back,
            buttons=(only, *buttons),
        )
        return panel, back

    def _hindrance(self) -> str:
        model, texts = self._model, self._texts
        if fault := model.name_fault:
            return texts(f"set.cashier.fault.{fault}")
        if model.is_in_sale:
            return texts("set.cashier.in_sale")
        return texts.count("set.cashier.waiting", model.waiting) if model.waiting else ""


class LabelsNotice(QWidget):
    """Says what a changed answer about VAT means for the articles, while the change is new. Once it
    is saved, and no article is left whose label does not fit, nothing is said."""

    def __init__(self, model: CashierModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._ui = model, ui
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown_state: tuple[bool, int | None, bool] | None = None

    def show_model(self) -> None:
        model = self._model
        in_vat = model.in_vat if model.changes_vat and model.asked is None else None
        shown = None
        if in_vat is not None:
            many, is_saved = model.labels_to_change, not model.has_other_vat
            shown = None if is_saved and many == 0 else (in_vat, many, is_saved)
        self.setVisible(shown is not None)
        if shown == self._shown_state:
            return
        self._shown_state = shown
        clear_layout(self._column)
        if shown is not None:
            self._column.addWidget(self._notice(*shown))

    def _notice(self, in_vat: bool, many: int | None, is_saved: bool) -> NoticePanel:
        """many: the number of articles concerned, or None while it can't be counted. is_saved:
        whether the answer is saved, so that nothing is asked any more."""
        texts, word = self._ui.texts, "in" if in_vat else "out"
        happened, press = texts("set.cashier.labels"), ""
        if many:
            state = "saved" if is_saved else "many"
            happened = texts.count(f"set.cashier.labels.{state}.{word}", many)
        if many != 0:
            state = "later" if is_saved else "change"
            press = texts(f"set.cashier.labels.{state}.{word}")
        return NoticePanel(
            self._ui.theme,
            NoticeKind.WARN,
            happened=happened,
            safe=texts(f"set.cashier.labels.{word}"),
            press=press,
        )
