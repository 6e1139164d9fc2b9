"""Dropping a sale asks a reason."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from pos_app.cashier.sale.carts import CartActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.unfinished_input import TEXT, Entries
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.theme import Theme

REASONS = ("drop.left", "drop.no_money", "drop.wrong")


class VoidPanel(QuestionPanel):
    """Usual reasons to tap, or words of one's own."""

    def __init__(self, model: SaleModel, carts: CartActs, texts: Texts, theme: Theme) -> None:
        super().__init__(model, texts, theme, title=texts("ask.drop"))
        self._carts = carts
        self.body.addWidget(Label(theme, texts("ask.drop_why"), wrap=True))
        column = QVBoxLayout()
        column.setSpacing(theme.metrics.s2)
        self.reasons = [self._reason(texts(key)) for key in REASONS]
        for button in self.reasons:
            column.addWidget(button)
        self.body.addLayout(column)
        self.field = Field(theme, name=texts("ask.drop_reason"),
                           placeholder=texts("ask.drop_reason"))  # fmt: skip
        self.body.addWidget(self.field)
        self.body.addStretch(1)
        self.offer(texts("drop.do"), self.answer)
        self.field.changed.connect(lambda _: self._allow())
        self.field.changed.connect(self.typed_changed)
        self._allow()

    def focus_first(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def typed(self) -> Entries:
        return {TEXT: self.field.text()}

    def take_typed(self, typed: Entries) -> None:
        super().take_typed(typed)
        self.field.set_text(typed[TEXT])
        self._allow()

    def answer(self) -> None:
        """Drop it, once a reason stands there."""
        reason = self.field.text().strip()
        if reason:
            self._carts.void(reason)

    def _reason(self, words: str) -> Button:
        button = Button(self.theme, words)
        button.clicked.connect(lambda: self._carts.void(words))
        return button

    def _allow(self) -> None:
        if self.yes is None:
            return
        if self.field.text().strip():
            self.yes.allow()
        else:
            self.yes.refuse(self.texts("ask.drop_reason"))
