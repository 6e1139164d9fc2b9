"""The button that copies where a file lies, for whoever has to find it by hand."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme


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
