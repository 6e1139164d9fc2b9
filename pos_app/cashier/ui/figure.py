"""The panel of the largest figure of a screen: its name, the amount, and quiet words."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme


class _Figure(Panel):
    """The name, the amount and the words. Subclasses lay them out."""

    def __init__(self, theme: Theme, *, step: TypeStep, words_step: TypeStep) -> None:
        super().__init__(theme)
        self._low = False
        self._title = ElidedLabel(theme, step=TypeStep.TITLE, weight=Weight.BOLD)
        self._amount = AmountLabel(theme, step=step)
        self._words = Label(theme, step=words_step, colour="ink_2", wrap=True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_figure(
        self, title: str, amount: str, words: str = "", *, chosen: bool = False
    ) -> None:
        """chosen: the ground is tinted."""
        self._title.setText(title)
        self._amount.setText(amount)
        self._words.setText(words)
        self._fit(self.width())
        self.set_chosen(chosen)
        self.setAccessibleName(f"{title} {amount}")

    def set_low(self, low: bool) -> None:
        self._low = low
        self._amount.set_step(TypeStep.TOTAL if low else TypeStep.CHANGE)
        self.updateGeometry()

    def large_height(self) -> int:
        """Return the height of the panel while it is not low."""
        metrics = self.theme.metrics
        saved = metrics.line(TypeStep.CHANGE) - metrics.line(TypeStep.TOTAL)
        return self.sizeHint().height() + (saved if self._low else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit(event.size().width())
        super().resizeEvent(event)

    def _fit(self, width: int) -> None:
        """Show the words that have room in this width."""
        raise NotImplementedError


class FigurePanel(_Figure):
    """The name stands above the amount, with small words beside the name while they have room, and
    others below the amount. column: takes what else belongs to the figure."""

    def __init__(self, theme: Theme, *, step: TypeStep = TypeStep.CHANGE) -> None:
        super().__init__(theme, step=step, words_step=TypeStep.SMALL)
        metrics = theme.metrics
        self._beside = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight)
        head, figure = QHBoxLayout(), QVBoxLayout()
        head.setSpacing(metrics.s2)
        head.addWidget(self._title, 1)
        head.addWidget(self._beside)
        figure.setSpacing(0)
        figure.addLayout(head)
        figure.addWidget(self._amount)
        figure.addWidget(self._words)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        self.column.setSpacing(metrics.s2)
        self.column.addLayout(figure)

    def show_figure(
        self, title: str, amount: str, words: str = "", *, chosen: bool = False, beside: str = ""
    ) -> None:
        """beside: the words beside the name."""
        self._beside.setText(beside)
        super().show_figure(title, amount, words, chosen=chosen)

    def _fit(self, width: int) -> None:
        metrics = self.theme.metrics
        needed = self._title.sizeHint().width() + self._beside.sizeHint().width() + metrics.s2
        self._beside.setVisible(bool(self._beside.text()) and needed <= width - 2 * metrics.s4)
        self._words.setVisible(bool(self._words.text()))


class BigFigure(_Figure):
    """Name and words stand at the left of the amount, for a wide panel."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, step=TypeStep.CHANGE, words_step=TypeStep.BASE)
        metrics = theme.metrics
        self._compact = self._slim = False
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s6 - 2, metrics.s1 + 2, metrics.s6 - 2, metrics.s1 + 2)
        row.setSpacing(metrics.s4)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(self._title, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._words)
        column.addStretch(1)
        row.addLayout(column, 1)
        self._amount.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row.addWidget(self._amount)

    def set_compact(self, compact: bool) -> None:
        """Set whether the figure is one size smaller, with its words in one text line, because the
        buttons below need the room."""
        if compact == self._compact:
            return
        self._compact = compact
        self._set_air()
        self.set_low(compact)
        self._words.setWordWrap(not compact)
        self._fit(self.width())
        self.updateGeometry()

    def set_slim(self, slim: bool) -> None:
        """Set whether the figure is between the head's buttons. Then its words are shown only if
        they leave enough room for the amount."""
        if slim != self._slim:
            self._slim = slim
            self._set_air()
            self._fit(self.width())

    def _set_air(self) -> None:
        metrics = self.theme.metrics
        side = metrics.s3 if self._slim else metrics.s6 - 2
        air = 0 if self._compact else metrics.s1 + 2
        self._row.setContentsMargins(side, air, side, air)

    def _fit(self, width: int) -> None:
        metrics, least = self.theme.metrics, self._words_width(self._words.text())
        self._words.setMinimumWidth(least)
        needed = least + self._amount.sizeHint().width() + metrics.s4 + 2 * metrics.s3
        self._words.setVisible(not self._slim or needed <= width)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        return QSize(10 * metrics.touch, self.height_for(compact=self._compact))

    def height_for(self, *, compact: bool) -> int:
        metrics = self.theme.metrics
        if not compact:
            return metrics.line(TypeStep.CHANGE) + 3 * metrics.s1
        words = metrics.line(TypeStep.TITLE) + metrics.line(TypeStep.BASE)
        return max(metrics.line(TypeStep.TOTAL), words)

    def _words_width(self, words: str) -> int:
        """Return the least width in which the words fit two text lines, or one if the figure is
        compact; the amount has the rest."""
        metrics, wrap = QFontMetrics(self._words.font()), Qt.TextFlag.TextWordWrap.value
        whole = metrics.horizontalAdvance(words)
        if not self._words.wordWrap():
            return whole
        width, most = whole // 2, 2 * metrics.height()
        while width < whole and metrics.boundingRect(0, 0, width, 0, wrap, words).height() > most:
            width += self.theme.metrics.s2
        return width
