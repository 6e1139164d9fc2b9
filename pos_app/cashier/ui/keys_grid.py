"""The keys of a screen with what they do, for F1."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.cashier.ui.buttons import KeyCap
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme


class KeysGrid(Panel):
    """Two columns of key caps. told: caps and what they do, ready to be shown."""

    def __init__(
        self, theme: Theme, told: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent=parent)
        grid = QGridLayout(self)
        metrics = theme.metrics
        grid.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s2)
        rows = (len(told) + 1) // 2
        for number, (cap, words) in enumerate(told):
            column = 2 * (number // rows)
            grid.addWidget(KeyCap(theme, cap), number % rows, column)
            grid.addWidget(Label(theme, words, wrap=True), number % rows, column + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
