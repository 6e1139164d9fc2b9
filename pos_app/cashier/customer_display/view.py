"""The window of the customer display. It takes no key, no focus and no touch."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QImage, QPainter, QPaintEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QWidget

from pos_app.cashier.customer_display.brush import Brush
from pos_app.cashier.customer_display.scenes import paint
from pos_app.cashier.customer_display.words import DisplayWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme, ThemedWidget

_FLAGS = (
    Qt.WindowType.Window
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
)


class DisplayView(ThemedWidget):
    """The window on one monitor, in one look and language. till: the window that gets the focus
    back if the system gives it to this one."""

    def __init__(self, theme: Theme, texts: Texts, till: QWidget) -> None:
        super().__init__(theme)
        self._texts, self._till = texts, till
        self._brush: Brush | None = None
        self._picture: QImage | None = None
        self.words: DisplayWords | None = None
        self.setWindowFlags(_FLAGS)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.setWindowTitle(texts("set.page.display"))
        self.setAccessibleName(texts("set.page.display"))

    def stand_on(self, screen: QScreen) -> None:
        """Fill that monitor without taking the focus."""
        self.setScreen(screen)
        self.setGeometry(screen.geometry())
        self.setWindowState(Qt.WindowState.WindowFullScreen)
        self.show()

    def show_words(self, words: DisplayWords) -> None:
        """Paint the words at once, because the event loop may handle a scan next."""
        if words != self.words:
            self.words = words
            self.repaint()

    def show_picture(self, picture: QImage | None) -> None:
        """Set the picture for the time while nothing is sold; without one the shop's name is shown
        alone."""
        self._picture = picture
        self.update()

    @property
    def shows_picture(self) -> bool:
        return self._picture is not None

    # --- events of Qt ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._brush is None:
            self._brush = Brush(self.theme, self.width(), self.height())
        if self.words is not None:
            paint(painter, self.words, self._brush, self._texts, self._picture)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._brush = None

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let only the program close the window, not a shortcut of the window manager."""
        event.setAccepted(not event.spontaneous())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self._till.activateWindow()
        super().changeEvent(event)
