"""Long work runs in another process, which is asked for its progress. It is shown and can be
stopped.

Source: till.md (Promise 4), look.md (Components, Banner: running work).
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from pos_app import log
from pos_app.cashier.services.tasks import failure_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import ElidedLabel, Icon
from pos_app.cashier.ui.metrics import Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.state import Bar
from pos_app.cashier.ui.theme import Theme
from pos_app.errors import PosError, ProgramError
from pos_app.selling.file_work import FileWork

_log = log.get(__name__)

ASK_MS = 100
"""Milliseconds between two looks at work in another process."""


class FilePoll(QObject):
    """Asks work that runs in another process for its progress.

    Signals: `progressed(int)`; `ended(object)`, the result.
    """

    progressed = Signal(int)
    ended = Signal(object)

    def __init__(self, work: FileWork, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._began = time.monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._ask)
        self._timer.start(ASK_MS)
        self.is_stopped = False

    @property
    def done(self) -> int:
        return self._work.progress.done

    @property
    def whole(self) -> int:
        return self._work.progress.whole

    @property
    def percent(self) -> int:
        """The percentage of the file that was read, while its rows are not counted."""
        return self._work.progress.percent

    @property
    def seconds_left(self) -> int | None:
        """An estimate, or None while it is too early to say."""
        passed, file_progress = time.monotonic() - self._began, self._work.progress
        if not file_progress.whole or not file_progress.done or passed < 1:
            return None
        return round(passed * (file_progress.whole - file_progress.done) / file_progress.done)

    def stop(self) -> None:
        """End the work; what was written before stays."""
        self.is_stopped = True
        self._work.stop()

    def _ask(self) -> None:
        came: list[object] = []
        error = failure_of(lambda: came.append(self._work.result()))
        result = came[0] if error is None else _told(error)
        if result is None:
            self.progressed.emit(self.done)
            return
        self._timer.stop()
        self.ended.emit(result)


def _told(error: Exception) -> PosError:
    """The error to tell of what ended long work; the log has the cause of a bug."""
    if isinstance(error, PosError):
        return error
    _log.error("a bug ended long work", exc_info=error)
    return ProgramError()


def time_left(texts: Texts, seconds: int | None) -> str:
    """The remaining time in words, in minutes from a minute and a half on; "" while it is
    unknown."""
    if seconds is None:
        return ""
    if seconds < 90:
        return texts("cat.seconds_left", n=seconds)
    return texts("cat.minutes_left", n=texts.number(round(seconds / 60)))


class WorkNotice(Panel):
    def __init__(self, theme: Theme, texts: Texts, work: FilePoll, words: str) -> None:
        super().__init__(theme, colour="info_ground")
        self._texts = texts
        self._work = work
        self._words = words
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, "loader-circle", colour="info", size=24))
        column = QVBoxLayout()
        column.setSpacing(metrics.s1)
        layout = QHBoxLayout()
        self._words_label = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        self._left_label = ElidedLabel(theme, colour="ink_2")
        layout.addWidget(self._words_label, 1)
        layout.addWidget(self._left_label)
        self._bar = Bar(theme)
        column.addLayout(layout)
        column.addWidget(self._bar)
        row.addLayout(column, 1)
        self.stop = Button(theme, texts("cat.stop"))
        self.stop.clicked.connect(work.stop)
        row.addWidget(self.stop)
        work.progressed.connect(self._show)
        self._show(work.done)

    def _show(self, done: int) -> None:
        whole = self._work.whole
        texts, many = self._texts, self._texts.number
        text = texts("cat.progress", what=self._words, done=many(done), whole=many(whole))
        if not whole:  # a file is read, and nobody knows yet how many rows it has
            percent = self._work.percent
            parts = [many(done)] if done else []
            parts += [f"{percent} %"] if percent else []
            text = f"{self._words}: {', '.join(parts)}" if parts else self._words
            done, whole = percent, 100
        self._words_label.setText(text)
        self._left_label.setText(time_left(texts, self._work.seconds_left))
        self._bar.show_part(done, whole)
        self.setAccessibleName(text)
