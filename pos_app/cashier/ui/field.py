"""Fields to type in, what they report to the on-screen keyboard, and their errors in words."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPointingDevice,
    QResizeEvent,
    QValidator,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from pos_app.cashier.ui import amount_typing, painting
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.typed_keys import is_command

FIELD_ICON = 20
FIELD_WIDTH = 480
"""The widest a field of a form is, in pixels at 96 dpi."""
TAKES_ALL = 1000
"""The stretch of what grows up to its greatest width, beside one of 1 that takes the rest."""


class Typing(QObject):
    """Reports a field's typing to the on-screen keyboard. takes: the kind of text that is typed.
    opens_itself: a keyboard that always opens may open as soon as the caret is here; False where
    the caret merely rests, as in the search. Signals: `tapped(bool)`, True for a finger, False for
    a mouse; `wanted()`, its keyboard button was pressed."""

    tapped = Signal(bool)
    wanted = Signal()

    def __init__(self, parent: QWidget, takes: InputKind = InputKind.WORDS) -> None:
        super().__init__(parent)
        self.takes = takes
        self.opens_itself = True

    def tell(self, event: QMouseEvent) -> None:
        """Report the end of a press. Qt turns a finger's event into a mouse's, but names the
        device."""
        finger = QPointingDevice.PointerType.Finger
        self.tapped.emit(event.pointingDevice().pointerType() is finger)


_QT_MARGIN = 2
"""The pixels that Qt leaves free beside the text of a field."""


class LineEdit(QLineEdit):
    """Qt's own field of one text line, with a caret of 2 px in the colour of the focus. While the
    field is empty the caret is beside the placeholder, in a margin of `caret_room` on each side.
    If `is_entered_whole`, the press that gives the field the focus, single or double, selects all
    of its text, as Tab does, so that typing replaces it; the next press puts the caret."""

    def __init__(self, theme: Theme, parent: QWidget, takes: InputKind = InputKind.NOTHING) -> None:
        super().__init__(parent)
        self._theme = theme
        self.typing = Typing(self, takes)
        self.is_entered_whole = False
        self._is_entering = False
        self.setFrame(False)
        self.setTextMargins(self.caret_room, 0, self.caret_room, 0)

    @property
    def caret_room(self) -> int:
        return self._theme.metrics.s1

    def caret(self) -> QRect:
        rect, wide = self.cursorRect(), self._theme.metrics.edge
        left = rect.center().x() - wide // 2 + 1
        if self._is_waiting:
            room, tall = self._text_rect(), self.fontMetrics().height()
            is_right = bool(self.alignment() & Qt.AlignmentFlag.AlignRight)
            left = (
                room.right() + self.caret_room - wide if is_right else room.left() - self.caret_room
            )
            rect = QRect(left, room.center().y() - tall // 2 + 1, wide, tall)
        return QRect(left, rect.top(), wide, rect.height())

    def _text_rect(self) -> QRect:
        """Return the rectangle of the text; like Qt it leaves an odd pixel above the text."""
        side = self.caret_room + _QT_MARGIN
        return self.rect().adjusted(
            side, (self.height() - self.fontMetrics().height()) % 2, -side, 0
        )

    @property
    def _is_waiting(self) -> bool:
        return not self.text() and bool(self.placeholderText())

    def _paint_placeholder(self) -> None:
        """Paint the placeholder as Qt does, but without Qt's caret on its first letter."""
        room, font = self._text_rect(), self.font()
        small = self._theme.metrics.type_px(TypeStep.SMALL)
        if self.fontMetrics().horizontalAdvance(self.placeholderText()) > room.width():
            font.setPixelSize(min(small, font.pixelSize()))
        shown = QFontMetrics(font).elidedText(
            self.placeholderText(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(room, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_undo = event.matches(QKeySequence.StandardKey.Undo)
        if is_command(event) or (is_undo and not self.isUndoAvailable()):
            event.ignore()
            return
        signs = self.validator()
        if isinstance(signs, NumberSigns):
            is_cut = event.matches(QKeySequence.StandardKey.Cut)
            signs.is_less = is_cut or event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
        super().keyPressEvent(event)
        if isinstance(signs, NumberSigns):
            signs.is_less = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select an amount whole, of which Qt would select the digits up to a mark."""
        super().mouseDoubleClickEvent(event)
        if self.is_entered_whole:
            self.selectAll()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._is_entering = event.reason() is Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.end_press(event)

    def end_press(self, event: QMouseEvent) -> None:
        """End a press on the field, or on the frame around it."""
        if self._is_entering and self.is_entered_whole and not self.hasSelectedText():
            self.selectAll()
        self._is_entering = False
        self.typing.tell(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_waiting:
            self._paint_placeholder()
        else:
            super().paintEvent(event)
        if not self.hasFocus() or self.isReadOnly():
            return
        QPainter(self).fillRect(self.caret(), self._theme.colour("focus"))


_NUMBER = re.compile(r"[0-9.,]*")
"""Digits and marks. A mark too many is refused with the whole number where it is read: without the
mark it would be another number."""
_SIGNED = re.compile(rf"[-+\u2212]?(?:{_NUMBER.pattern})%?")


class NumberSigns(QValidator):
    """Accepts the signs of a number; spaces count nothing. An amount that was copied with its
    currency becomes its number; any other input is refused as a whole. signed: a percentage, with a
    sign in front and "%" behind."""

    def __init__(self, parent: QObject, *, signed: bool = False) -> None:
        super().__init__(parent)
        self._whole = _SIGNED if signed else _NUMBER
        self.is_less = False
        """Whether signs are taken away, which is never refused."""

    def validate(self, text: str, index: int) -> tuple[QValidator.State, str, int]:
        states = QValidator.State
        if self.is_less or self._whole.fullmatch("".join(text.split())):
            return states.Acceptable, text, index
        number = amount_typing.copied(text)
        return (states.Acceptable, number, len(number)) if number else (states.Invalid, text, index)


class DigitSigns(QValidator):
    """Accepts only digits, as for a PIN."""

    def validate(self, text: str, index: int) -> tuple[QValidator.State, str, int]:
        states = QValidator.State
        fits = not text or (text.isascii() and text.isdigit())
        return (states.Acceptable if fits else states.Invalid), text, index


class IconButton(ThemedButton):
    """A button of an icon alone, such as in a field."""

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
        self.theme.draw_icon(painter, self._icon, token, FIELD_ICON, middle)


class KeyboardButton(IconButton):
    def __init__(self, theme: Theme, field: QWidget, typing: Typing) -> None:
        super().__init__(theme, "keyboard", theme.keyboard_name, field)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._field = field
        self._typing = typing
        self.clicked.connect(self._ask)

    def _ask(self) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._typing.wanted.emit()


WRONG = "wrong"
"""The dynamic property of a wrong text area."""


class TextArea(QPlainTextEdit):
    """A field of several text lines, of which only whole ones are shown, with the keyboard button
    in its lower right corner while it has the focus."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.typing = Typing(self)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self._button = KeyboardButton(theme, self, self.typing) if theme.keyboard_name else None
        self._move_keyboard_button()

    def set_error(self, words: str) -> None:
        """Show by the edge that the text is wrong; "" for right. The owner shows the words."""
        if words == self.accessibleDescription():
            return
        self.setAccessibleDescription(words)
        self.setProperty(WRONG, bool(words))
        self.style().polish(self)

    def setReadOnly(self, is_read: bool) -> None:
        """Hide the keyboard button, too, while the text is only to be read."""
        super().setReadOnly(is_read)
        self._move_keyboard_button()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._move_keyboard_button()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._move_keyboard_button()

    def sizeHint(self) -> QSize:
        """Ask for two touch sizes, because a form above the keyboard has room for no more."""
        return QSize(super().sizeHint().width(), 2 * self._theme.metrics.touch)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_undo = event.matches(QKeySequence.StandardKey.Undo)
        if is_command(event) or (is_undo and not self.document().isUndoAvailable()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.typing.tell(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_whole_lines()
        super().resizeEvent(event)
        self._move_keyboard_button()

    def _show_whole_lines(self) -> None:
        over = max(0, self.contentsRect().height() - self._air()) % self._line()
        if self.viewportMargins().bottom() != over:
            self.setViewportMargins(0, 0, 0, over)

    def minimumSizeHint(self) -> QSize:
        around = self.height() - self.contentsRect().height()
        wide = super().minimumSizeHint().width()
        return QSize(wide, self._line() + self._air() + around)

    def _line(self) -> int:
        return math.ceil(QFontMetricsF(self.font()).lineSpacing())

    def _air(self) -> int:
        """Return the height that Qt wants beside the text before it scrolls: both margins, and half
        as much again."""
        return 3 * math.ceil(self.document().documentMargin())

    def _move_keyboard_button(self) -> None:
        if self._button is not None:
            self._button.setVisible(self.hasFocus() and not self.isReadOnly())
            touch, edge = self._theme.metrics.touch, self._theme.metrics.edge
            corner = QPoint(self.width() - touch - edge, self.height() - touch - edge)
            self._button.setGeometry(QRect(corner.x(), corner.y(), touch, touch))


def typing_of(widget: QWidget | None) -> Typing | None:
    """Return a widget's `typing`, or None if no letters are typed there."""
    if not isinstance(widget, LineEdit | TextArea) or widget.isReadOnly():
        return None
    return widget.typing if widget.typing.takes is not InputKind.NOTHING else None


def bounded(theme: Theme, field: QWidget, widest: int = FIELD_WIDTH) -> QWidget:
    """Return a field that is no wider than what is written in it, in pixels at 96 dpi."""
    field.setMaximumWidth(theme.metrics.px(widest))
    return field


AMOUNT = "amount"
"""The dynamic property of a field for an amount, in which even a placeholder has a contrast of
7:1."""
ROOM_FOR_BUTTON = 4
"""The least width, in touch sizes, of a field with a keyboard button. A tap opens the keyboard for
any field."""
MOST_ERROR_LINES = 3
_ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""The reasons for which a field loses the focus that it gets back by itself."""


class Field(ThemedWidget):
    """A field of one text line, T high, with its error below. Its keyboard button is seen while it
    has the focus; the button's room stays free, so that nothing in the field moves.

    `edit` is the QLineEdit. Signals: `changed(str)` while typing, `entered()` for Enter,
    `refused()` for a sign that no number has, if the field is for a number, `error_changed(str)`
    for the error that is shown.

    clear_name: the accessible name of a × for touch; "" for no ×. right: the field holds an amount,
    which gets smaller rather than lose a digit; signed: it is a percentage that may be below zero.
    error_below: False if the owner shows the error
    elsewhere; then only the edge shows it here. takes: the letters of the on-screen keyboard; by
    default words, and nothing for an amount.
    """

    changed = Signal(str)
    entered = Signal()
    refused = Signal()
    error_changed = Signal(str)
    _keyboard: KeyboardButton | None = None
    _offers_keyboard = True
    _kept_lines = 0
    _judged = ""
    _is_refused = False
    """Whether the error tells of signs that were refused; the text itself is right."""
    _is_unfinished = False
    """Whether the text was changed since the caret came, or since Enter."""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        placeholder: str = "",
        icon: str = "",
        key: str = "",
        mono: bool = False,
        right: bool = False,
        signed: bool = False,
        step: TypeStep = TypeStep.BASE,
        clear_name: str = "",
        error_below: bool = True,
        takes: InputKind | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._icon, self._key = icon, key
        self._error = ""
        self._ink: Token = "danger"
        self._error_below = error_below
        self._is_filled = False
        self._is_amount = right
        self._type = (step, Weight.BOLD if step is not TypeStep.BASE else Weight.MEDIUM, mono)
        self.edit = LineEdit(
            theme, self, takes or (InputKind.NOTHING if right else InputKind.WORDS)
        )
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAccessibleName(name)
        if right:
            self.edit.is_entered_whole = True
            self.edit.setValidator(NumberSigns(self.edit, signed=signed))
            self.edit.inputRejected.connect(self._refuse)
            self.edit.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.edit.installEventFilter(self)
        self.edit.textChanged.connect(self._on_text)
        self.edit.returnPressed.connect(self.entered)
        self._cross = IconButton(theme, "x", clear_name, self) if clear_name else None
        if self._cross is not None:
            self._cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._cross.clicked.connect(self.edit.clear)
        if self._offers_keyboard and self.edit.typing.takes is not InputKind.NOTHING:
            self._keyboard = self._keyboard_button()
        self.setFocusProxy(self.edit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        step, weight, mono = self._type
        self.edit.setFont(self.theme.font(step, weight, mono=mono))
        self.edit.setProperty(AMOUNT, self._is_amount)
        self._arrange()

    def _keyboard_button(self) -> KeyboardButton | None:
        has_button = bool(self.theme.keyboard_name)
        return KeyboardButton(self.theme, self, self.edit.typing) if has_button else None

    def text(self) -> str:
        return self.edit.text()

    def set_text(self, words: str) -> None:
        self._end_refusal()
        self.edit.setText(words)

    def set_placeholder(self, words: str) -> None:
        self.edit.setPlaceholderText(words)

    def set_error(self, words: str, *, ink: Token = "danger") -> None:
        """Show an error of the text below the field; "" for none. ink: "warn" for a text that is
        only odd."""
        self._is_unfinished = False
        self._show_error(words, ink=ink)

    def _refuse(self) -> None:
        self._show_error(self.theme.number_only, ink="warn")
        self._is_refused = True
        self.refused.emit()

    def _end_refusal(self) -> None:
        if self._is_refused:
            self._is_refused = False
            self._show_error("")

    def _show_error(self, words: str, *, ink: Token = "danger") -> None:
        if self._is_refused and not words:
            return  # it stands until the field is left, for what is typed on is another number
        self._is_refused = False
        if (words, ink) == (self._error, self._ink):
            return
        self._error, self._ink = words, ink
        self.edit.setAccessibleDescription(words)
        self._arrange()
        self.updateGeometry()
        self.update()
        self.error_changed.emit(words)

    def judge(self, words: str, *, asked: bool = False) -> None:
        """Show an error of a text that may still be unfinished: once it is left, or ended with
        Enter, or the act that needs it was tried (`asked`)."""
        self._is_unfinished = self._is_unfinished and not asked
        self._judged = words
        self._show_error("" if self._is_unfinished else words)

    def end_typing(self) -> None:
        """Show what is wrong with the text, which is no longer unfinished."""
        self._end_refusal()
        if self._is_unfinished:
            self.set_error(self._judged)

    def point_out(self) -> None:
        """Lead to the field after an act that it keeps from being done, and show its error."""
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.end_typing()

    def error(self) -> str:
        """Return the error of the text that is shown."""
        return "" if self._is_refused else self._error

    def fault(self) -> str:
        """Return the error of the text, also while it may be unfinished."""
        return self._judged if self._is_unfinished else self.error()

    def keep_room_for_error(self) -> None:
        """Keep a line free below the field, so that an error of one line moves nothing."""
        self._kept_lines = 1
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        lines = max(len(self._error_lines()), self._kept_lines)
        error = lines * metrics.line(TypeStep.SMALL) + metrics.s1 if lines else 0
        return QSize(3 * metrics.touch, metrics.touch + error)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * self.theme.metrics.touch, self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._arrange()
            self.update()
        is_left = isinstance(event, QFocusEvent) and _is_left(event)
        if is_left or (isinstance(event, QKeyEvent) and event.key() in _ENDS):
            self.end_typing()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        if self._words_below and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.edit.end_press(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        frame = self._frame()
        edge, width = self._edge()
        enabled = self.edit.isEnabled()
        painting.box(
            painter,
            frame,
            radius=metrics.radius_field,
            width=width,
            fill=self.theme.colour("surface" if enabled else "sunken"),
            edge=self.theme.colour(edge),
        )
        icon = "circle-alert" if self._words_below else self._icon
        if icon:
            middle = QPoint(metrics.s3 + 1 + metrics.icon(FIELD_ICON) // 2, frame.center().y() + 1)
            ink = self._ink if self._words_below else "ink_2"
            self.theme.draw_icon(painter, icon, ink, FIELD_ICON, middle)
        if self._key and self._shows_keyboard_button():
            painting.paint_key_cap(
                painter, self._cap_rect(), self.theme, self._key, ink="ink_2", edge="line_strong"
            )
        self._paint_error(painter, frame)

    def _paint_error(self, painter: QPainter, frame: QRect) -> None:
        high = self.theme.metrics.line(TypeStep.SMALL)
        rect = QRect(0, frame.bottom() + 1 + self.theme.metrics.s1, self.width(), high)
        ink = self.theme.colour(self._ink)
        painting.put_lines(painter, rect, self._error_lines(), self._error_meter(), ink=ink)

    def _error_meter(self) -> Meter:
        return self.theme.fonts.text_metrics(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)

    def _error_lines(self) -> list[str]:
        """Return the lines of the error below the field."""
        if not self._words_below:
            return []
        return self._error_meter().broken(self._error, self.width(), lines=MOST_ERROR_LINES)

    def _edge(self) -> tuple[Token, int]:
        metrics = self.theme.metrics
        if self._error:
            return self._ink, metrics.edge
        if self.edit.hasFocus():
            return "focus", metrics.edge
        return ("line_strong" if self.edit.isEnabled() else "line"), metrics.hair

    @property
    def _words_below(self) -> bool:
        return bool(self._error) and self._error_below

    def _frame(self) -> QRect:
        return QRect(0, 0, self.width(), self.theme.metrics.touch)

    def _shows_keyboard_button(self) -> bool:
        return not self.edit.text()

    def _cap_rect(self) -> QRect:
        metrics = self.theme.metrics
        width = painting.cap_width(self.theme, self.font(), self._key)
        top = (metrics.touch - metrics.cap) // 2
        is_at_edge = self._keyboard is None or self._keyboard.isHidden()
        right = self.width() - metrics.s3 - 1 if is_at_edge else self._free() - metrics.s1
        return QRect(right - width, top, width, metrics.cap)

    def _free(self) -> int:
        """Return the left edge of the keyboard button's room, or the whole width without it."""
        return self.width() - (self.theme.metrics.touch if self._has_keyboard_room else 0)

    @property
    def _has_keyboard_room(self) -> bool:
        has_room = self.width() >= ROOM_FOR_BUTTON * self.theme.metrics.touch
        return self._keyboard is not None and has_room and self.isEnabled()

    def _on_text(self, words: str) -> None:
        if self._is_amount or bool(words) is not self._is_filled:
            self._arrange()
            self.update()
        self._is_unfinished = self.edit.hasFocus()
        if not words:
            self._end_refusal()
        self.changed.emit(words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.EnabledChange and self._keyboard is not None:
            self._arrange()

    def _arrange(self) -> None:
        metrics = self.theme.metrics
        left = metrics.s3 - 2
        if self._icon or self._words_below:
            left += metrics.icon(FIELD_ICON) + metrics.s2 + metrics.s1 // 2
        self._is_filled = filled = bool(self.edit.text())
        if self._keyboard is not None:
            self._keyboard.setVisible(self._has_keyboard_room and self.edit.hasFocus())
            rect = QRect(self.width() - metrics.touch, 0, metrics.touch, metrics.touch)
            self._keyboard.setGeometry(rect)
        free = self._free()
        right = free - metrics.s3 + 2 if free == self.width() else free
        if self._cross is not None:
            self._cross.setGeometry(free - metrics.touch, 0, metrics.touch, metrics.touch)
            self._cross.setVisible(filled)
            right = free - metrics.touch if filled else right
        if self._key and not filled:
            right = self._cap_rect().left() - metrics.s2
        room = self.edit.caret_room
        if free != self.width():
            right -= room  # so that no sign is under the edge of the button
        self.edit.setTextMargins(room, 0, room, 0)
        self.edit.setGeometry(
            left - room, metrics.edge - 1, right - left + 2 * room, metrics.touch - 2 * metrics.edge
        )
        if self._is_amount:
            self._fit()

    def _fit(self) -> None:
        """Make an amount smaller until it fits beside the caret, because it is never cut."""
        step, weight, _ = self._type
        room = self.edit.width() - 2 * self.edit.caret_room - 2 * self.theme.metrics.s1
        own, words = self.edit.font(), self.edit.text()
        self.edit.setFont(
            painting.fitted(self.theme, own, words, step=step, weight=weight, free_width=room)
        )


def _is_left(event: QFocusEvent) -> bool:
    return event.lostFocus() and event.reason() not in _STAYS


def text_of(widget: QWidget) -> str:
    """Return the text typed into a widget; "" if nothing can be typed there."""
    if isinstance(widget, QLineEdit):
        return widget.text()
    return widget.toPlainText() if isinstance(widget, QPlainTextEdit) else ""


def whole_field(edit: QWidget) -> QWidget:
    """Return the `Field` around an edit, with frame and error, or the edit itself."""
    around = edit.parentWidget()
    return around if isinstance(around, Field) else edit


class SearchField(Field):
    """The field on top of every list, with a magnifier, and a key cap while it is empty or a ×
    while it is not."""

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        placeholder: str,
        clear_name: str,
        key: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            theme,
            name=name,
            placeholder=placeholder,
            icon="search",
            key=key,
            clear_name=clear_name,
            parent=parent,
        )
        self.edit.typing.opens_itself = False

    def _shows_keyboard_button(self) -> bool:
        return not self.edit.text() and not self.edit.hasFocus()
