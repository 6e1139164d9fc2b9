"""The numeric pad for touch. Its keys never take the focus: they type where the caret is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedWidget

KEYS: dict[str, tuple[int, int, int, int]] = {
    "7": (0, 0, 1, 1), "8": (0, 1, 1, 1), "9": (0, 2, 1, 1), "back": (0, 3, 2, 1),
    "4": (1, 0, 1, 1), "5": (1, 1, 1, 1), "6": (1, 2, 1, 1),
    "1": (2, 0, 1, 1), "2": (2, 1, 1, 1), "3": (2, 2, 1, 1), ",": (2, 3, 2, 1),
    "0": (3, 0, 1, 2), "00": (3, 2, 1, 1),
}  # fmt: skip
"""Row, column, rows, columns of each."""
ACROSS, DOWN = 4, 4


class Pad(ThemedWidget):
    """Signal: `pressed(str)` with "0"…"9", "00", "," or "back".

    back_name: what a screen reader says of the key that takes the last sign back.
    """

    pressed = Signal(str)

    def __init__(self, theme: Theme, *, back_name: str) -> None:
        super().__init__(theme)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._keys = {key: self._add(key, back_name) for key in KEYS}
        self._grid.setSpacing(theme.metrics.s2)

    def key(self, name: str) -> Button:
        return self._keys[name]

    def sizeHint(self) -> QSize:
        return self._size(round(1.32 * self.theme.metrics.touch))

    def minimumSizeHint(self) -> QSize:
        return self._size(self.theme.metrics.touch)

    def _size(self, wide: int) -> QSize:
        """With keys of that width."""
        metrics = self.theme.metrics
        gaps = QSize(ACROSS - 1, DOWN - 1) * metrics.s2
        return QSize(ACROSS * wide, DOWN * metrics.payment_key) + gaps

    def _add(self, key: str, back_name: str) -> Button:
        row, column, rows, columns = KEYS[key]
        is_back = key == "back"
        button = Button(
            self.theme, "" if is_back else key, icon="delete" if is_back else "",
            kind=ButtonKind.PAD, name=back_name if is_back else key,
        )  # fmt: skip
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        button.clicked.connect(lambda: self.pressed.emit(key))
        self._grid.addWidget(button, row, column, rows, columns)
        self._grid.setRowStretch(row, 1)
        self._grid.setColumnStretch(column, 1)
        return button
