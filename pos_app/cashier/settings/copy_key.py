"""A button that copies a value."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from pos_app.cashier.settings.parts import allow_if
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme


class CopyKey(Button):
    """It copies a value; after a press it says so."""

    def __init__(self, theme: Theme, texts: Texts, words: str) -> None:
        super().__init__(theme, words, icon="copy")
        self._texts, self._usual, self._value = texts, words, ""
        self.clicked.connect(self._copy)

    def set_value(self, value: str, reason: str) -> None:
        """reason: why there is nothing to copy."""
        if value != self._value:
            self._value = value
            self.set_words(self._usual)
        allow_if(self, bool(value), reason)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._value)
        self.set_words(self._texts("set.plat.copied"))
