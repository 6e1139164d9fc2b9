"""What text is typed into, and what it tells the on-screen keyboard of its window."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPointingDevice, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from pos_app.cashier.look.letters import Typed
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.tokens import Token
from pos_app.cashier.look.widget import LookButton

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


class Edit(QLineEdit):
    """One line: Qt's own, with a caret of 2 px in the colour of the focus."""

    def __init__(self, look: Look, parent: QWidget, takes: Typed = Typed.NOTHING) -> None:
        super().__init__(parent)
        self._look = look
        self.typing = Typing(self, takes)
        self.setFrame(False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.typing.tell(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.hasFocus() or self.isReadOnly():
            return
        place = self.cursorRect()
        wide = self._look.metrics.edge
        caret = QRect(place.center().x() - wide // 2 + 1, place.top(), wide, place.height())
        QPainter(self).fillRect(caret, self._look.colour("focus"))


class LoneIcon(LookButton):
    """An icon to press within a field; it never takes the focus from it."""

    def __init__(self, look: Look, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, name, parent)
        self._icon = icon
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        token: Token = "ink" if self.isDown() else "ink_2"
        if not self.isEnabled():
            token = "ink_3"
        middle = self.rect().center() + QPoint(1, 1)
        self.look.draw_icon(painter, self._icon, token, ICON, middle)


class Cross(LoneIcon):
    """The small × that empties a field or takes a line away; the name says which."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, "x", name, parent)


class KeyboardKey(LoneIcon):
    """The key in a field that shows the on-screen keyboard, and hides it."""

    def __init__(self, look: Look, field: QWidget, typing: Typing) -> None:
        super().__init__(look, "keyboard", look.keyboard_name, field)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._field = field
        self._typing = typing
        self.clicked.connect(self._ask)
        look.keyboard_named.connect(self._rename)

    def _ask(self) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._typing.wanted.emit()

    def _rename(self) -> None:
        self.setAccessibleName(self.look.keyboard_name)


class TextArea(QPlainTextEdit):
    """Several lines, with the key of the keyboard in its lower right corner."""

    def __init__(self, look: Look, *, name: str) -> None:
        super().__init__()
        self._look = look
        self.typing = Typing(self)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self._key = KeyboardKey(look, self, self.typing) if look.keyboard_name else None
        self._place_key()

    def sizeHint(self) -> QSize:
        """Some lines: a form with more room gives it that, one above the keyboard has no more."""
        return QSize(super().sizeHint().width(), 2 * self._look.metrics.touch)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.typing.tell(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_key()

    def _place_key(self) -> None:
        if self._key is not None:
            touch, edge = self._look.metrics.touch, self._look.metrics.edge
            corner = QPoint(self.width() - touch - edge, self.height() - touch - edge)
            self._key.setGeometry(QRect(corner.x(), corner.y(), touch, touch))


def typing_of(widget: QWidget | None) -> Typing | None:
    """What a widget tells of typing; None where no letters are typed."""
    if not isinstance(widget, Edit | TextArea) or widget.isReadOnly():
        return None
    return widget.typing if widget.typing.takes is not Typed.NOTHING else None
