"""The screen that is shown before a till opens: between two windows, when a backup may be restored,
or before the first window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import ShopMark
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.state import Bar
from pos_app.cashier.ui.theme import Theme
from pos_app.installed import first_window_stood

PUTS_BACK, SENDS_UNSENT, COPIES = "till.puts_back", "till.sends_unsent", "till.copies"


class Opening:
    """Covers the screen while one window follows another. It outlives the first, so that the screen
    is never empty."""

    def __init__(self) -> None:
        self._screen: _OpeningScreen | None = None

    def cover(
        self,
        window: QWidget,
        theme: Theme,
        texts: Texts,
        *,
        then: Callable[[], object],
        puts_back: bool = False,
    ) -> None:
        """Cover this window. then: called once the cover is painted. puts_back: a backup is
        restored before the next till opens."""
        self.close()
        self._screen = made = _OpeningScreen(theme, texts, then)
        if puts_back:
            made.show_part(PUTS_BACK, 0, 1)
        made.setGeometry(window.geometry())
        if window.isFullScreen():
            made.showFullScreen()
        else:
            made.show()

    def uncover(self, window: QWidget) -> None:
        """Close once the opened window is painted; the launcher is informed then."""
        if self._screen is not None:
            window.raise_()
        _AtFirstPaint(window, self._on_painted)

    def open_screen(self, theme: Theme, texts: Texts, work: str) -> None:
        """Show the screen where there was no window before. work: as in `show_part`."""
        self.close()
        self._screen = made = _OpeningScreen(theme, texts, lambda: None)
        made.show_part(work, 0, 1)
        made.setGeometry(made.screen().geometry())
        made.showFullScreen()

    def show_part(self, work: str, done: int, whole: int) -> None:
        """Show how much is done. work: PUTS_BACK, SENDS_UNSENT or COPIES."""
        if self._screen is not None:
            self._screen.show_part(work, done, whole)

    def show_opens(self) -> None:
        if self._screen is not None:
            self._screen.show_opens()

    def come_to_front(self) -> None:
        if self._screen is not None:
            self._screen.showFullScreen()  # somebody may have closed it
            self._screen.raise_()
            self._screen.activateWindow()

    def _on_painted(self) -> None:
        first_window_stood()
        self.close()

    def close(self) -> None:
        if self._screen is not None:
            self._screen.hide()
            self._screen.deleteLater()
            self._screen = None


class _OpeningScreen(Ground):
    def __init__(self, theme: Theme, texts: Texts, then: Callable[[], object]) -> None:
        super().__init__(theme, colour="bg")
        self._texts, self._then = texts, then
        self._is_painted = False
        self.setWindowTitle(texts("till.title"))
        self._words = words = Label(theme, step=TypeStep.TITLE, weight=Weight.BOLD)
        self._rest = Label(theme, wrap=True)
        self._bar = Bar(theme)
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s3)
        row.addStretch(1)
        row.addWidget(ShopMark(theme), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(words)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.addStretch(1)
        column.addLayout(row)
        column.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignHCenter)
        self._rest.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._rest)
        column.setSpacing(theme.metrics.s4)
        column.addStretch(1)
        self.show_opens()

    def show_opens(self) -> None:
        self._show_words(self._texts("till.opens"), is_work=False)

    def show_part(self, work: str, done: int, whole: int) -> None:
        percent = 100 * done // max(whole, 1)
        self._bar.show_part(done, whole)
        self._rest.setText(self._texts(f"{work}_words"))
        self._show_words(self._texts(work, percent=percent), is_work=True)

    def _show_words(self, words: str, *, is_work: bool) -> None:
        self._words.setText(words)
        self.setAccessibleName(words)
        for part in (self._bar, self._rest):
            part.setVisible(is_work)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self, self._then)


class _AtFirstPaint(QObject):
    def __init__(self, window: QWidget, act: Callable[[], object]) -> None:
        super().__init__(window)
        self._act = act
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._act)
        return False
