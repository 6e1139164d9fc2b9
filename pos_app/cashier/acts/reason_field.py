"""The field for a reason in one's own words, beside ready-made ones.

Source: look.md ("Answers").
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.typed_keys import typed_text


class ReasonField(Field):
    """While it has no words, a digit chooses a ready-made reason, the next digit another one, and a
    digit beyond the last one is refused with words. Signal: `chosen(int)`, from 1 on."""

    chosen = Signal(int)
    _refusal = ""

    def __init__(self, theme: Theme, *, name: str, placeholder: str, last: int, only: str) -> None:
        """last: the last digit that chooses. only: why another one is refused."""
        super().__init__(theme, name=name, placeholder=placeholder)
        self._last, self._only = last, only
        self.edit.textChanged.connect(lambda _: self._tell(""))

    @property
    def takes_digits(self) -> bool:
        """Whether a digit chooses; among words it is one of their signs."""
        return self.edit.hasFocus() and self.edit.selectedText() == self.edit.text()

    def take_digit(self, sign: str) -> None:
        is_offered = 0 < int(sign) <= self._last
        self._tell("" if is_offered else self._only)
        if is_offered:
            self.chosen.emit(int(sign))
        else:
            self.refused.emit()

    def set_error(self, words: str, *, ink: Token = "danger") -> None:
        """Show an error of the words; a digit that was refused is told until the next key."""
        super().set_error(words or self._refusal, ink=ink if words else "warn")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            sign = typed_text(event)
            if sign.isdecimal() and self.takes_digits:
                self.take_digit(sign)
                return True
        return super().eventFilter(watched, event)

    def _tell(self, refusal: str) -> None:
        self._refusal = refusal
        self.set_error("")
