"""The long work of the catalogue; it outlives the widgets that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.long_work import FilePoll
from pos_app.selling.catalogue.bulk_act import ActKind
from pos_app.selling.file_work import FileWork

WorkName = Literal["read", "import", "export", "picture", "labels", "delete", "change", "take_back"]
Tell = Callable[[Any, object, bool], None]
"""Reports the result of work. Its arguments: the `CatalogueNotices` that exist at that moment; the
result that `ended` gave; whether a person stopped the work. The function must hold no
widget, because another one may show the catalogue by then. The notices' type is Any, because they
import this module."""


WORK_OF: Mapping[ActKind, WorkName] = {
    ActKind.CHANGE: "change",
    ActKind.DELETE: "delete",
    ActKind.IMPORT: "import",
    ActKind.TAKE_BACK: "take_back",
}
"""The work that makes an act which is carried on."""


class LongWork(QObject):
    """One long work runs at a time. It lives as long as the window: a change of theme, language or
    width makes all widgets anew, and the new ones show the work. Its result waits until a visible
    screen reports it. Signals: `began()`; `ended()`."""

    began = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.work: FilePoll | None = None
        self.name: WorkName = "read"
        self._report: Callable[[Any], None] | None = None

    def begin(self, work: FilePoll, name: WorkName, tell: Tell) -> None:
        self.work, self.name = work, name
        work.ended.connect(lambda result: self._end(work, result, tell))
        self.began.emit()

    def follow_act(
        self, model: CatalogueModel, work: FileWork, name: WorkName, products: Sequence[str] = ()
    ) -> None:
        """Follow an act on these products; without any it is an act that is carried on."""
        if self.work is not None:
            work.stop()
            return
        poll = FilePoll(work, self)
        poll.ended.connect(
            lambda result: model.end_act(products, result, is_stopped=poll.is_stopped)
        )
        self.begin(poll, name, lambda notices, *_: notices.show_outcome())

    @property
    def progress(self) -> tuple[WorkName, int, int] | None:
        """What runs, how many of it are done, and how many there are, 0 while that is unknown; None
        where nothing runs."""
        return None if self.work is None else (self.name, self.work.done, self.work.whole)

    def tell(self, notices: object) -> None:
        """Report the result of the last work in these notices, once."""
        report, self._report = self._report, None
        if report is not None:
            report(notices)

    def _end(self, work: FilePoll, result: object, tell: Tell) -> None:
        is_stopped, self.work = work.is_stopped, None
        self._report = lambda notices: tell(notices, result, is_stopped)
        work.deleteLater()
        self.ended.emit()
