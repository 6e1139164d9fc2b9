"""The page of VAT. Sources: look.md (Screens, 8), till.md (Settings)."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.settings.cashier_form import CashierForm
from pos_app.cashier.settings.cashier_model import CashierModel
from pos_app.cashier.settings.parts import SetupPage, Start
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.state import StateKind


class VatPage(SetupPage):
    def __init__(self, model: CashierModel, ui: UiContext, start: Start) -> None:
        self.labels = LabelsNotice(model, ui)
        form, name = CashierForm(model, ui, asks_name=False), ui.texts("set.page.vat")
        super().__init__(model, ui, start, form, name=name, below=(self.labels,))
        self._model, self._texts = model, ui.texts
        self.show_model()

    def show_model(self) -> None:
        super().show_model()
        self.labels.show_model()
        if self._model.has_changes and (words := self._hindrance()):
            self.acts.save.refuse(words)

    def standing(self) -> tuple[StateKind | None, str]:
        model = self._model
        free = model.failure is None and not model.running
        if free and model.has_changes and (words := self._hindrance()):
            return StateKind.DECIDE, words
        return super().standing()

    def _hindrance(self) -> str:
        model, texts = self._model, self._texts
        if fault := model.name_fault:
            return texts(f"set.cashier.fault.{fault}")
        if model.is_in_sale:
            return texts("set.cashier.in_sale")
        return texts.count("set.cashier.waiting", model.waiting) if model.waiting else ""


class LabelsNotice(QWidget):
    """Says what a changed answer about VAT means for the articles, while the change is new."""

    def __init__(self, model: CashierModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._ui = model, ui
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown: tuple[bool, int | None] | None = None

    def show_model(self) -> None:
        model = self._model
        wanted = model.in_vat if model.changes_vat else None
        self.setVisible(wanted is not None)
        shown = None if wanted is None else (wanted, model.labels_to_change)
        if shown == self._shown:
            return
        self._shown = shown
        clear_layout(self._column)
        if shown is not None:
            self._column.addWidget(self._notice(*shown))

    def _notice(self, in_vat: bool, many: int | None) -> NoticePanel:
        """many: the number of articles concerned, or None while it can't be counted."""
        texts, word = self._ui.texts, "in" if in_vat else "out"
        counted = texts.count(f"set.cashier.labels.many.{word}", many or 0)
        return NoticePanel(
            self._ui.theme,
            NoticeKind.WARN,
            happened=texts("set.cashier.labels") if many is None else counted,
            safe=texts(f"set.cashier.labels.{word}"),
            press=texts(f"set.cashier.labels.change.{word}"),
        )
