"""The on-screen keyboard. Its keys never take the focus: they type where the caret is.

A letter is typed when it is pressed, as on a real keyboard; what changes the screen (Enter, hide)
acts when it is let go, so that nothing else is under the finger then. Several fingers may be down
at once. A key answers in the gap around it too.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QEventPoint, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QTouchEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui.button_face import ButtonFace, ButtonKind, paint_face
from pos_app.cashier.ui.keyboard_layout import (
    WIDTH,
    KeyboardLayout,
    LayoutKey,
    Script,
    Shift,
    Special,
    Typed,
)
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedButton

HELD_MS, REPEAT_MS = 400, 60
"""How long backspace is held before it repeats, and how often then."""
WIDEST_LETTER = 1.7
"""Of a letter's key, in touch sizes: on a wide screen the keyboard stands in the middle."""
_ICONS = {Special.BACK: "delete", Special.ENTER: "corner-down-left", Special.HIDE: "chevron-down"}
_SHIFTS = {
    Shift.OFF: "arrow-big-up",
    Shift.ONCE: "arrow-big-up",
    Shift.LOCKED: "arrow-big-up-dash",
}
_SCRIPTS = {Script.CYRILLIC: "АБВ", Script.LATIN: "ABC"}
_WHEN_LET_GO = frozenset({Special.ENTER, Special.HIDE})


class KeyNames:
    """What a screen reader says of the keys that have no sign of their own.

    special: by key. script: by the script that it leads to. shift: by its state. signs: of the
    key of signs while they are shown, which leads back to the letters.
    """

    def __init__(
        self,
        *,
        special: dict[Special, str],
        script: dict[Script, str],
        shift: dict[Shift, str],
        letters: str,
    ) -> None:
        self._special = special
        self._script = script
        self._shift = shift
        self._letters = letters

    def of(self, key: LayoutKey, letters: KeyboardLayout) -> str:
        """The name of a key."""
        match key.special:
            case None:
                return key.sign
            case Special.SHIFT:
                return self._shift[letters.shift]
            case Special.SCRIPT:
                return self._script[letters.other]
            case Special.SIGNS if letters.shows_signs:
                return self._letters
            case _:
                return self._special[key.special]


class KeyButton(ThemedButton):
    """One key, as large as its share of the keyboard; what is painted leaves the gap around."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.key = LayoutKey()
        self._face = ButtonFace()

    def show_key(self, key: LayoutKey, letters: KeyboardLayout, name: str) -> None:
        """Become another key."""
        self.key = key
        self.setAccessibleName(name)
        face = _face(key, letters)
        if face != self._face:
            self._face = face
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        gap = self.theme.metrics.s1 // 2
        inside = self.rect().adjusted(gap, gap, -gap, -gap)
        paint_face(QPainter(self), inside, self.theme, self._face, pressed=self.isDown())


class Keyboard(Ground):
    """Signals: `typed(str)`, `rubbed_out()` (again and again while held), `entered()`,
    `hidden()`.
    """

    typed = Signal(str)
    rubbed_out = Signal()
    entered = Signal()
    hidden = Signal()

    def __init__(self, theme: Theme, names: KeyNames, *, name: str, parent: QWidget) -> None:
        super().__init__(theme, colour="sunken", side=Qt.Edge.TopEdge, parent=parent)
        self._names = names
        self._letters = KeyboardLayout()
        self._keys: list[KeyButton] = []
        self._fingers: dict[int, KeyButton] = {}
        self._repeat = QTimer(self)
        self._repeat.timeout.connect(self._again)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self._show()

    @property
    def letters(self) -> KeyboardLayout:
        """What stands on the keys."""
        return self._letters

    def show_for(self, script: Script, takes: Typed) -> None:
        """Begin with the letters of a script, for a field of a kind."""
        self._take(KeyboardLayout(script=script, takes=takes))

    def set_names(self, names: KeyNames, name: str) -> None:
        """Names in another language."""
        self._names = names
        self.setAccessibleName(name)
        self._show()

    def key(self, wanted: str | Special) -> KeyButton:
        """The key of a sign, or a special one. KeyError when it is not shown."""
        for button in self._keys:
            if wanted in (button.key.sign, button.key.special):
                return button
        raise KeyError(wanted)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        return QSize(WIDTH // 2 * metrics.touch, 5 * (metrics.touch + metrics.s1) + 3 * metrics.s1)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def relook(self) -> None:
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def hideEvent(self, event: QHideEvent) -> None:
        """Whatever is held is let go without acting."""
        for finger in tuple(self._fingers):
            self._lift(finger, None)
        self._repeat.stop()

    # --- fingers ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Each finger presses a key of its own; a mouse presses them as buttons."""
        if not isinstance(event, QTouchEvent):
            return super().event(event)
        if event.type() is QEvent.Type.TouchCancel:
            for finger in tuple(self._fingers):
                self._lift(finger, None)
        for point in event.points():
            self._feel(point)
        event.accept()
        return True

    def _feel(self, point: QEventPoint) -> None:
        place = self.mapFromGlobal(point.globalPosition()).toPoint()
        if point.state() is QEventPoint.State.Pressed:
            button = self._button_at(place)
            if button is not None:
                self._fingers[point.id()] = button
                button.setDown(True)
                self._press(button)
        elif point.state() is QEventPoint.State.Released:
            self._lift(point.id(), place)

    def _lift(self, finger: int, place: QPoint | None) -> None:
        button = self._fingers.pop(finger, None)
        if button is None:
            return
        button.setDown(False)
        self._repeat.stop()
        if place is not None and button.geometry().contains(place):
            self._let_go(button)

    def _button_at(self, place: QPoint) -> KeyButton | None:
        found = self.childAt(place)
        return found if isinstance(found, KeyButton) else None

    def _press(self, button: KeyButton) -> None:
        key = button.key
        if key.special in _WHEN_LET_GO:
            return
        if key.special is Special.BACK:
            self.rubbed_out.emit()
            self._repeat.start(HELD_MS)
        elif key.special is Special.SPACE:
            self.typed.emit(" ")
        elif key.special is None:
            self.typed.emit(key.sign)
        self._take(self._letters.after(key))

    def _let_go(self, button: KeyButton) -> None:
        if button.key.special is Special.ENTER:
            self.entered.emit()
        elif button.key.special is Special.HIDE:
            self.hidden.emit()

    def _again(self) -> None:
        self._repeat.setInterval(REPEAT_MS)
        self.rubbed_out.emit()

    # --- keys ------------------------------------------------------------------------------------

    def _take(self, letters: KeyboardLayout) -> None:
        if letters == self._letters:
            return
        widths = [key.width for row in self._letters.rows() for key in row]
        self._letters = letters
        self._show()
        if widths != [key.width for row in letters.rows() for key in row]:
            self._place()

    def _show(self) -> None:
        """Every key as it is now; a key that stays the same is not painted again."""
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

    def _place(self) -> None:
        metrics = self.theme.metrics
        across = min(
            self.width() - 2 * metrics.s2, round(WIDTH // 2 * WIDEST_LETTER * metrics.touch)
        )
        left = (self.width() - across) // 2
        tall = metrics.touch + metrics.s1
        spare = iter(self._keys)
        for number, row in enumerate(self._letters.rows()):
            top, at = 2 * metrics.s1 + number * tall, 0
            for key in row:
                x = left + across * at // WIDTH
                at += key.width
                button = next(spare)
                button.setGeometry(QRect(x, top, left + across * at // WIDTH - x, tall))
                button.show()


def _face(key: LayoutKey, letters: KeyboardLayout) -> ButtonFace:
    match key.special:
        case None:
            return ButtonFace(key.sign, kind=ButtonKind.PAD)
        case Special.SHIFT:
            kind = ButtonKind.PLAIN if letters.shift is Shift.OFF else ButtonKind.CHOSEN
            return ButtonFace(icon=_SHIFTS[letters.shift], kind=kind)
        case Special.SCRIPT:
            return ButtonFace(_SCRIPTS[letters.other])
        case Special.SIGNS:
            return ButtonFace(_SCRIPTS[letters.script] if letters.shows_signs else "?#+")
        case Special.SPACE:
            return ButtonFace(kind=ButtonKind.PAD)
        case _:
            return ButtonFace(icon=_ICONS[key.special])
