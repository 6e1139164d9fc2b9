"""The numeric pad that folds out beside the picker: it types where the search is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.pad import Pad
from pos_app.cashier.ui.theme import Theme

SHARE_OF_TOUCH = 5.05
"""Width in touch sizes: 232 px at 12 mm."""


class PadDrawer(QWidget):
    """Signals: `pressed(str)` with a digit, "00", ",", "back" or "*"; `entered()`."""

    pressed = Signal(str)
    entered = Signal()

    def __init__(self, texts: Texts, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._texts = texts
        self._theme = theme
        self.pad = Pad(theme, back_name=texts("pad.back"))
        self.times = Button(theme, "×", name=texts("pad.times"))
        self.enter = Button(theme, texts("pad.enter"), icon="check")
        for key in (self.times, self.enter):
            key.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        half = theme.metrics.s2 // 2
        column = QVBoxLayout(self)
        column.setContentsMargins(half, half, theme.metrics.s3, half)
        column.setSpacing(theme.metrics.s2)
        column.addWidget(self.pad)
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        row.addWidget(self.times)
        row.addWidget(self.enter, 1)
        column.addLayout(row)
        column.addStretch(1)
        self.setFixedWidth(round(SHARE_OF_TOUCH * theme.metrics.touch) + theme.metrics.s3 - half)
        self.pad.pressed.connect(self.pressed)
        self.times.clicked.connect(lambda: self.pressed.emit("*"))
        self.enter.clicked.connect(self.entered)
