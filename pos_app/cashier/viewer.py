"""Files that are opened in the program that the system has for them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


class Viewer(Protocol):
    """Opens a file in the program that the system has for it."""

    def show(self, file: Path) -> bool:
        """Open it; False where nothing was found to open it with."""


class DesktopViewer:
    """The system's own viewer."""

    def show(self, file: Path) -> bool:
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))
