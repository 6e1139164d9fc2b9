"""Asks why the goods come back: by one of the shop's reasons, or the cashier's own words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.acts.reason_field import ReasonField
from pos_app.cashier.refund.model import RefundModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.characters import LEAST_SAID

LONGEST_REASON = 100


class ReasonPart(QWidget):
    """Signals: `given()`, the model has a reason now; `edited()`, the typed words changed;
    `refused()`, a digit that chooses no reason."""

    given = Signal()
    refused = Signal()
    edited = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__()
        self._texts, self._model = texts, model
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(texts("refund.reason"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s2)
        head = Label(
            theme,
            texts("refund.reason"),
            step=TypeStep.SMALL,
            weight=Weight.SEMIBOLD,
            colour="ink_2",
            wrap=True,
        )
        column.addWidget(head)
        self.buttons: list[Button] = []
        for digit, words in enumerate(model.reasons, start=1):
            button = Button(theme, words, key=str(digit), spread=True)
            button.clicked.connect(lambda _=False, reason=words: self._give(reason))
            self.buttons.append(button)
            column.addWidget(button)
        own = texts("refund.reason.own")
        last = len(model.reasons)
        self.own = ReasonField(
            theme, name=own, placeholder=own, last=last, only=texts("reason.only", last=last)
        )
        self.own.chosen.connect(lambda number: self._give(model.reasons[number - 1]))
        self.own.refused.connect(self.refused)
        self.own.edit.setMaxLength(LONGEST_REASON)
        self.own.changed.connect(self._type)
        column.addWidget(self.own)

    def take(self, event: QKeyEvent) -> bool:
        """Take a digit as the number of a reason, or a letter as the first of own words; returns
        whether the key was either."""
        sign = typed_text(event)
        if sign.isdecimal():
            self.own.take_digit(sign)
        elif sign.isalpha():
            self.own.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.own.edit.insert(sign)
        else:
            return False
        return True

    def take_own(self) -> bool:
        """Take own words; returns False where they say nothing."""
        if reason := self._model.typed_reason:
            self._give(reason)
            return True
        if any(sign.isalpha() for sign in self.own.text()):
            self.own.set_error(self._texts("refund.reason.short", least=LEAST_SAID))
        else:
            self.own.set_error(self._texts("refund.reason.missing"))
        return False

    def show_model(self) -> None:
        self.setVisible(self._model.asks_reason)
        if self.own.text() != self._model.own_reason:
            self.own.set_text(self._model.own_reason)

    def _type(self, typed_text: str) -> None:
        self._model.own_reason = typed_text
        self.own.set_error("")
        self.edited.emit()

    def _give(self, words: str) -> None:
        self._model.reason = words
        self.given.emit()
