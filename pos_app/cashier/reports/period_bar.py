"""The days of a report, and their turnover beside that of the days before."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.reports.model import ReportsModel
from pos_app.cashier.reports.words import ReportWords, period_text
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import AmountLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.words.day_fields import DayFields
from pos_app.documents.report_sheet import cell_text
from pos_app.domain.money.number_text import sum_text
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.report import Report
from pos_app.selling.reports.table import change_of


class PeriodBar(QWidget):
    """Signal: `preset_chosen(Preset)`."""

    preset_chosen = Signal(object)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme, self._texts = theme, texts
        self._period_words = ""
        metrics = theme.metrics
        self.presets: Mapping[Preset, Button] = {one: self._preset(one) for one in Preset}
        self._one_of_them = QButtonGroup(self, exclusive=False)  # the model says which is checked
        for button in self.presets.values():
            self._one_of_them.addButton(button)
        self.days = DayFields(theme, texts)
        self.days.row.addStretch(1)
        self.turnover = TurnoverView(theme, texts)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(metrics.s2)
        for button in self.presets.values():
            self._buttons.addWidget(button)
        self._till = self._this_till()
        self._buttons.addWidget(self._till)
        self._buttons.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(metrics.s2)
        self._row.addLayout(self._buttons, 1)
        self._row.addWidget(self.turnover)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        column.addLayout(self._row)
        column.addWidget(self.days)

    def show_model(self, model: ReportsModel, words: ReportWords) -> None:
        for preset, button in self.presets.items():
            button.setChecked(preset is model.preset)
        self._period_words = period_text(model.period)
        self.days.setVisible(model.preset is Preset.DAYS)
        self.turnover.show_report(model.report, words)
        self._fold(self.width())
        self.days.show_days(model.days_typed, holds=model.holds_days, today=lambda: model.today)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fold(event.size().width())
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _fold(self, width: int) -> None:
        """If one row is too narrow, hide the till's name first, then put the turnover below. On a
        narrow screen it stands below in every report, so that it keeps its place."""
        gap = self._theme.metrics.s2
        self._name_days(width)
        buttons_width = (
            sum(button.sizeHint().width() + gap for button in self.presets.values()) + 4 * gap
        )
        beside = self.turnover.wanted_width()
        self._till.setVisible(buttons_width + self._till.sizeHint().width() + gap + beside <= width)
        folds = self._theme.metrics.narrow or buttons_width + beside > width
        way = QBoxLayout.Direction.TopToBottom if folds else QBoxLayout.Direction.LeftToRight
        if way is not self._row.direction():
            self._row.setDirection(way)

    def _name_days(self, width: int) -> None:
        """Write the period on the key of its days, or the key's name where that is cut: two days of
        two years in large type."""
        button, gap = self.presets[Preset.DAYS], self._theme.metrics.s2
        button.set_words(self._period_words)
        least = sum(each.minimumSizeHint().width() + gap for each in self.presets.values()) - gap
        if least > width:
            button.set_words(self._texts(f"rep.period.{Preset.DAYS}"))

    # --- parts -----------------------------------------------------------------------------------

    def _preset(self, preset: Preset) -> Button:
        words = self._texts(f"rep.period.{preset}")
        is_days = preset is Preset.DAYS
        button = Button(
            self._theme,
            words,
            icon="calendar" if is_days else "",
            name=words if is_days else "",
            narrow=True,
        )
        button.setCheckable(True)
        button.clicked.connect(lambda _=False: self._choose(preset))
        return button

    def _choose(self, preset: Preset) -> None:
        self.presets[preset].setChecked(True)
        self.preset_chosen.emit(preset)
        if preset is Preset.DAYS:
            self.days.first.setFocus()

    def _this_till(self) -> QWidget:
        """Name this till; there is no choice, as no platform answers for several tills."""
        widget = QWidget()
        row = QHBoxLayout(widget)
        row.setContentsMargins(self._theme.metrics.s2, 0, 0, 0)
        row.setSpacing(self._theme.metrics.s2)
        row.addWidget(Icon(self._theme, "store", colour="ink_2", size=18))
        row.addWidget(Label(self._theme, self._texts("rep.this_till"), colour="ink_2"))
        return widget


class TurnoverView(QWidget):
    """The turnover of the period; beside it on a card that of the one before, and the change."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        metrics = theme.metrics
        self._square = Square(theme)
        self._before = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self._amount = Label(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2")
        self._arrow = Icon(theme, "arrow-up", colour="ink", size=16)
        self._change = Label(theme, step=TypeStep.SMALL, weight=Weight.BOLD)
        self._card = Panel(theme)
        card = QVBoxLayout(self._card)
        card.setContentsMargins(metrics.s2, metrics.s1, metrics.s2, metrics.s1)
        card.setSpacing(0)
        for parts in ((self._square, self._before), (self._amount, self._arrow, self._change)):
            row = QHBoxLayout()
            row.setSpacing(metrics.s1)
            row.addStretch(1)
            for part in parts:
                row.addWidget(part)
            card.addLayout(row)
        self._net = AmountLabel(theme, step=TypeStep.AMOUNT, name=texts("rep.turnover"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.s3)
        row.addStretch(1)
        row.addWidget(self._card, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._net, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStrut(self._card.sizeHint().height())  # also in a report without the card

    def wanted_width(self) -> int:
        """The width of the present parts: a layout learns of them only once Qt has its turn."""
        if self.isHidden():
            return 0
        metrics, width = self._net.theme.metrics, self._net.sizeHint().width()
        if self._card.isHidden():
            return width
        upper = self._square.sizeHint().width() + metrics.s1 + self._before.sizeHint().width()
        lower = self._amount.sizeHint().width()
        if not self._change.isHidden():
            lower += self._arrow.sizeHint().width() + self._change.sizeHint().width()
        return width + metrics.s3 + max(upper, lower + 2 * metrics.s1) + 2 * metrics.s2

    def show_report(self, report: Report | None, words: ReportWords) -> None:
        is_there = report is not None and not report.table.is_empty
        self.setVisible(is_there and report is not None and report.net is not None)
        if report is None or report.net is None:
            return
        before = report.net_before
        self._card.setVisible(before is not None)
        self._square.setVisible(any(bar.before is not None for bar in words.bars(report)))
        if before is not None:
            self._before.setText(words.before(report))
            self._amount.setText(sum_text(before))
        change = change_of(report.net, before)
        for part in (self._arrow, self._change):
            part.setVisible(bool(change))
        self._arrow.set_icon("arrow-down" if change and change < 0 else "arrow-up", "ink")
        self._change.setText(cell_text(change, "change"))
        self._net.setText(sum_text(report.net))

    def set_old(self, is_old: bool) -> None:
        """Set whether another report is awaited, and these are figures of the one before."""
        self._net.set_colour("ink_2" if is_old else "ink")
        self._change.set_colour("ink_2" if is_old else "ink")


class Square(ThemedWidget):
    """The colour of the bars of the period before."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        side = self.theme.metrics.icon(12)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        radius, theme = self.theme.metrics.s1 // 2, self.theme
        fill, edge = theme.colour("line"), theme.colour("line_strong")
        painting.box(QPainter(self), self.rect(), radius=radius, fill=fill, edge=edge)
