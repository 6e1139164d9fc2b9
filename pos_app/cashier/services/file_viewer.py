"""Opens files in the program that the system has for them; a button copies a file's path for a
person who has to find it by hand."""

from __future__ import annotations

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
"""The program that opens files on a Linux desktop. Qt starts it too, but takes the start for a
success."""
OPENS_WITHIN_MS = 30_000
"""An opener that runs longer has opened the file, whatever its exit status."""


def _nothing() -> None:
    """The usual on_opened: the caller need not know that the file was opened."""


class Viewer(Protocol):
    """Opens a file in the program that the system has for it."""

    def show(
        self, file: Path, *, on_failed: Callable[[], None], on_opened: Callable[[], None] = _nothing
    ) -> None:
        """Open the file. One of the two is called, once, at once or later: on_opened as soon as a
        program has taken the file, on_failed where none did."""


class DesktopViewer:
    """The system's own viewer; nobody waits for it."""

    def __init__(self) -> None:
        self.running: set[QProcess] = set()

    def show(
        self, file: Path, *, on_failed: Callable[[], None], on_opened: Callable[[], None] = _nothing
    ) -> None:
        opener = QStandardPaths.findExecutable(OPENER)
        if opener:
            self._run(opener, file, on_failed, on_opened)
        elif QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))):
            on_opened()
        else:
            on_failed()

    def _run(
        self, opener: str, file: Path, on_failed: Callable[[], None], on_opened: Callable[[], None]
    ) -> None:
        """Run the opener. Its exit status says whether a program took the file; an opener that is
        still running after a while shows the file itself."""
        process, still_there = QProcess(), QTimer()
        self.running.add(process)

        def end(code: int, status: QProcess.ExitStatus) -> None:
            self.running.discard(process)
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
            if error is QProcess.ProcessError.FailedToStart:  # `finished` reports every other end
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
    """Copies the file's path at a press, and then says so. with_icon: there is room for an icon."""

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
