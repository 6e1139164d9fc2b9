"""The button that locks the till; it shows the name of the person who works here."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme


class LockKey(Button):
    """It is hidden where nobody could unlock the till. In a narrow window it is only the icon."""

    def __init__(self, theme: Theme, texts: Texts, lock: Callable[[], object]) -> None:
        super().__init__(theme, "", icon="lock", key=cap_of(TillCommand.LOCK))
        self._texts = texts
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lock)
        self.hide()

    def show_cashier(self, services: TillServices) -> None:
        self.set_words(services.cashier)
        self.set_compact(self.theme.metrics.narrow)
        self.setAccessibleName(self._texts("lock.key", cashier=services.cashier))
        if self.parentWidget() is not None:
            self.setVisible(services.locks)
