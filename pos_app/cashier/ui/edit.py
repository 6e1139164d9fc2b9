"""What text is typed into, and what it tells the on-screen keyboard of its window."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPointingDevice,
    QResizeEvent,
    QValidator,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedButton

ICON = 20


class Typing(QObject):
    """What a field tells whoever offers a keyboard.

    `takes`: what is typed into it. `opens_itself`: whether a keyboard that always opens may open
    as soon as the caret is here; False where the caret merely rests, as in the search.
    Signals: `tapped(bool)`, pressed by a finger or else by a mouse; `wanted()`, its key of the
    keyboard was pressed.
    """

    tapped = Signal(bool)
    wanted = Signal()

    def __init__(self, parent: QWidget, takes: Typed = Typed.WORDS) -> None:
        super().__init__(parent)
        self.takes = takes
        self.opens_itself = True

    def tell(self, event: QMouseEvent) -> None:
        """A press has ended here: Qt makes a mouse's event of a finger's, but names the device."""
        finger = QPointingDevice.PointerType.Finger
        self.tapped.emit(event.pointingDevice().pointerType() is finger)


_QT_MARGIN = 2
"""What Qt leaves free beside the text of a line."""


class LineEdit(QLineEdit):
    """One line: Qt's own, with a caret of 2 px in the colour of the focus.

    While nothing is typed the caret stands beside the placeholder, in a margin that it has for
    that: `caret_room` on each side.
    """

    def __init__(self, theme: Theme, parent: QWidget, takes: Typed = Typed.NOTHING) -> None:
        super().__init__(parent)
        self._theme = theme
        self.typing = Typing(self, takes)
        self.setFrame(False)
        self.setTextMargins(self.caret_room, 0, self.caret_room, 0)

    @property
    def caret_room(self) -> int:
        """Width of the margin for the caret."""
        return self._theme.metrics.s1

    def caret(self) -> QRect:
        """Where the caret is painted."""
        place, wide = self.cursorRect(), self._theme.metrics.edge
        left = place.center().x() - wide // 2 + 1
        if self._is_waiting:
            room, tall = self._room(), self.fontMetrics().height()
            is_right = bool(self.alignment() & Qt.AlignmentFlag.AlignRight)
            left = (
                room.right() + self.caret_room - wide if is_right else room.left() - self.caret_room
            )
            place = QRect(left, room.center().y() - tall // 2 + 1, wide, tall)
        return QRect(left, place.top(), wide, place.height())

    def _room(self) -> QRect:
        """Where text stands, the odd pixel above it, as Qt has it."""
        side = self.caret_room + _QT_MARGIN
        return self.rect().adjusted(
            side, (self.height() - self.fontMetrics().height()) % 2, -side, 0
        )

    @property
    def _is_waiting(self) -> bool:
        """Whether the placeholder is what is seen."""
        return not self.text() and bool(self.placeholderText())

    def _paint_placeholder(self) -> None:
        """As Qt does it, without Qt's own caret on its first letter."""
        room, font = self._room(), self.font()
        small = self._theme.metrics.type_px(Step.SMALL)
        if self.fontMetrics().horizontalAdvance(self.placeholderText()) > room.width():
            font.setPixelSize(min(small, font.pixelSize()))
        shown = QFontMetrics(font).elidedText(
            self.placeholderText(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(room, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.typing.tell(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_waiting:
            self._paint_placeholder()
        else:
            super().paintEvent(event)
        if not self.hasFocus() or self.isReadOnly():
            return
        QPainter(self).fillRect(self.caret(), self._theme.colour("focus"))


class NumberSigns(QValidator):
    """Takes what a number is written with: digits, marks and spaces. Everything else is refused as
    a whole, and what stands there stays."""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        states = QValidator.State
        fits = all(sign in "0123456789.,\u00a0 " for sign in text)
        return (states.Acceptable if fits else states.Invalid), text, place


class LoneIcon(ThemedButton):
    """An icon to press within a field; it never takes the focus from it."""

    def __init__(self, theme: Theme, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._icon = icon
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        token: Token = "ink" if self.isDown() else "ink_2"
        if not self.isEnabled():
            token = "ink_3"
        middle = self.rect().center() + QPoint(1, 1)
        self.theme.draw_icon(painter, self._icon, token, ICON, middle)


class Cross(LoneIcon):
    """The small × that empties a field or takes a line away; the name says which."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, "x", name, parent)


class KeyboardKey(LoneIcon):
    """The key in a field that shows the on-screen keyboard, and hides it."""

    def __init__(self, theme: Theme, field: QWidget, typing: Typing) -> None:
        super().__init__(theme, "keyboard", theme.keyboard_name, field)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._field = field
        self._typing = typing
        self.clicked.connect(self._ask)
        theme.keyboard_named.connect(self._rename)

    def _ask(self) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._typing.wanted.emit()

    def _rename(self) -> None:
        self.setAccessibleName(self.theme.keyboard_name)


class TextArea(QPlainTextEdit):
    """Several lines, whole ones only, with the key of the keyboard in its lower right corner."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.typing = Typing(self)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self._key = KeyboardKey(theme, self, self.typing) if theme.keyboard_name else None
        self._place_key()

    def sizeHint(self) -> QSize:
        """Some lines: a form with more room gives it that, one above the keyboard has no more."""
        return QSize(super().sizeHint().width(), 2 * self._theme.metrics.touch)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.typing.tell(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_whole_lines()
        super().resizeEvent(event)
        self._place_key()

    def _show_whole_lines(self) -> None:
        over = max(0, self.contentsRect().height() - self._air()) % self._line()
        if self.viewportMargins().bottom() != over:
            self.setViewportMargins(0, 0, 0, over)

    def minimumSizeHint(self) -> QSize:
        """One whole line."""
        around = self.height() - self.contentsRect().height()
        wide = super().minimumSizeHint().width()
        return QSize(wide, self._line() + self._air() + around)

    def _line(self) -> int:
        return math.ceil(QFontMetricsF(self.font()).lineSpacing())

    def _air(self) -> int:
        """What Qt wants beside the lines before it scrolls: both margins, and half of them."""
        return 3 * math.ceil(self.document().documentMargin())

    def _place_key(self) -> None:
        if self._key is not None:
            touch, edge = self._theme.metrics.touch, self._theme.metrics.edge
            corner = QPoint(self.width() - touch - edge, self.height() - touch - edge)
            self._key.setGeometry(QRect(corner.x(), corner.y(), touch, touch))


def typing_of(widget: QWidget | None) -> Typing | None:
    """What a widget tells of typing; None where no letters are typed."""
    if not isinstance(widget, LineEdit | TextArea) or widget.isReadOnly():
        return None
    return widget.typing if widget.typing.takes is not Typed.NOTHING else None
