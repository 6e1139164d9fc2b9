"""What is listed is written into a sheet: which rows, which file, how far it is, what came of it.

The work goes on when the screen is left, and what came of it is told at the next visit.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from pos_app.cashier.file_viewer import breakable
from pos_app.cashier.long_work import FilePoll, WorkNotice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import popup_below
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import clear_layout
from pos_app.domain.receipt_list import ReceiptQuery
from pos_app.errors import PosError
from pos_app.selling.catalogue.files import FileDone
from pos_app.selling.receipts.export import ReceiptExport


class Exporting(QObject):
    """One export at a time. Signal: `changed()`, it began, ended, or what came of it was read."""

    changed = Signal()

    def __init__(self, export: ReceiptExport, parent: QObject) -> None:
        super().__init__(parent)
        self._export = export
        self.poll: FilePoll | None = None
        self.path = Path()
        self.came: FileDone | PosError | None = None
        """What came of the last one, until somebody has read it; None of one that was stopped."""

    def begin(self, query: ReceiptQuery, path: Path, *, by_lines: bool) -> None:
        self.path, self.came = path, None
        self.poll = poll = FilePoll(self._export.export(query, path, by_lines=by_lines), self)
        poll.ended.connect(self._end)
        self.changed.emit()

    def read(self) -> None:
        """What came of it was read."""
        self.came = None
        self.changed.emit()

    def _end(self, result: object) -> None:
        poll, self.poll = self.poll, None
        if poll is not None:
            poll.deleteLater()
            if not poll.is_stopped and isinstance(result, FileDone | PosError):
                self.came = result
        self.changed.emit()


class ExportLine(QWidget):
    """Above the list: how far an export is, or what came of it; nothing else of the time."""

    def __init__(self, exporting: Exporting, theme: Theme, texts: Texts) -> None:
        super().__init__()
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

    def _notice(self) -> QWidget | None:
        exporting, texts = self._exporting, self._texts
        if exporting.poll is not None:
            return WorkNotice(self._theme, texts, exporting.poll, texts("receipts.exporting"))
        came = exporting.came
        if came is None:
            return None
        close = Button(self._theme, texts("ok"))
        close.clicked.connect(exporting.read)
        if isinstance(came, FileDone):
            lacks = texts.count("receipts.export_lacks", came.failed) if came.failed else ""
            return NoticePanel(
                self._theme, NoticeKind.WARN if lacks else NoticeKind.INFO,
                happened=texts.count("receipts.exported", came.done),
                safe=breakable(exporting.path), press=lacks, buttons=(close,),
            )  # fmt: skip
        told = texts.error(came)
        return NoticePanel(
            self._theme, NoticeKind.WARN,
            happened=told.happened, safe=told.safe, press=told.press, buttons=(close,),
        )  # fmt: skip


def ask_export(key: QWidget, exporting: Exporting, query: ReceiptQuery, texts: Texts) -> None:
    """A menu below the key: a row a receipt, or a row a line; then the file."""
    menu = QMenu(key)
    for name, by_lines in (("by_receipts", False), ("by_lines", True)):
        action = QAction(texts(f"receipts.export.{name}"), menu)
        action.triggered.connect(
            lambda _=False, lines=by_lines: _ask_file(key, exporting, query, texts, lines)
        )
        menu.addAction(action)
    menu.aboutToHide.connect(menu.deleteLater)
    popup_below(menu, key)


def _ask_file(
    key: QWidget, exporting: Exporting, query: ReceiptQuery, texts: Texts, by_lines: bool
) -> None:
    chooser = file_chooser(key.window(), texts, "receipts.export", saves=True)
    chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
    chooser.setDefaultSuffix("xlsx")
    chooser.filterSelected.connect(
        lambda name: chooser.setDefaultSuffix("csv" if "csv" in name else "xlsx")
    )
    chooser.selectFile("racuni")
    chooser.fileSelected.connect(lambda name: exporting.begin(query, Path(name), by_lines=by_lines))
    chooser.open()
