"""The keys of the usual discounts in percent, as far as the person may give them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.number_text import percent_text

USUAL_PERCENTS = (5, 10, 15, 20)


class PercentKeys(QWidget):
    """Signal: `chosen(int)`, the percentage."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, *, name: str, may: Callable[[Decimal], bool]) -> None:
        """may: whether the person gives so many percent without asking."""
        super().__init__()
        self._keys: dict[int, Button] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s2)
        for percent in (each for each in USUAL_PERCENTS if may(Decimal(each))):
            words = percent_text(Decimal(percent))
            button = Button(theme, words, name=f"{name} {words}", height="payment_button")
            button.setCheckable(True)
            self._keys[percent] = button
            button.clicked.connect(lambda _=False, percent=percent: self.chosen.emit(percent))
            row.addWidget(button, 1)
        if not self._keys:
            self.hide()

    def show_percent(self, given: Decimal | None) -> None:
        """Show which of them is given now."""
        for percent, button in self._keys.items():
            button.setChecked(given == percent)
