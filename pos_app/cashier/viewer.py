"""Files that are opened in the program that the system has for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QProcess, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices

from pos_app import log

_log = log.get(__name__)

OPENER = "xdg-open"
"""What opens files on a desktop of Linux. Qt starts it too, and calls that a success."""
OPENS_WITHIN_MS = 30_000
"""What ends later was open meanwhile, whatever it says of its end."""


class Viewer(Protocol):
    """Opens a file in the program that the system has for it."""

    def show(self, file: Path, *, on_failed: Callable[[], None]) -> None:
        """Have it opened. on_failed: called once, at once or later, where nothing opened it."""


class DesktopViewer:
    """The system's own viewer; nobody waits for it."""

    def __init__(self) -> None:
        self._running: set[QProcess] = set()

    def show(self, file: Path, *, on_failed: Callable[[], None]) -> None:
        opener = QStandardPaths.findExecutable(OPENER)
        if opener:
            self._run(opener, file, on_failed)
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))):
            on_failed()

    def _run(self, opener: str, file: Path, on_failed: Callable[[], None]) -> None:
        """The opener says by its end whether it found a program that took the file."""
        process, since = QProcess(), QElapsedTimer()
        self._running.add(process)
        since.start()

        def end(code: int, status: QProcess.ExitStatus) -> None:
            self._running.discard(process)
            process.deleteLater()
            is_well = status is QProcess.ExitStatus.NormalExit and code == 0
            if not is_well and since.elapsed() < OPENS_WITHIN_MS:
                _log.warning("%s ended with %d", opener, code)
                on_failed()

        def fault(error: QProcess.ProcessError) -> None:
            if error is QProcess.ProcessError.FailedToStart:  # of any other its end is told
                end(-1, QProcess.ExitStatus.CrashExit)

        process.finished.connect(end)
        process.errorOccurred.connect(fault)
        process.setStandardInputFile(QProcess.nullDevice())
        process.setStandardOutputFile(QProcess.nullDevice())
        process.setStandardErrorFile(QProcess.nullDevice())
        process.start(opener, [str(file)])
