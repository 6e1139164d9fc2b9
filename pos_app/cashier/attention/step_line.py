"""One numbered step: its title, quiet words, and the parts in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.state import StepNumber
from pos_app.cashier.ui.theme import Theme

USUAL_TOUCH_MM = 12


class StepLine(QWidget):
    """Number, title, quiet words, and the parts of one step."""

    def __init__(self, theme: Theme, number: int, title: str, words: str) -> None:
        super().__init__()
        metrics = theme.metrics
        self.number = StepNumber(theme, number)
        self._title = Label(theme, title, step=Step.NAME, weight=Weight.SEMIBOLD, wrap=True)
        self._words = Label(theme, words, step=Step.SMALL, colour="ink_2", wrap=True)
        row = QHBoxLayout(self)
        side = metrics.s3 if metrics.narrow else metrics.s4
        is_tight = metrics.narrow or metrics.touch_mm > USUAL_TOUCH_MM
        above = metrics.s2 if is_tight else metrics.s3 + 1
        row.setContentsMargins(side, above, side, above)
        row.setSpacing(metrics.s3)
        row.addWidget(self.number, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout()
        self._column.setSpacing(0)
        self._column.addWidget(self._title)
        self._column.addWidget(self._words)
        self._gap = metrics.s2
        row.addLayout(self._column, 1)
        self._row = row
        # Once it has its place: shown without a parent it would be a window for a moment, which
        # takes the keyboard away from the till's own.
        self._words.setVisible(bool(words))

    def set_words(self, title: str, words: str) -> None:
        """Other words, as facts come in."""
        self._title.setText(title)
        self._words.setText(words)
        self._words.setVisible(bool(words))

    def words(self) -> str:
        """The quiet words shown."""
        return self._words.text()

    def add_beside(self, part: QWidget) -> None:
        """A part at the right of title and words, where it takes no height of its own."""
        self._row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)

    def add(self, part: QWidget | QHBoxLayout) -> None:
        """A further part under the words."""
        self._column.addSpacing(self._gap)
        if isinstance(part, QHBoxLayout):
            self._column.addLayout(part)
        else:
            self._column.addWidget(part)
