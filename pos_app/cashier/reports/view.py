"""The screen of reports: the list of reports at the left; the period, its bars and the table at the
right.

Sources: till.md ("Reports"), look.md, mock-19.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLineEdit,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.reports.chart import Chart
from pos_app.cashier.reports.collect_acts import CollectActs
from pos_app.cashier.reports.collect_page import COLLECT, TAKE_BACK
from pos_app.cashier.reports.period_bar import PeriodBar
from pos_app.cashier.reports.receipts_of import receipts_of
from pos_app.cashier.reports.room import MOST_ON_ROLL, ReportsRoom
from pos_app.cashier.reports.state_line import StateLine
from pos_app.cashier.reports.table import ReportTable
from pos_app.cashier.reports.words import ReportWords, day_text
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.services.exporting import ExportLine
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.file_chooser import file_chooser, file_stem
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeAlone, NoticeKind
from pos_app.cashier.ui.page_list import PageList, PageOption, PageRow
from pos_app.cashier.ui.panel import EmptyState, Panel, clear_layout
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame, Room
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.window.screens import RECEIPTS
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import PosError
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.report import Report, ReportName
from pos_app.selling.sale.receipt_drafts import DeliveryWay

_ICONS = {
    ReportName.DAY: "chart-column",
    ReportName.HOUR: "clock",
    ReportName.ARTICLE: "tag",
    ReportName.CATEGORY: "folder",
    ReportName.CASHIER: "user",
    ReportName.METHOD: "credit-card",
    ReportName.LABEL: "percent",
    ReportName.BOOKS: "landmark",
    ReportName.RECEIVABLES: "hand-coins",
    ReportName.COLLECTED: "banknote",
    ReportName.PRICES: "history",
    ReportName.ACTS: "shield-check",
}
PRINT, PDF, CSV, RECEIPTS_KEY = "P", "D", "C", "R"
LEAST_ROWS = 3
"""The chart is hidden where fewer rows would stay visible."""
LATE_MS = 300
"""A report that comes sooner shows no progress."""
_GATE, _PAGE, _KEYS, _FORM = range(4)


class ReportsScreen(HeadedScreen):
    title = "rep.title"
    help_keys = (
        ("↑ ↓", "rep.keys.list"),
        ("← →", "rep.keys.bars"),
        ("Tab", "rep.keys.tab"),
        (ENTER, "rep.xlsx"),
        (PRINT, "rep.print"),
        (PDF, "rep.pdf"),
        (CSV, "rep.csv"),
        (RECEIPTS_KEY, "rep.keys.receipts"),
        ("refund.keys.space", "rep.keys.tick"),
        (COLLECT, "rep.keys.collect"),
        (TAKE_BACK, "rep.keys.take_back"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ReportsRoom)
        self.room, self.model = room, room.model
        self._texts, theme = frame.ui.texts, frame.ui.theme
        texts = self._texts
        self.gate = PinGate(
            self.model,
            frame,
            asked=texts("rep.pin.asked_words"),
            first=texts("rep.pin.first_words"),
        )
        options = [
            PageOption(one.value, texts(f"rep.list.{one}"), _ICONS[one]) for one in ReportName
        ]
        self.list = PageList(theme, options, name=texts("rep.list"), gives_enter=True, least=4)
        self.period = PeriodBar(theme, texts)
        self.state_line = StateLine(theme, texts)
        self.chart = ChartPanel(theme, texts)
        self.table = ReportTable(theme, texts)
        self.nothing = NothingThere(theme, texts)
        self.unread = Unread(theme, texts, self.room.ask)
        self.collect_acts = CollectActs(frame, room)
        self.collect_bar, self.collect_page = self.collect_acts.bar, self.collect_acts.page
        self.exports = Exports(theme, texts)
        self.foot = ElidedLabel(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD)
        if not theme.metrics.tight:
            EnterCap(self, self.exports.main, ENTER, takes=self._takes_enter)
        self._late = QTimer(self, interval=LATE_MS, singleShot=True)
        self._whole = QStackedLayout()
        self._shown_scroll = -1
        self._lay_out()
        self._connect()
        if self.model.is_open and self.model.report is None and not self.model.is_asking:
            room.enter()  # nothing has to be lifted first
        self.show_place()
        self._show()

    # --- for the frame ---------------------------------------------------------------------------

    def tick(self) -> None:
        super().tick()
        self.room.tick()

    def show_place(self) -> None:
        index = _PAGE if self.model.is_open else _GATE
        if self.model.is_open and self.model.is_collecting and self.model.form is not None:
            index = _FORM
            self.collect_page.show_form(self.model.form, self._words)
        index = _KEYS if self.shows_keys else index
        self.exports.setVisible(index == _PAGE)
        self._whole.setCurrentIndex(index)
        if index != self._shown_scroll:
            was_form, self._shown_scroll = self._shown_scroll == _FORM, index
            self.take_focus()
            if was_form and index == _PAGE:
                self._go_on_in_table()

    def focus_place(self) -> None:
        if self.model.is_open and self.model.is_collecting:
            self.collect_page.focus_first()
        elif self.model.is_open:
            self.list.focus_current()
        else:
            self.gate.focus_first()

    def _show_collecting(self) -> None:
        self.show_place()
        self.show_way_back()

    def _go_on(self) -> None:
        self.take_focus()
        self._go_on_in_table()

    def _go_on_in_table(self) -> None:
        """Give the focus to the lines that a form or a question was about; at the list of reports
        the next Enter would write a file."""
        if not self.table.isHidden():
            self.table.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def step_title(self) -> str:
        form = self.model.form if self.model.is_open and self.model.is_collecting else None
        if form is None:
            return super().step_title()
        return self._texts("rep.collect.title_back" if form.gives_back else "rep.collect.title")

    def step_back(self) -> bool:
        """Leave the form or the question, stop a report that is being made, or leave a day that is
        typed."""
        if self.model.is_collecting:
            self.collect_acts.leave()
        elif self.model.asks_back:
            self.collect_acts.end_question()
        elif self.model.is_asking and not self._late.isActive():
            self.room.stop()
        elif isinstance(self.focusWidget(), QLineEdit) and self.model.is_open:
            self.list.focus_current()
        else:
            return False
        return True

    def tell(self, say: Say) -> None:
        self.room.refused_at = (self.model.choice, self.model.chosen)
        super().tell(say)

    def tell_in_place(self, words: str) -> bool:
        """Show the words at the foot, or at the top where the PIN is asked for, and over the
        form."""
        if self.model.is_open:
            self._show_chosen()
        return self.model.is_open and not self.model.is_collecting

    def end_refusal(self) -> None:
        super().end_refusal()
        self.room.exporting.end_refusal()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_shown = self.model.is_open and not self.shows_keys
        if not is_shown or not self._take(event):
            super().keyPressEvent(event)

    def _take(self, event: QKeyEvent) -> bool:
        """While no field has the focus arrows go to another bar and a letter acts."""
        key, focus = event.key(), self.focusWidget()
        if isinstance(focus, QLineEdit) or self.model.is_collecting or self.model.asks_back:
            return False
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.model.step(-1 if key == Qt.Key.Key_Left else 1)
            self._show_chosen()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_button = isinstance(focus, QAbstractButton) and not isinstance(focus, PageRow)
            if is_button:
                return False
            if not event.isAutoRepeat():
                self._enter(focus)
        elif key == Qt.Key.Key_Space and self._is_at_receivables(focus):
            self._tick(self.model.chosen)
        elif not event.isAutoRepeat() and letter_of(event) in self.collect_bar.buttons:
            self.collect_acts.press(letter_of(event))
        elif not event.isAutoRepeat() and letter_of(event) in self.exports.buttons:
            self.exports.buttons[letter_of(event)].click()
        elif not event.isAutoRepeat() and letter_of(event) == RECEIPTS_KEY:
            self._open_line(self.model.chosen)
        else:
            return False
        return True

    def _takes_enter(self, widget: QWidget) -> bool:
        is_button = isinstance(widget, QAbstractButton) and not isinstance(widget, PageRow)
        return is_button or self._is_at_receivables(widget)

    def _is_at_receivables(self, focus: QWidget | None) -> bool:
        return focus is self.table.view and self.model.name is ReportName.RECEIVABLES

    def _enter(self, focus: QWidget | None) -> None:
        """Open the line that has the focus in the table of what is owed; else write the file."""
        if not self._is_at_receivables(focus):
            self.exports.main.click()
        elif self.model.is_asking:
            self.frame.home.tone("no")  # after what was written down the line may be another
        else:
            self._open_line(self.model.chosen)

    # --- what is done ----------------------------------------------------------------------------

    def _choose_report(self, name: str) -> None:
        self.room.choose(ReportName(name))

    def _look_at(self, key: str) -> None:
        self.model.chosen = key
        self._show_chosen()

    def _press_bar(self, index: int) -> None:
        """Choose a bar at the first press, and open its receipts at the next. In a report of acts,
        the next press shows all persons again."""
        report = self.model.report
        if report is None:
            return
        key = report.bars[index].key
        if key == self.model.bar and report.choice.name is not ReportName.ACTS:
            self.open_receipts()
            return
        self.model.look_at_bar(key if key != self.model.bar else "")
        self._show_chosen()

    def _open_line(self, key: str) -> None:
        """Show a buyer's receipts, or hide them; of any other line open the receipts."""
        if self.model.is_buyer(key):
            self.model.unfold(key)
            self._show_chosen()
        else:
            self.open_receipts()

    def _tick(self, key: str) -> None:
        self.model.chosen = key
        self.model.tick(key)
        self._show_chosen()

    def open_receipts(self) -> None:
        report = self.model.report
        place = None if report is None else receipts_of(report, self.model.chosen, self._rates)
        if place is None:
            self.frame.home.tone("no")
            self.tell(lambda texts: texts("rep.no_receipts"))
        else:
            self.frame.open(RECEIPTS, place)

    def _export(self, end: Literal["xlsx", "pdf", "csv"]) -> None:
        sheet = self.room.sheet()
        if sheet is None or self.room.exporting.poll is not None:
            self.frame.home.tone("no")
            return
        chooser = file_chooser(self, self._texts, "rep.save", saves=True)
        chooser.setNameFilters([f"{end.upper()} (*.{end})"])
        chooser.setDefaultSuffix(end)
        period = self.model.period
        chooser.selectFile(f"{file_stem(sheet.title)}-{period.first}-{period.last}")
        chooser.fileSelected.connect(lambda name: self.room.export(sheet, Path(name)))
        chooser.open()

    def _print(self) -> None:
        sheet = self.room.sheet()
        if sheet is None or not self._has_printer:
            self.frame.home.tone("no")
        elif len(sheet.rows) > MOST_ON_ROLL:
            self.frame.home.tone("no")
            rows = len(sheet.rows)
            self.tell(lambda texts: texts.count("rep.too_long", rows))
        else:
            self.room.print(sheet)

    # --- what is shown ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        export = ExportLine(self.room.exporting, self.theme, self._texts, words_of="rep")
        right = self._page = ReportPage(self.chart, self.table, self.nothing, gap=metrics.s3)
        above = (self.period, self.state_line, export, self.collect_acts.question)
        for widget in (*above, self.chart, self.table):
            right.column.addWidget(widget)
        right.column.addWidget(self.nothing, 1)
        right.column.addWidget(self.unread, 1)
        right.column.addWidget(self.collect_bar)
        right.column.addWidget(self.foot)
        right.column.addStretch(0)
        self.bar.extra.insertWidget(0, self.exports)
        self.bar.extra.setSpacing(metrics.s2)
        sides = QWidget()
        row = QHBoxLayout(sides)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(right, 1)
        whole = QWidget()
        whole.setLayout(self._whole)
        for part in (self.gate, sides, self.keys, self.collect_page):
            self._whole.addWidget(part)
        self.column.addWidget(whole, 1)

    def _connect(self) -> None:
        self.room.changed.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._late.timeout.connect(self._show_state)
        self._late.timeout.connect(self._show_acts)
        self.list.chosen.connect(self._choose_report)
        self.period.preset_chosen.connect(self.room.choose_preset)
        self.period.days.days_typed.connect(self._keep_days)
        self.period.days.days_chosen.connect(self.room.choose_days)
        self.chart.chart.pressed.connect(self._press_bar)
        self.table.chosen.connect(self._look_at)
        self.table.opened.connect(self._open_line)
        self.table.ticked.connect(self._tick)
        self.collect_acts.moved.connect(self._show_collecting)
        self.collect_acts.begun.connect(self.end_refusal)
        self.collect_acts.told.connect(self.tell)
        self.collect_acts.asked.connect(self._page.share)
        self.collect_acts.answered.connect(self._go_on)
        self.nothing.month.clicked.connect(lambda: self.room.choose_preset(Preset.MONTH))
        self.state_line.stopped.clicked.connect(self.room.stop)
        self.exports.main.clicked.connect(lambda: self._export("xlsx"))
        self.exports.buttons[PDF].clicked.connect(lambda: self._export("pdf"))
        self.exports.buttons[CSV].clicked.connect(lambda: self._export("csv"))
        self.exports.buttons[PRINT].clicked.connect(self._print)

    def _keep_days(self, first: str, last: str) -> None:
        self.model.days_typed, self.model.holds_days = (first, last), True

    def _show(self) -> None:
        model, texts = self.model, self._texts
        self.show_place()
        if not model.is_open:
            self.head.set_title(texts("rep.title"))
            return
        self.head.set_title(texts("rep.title"), self._words.heading(model.choice))
        self.list.set_current(model.name.value)
        self.period.show_model(model, self._words)
        if model.is_asking and model.report is not None and not self._late.isActive():
            self._late.start()
        if not model.is_asking:
            self._late.stop()
        self._show_state()
        self._show_chosen()

    @property
    def _has_printer(self) -> bool:
        services = self.frame.services
        return services.receipt_printer is not None and DeliveryWay.THERMAL in services.ways_here

    @property
    def _rates(self) -> Mapping[TaxLabel, Decimal]:
        return self.frame.services.rates

    @property
    def _words(self) -> ReportWords:
        return ReportWords(self._texts, self._rates, self.model.buyers)

    def _show_chosen(self) -> None:
        report, words = self.model.report, self._words
        self.table.show_report(self.model.visible_report, words)
        self.table.mark(self.model.chosen)
        is_nothing = report is not None and is_surely_empty(report)
        self.table.setVisible(report is not None and not is_nothing)
        self.nothing.setVisible(is_nothing)
        self.unread.show_fault(self.model.fault)
        owes = self.model.name is ReportName.RECEIVABLES
        day = day_text(self.model.period.last)
        self.nothing.say(
            self._texts("rep.none_owed", day=day) if owes else self._texts("rep.nothing")
        )
        self.nothing.month.setVisible(self.model.preset is not Preset.MONTH and not owes)
        self.chart.show_report(None if is_nothing else report, words, chosen=self.model.bar)
        self._tell_foot(self._note(report, words))
        self.collect_bar.show_model(self.model)
        self.collect_acts.show_question()
        self._page.share()
        self._show_acts()

    def _show_acts(self) -> None:
        """Show what can be done with the figures, and whether they add up."""
        report, texts = self.model.report, self._texts
        is_sure = (
            report is not None
            and report.net is not None
            and report.state.is_whole
            and not report.table.is_empty
            and not self._is_old
        )
        self.list.show_below(well=texts("rep.adds_up") if is_sure else "", hint=self._hint())
        nothing = "" if report and not report.table.is_empty else texts("rep.nothing_there")
        self.exports.can(
            print_why="" if self._has_printer else texts("rep.no_printer"),
            nothing_why=texts("rep.asking") if self._is_old else nothing,
        )

    def _hint(self) -> str:
        """Say how the receipts of the chosen line are opened; "" where it has none."""
        report, key = self.model.report, self.model.chosen
        if report is None or self._is_old or receipts_of(report, key, self._rates) is None:
            return ""
        is_pressed = report.choice.name is not ReportName.ACTS and not self.chart.isHidden()
        text_id = "rep.opens_receipts" if is_pressed else "rep.opens_receipts.line"
        return self._texts(text_id, key=RECEIPTS_KEY)

    @property
    def _is_old(self) -> bool:
        """Whether another report is awaited for so long that it is told."""
        model = self.model
        return not self._late.isActive() and model.is_asking and not model.is_current

    def _note(self, report: Report | None, words: ReportWords) -> str:
        said = self.model.message
        if said == "rep.printing":
            return self._texts("rep.printing")
        if said and said != "rep.stopped":
            return said
        if self.refusal and self.room.refused_at == (self.model.choice, self.model.chosen):
            return self.refusal
        return "" if report is None else " ".join(words.notes(report))

    def _tell_foot(self, words: str) -> None:
        self.foot.setText(words)
        self.foot.setVisible(bool(words))

    def _show_state(self) -> None:
        late = not self._late.isActive()
        self.state_line.show_model(self.room, late=late)
        for part in (self.chart, self.table, self.nothing):
            part.setEnabled(not self._is_old)
        self.period.turnover.set_old(self._is_old)


def is_surely_empty(report: Report) -> bool:
    """Tell whether the report says nothing, and no row of it can still come."""
    is_whole = report.state.is_whole or not report.choice.name.is_of_server
    return is_whole and report.whole_from is None and report.table.is_empty


class NothingThere(EmptyState):
    """Stands for chart and table of a period in which nothing was."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        self.month = Button(theme, texts("rep.show_month"), icon="calendar")
        title = texts("rep.nothing")
        super().__init__(theme, title=title, icon="chart-column", colour="ink_3", button=self.month)
        self.hide()


class Unread(QWidget):
    """Stands for chart and table of a report that could not be made, and asks for it again."""

    def __init__(self, theme: Theme, texts: Texts, ask: Callable[[], object]) -> None:
        super().__init__()
        self._theme, self._texts, self._ask = theme, texts, ask
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown_fault: PosError | None = None
        self.hide()

    def show_fault(self, fault: PosError | None) -> None:
        self.setVisible(fault is not None)
        if fault is self._shown_fault:
            return
        self._shown_fault = fault
        clear_layout(self._column)
        if fault is not None:
            again = Button(self._theme, self._texts("step.again"), icon="refresh-cw")
            again.clicked.connect(lambda _=False: self._ask())
            said = self._texts.error(fault)
            notice = NoticeAlone(
                self._theme, NoticeKind.WARN, happened=said.happened, safe=said.safe, button=again
            )
            self._column.addWidget(notice)


class ReportPage(QWidget):
    """Stacks its parts from the top. The table has whole rows, as many as there are or as have room
    beside the least chart; the chart has the rest, and gives way where hardly a row has room."""

    def __init__(
        self, chart: ChartPanel, table: ReportTable, nothing: NothingThere, *, gap: int
    ) -> None:
        super().__init__()
        self._chart, self._table, self._nothing, self._gap = chart, table, nothing, gap
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(gap, gap, gap, gap)
        self.column.setSpacing(gap)

    def minimumSizeHint(self) -> QSize:
        nothing = self._nothing
        is_there = nothing.isHidden()
        least = self._table.height_in(0) if is_there else nothing.minimumSizeHint().height()
        return QSize(self.column.totalMinimumSize().width(), self._taken() + least)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.share()
        return super().event(event)

    def _taken(self) -> int:
        """The height of the other parts, and of the gaps without that above the chart."""
        high = 2 * self._gap
        for index in range(self.column.count()):
            item = self.column.itemAt(index)
            widget = None if item is None else item.widget()
            is_flexible = isinstance(widget, ChartPanel | ReportTable | NothingThere | Unread)
            if widget is not None and not is_flexible and not widget.isHidden():
                high += widget.sizeHint().height() + self._gap
        return high

    def share(self) -> None:
        """Share the height; a report of fewer rows asks for it anew."""
        room = self.height() - self._taken()
        least = self._chart.minimumSizeHint().height()
        rest = room - self._gap - least
        touch = self._table.theme.metrics.touch
        self._chart.give_room(rest >= self._table.height_in(0) + (LEAST_ROWS - 1) * touch)
        high = self._table.height_in(room if self._chart.isHidden() else rest)
        self._table.setFixedHeight(high)
        most = max(least, self._chart.most_height())
        self._chart.setFixedHeight(min(max(room - self._gap - high, least), most))


class ChartPanel(Panel):
    """The chart. Its title stands in the head, and the colour of the period before beside the
    turnover, so that bars have the height."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self.chart = Chart(theme, name=texts("rep.chart"))
        self._texts = texts
        self._has_bars, self._has_room = False, True
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        column.addWidget(self.chart, 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self.theme.metrics.chart, self.most_height()))

    def most_height(self) -> int:
        return self.chart.most_height() + 2 * self.theme.metrics.s2

    def give_room(self, has_room: bool) -> None:
        self._has_room = has_room
        self.setVisible(self._has_bars and has_room)

    def show_report(self, report: Report | None, words: ReportWords, *, chosen: str) -> None:
        bars = () if report is None else words.bars(report)
        self._has_bars = bool(bars)
        self.give_room(self._has_room)
        if report is None or not bars:
            self.chart.show_bars(())
            return
        keys = [bar.key for bar in report.bars]
        index = keys.index(chosen) if chosen in keys else -1
        self.chart.show_bars(
            bars,
            chosen=index,
            is_line=report.choice.is_by_month,
            is_lying=words.is_lying(report),
            unit_word=words.unit_word(report),
        )
        self.chart.setAccessibleName(f"{self._texts('rep.chart')}: {words.chart_title(report)}")
        text = ""
        if index >= 0:
            text_line = words.value(report, report.bars[index].value)
            text = self._texts("rep.chart.bar", name=bars[index].word, value=text_line)
        self.chart.setAccessibleDescription(text)


class Exports(QWidget):
    """The keys that print and write the report, at the top right: it is looked at first."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        words, name = texts("rep.xlsx.key"), texts("rep.xlsx")
        is_bare = theme.metrics.tight  # the title needs the room of icons and caps
        icon, key = ("", "") if is_bare else ("file-spreadsheet", ENTER)
        self.main = Button(theme, words, icon=icon, key=key, name=name)
        self.buttons = {
            letter: Button(theme, texts(f"rep.{name}"))
            if is_bare
            else Button(theme, texts(f"rep.{name}"), icon=icon, key=letter)
            for letter, name, icon in _EXPORT_KEYS
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s2)
        for button in (self.buttons[PRINT], self.main, self.buttons[PDF], self.buttons[CSV]):
            button.let_fold()
            row.addWidget(button)

    def can(self, *, print_why: str, nothing_why: str) -> None:
        """nothing_why: the reason why there is nothing to write, "" where there is something."""
        for button in (self.main, *self.buttons.values()):
            why = nothing_why or (print_why if button is self.buttons[PRINT] else "")
            button.setEnabled(not why)
            button.setToolTip(why)
            button.setAccessibleDescription(why)


_EXPORT_KEYS: tuple[tuple[str, Literal["print", "pdf", "csv"], str], ...] = (
    (PRINT, "print", "printer"),
    (PDF, "pdf", "file-text"),
    (CSV, "csv", "download"),
)
ROOM, SCREEN = ReportsRoom, ReportsScreen
