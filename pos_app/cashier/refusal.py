"""Why the till can't open, shown to a person who has no command line before him."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from pos_app.cashier.texts import Language, Words
from pos_app.errors import PosError


def show_refusal(error: PosError, *, language: Language) -> None:
    """Show an expected error in a window of its own and wait until it is closed."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    if application.platformName() == "offscreen":
        return
    told = Words(language).error(error)
    box = QMessageBox(QMessageBox.Icon.Critical, "pos-app", told.happened)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText("\n".join(part for part in (told.safe, told.press) if part))
    box.finished.connect(application.quit)
    box.open()
    QApplication.exec()
