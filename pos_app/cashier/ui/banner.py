"""The striped banner of training and demo, and the empty state."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygon
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import LEFT, width_of, write
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.state import Icon
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedWidget


class Banner(ThemedWidget):
    """Diagonal stripes across the whole width, words on a plain field in the middle.

    A slim one marks what never changes while the till runs, and leaves the room to the sale.
    """

    def __init__(
        self, theme: Theme, words: str, *, icon: str = "graduation-cap",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self._icon = icon
        self._slim = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_words(words)

    def set_words(self, words: str, *, slim: bool = False) -> None:
        """Other words on it."""
        self._words = words
        self._slim = slim
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def wanted(self) -> QSize:
        touch, line = self.theme.metrics.touch, self.theme.metrics.line(Step.SMALL)
        return QSize(1, max(touch * 2 // 5, line) if self._slim else touch)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, theme = self.theme.metrics, self.theme
        painter.fillRect(self.rect(), theme.colour("warn_ground"))
        step, size = (Step.SMALL, 16) if self._slim else (Step.STRONG, 20)
        font = theme.fonts.resized(self.font(), step, Weight.BOLD)
        icon = metrics.icon(size)
        wide = icon + metrics.s2 + width_of(font, self._words)
        field = QRect(0, 0, wide + 2 * metrics.s6, self.height())
        field.moveLeft((self.width() - field.width()) // 2)
        self._paint_stripes(painter, QRect(0, 0, field.left(), self.height()))
        rest = self.width() - field.right() - 1
        self._paint_stripes(painter, QRect(field.right() + 1, 0, rest, self.height()))
        left = field.left() + metrics.s6
        middle = QPoint(left + icon // 2, self.height() // 2)
        theme.draw_icon(painter, self._icon, "warn", size, middle)
        room = QRect(left + icon + metrics.s2, 0, field.width(), self.height())
        write(painter, room, self._words, theme.colour("warn"), font, align=LEFT)

    def _paint_stripes(self, painter: QPainter, area: QRect) -> None:
        """Stripes 16 px thick, rising to the right: 16·√2 along the edge, then as much ground."""
        if area.width() <= 0:
            return
        painter.save()
        painter.setClipRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colour("warn_edge"))
        wide = round(self.theme.metrics.s4 * 1.414)
        tall = area.height()
        for left in range(-2 * wide, self.width() + tall, 2 * wide):
            painter.drawPolygon(QPolygon([
                QPoint(left, tall), QPoint(left + wide, tall),
                QPoint(left + wide + tall, 0), QPoint(left + tall, 0),
            ]))  # fmt: skip
        painter.restore()


class EmptyState(Panel):
    """What a place is for, or that all is well; at most one button."""

    def __init__(
        self,
        theme: Theme,
        *,
        title: str,
        words: str,
        icon: str = "circle-check",
        colour: Token = "ok",
        button: QAbstractButton | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent=parent)
        self.setAccessibleName(f"{title} {words}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4 + 4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s4)
        row.addWidget(Icon(theme, icon, colour=colour, size=34))
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(Label(theme, title, step=Step.STRONG, weight=Weight.SEMIBOLD, wrap=True))
        column.addWidget(Label(theme, words, colour="ink_2", wrap=True))
        row.addLayout(column, 1)
        if button is not None:
            row.addWidget(button)
