"""The long work of the catalogue; it outlives the widgets that show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from pos_app.cashier.long_work import FilePoll, Work

WorkName = Literal["read", "import", "export", "picture", "labels", "delete", "change", "take_back"]
Tell = Callable[[Any, object, bool], None]
"""Reports the result of work. Its arguments: the `CatalogueNotices` that exist at that moment; the
result that `ended` gave, which for a `Work` is the PosError that ended it or None, and for a
`FilePoll` the result of the file; whether a person stopped the work. The function must hold no
widget, because another one may show the catalogue by then. The notices' type is Any, because they
import this module."""


class LongWork(QObject):
    """One long work runs at a time. It lives as long as the window: a change of theme, language or
    width makes all widgets anew, and the new ones show the work. Its result waits until a visible
    screen reports it. Signals: `began()`; `ended()`."""

    began = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.work: Work | FilePoll | None = None
        self.name: WorkName = "read"
        self._report: Callable[[Any], None] | None = None

    def begin(self, work: Work | FilePoll, name: WorkName, tell: Tell) -> None:
        self.work, self.name = work, name
        work.ended.connect(lambda result: self._end(work, result, tell))
        self.began.emit()

    def tell(self, notices: object) -> None:
        """Report the result of the last work in these notices, once."""
        report, self._report = self._report, None
        if report is not None:
            report(notices)

    def _end(self, work: Work | FilePoll, result: object, tell: Tell) -> None:
        is_stopped, self.work = work.is_stopped, None
        self._report = lambda notices: tell(notices, result, is_stopped)
        work.deleteLater()
        self.ended.emit()
