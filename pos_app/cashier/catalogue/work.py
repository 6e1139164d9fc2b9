"""The long work of the catalogue: it outlives the widgets that show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from pos_app.cashier.long_work import FilePoll, Work

WorkName = Literal["read", "import", "export", "picture", "labels", "delete", "change", "take_back"]
Tell = Callable[[Any, object, bool], None]
"""Says what came of work. It is given the `CatalogueNotices` of the moment, which know this
module; what `ended` of the work told, for a `Work` the PosError that ended it or None, for a
`FilePoll` what the file came to; and whether a person stopped the work. It holds no widget: by then
another one may show the catalogue."""


class LongWork(QObject):
    """The long work of the catalogue, of which one runs at a time.

    It lives as long as the window: a change of theme, language or width makes all widgets anew, and
    the new ones show it. What came of it waits until a screen that is seen tells it.

    Signals: `began()`; `ended()`.
    """

    began = Signal()
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.work: Work | FilePoll | None = None
        self.name: WorkName = "read"
        self._untold: Callable[[Any], None] | None = None

    def begin(self, work: Work | FilePoll, name: WorkName, tell: Tell) -> None:
        """Keep this work until it is over."""
        self.work, self.name = work, name
        work.ended.connect(lambda result: self._end(work, result, tell))
        self.began.emit()

    def tell(self, notices: object) -> None:
        """Say in these notices what came of the last work, once."""
        untold, self._untold = self._untold, None
        if untold is not None:
            untold(notices)

    def _end(self, work: Work | FilePoll, result: object, tell: Tell) -> None:
        is_stopped, self.work = work.is_stopped, None
        self._untold = lambda notices: tell(notices, result, is_stopped)
        work.deleteLater()
        self.ended.emit()
