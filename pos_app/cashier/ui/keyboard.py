"""The on-screen keyboard: its keys, when it opens, and the part of the window that makes room.

Its keys never take the focus. They send events of keys straight to the field with the caret, so
that validators, undo and the search after each letter work as with a real keyboard. The scanner's
filter, which sees keys that enter the application, never takes them for a scan.

A letter is typed when its key is pressed, as on a real keyboard. A key that changes the screen
(Enter, hide) acts when it is released, so that nothing else is under the finger then. Several
fingers may be down at once. The gap around a key belongs to the key.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QEventPoint,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTouchEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import buttons, keyboard_layout
from pos_app.cashier.ui.button_face import ButtonKind, ButtonSpec, paint_button
from pos_app.cashier.ui.field import typing_of, whole_field
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.press_part import REPEATS, PressPart
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget

HELD_MS, REPEAT_MS = 400, 60
"""Backspace repeats after HELD_MS, then every REPEAT_MS."""
WIDEST_LETTER = 1.7
"""The greatest width of a letter's key, in touch sizes. A wide screen has the keyboard in the
middle."""
_ICONS = {
    keyboard_layout.Special.BACK: "delete",
    keyboard_layout.Special.ENTER: "corner-down-left",
    keyboard_layout.Special.HIDE: "chevron-down",
}
_SHIFTS = {
    keyboard_layout.ShiftState.OFF: "arrow-big-up",
    keyboard_layout.ShiftState.ONCE: "arrow-big-up",
    keyboard_layout.ShiftState.LOCKED: "arrow-big-up-dash",
}
_SCRIPTS = {keyboard_layout.Script.CYRILLIC: "АБВ", keyboard_layout.Script.LATIN: "ABC"}
_WHEN_LET_GO = frozenset({keyboard_layout.Special.ENTER, keyboard_layout.Special.HIDE})
_ONCE = _WHEN_LET_GO | {keyboard_layout.Special.SCRIPT, keyboard_layout.Special.SIGNS}
"""Keys that a double tap presses once."""


class KeyNames:
    """Names, for a screen reader, of the keys without a sign of their own. special: by key. script:
    by the script that the key leads to. shift: by the state of shift. letters: of the key that
    leads from the signs back to the letters."""

    def __init__(
        self,
        *,
        special: dict[keyboard_layout.Special, str],
        script: dict[keyboard_layout.Script, str],
        shift: dict[keyboard_layout.ShiftState, str],
        letters: str,
    ) -> None:
        self._special = special
        self._script = script
        self._shift = shift
        self._letters = letters

    def of(self, key: keyboard_layout.LayoutKey, letters: keyboard_layout.KeyboardLayout) -> str:
        match key.special:
            case None:
                return key.sign
            case keyboard_layout.Special.SHIFT:
                return self._shift[letters.shift]
            case keyboard_layout.Special.SCRIPT:
                return self._script[letters.other]
            case keyboard_layout.Special.SIGNS if letters.shows_signs:
                return self._letters
            case _:
                return self._special[key.special]


class KeyButton(ThemedButton):
    """A key, as large as its share of the keyboard; a gap around the cap stays unpainted."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.key = keyboard_layout.LayoutKey()
        self._spec = ButtonSpec()

    def show_key(
        self, key: keyboard_layout.LayoutKey, letters: keyboard_layout.KeyboardLayout, name: str
    ) -> None:
        self.key = key
        self.setAccessibleName(name)
        spec = _spec(key, letters)
        if spec != self._spec:
            self._spec = spec
            self.update()

    def press_part(self, point: QPoint) -> PressPart:
        """A sign stays the same control when shift changes it."""
        sign, special = self.key.sign.casefold(), self.key.special
        return PressPart((sign, special), self.rect(), special not in _ONCE)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        gap = self.theme.metrics.s1 // 2
        inside = self.rect().adjusted(gap, gap, -gap, -gap)
        paint_button(QPainter(self), inside, self.theme, self._spec, pressed=self.isDown())


class Keyboard(Ground):
    """Signals: `text_typed(str)`, `rubbed_out()` (again and again while held), `entered()`,
    `hidden()`.
    """

    text_typed = Signal(str)
    rubbed_out = Signal()
    entered = Signal()
    hidden = Signal()

    def __init__(self, theme: Theme, names: KeyNames, *, name: str, parent: QWidget) -> None:
        super().__init__(theme, colour="sunken", side=Qt.Edge.TopEdge, parent=parent)
        self._names = names
        self._letters = keyboard_layout.KeyboardLayout()
        self._keys: list[KeyButton] = []
        self._fingers: dict[int, KeyButton] = {}
        self._ignored: set[int] = set()
        self._repeat = QTimer(self)
        self._repeat.timeout.connect(self._again)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self._show()

    @property
    def letters(self) -> keyboard_layout.KeyboardLayout:
        return self._letters

    def show_for(self, script: keyboard_layout.Script, takes: keyboard_layout.InputKind) -> None:
        self._take(keyboard_layout.KeyboardLayout(script=script, takes=takes))

    def key(self, wanted: str | keyboard_layout.Special) -> KeyButton:
        """Return the key of a sign or a special key. Raises KeyError if it is not shown."""
        for button in self._keys:
            if wanted in (button.key.sign, button.key.special):
                return button
        raise KeyError(wanted)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        return QSize(
            keyboard_layout.WIDTH // 2 * metrics.touch,
            5 * (metrics.touch + metrics.s1) + 3 * metrics.s1,
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out_keys()

    def hideEvent(self, event: QHideEvent) -> None:
        for finger in tuple(self._fingers):
            self._lift(finger, None)
        self._repeat.stop()

    # --- fingers ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Let each finger press a key of its own; a mouse presses them as buttons."""
        if not isinstance(event, QTouchEvent):
            return super().event(event)
        if event.type() is QEvent.Type.TouchCancel:
            for finger in tuple(self._fingers):
                self._lift(finger, None)
        for point in event.points():
            self._feel(point)
        event.accept()
        return True

    def ignore_finger(self, finger: int) -> None:
        """Ignore the press of a finger, which comes next."""
        self._ignored.add(finger)

    def _feel(self, point: QEventPoint) -> None:
        position = self.mapFromGlobal(point.globalPosition()).toPoint()
        if point.state() is QEventPoint.State.Pressed:
            button = self._button_at(position) if point.id() not in self._ignored else None
            self._ignored.discard(point.id())
            if button is not None:
                self._fingers[point.id()] = button
                button.setDown(True)
                self._press(button)
        elif point.state() is QEventPoint.State.Released:
            self._lift(point.id(), position)

    def _lift(self, finger: int, point: QPoint | None) -> None:
        button = self._fingers.pop(finger, None)
        if button is None:
            return
        button.setDown(False)
        self._repeat.stop()
        if point is not None and button.geometry().contains(point):
            self._let_go(button)

    def _button_at(self, point: QPoint) -> KeyButton | None:
        found = self.childAt(point)
        return found if isinstance(found, KeyButton) else None

    def _press(self, button: KeyButton) -> None:
        key = button.key
        if key.special in _WHEN_LET_GO:
            return
        if key.special is keyboard_layout.Special.BACK:
            self.rubbed_out.emit()
            self._repeat.start(HELD_MS)
        elif key.special is keyboard_layout.Special.SPACE:
            self.text_typed.emit(" ")
        elif key.special is None:
            self.text_typed.emit(key.sign)
        self._take(self._letters.after(key))

    def _let_go(self, button: KeyButton) -> None:
        if button.key.special is keyboard_layout.Special.ENTER:
            self.entered.emit()
        elif button.key.special is keyboard_layout.Special.HIDE:
            self.hidden.emit()

    def _again(self) -> None:
        self._repeat.setInterval(REPEAT_MS)
        self.rubbed_out.emit()

    # --- keys ------------------------------------------------------------------------------------

    def _take(self, letters: keyboard_layout.KeyboardLayout) -> None:
        if letters == self._letters:
            return
        widths = [key.width for row in self._letters.rows() for key in row]
        self._letters = letters
        self._show()
        if widths != [key.width for row in letters.rows() for key in row]:
            self._lay_out_keys()

    def _show(self) -> None:
        """Show every key in its present state; an unchanged key is not painted again."""
        keys = [key for row in self._letters.rows() for key in row]
        while len(self._keys) < len(keys):
            self._keys.append(self._made())
        for button in self._keys[len(keys) :]:
            button.hide()
        for button, key in zip(self._keys, keys, strict=False):
            button.show_key(key, self._letters, self._names.of(key, self._letters))

    def _made(self) -> KeyButton:
        button = KeyButton(self.theme, self)
        button.pressed.connect(lambda: self._press(button))
        button.released.connect(self._repeat.stop)
        button.clicked.connect(lambda: self._let_go(button))
        return button

    def _lay_out_keys(self) -> None:
        metrics = self.theme.metrics
        across = min(
            self.width() - 2 * metrics.s2,
            round(keyboard_layout.WIDTH // 2 * WIDEST_LETTER * metrics.touch),
        )
        left = (self.width() - across) // 2
        tall = metrics.touch + metrics.s1
        spare = iter(self._keys)
        for number, row in enumerate(self._letters.rows()):
            top, at = 2 * metrics.s1 + number * tall, 0
            for key in row:
                x = left + across * at // keyboard_layout.WIDTH
                at += key.width
                button = next(spare)
                button.setGeometry(
                    QRect(x, top, left + across * at // keyboard_layout.WIDTH - x, tall)
                )
                button.show()


def _spec(key: keyboard_layout.LayoutKey, letters: keyboard_layout.KeyboardLayout) -> ButtonSpec:
    match key.special:
        case None:
            return ButtonSpec(key.sign, kind=ButtonKind.PAD)
        case keyboard_layout.Special.SHIFT:
            kind = (
                ButtonKind.PLAIN
                if letters.shift is keyboard_layout.ShiftState.OFF
                else ButtonKind.CHOSEN
            )
            return ButtonSpec(icon=_SHIFTS[letters.shift], kind=kind)
        case keyboard_layout.Special.SCRIPT:
            return ButtonSpec(_SCRIPTS[letters.other])
        case keyboard_layout.Special.SIGNS:
            return ButtonSpec(_SCRIPTS[letters.script] if letters.shows_signs else "?#+")
        case keyboard_layout.Special.SPACE:
            return ButtonSpec(kind=ButtonKind.PAD)
        case _:
            return ButtonSpec(icon=_ICONS[key.special])


class KeyboardSpace(QWidget):
    """A part of the window that holds one widget, `inside`, and at times the keyboard below it.
    `inside` gets the height that is left. If that is too little it keeps its least height and is
    moved up until the field with the caret is above the keyboard; first, scroll areas in it are
    scrolled. Signal: `space_hidden()`, the space was hidden while the keyboard was in it; its
    screen may be deleted next."""

    space_hidden = Signal()

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.inside = inside
        self._keyboard: Keyboard | None = None
        self._field: QWidget | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._lay_out)
        inside.setParent(self)

    def unfold(self, keyboard: Keyboard, edit: QWidget) -> None:
        """Show the keyboard under `inside`, and keep a field in sight."""
        self._keyboard, self._field = keyboard, edit
        keyboard.setParent(self)
        keyboard.show()
        self._lay_out()
        self._later.start()  # again once `inside` has hidden its parts without room

    def hideEvent(self, event: QHideEvent) -> None:
        if self._keyboard is not None and not event.spontaneous():
            self.space_hidden.emit()
        super().hideEvent(event)

    def fold(self) -> None:
        if self._keyboard is not None:
            self._keyboard.hide()
        self._keyboard = self._field = None
        self._later.stop()
        self._lay_out()

    def sizeHint(self) -> QSize:
        return self.inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.inside.minimumSizeHint()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._lay_out()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
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
        """Return the lower edge of the field with its error, or of the caret in a text of several
        lines."""
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
        return whole_field(edit)


Opens = Literal["auto", "always", "never"]
"""auto: the keyboard opens when a finger taps a field, or the field's keyboard button is pressed.
always: it opens when any pointer taps a field, because the system takes some touch screens for a
mouse, or when the field gets the caret."""


class TouchTyping(QObject):
    """The keyboard of one window, made when it is first opened. It unfolds in the nearest
    `KeyboardSpace` around the field. Signal: `opening()`, the keyboard unfolds next and needs
    room."""

    opening = Signal()

    def __init__(self, window: QWidget, texts: Texts, theme: Theme, opens: Opens) -> None:
        super().__init__(window)
        self._window = window
        self._texts = texts
        self._theme = theme
        self._opens = opens
        self._script = (
            keyboard_layout.Script.CYRILLIC
            if texts.language == "sr-Cyrl"
            else keyboard_layout.Script.LATIN
        )
        self._keyboard: Keyboard | None = None
        self._space: KeyboardSpace | None = None
        self._edit: QWidget | None = None
        """The field with the caret, where letters are typed."""
        self._for: QWidget | None = None
        """The field that the keyboard is open for."""
        self._leaving = False
        if opens == "never":
            return
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    @property
    def keyboard(self) -> Keyboard | None:
        return self._keyboard if self._space is not None else None

    def open(self) -> None:
        """Unfold the keyboard for the field with the caret, if letters are typed there."""
        edit = self._edit
        typing = typing_of(edit)
        room = space_of(edit)
        if edit is None or typing is None or room is None:
            return
        keyboard = self._made()
        if self._space is not room:
            self.close()
            self.opening.emit()
            self._space = room
            room.space_hidden.connect(self.close)
        words = typing.takes is keyboard_layout.InputKind.WORDS
        keyboard.show_for(self._script if words else keyboard_layout.Script.LATIN, typing.takes)
        self._for = edit
        edit.installEventFilter(self)
        room.unfold(keyboard, edit)

    def close(self) -> None:
        if self._edit is not None and isValid(self._edit):
            self._edit.removeEventFilter(self)
        self._for = None
        if self._space is not None:
            room, self._space = self._space, None
            room.space_hidden.disconnect(self.close)
            room.fold()
            if self._keyboard is not None:
                self._keyboard.setParent(self._window)  # it outlives the screen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Esc fold the open keyboard, and do nothing else."""
        if self._leaving and event.type() is QEvent.Type.MouseButtonRelease:
            QTimer.singleShot(0, self, self._end_leaving)  # after the pressed widget has acted
            return False
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return False
        if self._space is None or watched is not self._edit:
            return False
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            self.close()
            return True
        return False

    # --- the focus -------------------------------------------------------------------------------

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self) or now is self._edit:
            return  # the window is gone, or the caret has come back
        if now is None and QGuiApplication.focusWindow() is None:
            return  # another program is in front for a while
        self._let_go()
        typing = typing_of(now)
        if now is None or typing is None or not self._window.isAncestorOf(now):
            self._leave()
            return
        self._edit = now
        typing.tapped.connect(self._on_tapped)
        typing.wanted.connect(self._on_wanted)
        if self._space is None and self._opens != "always":
            return
        if typing.opens_itself or now is self._for:
            self.open()
        else:
            self._leave()

    def _let_go(self) -> None:
        edit, self._edit = self._edit, None
        if edit is None or not isValid(edit):
            return
        edit.removeEventFilter(self)
        typing = typing_of(edit)
        if typing is not None:
            typing.tapped.disconnect(self._on_tapped)
            typing.wanted.disconnect(self._on_wanted)

    def _leave(self) -> None:
        """Close the keyboard once the caret has left; while a finger is down, wait, because nothing
        may move below it."""
        handle = self._window.window().windowHandle()
        if self._space is None or self._leaving:
            return
        self._leaving = True
        if QGuiApplication.mouseButtons() is Qt.MouseButton.NoButton or handle is None:
            QTimer.singleShot(0, self, self._end_leaving)
        else:
            handle.installEventFilter(self)

    def _end_leaving(self) -> None:
        self._leaving = False
        handle = self._window.window().windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)
        if self._edit is not self._for:
            self.close()

    def _on_tapped(self, by_finger: bool) -> None:
        if self._space is None and (by_finger or self._opens == "always"):
            self.open()

    def _on_wanted(self) -> None:
        if self._space is None:
            self.open()
        else:
            self.close()

    # --- the keys --------------------------------------------------------------------------------

    def _made(self) -> Keyboard:
        if self._keyboard is None:
            self._keyboard = keyboard = Keyboard(
                self._theme, self._names(), name=self._texts("typing.name"), parent=self._window
            )
            keyboard.text_typed.connect(self._type)
            keyboard.rubbed_out.connect(lambda: self._send(Qt.Key.Key_Backspace, "\b"))
            keyboard.entered.connect(lambda: self._send(Qt.Key.Key_Return, "\r"))
            keyboard.hidden.connect(self.close)
        return self._keyboard

    def _type(self, sign: str) -> None:
        self._send(ord(sign.upper()), sign)
        if (
            self._keyboard is not None
            and self._keyboard.letters.takes is keyboard_layout.InputKind.WORDS
        ):
            self._script = self._keyboard.letters.script

    def _send(self, key: int, text: str) -> None:
        target = QApplication.focusWidget()
        if target is None or target is not self._edit:
            return
        capital = len(text) == 1 and text.isupper()
        held = Qt.KeyboardModifier.ShiftModifier if capital else Qt.KeyboardModifier.NoModifier
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            if isValid(target):
                QCoreApplication.sendEvent(target, QKeyEvent(kind, key, held, text))

    def _names(self) -> KeyNames:
        texts = self._texts
        own = (
            keyboard_layout.Special.BACK,
            keyboard_layout.Special.SIGNS,
            keyboard_layout.Special.SPACE,
            keyboard_layout.Special.ENTER,
            keyboard_layout.Special.HIDE,
        )
        return KeyNames(
            special={key: texts(f"typing.{key}") for key in own},
            script={script: texts(f"typing.script.{script}") for script in keyboard_layout.Script},
            shift={
                shift: texts(f"typing.shift.{shift.name.lower()}")
                for shift in keyboard_layout.ShiftState
            },
            letters=texts("typing.letters"),
        )


def space_of(widget: QWidget | None) -> KeyboardSpace | None:
    """Return the nearest space around a widget."""
    while widget is not None and not isinstance(widget, KeyboardSpace):
        widget = widget.parentWidget()
    return widget


def keyboard_name(texts: Texts, opens: Opens) -> str:
    """Return the name of the keyboard button in fields; "" if the keyboard never opens."""
    return "" if opens == "never" else texts("typing.key")


# --- the numeric pad -----------------------------------------------------------------------------

PAD_COLUMNS, PAD_ROWS = 3, 4
PAD_ORDER = ("7", "8", "9", "4", "5", "6", "1", "2", "3", "back", "0", "third")
"""The keys of every pad, row by row: the finger finds the last one at the lower left everywhere."""
ThirdKey = Literal["00", "C", ","]
"""The key at the lower right: two zeros for whole dinars, empty the field of a PIN, a comma."""


class Pad(ThemedWidget):
    """The numeric pad, whose keys never take the focus. Signal: `pressed(str)` with "0"…"9", "00",
    "C", "," or "back". back_name: the name, for a screen reader, of the key that deletes the last
    sign."""

    pressed = Signal(str)

    def __init__(self, theme: Theme, *, back_name: str, third: ThirdKey = ",") -> None:
        super().__init__(theme)
        self._third: ThirdKey = third
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.metrics.s2)
        self._keys = {
            name: self._add(name, *divmod(number, PAD_COLUMNS), back_name)
            for number, name in enumerate(PAD_ORDER)
        }

    def key(self, name: str) -> buttons.Button:
        return self._keys["third" if name == self._third else name]

    def set_third(self, third: ThirdKey) -> None:
        """Change the key at the lower right, as for another way of paying."""
        self._third = third
        self._keys["third"].set_words(third)
        self._keys["third"].setAccessibleName(third)

    def sizeHint(self) -> QSize:
        return self._size(round(1.32 * self.theme.metrics.touch))

    def minimumSizeHint(self) -> QSize:
        return self._size(self.theme.metrics.touch)

    def _size(self, wide: int) -> QSize:
        """Return the pad's size with keys of that width."""
        metrics = self.theme.metrics
        gaps = QSize(PAD_COLUMNS - 1, PAD_ROWS - 1) * metrics.s2
        return QSize(PAD_COLUMNS * wide, PAD_ROWS * metrics.payment_button) + gaps

    def _add(self, name: str, row: int, column: int, back_name: str) -> buttons.Button:
        is_back = name == "back"
        words = "" if is_back else self._third if name == "third" else name
        button = buttons.Button(
            self.theme,
            words,
            icon="delete" if is_back else "",
            kind=ButtonKind.PAD,
            name=back_name if is_back else words,
        )
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setProperty(REPEATS, True)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        button.clicked.connect(
            lambda _=False: self.pressed.emit(self._third if name == "third" else name)
        )
        self._grid.addWidget(button, row, column)
        self._grid.setRowStretch(row, 1)
        self._grid.setColumnStretch(column, 1)
        return button
