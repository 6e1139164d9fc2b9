"""Shows why the till can't open, to a person without a command line."""

from __future__ import annotations

import sys
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout

from pos_app import log, resources
from pos_app.cashier.commands import ENTER
from pos_app.cashier.texts import lookup
from pos_app.cashier.ui.bars import ShopMark
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.focus import FocusRing
from pos_app.cashier.ui.fonts import load_fonts
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight, measure, usable_dpi
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.style import set_up_style
from pos_app.cashier.ui.theme import Theme, screen_facts
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.errors import AlreadyRunning, PosError, TextsDamaged
from pos_app.installed import first_window_stood
from pos_app.lazy_dataclass import dataclass

_log = log.get(__name__)

WIDTH = 14
"""The width of the window, in touch sizes."""


@dataclass(frozen=True, slots=True)
class StartError:
    """The texts of the window. read: the word on its button. details: that on the button of the
    technical line."""

    title: str
    notice: lookup.NoticeWords
    read: str
    details: str = ""


def start_error(error: PosError, *, language: lookup.Language) -> StartError:
    """The words for an expected error; they are English where the file of texts is damaged."""
    try:
        texts = lookup.Texts(language)
        notice = texts.error(error, has_details=True)
        whole = replace(notice, press=lookup.sentence(notice.press))
        return StartError(texts("till.title"), whole, texts("ok"), texts("details"))
    except TextsDamaged:
        return StartError("Till", lookup.as_raised(error), "OK")


def show_start_error(
    error: PosError, *, language: lookup.Language, theme: ThemeName = "light"
) -> None:
    """Show an expected error in a window of its own and wait until it is closed."""
    _log.error("the till can't open: %s", error.what)  # a terminal shows it before the window
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    if application.platformName() == "offscreen":
        return
    look = first_look(application, theme)
    window = StartErrorWindow(error, start_error(error, language=language), look)
    window.closed.connect(application.quit)
    window.show()
    window.activateWindow()
    QApplication.exec()
    first_window_stood()
    window.deleteLater()


def first_look(application: QApplication, theme: ThemeName) -> Theme:
    """The look of the screens before any window of the till."""
    load_fonts(resources.folder() / "fonts")
    facts = screen_facts(application.primaryScreen())
    look = Theme(theme=theme, metrics=measure(dpi=usable_dpi(facts), width=facts.width))
    set_up_style(application, look)
    return look


class StartErrorWindow(Ground):
    """Shows the three parts of an error, and a button that closes the window. Signal:
    `closed()`."""

    closed = Signal()

    def __init__(self, error: PosError, words: StartError, theme: Theme) -> None:
        super().__init__(theme, colour="bg")
        metrics, notice_text = theme.metrics, words.notice
        self.setWindowTitle(words.title)
        self.setAccessibleName(words.title)
        is_quiet = isinstance(error, AlreadyRunning)
        notice = NoticePanel(
            theme,
            NoticeKind.WARN if is_quiet else NoticeKind.DANGER,
            happened=notice_text.happened,
            safe=notice_text.safe,
            press=notice_text.press,
        )
        self.read = Button(theme, words.read, key=ENTER, kind=ButtonKind.FILLED)
        self.read.clicked.connect(self.close)
        head = QHBoxLayout()
        head.setSpacing(metrics.s3)
        head.addWidget(ShopMark(theme))
        head.addWidget(Label(theme, words.title, step=TypeStep.TITLE, weight=Weight.BOLD), 1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.read)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s4)
        column.setSpacing(metrics.s4)
        column.addLayout(head)
        column.addWidget(notice)
        if notice_text.technical:
            details = Details(theme, words.details, notice_text.technical)
            details.button.clicked.connect(self._fit_height)
            column.addWidget(details)
        column.addStretch(1)
        column.addLayout(foot)
        self._fit_height()
        self.ring = FocusRing(theme, self)
        self.read.setFocus()

    def _fit_height(self) -> None:
        column, wide = self.layout(), WIDTH * self.theme.metrics.touch
        assert column is not None
        column.invalidate()
        self.resize(wide, column.heightForWidth(wide))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.close()
            return
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closed.emit()
