"""The long work of the catalogue; it outlives the widgets that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.services.long_work import FilePoll
from pos_app.cashier.services.tasks import guarded
from pos_app.cashier.window.frame import Busy
from pos_app.selling.catalogue.bulk_act import ActKind
from pos_app.selling.file_work import FileWork

WorkName = Literal[
    "read", "import", "export", "picture", "labels", "delete", "change", "plan", "take_back"
]
Note = Callable[[object, bool], None]
"""Takes the result of work into the model at its end, whatever screen stands then. Its arguments:
the result that `ended` gave; whether a person stopped the work."""
Tell = Callable[[Any, object, bool], None]
"""Shows the result of work in the `CatalogueNotices` that exist at that moment, and changes nothing
else; the other arguments are those of `Note`. The function must hold no widget, because another one
may show the catalogue by then. The notices' type is Any, because they import this module."""


WORK_OF: Mapping[ActKind, WorkName] = {
    ActKind.CHANGE: "change",
    ActKind.PLAN: "plan",
    ActKind.DELETE: "delete",
    ActKind.IMPORT: "import",
    ActKind.TAKE_BACK: "take_back",
}
"""The work that makes an act which is carried on."""
BUSY_WITH: Mapping[WorkName, Busy] = {
    "read": Busy.READ,
    "export": Busy.EXPORT,
    "picture": Busy.PICTURE,
    "labels": Busy.LABELS,
    **dict.fromkeys(WORK_OF.values(), Busy.ACT),
}


class LongWork(QObject):
    """One long work runs at a time. It lives as long as the window: a change of theme, language or
    width makes all widgets anew, and the new ones show the work. Its result waits until a screen
    that stands tells it, and is told again in widgets made anew, until somebody has read it or left
    the screen; a preview that was only offered waits beyond that. Signals: `began()`; `ended()`."""

    began = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.work: FilePoll | None = None
        self.name: WorkName = "read"
        self.report: Callable[[Any], None] | None = None
        """Shows the result of the last work."""
        self.is_told = False

    def begin(self, work: FilePoll, name: WorkName, note: Note, tell: Tell) -> None:
        self.forget()
        self.work, self.name = work, name
        work.ended.connect(lambda result: self._end(work, result, note, tell))
        self.began.emit()

    def follow_act(
        self, model: CatalogueModel, work: FileWork, name: WorkName, products: Sequence[str] = ()
    ) -> None:
        """Follow an act on these products; without any it is an act that is carried on."""
        self.begin(
            FilePoll(work, self),
            name,
            lambda result, is_stopped: model.end_act(products, result, is_stopped=is_stopped),
            lambda notices, *_: notices.show_outcome(),
        )

    def forget(self) -> None:
        """Forget the last result, because somebody has read it."""
        self.report, self.is_told = None, False

    def leave(self) -> None:
        """Forget a result that was told on the screen that is left."""
        if self.is_told:
            self.forget()

    def _end(self, work: FilePoll, result: object, note: Note, tell: Tell) -> None:
        is_stopped, self.work = work.is_stopped, None
        self.report, self.is_told = partial(_told_in, tell, result, is_stopped), False
        work.deleteLater()
        guarded(partial(note, result, is_stopped))
        self.ended.emit()


def _told_in(tell: Tell, result: object, is_stopped: bool, notices: object) -> None:
    tell(notices, result, is_stopped)
