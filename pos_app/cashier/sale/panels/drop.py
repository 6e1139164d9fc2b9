"""Dropping a sale asks a reason."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.field import Field
from pos_app.cashier.look.labels import Label
from pos_app.cashier.look.look import Look
from pos_app.cashier.sale.carts import CartActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.typed_before import TEXT, Entries
from pos_app.cashier.texts import Words

REASONS = ("drop.left", "drop.no_money", "drop.wrong")


class DropPanel(QuestionPanel):
    """Usual reasons to tap, or words of one's own."""

    def __init__(self, model: SaleModel, carts: CartActs, words: Words, look: Look) -> None:
        super().__init__(model, words, look, title=words("ask.drop"))
        self._carts = carts
        self.body.addWidget(Label(look, words("ask.drop_why"), wrap=True))
        column = QVBoxLayout()
        column.setSpacing(look.metrics.s2)
        self.reasons = [self._reason(words(key)) for key in REASONS]
        for button in self.reasons:
            column.addWidget(button)
        self.body.addLayout(column)
        self.field = Field(look, name=words("ask.drop_reason"),
                           placeholder=words("ask.drop_reason"))  # fmt: skip
        self.body.addWidget(self.field)
        self.body.addStretch(1)
        self.offer(words("drop.do"), self.answer)
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
            self._carts.drop(reason)

    def _reason(self, words: str) -> Button:
        button = Button(self.look, words)
        button.clicked.connect(lambda: self._carts.drop(words))
        return button

    def _allow(self) -> None:
        if self.yes is None:
            return
        if self.field.text().strip():
            self.yes.allow()
        else:
            self.yes.refuse(self.words("ask.drop_reason"))
