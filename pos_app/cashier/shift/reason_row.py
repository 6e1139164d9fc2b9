"""Asks why the count of a method of payment is another sum than the expected one.

Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.acts.reason_field import ReasonField
from pos_app.cashier.shift.words import signed
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money


class ReasonRow(QWidget):
    """Signals: `given(str)`, the ready-made reason or own words; `refused()`, a digit that chooses
    none."""

    given = Signal(str)
    refused = Signal()

    def __init__(
        self, theme: Theme, texts: Texts, method: str, kept: Mapping[str, str], *, is_wide: bool
    ) -> None:
        """kept: the ready-made reasons as the Z has them, by their parts of text ids. is_wide: the
        field has a row of its own, as it has where it would take the sides of the ready-made ones.
        """
        super().__init__()
        self._texts, self._kept = texts, kept
        self._name, self._words = texts(f"pay.method.{method}"), ""
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        row.setSpacing(theme.metrics.s2)
        self._is_wide, self._column, self._row = is_wide, column, row
        self._label = Label(theme, "", step=TypeStep.SMALL, wrap=True)
        column.addWidget(self._label)
        column.addLayout(row)
        self.chips: dict[str, Button] = {}
        for word in kept:
            reason = texts(f"shift.why.{word}")
            chip = self.chips[word] = Button(theme, reason, narrow=True)
            chip.setCheckable(True)
            chip.setAccessibleName(f"{self._name}: {reason}")
            chip.clicked.connect(lambda _=False, word=word: self._choose(word))
            row.addWidget(chip, 0, Qt.AlignmentFlag.AlignTop)  # beside the field, not its error
        self.field = ReasonField(
            theme,
            name=self._name,
            placeholder=texts("shift.why.other"),
            last=len(kept),
            only=texts("shift.why.refused", last=len(kept)),
        )
        self.field.edit.installEventFilter(self)
        self.field.edit.selectionChanged.connect(self._show_words)
        self.field.changed.connect(self._type)
        self.field.chosen.connect(lambda number: self._choose(list(kept)[number - 1]))
        self.field.refused.connect(self._refuse)
        (column if is_wide else row).addWidget(self.field, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the field a row of its own where the ready-made reasons need the width."""
        gap = self._row.spacing()
        needed = sum(chip.sizeHint().width() + gap for chip in self.chips.values())
        needed += self.field.minimumSizeHint().width()
        is_below = self._column.indexOf(self.field) >= 0
        if is_below != (is_wide := self._is_wide or needed > event.size().width()):
            (self._column if is_wide else self._row).addWidget(self.field, 1)

    def focus_field(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_difference(self, amount: Money) -> None:
        self._words = self._texts("shift.reason_of", name=self._name, amount=signed(amount))
        self.field.edit.setAccessibleName(self._words)
        self._show_words()

    def take_reason(self, reason: str) -> None:
        """Take the reason that was given before."""
        if reason not in self._kept.values():
            self.field.set_text(reason)

    def show_reason(self, reason: str, fault: str) -> None:
        for word, chip in self.chips.items():
            chip.setChecked(reason == self._kept[word])
        self.field.set_error(fault)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_words()
        return False

    def _type(self, words: str) -> None:
        self._show_words()
        self.given.emit(words)

    def _choose(self, word: str) -> None:
        """Choose a ready-made reason. The focus is in the field then, so that the next digit
        corrects it."""
        self.field.edit.clear()
        self.focus_field()
        self.given.emit(self._kept[word])

    def _refuse(self) -> None:
        """Take a ready-made reason back: the digit that chose it was the first one of a number."""
        if not self.field.text():
            self.given.emit("")
        self.refused.emit()

    def _show_words(self) -> None:
        digits = self._texts("shift.why.digits", last=len(self.chips))
        self._label.setText(f"{self._words}, {digits}" if self.field.takes_digits else self._words)
