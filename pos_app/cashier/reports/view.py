"""The screen of reports: the list of reports at the left; the period, its bars and the table at the
right.

Sources: till.md ("Reports"), look.md, mock-19.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.reports.chart import Chart
from pos_app.cashier.reports.period_bar import PeriodBar
from pos_app.cashier.reports.receipts_of import receipts_of
from pos_app.cashier.reports.room import MOST_ON_ROLL, ReportsRoom
from pos_app.cashier.reports.table import ReportTable
from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.services.exporting import ExportLine
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.buttons import BigButton, Button
from pos_app.cashier.ui.file_chooser import file_chooser, file_stem
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.labels import ElidedLabel, Icon
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.page_list import PageList, PageOption, PageRow
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.state import Bar
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.window.frame import Frame, Room
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.window.screens import RECEIPTS
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.reports.own import of_person
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
    ReportName.PRICES: "history",
    ReportName.ACTS: "shield-check",
}
PRINT, PDF, CSV, RECEIPTS_KEY = "P", "D", "C", "R"
LATE_MS = 300
"""A report that comes sooner shows no progress."""
_GATE, _PAGE, _KEYS = range(3)


class ReportsScreen(HeadedScreen):
    title, back_words = "rep.title", "rep.back"
    help_keys = (
        ("↑ ↓", "rep.keys.list"),
        ("← →", "rep.keys.bars"),
        ("Tab", "rep.keys.tab"),
        (ENTER, "rep.xlsx"),
        (PRINT, "rep.print"),
        (PDF, "rep.pdf"),
        (CSV, "rep.csv"),
        (RECEIPTS_KEY, "rep.keys.receipts"),
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
        self.foot = Foot(theme, texts)
        EnterCap(self, self.foot.main, ENTER, takes=lambda widget: not isinstance(widget, PageRow))
        self._late = QTimer(self, interval=LATE_MS, singleShot=True)
        self._whole = QStackedLayout()
        self._shown_scroll = -1
        self._kept_person: tuple[Report, str, Report] | None = None
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
        index = _KEYS if self.shows_keys else index
        self._whole.setCurrentIndex(index)
        if index != self._shown_scroll:
            self._shown_scroll = index
            self.take_focus()

    def focus_place(self) -> None:
        if self.model.is_open:
            self.list.focus_current()
        else:
            self.gate.focus_first()

    def step_back(self) -> bool:
        """Stop a report that is being made, or leave a day that is typed."""
        if self.model.is_asking and not self._late.isActive():
            self.room.stop()
        elif isinstance(self.focusWidget(), QLineEdit) and self.model.is_open:
            self.list.focus_current()
        else:
            return False
        return True

    def tell(self, words: str) -> None:
        """Show the words at the foot, or at the top where the PIN is asked for."""
        if self.model.is_open:
            self.foot.tell(words)
        else:
            super().tell(words)

    def end_refusal(self) -> None:
        super().end_refusal()
        self.room.exporting.end_refusal()
        if self.model.is_open:
            self._show_chosen()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_shown = self.model.is_open and not self.shows_keys
        if not is_shown or not self._take(event):
            super().keyPressEvent(event)

    def _take(self, event: QKeyEvent) -> bool:
        """While no field has the focus arrows go to another bar and a letter acts."""
        key, focus = event.key(), self.focusWidget()
        if isinstance(focus, QLineEdit):
            return False
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.model.step(-1 if key == Qt.Key.Key_Left else 1)
            self._show_chosen()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_button = isinstance(focus, QAbstractButton) and not isinstance(focus, PageRow)
            if is_button:
                return False
            if not event.isAutoRepeat():
                self.foot.main.click()
        elif not event.isAutoRepeat() and letter_of(event) in self.foot.buttons:
            self.foot.buttons[letter_of(event)].click()
        elif not event.isAutoRepeat() and letter_of(event) == RECEIPTS_KEY:
            self.open_receipts()
        else:
            return False
        return True

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

    def open_receipts(self) -> None:
        report = self.model.report
        place = None if report is None else receipts_of(report, self.model.chosen, self._rates)
        if place is None:
            self.frame.home.tone("no")
            self.tell(self._texts("rep.no_receipts"))
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
            self.tell(self._texts.count("rep.too_long", len(sheet.rows)))
        else:
            self.room.print(sheet)

    # --- what is shown ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        metrics = self.theme.metrics
        export = ExportLine(self.room.exporting, self.theme, self._texts, words_of="rep")
        right = ReportPage(self.chart, gap=metrics.s3)
        right.column.addWidget(self.period)
        right.column.addWidget(self.state_line)
        right.column.addWidget(export)
        right.column.addWidget(self.chart, 6)
        right.column.addWidget(self.table, 5)
        right.column.addWidget(self.foot)
        sides = QWidget()
        row = QHBoxLayout(sides)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(right, 1)
        whole = QWidget()
        whole.setLayout(self._whole)
        for part in (self.gate, sides, self.keys):
            self._whole.addWidget(part)
        self.column.addWidget(whole, 1)

    def _connect(self) -> None:
        self.room.changed.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._late.timeout.connect(self._show_state)
        self.list.chosen.connect(self._choose_report)
        self.period.preset_chosen.connect(self.room.choose_preset)
        self.period.days_typed.connect(self._keep_days)
        self.period.days_chosen.connect(self.room.choose_days)
        self.chart.chart.pressed.connect(self._press_bar)
        self.table.chosen.connect(self._look_at)
        self.table.opened.connect(lambda _: self.open_receipts())
        self.state_line.stopped.clicked.connect(self.room.stop)
        self.foot.main.clicked.connect(lambda: self._export("xlsx"))
        self.foot.buttons[PDF].clicked.connect(lambda: self._export("pdf"))
        self.foot.buttons[CSV].clicked.connect(lambda: self._export("csv"))
        self.foot.buttons[PRINT].clicked.connect(self._print)

    def _keep_days(self, first: str, last: str) -> None:
        self.model.days_typed, self.model.holds_days = (first, last), True

    def _show(self) -> None:
        model, texts = self.model, self._texts
        self.show_place()
        if not model.is_open:
            self.head.set_title(texts("rep.title"))
            return
        self.head.set_title(texts("rep.title"), texts(f"rep.title.{model.name}"))
        self.list.set_current(model.name.value)
        self.period.show_model(model)
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
        return ReportWords(self._texts, self._rates)

    def _show_chosen(self) -> None:
        report, words = self.model.report, self._words
        shown = report
        if report is not None and report.choice.name is ReportName.ACTS:
            shown = self._of_person(report, self.model.person)
        self.table.show_report(shown, words)
        self.table.mark(self.model.chosen)
        self.chart.show_report(report, words, chosen=self.model.bar)
        opens = (
            report is not None
            and bool(report.bars)
            and receipts_of(report, self.model.chosen, self._rates) is not None
        )
        self.foot.show_report(report, self.model.message, words, opens=opens)
        self.foot.can(
            print_why="" if self._has_printer else self._texts("rep.no_printer"),
            is_there=report is not None and bool(report.table.lines),
        )

    def _of_person(self, report: Report, name: str) -> Report:
        """The report of one person, the same object each time, so that the table keeps its
        position."""
        kept = self._kept_person
        if kept is None or kept[0] is not report or kept[1] != name:
            kept = self._kept_person = (report, name, of_person(report, name))
        return kept[2]

    def _show_state(self) -> None:
        self.state_line.show_model(self.room, late=not self._late.isActive())


class ReportPage(QWidget):
    """Stacks its parts from the top; the chart gives way where not all fit."""

    def __init__(self, chart: ChartPanel, *, gap: int) -> None:
        super().__init__()
        self._chart, self._gap = chart, gap
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(gap, gap, gap, gap)
        self.column.setSpacing(gap)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.column.totalMinimumSize().width(), self._least())

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            whole = self._least() + self._gap + self._chart.minimumSizeHint().height()
            self._chart.give_room(whole <= self.height())
        return super().event(event)

    def _least(self) -> int:
        least = self.column.totalMinimumSize().height()
        if not self._chart.isHidden():
            least -= self._gap + self._chart.minimumSizeHint().height()
        return least


class StateLine(QWidget):
    """Says above the chart that the report is being made, or why it is missing or incomplete."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._asking = Panel(theme, colour="info_ground")
        row = QHBoxLayout(self._asking)
        metrics = theme.metrics
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, "loader-circle", colour="info", size=24))
        self._words_label = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        self._bar = Bar(theme)
        self.stopped = Button(theme, texts("rep.stop"))
        row.addWidget(self._words_label, 1)
        row.addWidget(self._bar, 2)
        row.addWidget(self.stopped)
        self._column.addWidget(self._asking)
        self._notice = QVBoxLayout()
        self._column.addLayout(self._notice)
        self._notice_parts: object = None

    def show_model(self, room: ReportsRoom, *, late: bool) -> None:
        """late: a report takes long to make."""
        model = room.model
        waits = model.is_asking and model.fault is None
        asks = waits and late
        self._asking.setVisible(asks)
        done, of = model.progress
        words = self._texts("rep.asking")
        if of:
            number = self._texts.number(done)
            if model.name.is_turnover:
                asked = self._texts.count("rep.asking_rows", of, done=number)
            else:
                asked = self._texts("rep.asking_days", done=number, of=self._texts.number(of))
            words += f" · {asked}"
        self._words_label.setText(words)
        self._bar.show_part(done, of)
        notice_parts = None if waits else self._words(room)
        if notice_parts != self._notice_parts:
            self._notice_parts = notice_parts
            clear_layout(self._notice)
            if notice_parts is not None:
                kind, happened, safe, press = notice_parts
                self._notice.addWidget(
                    NoticePanel(self._theme, kind, happened=happened, safe=safe, press=press)
                )
        self.setVisible(asks or notice_parts is not None)

    def _words(self, room: ReportsRoom) -> tuple[NoticeKind, str, str, str] | None:
        model, texts = room.model, self._texts
        if model.fault is not None:
            notice = texts.error(model.fault)
            return NoticeKind.WARN, notice.happened, notice.safe, notice.press
        if model.message == "rep.stopped":
            return NoticeKind.INFO, texts("rep.stopped"), "", ""
        report = model.report
        if report is None:
            return None
        if report.choice.name.is_turnover and not report.state.is_whole:
            done, of = (texts.number(one) for one in (report.state.done, report.state.of))
            return NoticeKind.INFO, texts("rep.not_whole", done=done, of=of), "", ""
        if report.whole_from is not None:
            words = ReportWords(texts, room.frame.services.rates)
            return NoticeKind.WARN, words.cut(report), "", texts("rep.cut.do")
        if not report.table.lines:
            return NoticeKind.INFO, texts("rep.nothing"), "", ""
        return None


class ChartPanel(Panel):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self.chart = Chart(theme, name=texts("rep.chart"))
        self._texts = texts
        self._has_bars, self._has_room = False, True
        self._title = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        self._legend = Legend(theme)
        metrics = theme.metrics
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top.setSpacing(metrics.s1)
        self._top.addWidget(self._title, 1)
        self._top.addWidget(self._legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s2)
        column.setSpacing(metrics.s1)
        column.addLayout(self._top)
        column.addWidget(self.chart, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fold(event.size().width())
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _fold(self, width: int) -> None:
        room = width - 2 * self.theme.metrics.s4
        self._legend.fit(room)
        folds = self._title.sizeHint().width() + self._legend.sizeHint().width() > room
        way = QBoxLayout.Direction.TopToBottom if folds else QBoxLayout.Direction.LeftToRight
        if way is not self._top.direction():
            self._top.setDirection(way)

    def give_room(self, has_room: bool) -> None:
        self._has_room = has_room
        self.setVisible(self._has_bars and has_room)

    def show_report(self, report: Report | None, words: ReportWords, *, chosen: str) -> None:
        self._has_bars = report is not None and bool(report.bars)
        self.give_room(self._has_room)
        if report is None or not report.bars:
            self.chart.show_bars((), chosen=-1, is_line=False)
            return
        bars, keys = words.bars(report), [bar.key for bar in report.bars]
        index = keys.index(chosen) if chosen in keys else -1
        self._title.setText(words.chart_title(report))
        self._legend.show_words(words.legend(report), short=words.legend(report, short=True))
        self._fold(self.width())
        self.chart.show_bars(bars, chosen=index, is_line=report.choice.is_by_month)
        text = ""
        if index >= 0:
            text_line = words.value(report, report.bars[index].value)
            text = self._texts("rep.chart.bar", name=bars[index].word, value=text_line)
        self.chart.setAccessibleDescription(text)


class Legend(ThemedWidget):
    """Names the period beside a filled square, and the period before beside a hollow one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._words: tuple[str, ...] = ()
        self._whole: tuple[str, ...] = ()
        self._short: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_words(self, words: tuple[str, ...], *, short: tuple[str, ...]) -> None:
        self._whole, self._short = words, short
        self.setVisible(bool(words))

    def fit(self, free_width: int) -> None:
        words = self._whole if self._wide(self._whole) <= free_width else self._short
        if words != self._words:
            self._words = words
            self.updateGeometry()
            self.update()

    def _wide(self, words: tuple[str, ...]) -> int:
        metrics, font = self.theme.metrics, self.theme.font(TypeStep.SMALL)
        each = metrics.icon(16) + metrics.s2 + metrics.s4
        return sum(painting.width_of(font, one) + each for one in words)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        return QSize(self._wide(self._words), metrics.line(TypeStep.SMALL) + metrics.s1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self.theme, self.theme.metrics
        font, left, side = theme.font(TypeStep.SMALL), 0, metrics.icon(16)
        for index, words in enumerate(self._words):
            square = QRect(left + metrics.s4, (self.height() - side) // 2, side, side)
            if index == 0:
                painting.box(painter, square, radius=metrics.s1 // 2, fill=theme.colour("accent"))
            else:
                painting.box(
                    painter,
                    square,
                    radius=0,
                    fill=theme.colour("sunken"),
                    edge=theme.colour("line_strong"),
                    width=metrics.hair,
                )
            left = square.right() + 1 + metrics.s2
            wide = painting.width_of(font, words)
            room = QRect(left, 0, wide, self.height())
            painting.put(painter, room, words, theme.colour("ink_2"), font, align=painting.LEFT)
            left += wide


class Foot(QWidget):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        metrics = theme.metrics
        self._tick = Icon(theme, "circle-check", colour="ok", size=18)
        self._sure = ElidedLabel(theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD)
        self._note = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        first = QHBoxLayout()
        first.setSpacing(metrics.s2)
        first.addWidget(self._tick)
        first.addWidget(self._sure, 1)
        self._words = QVBoxLayout()
        self._words.setSpacing(metrics.s1)
        self._words.addStretch(1)
        self._words.addLayout(first)
        self._words.addWidget(self._note)
        self._words.addStretch(1)
        self.buttons = {
            letter: Button(theme, texts(f"rep.{name}"), icon=icon, key=letter)
            for letter, name, icon in _FOOT_KEYS
        }
        self.main = BigButton(theme, texts("rep.xlsx"), key=ENTER, icon="file-spreadsheet")
        self.main.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if not metrics.narrow:
            self.main.setMinimumWidth(round(6.4 * metrics.touch))
        self._acts = QHBoxLayout()
        self._acts.setSpacing(metrics.s2)
        self._acts.addStretch(1)
        for button in self.buttons.values():
            self._acts.addWidget(button)
        self._acts.addWidget(self.main)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(metrics.s2)
        self._row.addLayout(self._words, 1)
        self._row.addLayout(self._acts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        buttons_width = sum(one.sizeHint().width() for one in (*self.buttons.values(), self.main))
        width = painting.width_of(self._theme.font(TypeStep.SMALL), self._texts("rep.adds_up"))
        folds = buttons_width + width + 2 * self._theme.metrics.touch > event.size().width()
        way = QBoxLayout.Direction.TopToBottom if folds else QBoxLayout.Direction.LeftToRight
        if way is not self._row.direction():
            self._row.setDirection(way)
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def show_report(
        self, report: Report | None, text: str, words: ReportWords, *, opens: bool
    ) -> None:
        """opens: a bar leads to its receipts."""
        is_sure = (
            report is not None
            and report.net is not None
            and report.state.is_whole
            and bool(report.table.lines)
        )
        self._tick.setVisible(is_sure)
        self._sure.setText(self._texts("rep.adds_up") if is_sure else "")
        self._note.setText(self._note_text(report, text, words, opens))

    def tell(self, words: str) -> None:
        self._note.setText(words)

    def _note_text(self, report: Report | None, text: str, words: ReportWords, opens: bool) -> str:
        if text == "rep.printing":
            return self._texts("rep.printing")
        if text and text != "rep.stopped":
            return text
        notes = () if report is None else words.notes(report)
        if notes:
            return " ".join(notes)
        return self._texts("rep.opens_receipts", key=RECEIPTS_KEY) if opens else ""

    def can(self, *, print_why: str, is_there: bool) -> None:
        nothing = "" if is_there else self._texts("rep.nothing_there")
        for part in (self.main, *self.buttons.values()):
            why = nothing or (print_why if part is self.buttons[PRINT] else "")
            part.setEnabled(not why)
            part.setToolTip(why)
            part.setAccessibleDescription(why)


_FOOT_KEYS: tuple[tuple[str, Literal["print", "pdf", "csv"], str], ...] = (
    (PRINT, "print", "printer"),
    (PDF, "pdf", "file-text"),
    (CSV, "csv", "download"),
)
ROOM, SCREEN = ReportsRoom, ReportsScreen
