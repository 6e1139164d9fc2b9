"""A part of the window that makes room for the on-screen keyboard at its own bottom.

What is inside gets the height that is left. Where it can't be so small it keeps its least height
and is moved up until the field that is typed into stands above the keyboard; a part of it that
scrolls is scrolled first.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QScrollArea, QWidget

from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard import Keyboard


class KeyboardSpace(QWidget):
    """Holds one widget, `inside`, and at times the keyboard below it."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.inside = inside
        self._keyboard: Keyboard | None = None
        self._field: QWidget | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._place)
        inside.setParent(self)

    def unfold(self, keyboard: Keyboard, edit: QWidget) -> None:
        """Show the keyboard under what is inside, and keep a field in sight."""
        self._keyboard, self._field = keyboard, edit
        keyboard.setParent(self)
        keyboard.show()
        self._place()
        self._later.start()  # once what is inside has folded what it has no room for

    def fold(self) -> None:
        """Give the whole room back."""
        if self._keyboard is not None:
            self._keyboard.hide()
        self._keyboard = self._field = None
        self._later.stop()
        self._place()

    def sizeHint(self) -> QSize:
        return self.inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.inside.minimumSizeHint()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        whole, keyboard = self.rect(), self._keyboard
        if keyboard is None:
            self.inside.setGeometry(whole)
            return
        tall = keyboard.sizeHint().height()
        left = whole.height() - tall
        keyboard.setGeometry(0, left, whole.width(), tall)
        keyboard.raise_()
        height = max(left, self.inside.minimumSizeHint().height())
        self.inside.resize(whole.width(), height)
        self._scroll_to_field()
        above = min(max(0, self._bottom_of_field() - left), height - left)
        self.inside.move(0, -above)

    def _scroll_to_field(self) -> None:
        around = self._around_field()
        above = around.parentWidget() if around is not None else None
        while around is not None and above is not None and above is not self:
            if isinstance(above, QScrollArea):
                above.ensureWidgetVisible(around, 0, 0)
            above = above.parentWidget()

    def _bottom_of_field(self) -> int:
        """Below field and error, or below the caret in a text of several lines."""
        around = self._around_field()
        if around is None:
            return 0
        bottom = around.height()
        if isinstance(around, QPlainTextEdit):
            bottom = min(bottom, 2 * around.cursorRect().bottom())
        return around.mapTo(self.inside, QPoint(0, bottom)).y()

    def _around_field(self) -> QWidget | None:
        edit = self._field
        if edit is None or not self.inside.isAncestorOf(edit):
            return None
        around = edit.parentWidget()
        return around if isinstance(around, Field) else edit
