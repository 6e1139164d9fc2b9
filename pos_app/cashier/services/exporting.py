"""Exports into a file by a process of its own: the progress and the result.

The work goes on when the screen is left, and its result is shown at the next visit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.services.long_work import FilePoll, WorkNotice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import breakable
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.theme import Theme
from pos_app.errors import PosError
from pos_app.selling.file_work import FileDone, FileWork


class Exporting(QObject):
    """One export at a time. Signal: `changed()`: an export began or ended, or its result was
    read."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.poll: FilePoll | None = None
        self.path = Path()
        self.came: FileDone | PosError | None = None
        """The result of the last export until somebody has read it or left the screen that told
        it; a stopped export has none."""
        self.is_told = False

    def begin(self, work: FileWork, path: Path) -> None:
        self.path, self.came, self.is_told = path, None, False
        self.poll = poll = FilePoll(work, self)
        poll.ended.connect(self._end)
        self.changed.emit()

    def read(self) -> None:
        self.came, self.is_told = None, False
        self.changed.emit()

    def leave(self) -> None:
        """Forget a result that was told on the screen that is left."""
        if self.is_told:
            self.read()

    def end_refusal(self) -> None:
        """Drop the reason why the last export failed, because another act begins."""
        if isinstance(self.came, PosError):
            self.read()

    def forget(self) -> None:
        """Drop the last result, because its rows are no longer shown."""
        if self.came is not None:
            self.read()

    def _end(self, result: object) -> None:
        poll, self.poll = self.poll, None
        if poll is not None:
            poll.deleteLater()
            if not poll.is_stopped and isinstance(result, FileDone | PosError):
                self.came = result
        self.changed.emit()


class ExportLine(QWidget):
    """Shows the progress of an export, or its result; else it is hidden. words_of: the screen
    whose words it uses."""

    def __init__(
        self,
        exporting: Exporting,
        theme: Theme,
        texts: Texts,
        *,
        words_of: Literal["receipts", "rep"],
    ) -> None:
        super().__init__()
        self._is_report = words_of == "rep"
        self._exporting, self._theme, self._texts = exporting, theme, texts
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        exporting.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        clear_layout(self._column)
        notice = self._notice()
        self.setVisible(notice is not None)
        if notice is not None:
            self._column.addWidget(notice)
            QTimer.singleShot(0, self, self._note_told)

    def showEvent(self, event: QShowEvent) -> None:
        """A screen that fails while it is opened is hidden again by then, and has told nothing."""
        QTimer.singleShot(0, self, self._note_told)
        super().showEvent(event)

    def _note_told(self) -> None:
        if self.isVisible():
            self._exporting.is_told = self._exporting.came is not None

    @property
    def _running(self) -> str:
        return self._texts("rep.exporting" if self._is_report else "receipts.exporting")

    def _written(self, rows: int) -> str:
        if self._is_report:
            return self._texts.count("rep.exported", rows)
        return self._texts.count("receipts.exported", rows)

    def _notice(self) -> QWidget | None:
        exporting, texts = self._exporting, self._texts
        if exporting.poll is not None:
            return WorkNotice(self._theme, texts, exporting.poll, self._running)
        came = exporting.came
        if came is None:
            return None
        close = Button(self._theme, texts("ok"))
        close.clicked.connect(exporting.read)
        if isinstance(came, FileDone):
            lacks = texts.count("receipts.export_lacks", came.failed) if came.failed else ""
            return NoticePanel(
                self._theme,
                NoticeKind.WARN if lacks else NoticeKind.DONE,
                happened=self._written(came.done),
                safe=breakable(str(exporting.path)),
                press=lacks,
                buttons=(close,),
            )
        notice = texts.error(came)
        return NoticePanel(
            self._theme,
            NoticeKind.WARN,
            happened=notice.happened,
            safe=notice.safe,
            press=notice.press,
            buttons=(close,),
        )
