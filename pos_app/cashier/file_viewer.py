"""Files that are opened in the program that the system has for them, and the button that copies
where one lies, for whoever has to find it by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QProcess, QStandardPaths, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from pos_app import log
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme

_log = log.get(__name__)

OPENER = "xdg-open"
"""What opens files on a desktop of Linux. Qt starts it too, and calls that a success."""
OPENS_WITHIN_MS = 30_000
"""What runs longer has opened the file, whatever it says of its end."""


def breakable(file: Path) -> str:
    """A path as it is shown: it goes on in the next line where one is too short for it."""
    return re.sub(r"([/\\])", "\\1\u200b", str(file))


def _nothing() -> None:
    """Whoever shows a file need not hear that it was opened."""


class Viewer(Protocol):
    """Opens a file in the program that the system has for it."""

    def show(
        self,
        file: Path,
        *,
        on_failed: Callable[[], None],
        on_opened: Callable[[], None] = _nothing,
    ) -> None:
        """Have it opened. One of the two is called, once, at once or later: on_opened as soon as
        a program has taken the file, on_failed where none did."""


class DesktopViewer:
    """The system's own viewer; nobody waits for it."""

    def __init__(self) -> None:
        self._running: set[QProcess] = set()

    @property
    def openers(self) -> int:
        """How many programs that were started for files still run."""
        return len(self._running)

    def show(
        self,
        file: Path,
        *,
        on_failed: Callable[[], None],
        on_opened: Callable[[], None] = _nothing,
    ) -> None:
        opener = QStandardPaths.findExecutable(OPENER)
        if opener:
            self._run(opener, file, on_failed, on_opened)
        elif QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))):
            on_opened()
        else:
            on_failed()

    def _run(
        self,
        opener: str,
        file: Path,
        on_failed: Callable[[], None],
        on_opened: Callable[[], None],
    ) -> None:
        """The opener says by its end whether it found a program that took the file; one that is
        still there after a while shows it itself."""
        process, still_there = QProcess(), QTimer()
        self._running.add(process)

        def end(code: int, status: QProcess.ExitStatus) -> None:
            self._running.discard(process)
            process.deleteLater()
            if not still_there.isActive():
                return
            still_there.stop()
            if status is QProcess.ExitStatus.NormalExit and code == 0:
                on_opened()
                return
            _log.warning("%s ended with %d", opener, code)
            on_failed()

        def fault(error: QProcess.ProcessError) -> None:
            if error is QProcess.ProcessError.FailedToStart:  # of any other its end is told
                end(-1, QProcess.ExitStatus.CrashExit)

        still_there.setSingleShot(True)
        still_there.timeout.connect(on_opened)
        still_there.start(OPENS_WITHIN_MS)
        process.finished.connect(end)
        process.errorOccurred.connect(fault)
        process.setStandardInputFile(QProcess.nullDevice())
        process.setStandardOutputFile(QProcess.nullDevice())
        process.setStandardErrorFile(QProcess.nullDevice())
        process.start(opener, [str(file)])


class CopyPath(Button):
    """It says once it was pressed that the place is copied. with_icon: where there is room."""

    def __init__(self, theme: Theme, texts: Texts, file: Path, *, with_icon: bool = True) -> None:
        super().__init__(theme, texts("notice.copy_path"), icon="copy" if with_icon else "")
        self._texts = texts
        self.file = file
        self._with_icon = with_icon
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(str(self.file))
        self.set_words(self._texts("notice.path_copied"))
        self.set_icon("check" if self._with_icon else "")
