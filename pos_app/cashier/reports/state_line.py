"""What is told above the chart of a report that is being made, is missing or is not complete.

Source: till.md ("Reports").
"""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.reports.room import ReportsRoom
from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import ElidedLabel, Icon
from pos_app.cashier.ui.metrics import Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Panel, clear_layout
from pos_app.cashier.ui.state import Bar
from pos_app.cashier.ui.theme import Theme


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
        told = QVBoxLayout()
        told.setSpacing(metrics.s1)
        told.addWidget(self._words_label)
        told.addWidget(self._bar)
        row.addLayout(told, 1)
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
            if model.name.is_of_server:
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
        if model.message == "rep.stopped":
            return NoticeKind.INFO, texts("rep.stopped"), "", ""
        report = model.report
        if report is None:
            return None
        if report.choice.name.is_of_server and not report.state.is_whole:
            done, of = (texts.number(one) for one in (report.state.done, report.state.of))
            return NoticeKind.INFO, texts("rep.not_whole", done=done, of=of), "", ""
        if report.whole_from is not None:
            words = ReportWords(texts, room.frame.services.rates)
            return NoticeKind.WARN, words.cut(report), "", texts("rep.cut.do")
        return None
