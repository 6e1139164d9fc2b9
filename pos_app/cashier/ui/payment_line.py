"""A line of the payment: method, what the amount is, the amount, and × to take it away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.edit import Cross
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import Metrics, Step
from pos_app.cashier.ui.painting import rule
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.state import Icon
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedWidget


def line_height(metrics: Metrics) -> int:
    """The height of one line: a touch target with air, or two lines of large type."""
    words = metrics.line(Step.BASE) + metrics.line(Step.SMALL) + 2 * metrics.s1
    return max(metrics.touch, words) + metrics.s1 + metrics.s1 // 2


class PaymentLine(ThemedWidget):
    """One line; `editing` shows the amount in a field with the caret.

    Signals: `removed()`, `typed(str)` while the amount is typed, `entered()` for Enter.
    """

    removed = Signal()
    typed = Signal(str)
    entered = Signal()

    def __init__(
        self,
        theme: Theme,
        *,
        icon: str,
        method: str,
        words: str,
        amount: str,
        remove_name: str,
        editing: bool = False,
        last: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._last = last
        self._hint = words
        self._said = ElidedLabel(theme, words, step=Step.SMALL, colour="ink_2")
        self._field: Field | None = None
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s3 + 1, 0, metrics.s1 + 1, metrics.hair)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, icon))
        row.addLayout(self._words(method), 1)
        if editing:
            self._field = self._editor(method, amount)
            row.addWidget(self._field)
        else:
            name = f"{method}:"
            label = AmountLabel(theme, amount, name=name, step=Step.TITLE, weight=Weight.SEMIBOLD)
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            row.addWidget(label)
        cross = Cross(theme, remove_name)
        cross.clicked.connect(self.removed)
        row.addWidget(cross)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def field(self) -> Field | None:
        """The field of the amount while it is edited."""
        return self._field

    def set_error(self, words: str) -> None:
        """Say what is wrong with the amount in place of what it is; "" when all is well."""
        if self._field is not None and words != self._field.error():
            self._field.set_error(words)
            self._said.setText(words or self._hint)
            self._said.set_colour("danger" if words else "ink_2")

    def sizeHint(self) -> QSize:
        return QSize(8 * self.theme.metrics.touch, line_height(self.theme.metrics))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._last:
            rule(QPainter(self), self.rect(), self.theme)

    def _words(self, method: str) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(ElidedLabel(self.theme, method, weight=Weight.SEMIBOLD))
        column.addWidget(self._said)
        column.addStretch(1)
        return column

    def _editor(self, method: str, amount: str) -> Field:
        metrics = self.theme.metrics
        field = Field(self.theme, name=method, right=True, step=Step.TITLE, error_below=False)
        field.set_text(amount)
        field.setFixedWidth(
            max(round(3.25 * metrics.touch), round(5.75 * metrics.line(Step.TITLE)))
        )
        field.changed.connect(self.typed)
        field.entered.connect(self.entered)
        return field


class BigFigure(Panel):
    """Remaining or change: the largest figure of the screen. Change stands on tint."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._title = Label(theme, step=Step.TITLE, weight=Weight.SEMIBOLD)
        self._words = Label(theme, colour="ink_2", wrap=True)
        self._amount = AmountLabel(theme, step=Step.CHANGE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
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

    def set_figure(self, title: str, amount: str, words: str = "", *, change: bool) -> None:
        """Its title, the amount, the quiet words, and whether it is the change."""
        self._title.setText(title)
        self._words.setText(words)
        self._words.setMinimumWidth(self._room(words))
        self._amount.setText(amount)
        self._show_words(self.width())
        self.setAccessibleName(f"{title} {amount}")
        self.set_chosen(change)

    def set_compact(self, compact: bool) -> None:
        """One size lower and its words in one line, where the keys below need the room."""
        if compact == self._compact:
            return
        self._compact = compact
        self._set_air()
        self._amount.set_step(Step.TOTAL if compact else Step.CHANGE)
        self._words.setWordWrap(not compact)
        self._words.setMinimumWidth(self._room(self._words.text()))
        self.updateGeometry()

    def set_slim(self, slim: bool) -> None:
        """Beside keys: its words only where they leave the amount its size."""
        if slim != self._slim:
            self._slim = slim
            self._set_air()
            self._show_words(self.width())

    def _set_air(self) -> None:
        metrics = self.theme.metrics
        side = metrics.s3 if self._slim else metrics.s6 - 2
        air = 0 if self._compact else metrics.s1 + 2
        self._row.setContentsMargins(side, air, side, air)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_words(event.size().width())
        super().resizeEvent(event)

    def _show_words(self, width: int) -> None:
        metrics = self.theme.metrics
        needed = self._room(self._words.text()) + self._amount.wanted().width() + metrics.s4
        self._words.setVisible(not self._slim or needed + 2 * metrics.s3 <= width)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        return QSize(10 * metrics.touch, self.height_as(compact=self._compact))

    def height_as(self, *, compact: bool) -> int:
        """The height that it has so."""
        metrics = self.theme.metrics
        if not compact:
            return metrics.line(Step.CHANGE) + 3 * metrics.s1
        words = metrics.line(Step.TITLE) + metrics.line(Step.BASE)
        return max(metrics.line(Step.TOTAL), words)

    def _room(self, words: str) -> int:
        """The least width in which words take their two lines, or their one; the amount steps down
        into the rest."""
        metrics, wrap = QFontMetrics(self._words.font()), Qt.TextFlag.TextWordWrap.value
        whole = metrics.horizontalAdvance(words)
        if not self._words.wordWrap():
            return whole
        width, most = whole // 2, 2 * metrics.height()
        while width < whole and metrics.boundingRect(0, 0, width, 0, wrap, words).height() > most:
            width += self.theme.metrics.s2
        return width
