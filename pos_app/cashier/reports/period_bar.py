"""The days of a report, and their turnover beside that of the days before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.reports.model import ReportsModel
from pos_app.cashier.reports.words import period_text
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import AmountLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.documents.report_sheet import cell_text
from pos_app.domain.money.number_text import sum_text
from pos_app.selling.receipts.search_words import day_typed
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.table import change_of


class PeriodBar(QWidget):
    """Signals: `preset_chosen(Preset)`; `days_typed(str, str)`, the days as far as they are typed;
    `days_chosen(date, date)`."""

    preset_chosen = Signal(object)
    days_typed = Signal(str, str)
    days_chosen = Signal(object, object)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._is_filling, self._today = False, date.min
        metrics = theme.metrics
        self.presets: Mapping[Preset, Button] = {one: self._preset(one) for one in Preset}
        self._one_of_them = QButtonGroup(self, exclusive=False)  # the model says which is checked
        for button in self.presets.values():
            self._one_of_them.addButton(button)
        self.first, self.last = self._day_field("first"), self._day_field("last")
        self._turnover = TurnoverView(theme, texts)
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
        self._row.addWidget(self._turnover)
        days = QHBoxLayout()
        days.setContentsMargins(0, 0, 0, 0)
        days.setSpacing(metrics.s2)
        for field in (self.first, self.last):
            days.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
        days.addStretch(1)
        self.days = QWidget()
        self.days.setLayout(days)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        column.addLayout(self._row)
        column.addWidget(self.days)

    def show_model(self, model: ReportsModel) -> None:
        self._today = model.today
        for preset, button in self.presets.items():
            button.setChecked(preset is model.preset)
        self.presets[Preset.DAYS].set_words(period_text(model.period))
        self.days.setVisible(model.preset is Preset.DAYS)
        self._turnover.show_model(model)
        self._fold(self.width())
        if (self.first.text(), self.last.text()) != model.days_typed:
            self._is_filling = True
            for field, typed in zip((self.first, self.last), model.days_typed, strict=True):
                field.set_text(typed)
                field.edit.setModified(model.holds_days)
            self._is_filling = False
            self._read_days()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fold(event.size().width())
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _fold(self, width: int) -> None:
        """If one row is too narrow, hide the till's name first, then put the turnover below."""
        gap = self._theme.metrics.s2
        buttons_width = (
            sum(button.sizeHint().width() + gap for button in self.presets.values()) + 4 * gap
        )
        beside = self._turnover.wanted_width()
        self._till.setVisible(buttons_width + self._till.sizeHint().width() + gap + beside <= width)
        folds = buttons_width + beside > width
        way = QBoxLayout.Direction.TopToBottom if folds else QBoxLayout.Direction.LeftToRight
        if way is not self._row.direction():
            self._row.setDirection(way)

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
            self.first.setFocus()

    def _this_till(self) -> QWidget:
        """Name this till; there is no choice, as no platform answers for several tills."""
        widget = QWidget()
        row = QHBoxLayout(widget)
        row.setContentsMargins(self._theme.metrics.s2, 0, 0, 0)
        row.setSpacing(self._theme.metrics.s2)
        row.addWidget(Icon(self._theme, "store", colour="ink_2", size=18))
        row.addWidget(Label(self._theme, self._texts("rep.this_till"), colour="ink_2"))
        return widget

    def _day_field(self, name: str) -> Field:
        words = self._texts(f"rep.days.{name}")
        field = Field(
            self._theme, name=words, icon="calendar", takes=InputKind.NUMBER, placeholder=words
        )
        field.changed.connect(lambda _: self._take_days())
        return field

    def _take_days(self) -> None:
        """Emit both days once one of them is typed; the typed one stands for the other."""
        if self._is_filling:
            return
        self.days_typed.emit(self.first.text(), self.last.text())
        found = self._read_days()
        first, last = found[0] or found[1], found[1] or found[0]
        if first is not None:
            self.days_chosen.emit(first, last)

    def _read_days(self) -> list[date | None]:
        found = []
        for field in (self.first, self.last):
            typed = field.text().strip()
            day = day_typed(typed, today=self._today) if typed else None
            field.set_error(self._texts("rep.no_day") if typed and day is None else "")
            found.append(day)
        return found


class TurnoverView(QWidget):
    """The turnover of the period and of the one before, and its change, if the report has any."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        metrics = theme.metrics
        self._before = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        self._chip = Panel(theme)
        self._change = Label(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD)
        inside = QHBoxLayout(self._chip)
        inside.setContentsMargins(metrics.s2, metrics.s1, metrics.s2, metrics.s1)
        inside.addWidget(self._change)
        self._net = AmountLabel(theme, step=TypeStep.AMOUNT, name=texts("rep.turnover"))
        below = QHBoxLayout()
        below.setSpacing(metrics.s2)
        below.addStretch(1)
        below.addWidget(self._chip, 0, Qt.AlignmentFlag.AlignVCenter)
        below.addWidget(self._net)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._before, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(below)

    def wanted_width(self) -> int:
        """The width of the present parts: a layout learns of them only once Qt has its turn."""
        if self.isHidden():
            return 0
        metrics = self._net.theme.metrics
        below = self._net.sizeHint().width()
        if not self._chip.isHidden():
            below += self._change.sizeHint().width() + 4 * metrics.s2
        return max(self._before.sizeHint().width(), below)

    def show_model(self, model: ReportsModel) -> None:
        report = model.report
        self.setVisible(report is not None and report.net is not None)
        if report is None or report.net is None:
            return
        before = report.net_before
        words = self._texts("rep.turnover")
        if before is not None:
            words = self._texts("rep.turnover_before", amount=sum_text(before))
        self._before.setText(words)
        change = cell_text(change_of(report.net, before), "change")
        self._chip.setVisible(bool(change))
        self._change.setText(change)
        self._net.setText(sum_text(report.net))
