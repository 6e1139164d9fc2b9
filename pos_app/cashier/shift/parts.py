"""Parts of the shift's screen: steps, rows of sums, the plot of the hours."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.shift.words import ReportLine
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Divider, clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.shift_report import HourSum


class Steps(ThemedWidget):
    """The steps of a close. Those before the current step have a tick; in a narrow window only the
    current step has words. Signal: `first()`, the first step was pressed."""

    first = Signal()

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__(theme)
        self._names = tuple(names)
        self._now = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def set_now(self, number: int) -> None:
        self._now = number
        self.setAccessibleName(f"{number + 1}. {self._names[number]}")
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.position().x() < self.theme.metrics.touch + self.theme.metrics.s4:
            self.first.emit()

    def sizeHint(self) -> QSize:
        return QSize(self._width(whole=True), self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width(whole=False), self.theme.metrics.touch)

    def _side(self) -> int:
        return self.theme.metrics.icon(30)

    def _width(self, *, whole: bool) -> int:
        metrics, font = self.theme.metrics, self.theme.font(TypeStep.BASE, Weight.BOLD)
        parts = [
            name if whole or number == self._now else "" for number, name in enumerate(self._names)
        ]
        words = sum(painting.width_of(font, name) + metrics.s2 for name in parts if name)
        return words + len(parts) * (self._side() + 2 * metrics.s4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics, theme = QPainter(self), self.theme.metrics, self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.width() >= self._width(whole=True)
        side, left = self._side(), metrics.s2
        for number, name in enumerate(self._names):
            circle = QRect(left, (self.height() - side) // 2, side, side)
            is_now = number == self._now
            painter.setPen(theme.colour("accent" if number <= self._now else "line_strong"))
            painter.setBrush(theme.colour("accent" if is_now else "surface"))
            painter.drawEllipse(circle.adjusted(1, 1, -1, -1))
            if number < self._now:
                theme.draw_icon(painter, "check", "accent", 16, circle.center())
            else:
                ink = theme.colour("on_accent" if is_now else "ink_2")
                font = theme.font(TypeStep.BASE, Weight.BOLD)
                painting.write(painter, circle, str(number + 1), ink, font, align=painting.CENTRE)
            left = circle.right() + metrics.s2
            if whole or is_now:
                weight = Weight.BOLD if is_now else Weight.MEDIUM
                font = theme.font(TypeStep.BASE, weight)
                wide = painting.width_of(font, name) + 1
                ink = theme.colour("ink" if is_now else "ink_2")
                painting.write(
                    painter,
                    QRect(left, 0, wide, self.height()),
                    name,
                    ink,
                    font,
                    align=painting.LEFT,
                )
                left += wide + metrics.s2
            if number + 1 < len(self._names):
                middle = self.height() // 2
                painter.setPen(theme.colour("line_strong"))
                painter.drawLine(left, middle, left + metrics.s4, middle)
                left += metrics.s4 + metrics.s2


class HourPlot(ThemedWidget):
    """The turnover of each hour as a bar, downward where more was given back than sold; the highest
    has its figure, and the lowest too if it is negative."""

    def __init__(self, theme: Theme, hours: Sequence[HourSum]) -> None:
        super().__init__(theme)
        self._hours = tuple(hours)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        parts = (f"{one.hour}: {amount_text(one.amount)}" for one in self._hours)
        self.setAccessibleName(", ".join(parts))

    def sizeHint(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, round(2.4 * self.theme.metrics.touch))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._hours:
            return
        painter, theme = QPainter(self), self.theme
        font = theme.font(TypeStep.SMALL)
        line_height = theme.metrics.line(TypeStep.SMALL)
        first, last = self._hours[0].hour, self._hours[-1].hour
        sums = {one.hour: one.amount.amount for one in self._hours}
        most, least = max(*sums.values(), Decimal(0)), min(*sums.values(), Decimal(0))
        wide = self.width() / (last - first + 1)
        foot = self.height() - line_height
        scale = (foot - line_height) / float(most - least) if most > least else 0.0
        zero = line_height + round(scale * float(most))
        for hour in range(first, last + 1):
            left = round((hour - first) * wide)
            amount = sums.get(hour, Decimal(0))
            tall = round(scale * float(amount))
            across = min(max(round(0.76 * wide), 1), theme.metrics.chart_bar)
            gap = (round(wide) - across) // 2
            bar = QRect(left + gap, zero - max(tall, 0), across, abs(tall))
            painter.fillRect(bar, theme.colour("accent" if 0 < amount == most else "line_strong"))
            below = QRect(left, foot, round(wide), line_height)
            painting.write(
                painter, below, str(hour), theme.colour("ink_2"), font, align=painting.CENTRE
            )
        self._tell_ends(painter, wide, line_height)
        painter.setPen(theme.colour("line_strong"))
        painter.drawLine(0, zero, self.width(), zero)

    def _tell_ends(self, painter: QPainter, wide: float, line: int) -> None:
        ends = [max(self._hours, key=lambda hour: hour.amount)]
        lowest = min(self._hours, key=lambda hour: hour.amount)
        if lowest.amount < Money.ZERO and lowest is not ends[0]:
            ends.append(lowest)
        font = self.theme.font(TypeStep.SMALL, Weight.BOLD)
        ends.sort(key=lambda hour: hour.hour)
        words = [amount_text(one.amount) for one in ends]
        widths = [painting.width_of(font, one) + 2 for one in words]
        left, apart = 0, self.theme.metrics.s2
        for index, (one, across) in enumerate(zip(ends, widths, strict=True)):
            middle = round((one.hour - self._hours[0].hour + 0.5) * wide)
            rest = widths[index:]  # the following figures keep their room
            most_left = self.width() - sum(rest) - apart * (len(rest) - 1)
            left = max(min(middle - across // 2, most_left), left, 0)
            where = QRect(left, 0, across, line)
            painting.write(
                painter, where, words[index], self.theme.colour("ink"), font, align=painting.CENTRE
            )
            left += across + apart


def sum_line(theme: Theme, report_line: ReportLine) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, theme.metrics.s1 // 2, 0, theme.metrics.s1 // 2)
    row.setSpacing(theme.metrics.s2)
    step = TypeStep.STRONG if report_line.is_large else TypeStep.BASE
    weight = Weight.BOLD if report_line.is_large else Weight.MEDIUM
    if report_line.is_head:
        head = ElidedLabel(theme, report_line.label, step=TypeStep.SMALL, weight=Weight.SEMIBOLD)
        row.addWidget(head, 1)
        if report_line.beside:
            row.addWidget(
                ElidedLabel(theme, report_line.beside, step=TypeStep.SMALL, colour="ink_2")
            )
        return holder
    if report_line.beside:
        row.addWidget(Label(theme, report_line.label, step=step, weight=weight), 1)
    else:
        row.addWidget(ElidedLabel(theme, report_line.label, step=step, weight=weight), 1)
    if report_line.beside:
        row.addWidget(
            AmountLabel(theme, report_line.beside, step=TypeStep.BASE, weight=Weight.MEDIUM)
        )
        row.addSpacing(theme.metrics.s2)
    amount = AmountLabel(
        theme,
        report_line.amount,
        name=report_line.label,
        step=TypeStep.TITLE if report_line.is_large else TypeStep.BASE,
    )
    row.addWidget(amount)
    return holder


class LinesColumn(ScrolledColumn):
    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme, name=name)
        self._look = theme
        self._shown_entries: tuple[object, ...] = ()
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(theme.metrics.s4, theme.metrics.s3, theme.metrics.s4, 0)
        self._column.setSpacing(0)
        self._inner = QVBoxLayout()
        self._inner.setSpacing(0)
        self._column.addLayout(self._inner)
        self._column.addStretch(1)
        self.show_inside(inside)

    def show_lines(self, lines: Sequence[ReportLine], hours: Sequence[HourSum] = ()) -> None:
        entries = (tuple(lines), tuple(hours))
        if entries == self._shown_entries:
            return
        self._shown_entries = entries
        clear_layout(self._inner)
        for number, line in enumerate(lines):
            if line.is_plot:
                self._inner.addWidget(HourPlot(self._look, hours))
                continue
            if number and not line.is_head:
                self._inner.addWidget(Divider(self._look))
            elif number:
                self._inner.addSpacing(self._look.metrics.s2)
            if line.label or line.amount:
                self._inner.addWidget(sum_line(self._look, line))
