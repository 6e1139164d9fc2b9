"""Why the till can't open, shown to a person who has no command line before him."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from pos_app import log
from pos_app.cashier.texts import Language, Words
from pos_app.errors import PosError

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the window says: what happened, and below it whether all is safe and what to do."""

    happened: str
    more: str


def refusal(error: PosError, *, language: Language) -> Refusal:
    """The words for an expected error; a part that nobody wrote takes no line."""
    told = Words(language).error(error)
    return Refusal(told.happened, "\n".join(part for part in (told.safe, told.press) if part))


def show_refusal(error: PosError, *, language: Language) -> None:
    """Show an expected error in a window of its own and wait until it is closed."""
    _log.error("the till can't open: %s", error.what)  # a terminal hears it before the window goes
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    if application.platformName() == "offscreen":
        return
    words = refusal(error, language=language)
    title = Words(language)("till.title")
    box = QMessageBox(QMessageBox.Icon.Critical, title, words.happened)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(words.more)
    box.finished.connect(application.quit)
    box.open()
    QApplication.exec()
