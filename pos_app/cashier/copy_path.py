"""The button that copies where a file lies, for whoever has to find it by hand."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.look import Look
from pos_app.cashier.texts import Words


class CopyPath(Button):
    """It says once it was pressed that the place is copied. with_icon: where there is room."""

    def __init__(self, look: Look, words: Words, file: Path, *, with_icon: bool = True) -> None:
        super().__init__(look, words("notice.copy_path"), icon="copy" if with_icon else "")
        self._words = words
        self.file = file
        self._with_icon = with_icon
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(str(self.file))
        self.set_words(self._words("notice.path_copied"))
        self.set_icon("check" if self._with_icon else "")
