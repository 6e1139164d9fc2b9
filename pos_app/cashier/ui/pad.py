"""The numeric pad for touch. Its keys never take the focus: they type where the caret is."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedWidget

PadKind = Literal["payment", "count"]
PadKey = tuple[str, int, int, int, int]

PAYMENT: tuple[PadKey, ...] = (
    ("7", 0, 0, 1, 1), ("8", 0, 1, 1, 1), ("9", 0, 2, 1, 1), ("back", 0, 3, 2, 1),
    ("4", 1, 0, 1, 1), ("5", 1, 1, 1, 1), ("6", 1, 2, 1, 1),
    ("1", 2, 0, 1, 1), ("2", 2, 1, 1, 1), ("3", 2, 2, 1, 1), (",", 2, 3, 2, 1),
    ("0", 3, 0, 1, 2), ("00", 3, 2, 1, 1),
)  # fmt: skip
"""Key, row, column, rows, columns."""

COUNT: tuple[PadKey, ...] = (
    ("7", 0, 0, 1, 1), ("8", 0, 1, 1, 1), ("9", 0, 2, 1, 1),
    ("4", 1, 0, 1, 1), ("5", 1, 1, 1, 1), ("6", 1, 2, 1, 1),
    ("1", 2, 0, 1, 1), ("2", 2, 1, 1, 1), ("3", 2, 2, 1, 1),
    ("clear", 3, 0, 1, 1), ("0", 3, 1, 1, 1), ("back", 3, 2, 1, 1),
)  # fmt: skip


class Pad(ThemedWidget):
    """Keys 7 8 9 … 0 00 , ⌫ (payment), or 7 8 9 … C 0 ⌫ (count, PIN).

    Signal: `pressed(str)` with "0"…"9", "00", ",", "back" or "clear".
    `back_name` and `clear_name` are what a screen reader says.
    """

    pressed = Signal(str)

    def __init__(
        self,
        theme: Theme,
        *,
        kind: PadKind = "payment",
        back_name: str,
        clear_name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._kind: PadKind = kind
        self._names = {"back": back_name, "clear": clear_name or "C"}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._keys = {key: self._add(spot) for spot in self._spots() for key in spot[:1]}
        self.relook()

    def key(self, name: str) -> Button:
        """One of the keys."""
        return self._keys[name]

    def relook(self) -> None:
        self._grid.setSpacing(self.theme.metrics.s2)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        tall = 4 * metrics.payment_key + 3 * metrics.s2
        wide = 4 if self._kind == "payment" else 3
        return QSize(wide * round(1.32 * metrics.touch) + (wide - 1) * metrics.s2, tall)

    def minimumSizeHint(self) -> QSize:
        metrics = self.theme.metrics
        wide = 4 if self._kind == "payment" else 3
        return QSize(wide * metrics.touch + (wide - 1) * metrics.s2, self.sizeHint().height())

    def _spots(self) -> tuple[PadKey, ...]:
        return PAYMENT if self._kind == "payment" else COUNT

    def _add(self, spot: PadKey) -> Button:
        key, row, column, rows, columns = spot
        words = {"back": "", "clear": "C"}.get(key, key)
        icon = "delete" if key == "back" else ""
        button = Button(
            self.theme, words, icon=icon, kind=ButtonKind.PAD, name=self._names.get(key, key)
        )
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        button.clicked.connect(lambda: self.pressed.emit(key))
        self._grid.addWidget(button, row, column, rows, columns)
        self._grid.setRowStretch(row, 1)
        self._grid.setColumnStretch(column, 1)
        return button
