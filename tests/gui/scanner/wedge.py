"""The keyboards of a till in tests: a wedge scanner and a cashier, under the user's own layout.

The platform is imitated at the window: the key event carries the physical scan code (X11), the text
and Qt key of the *user's* layout, and a time stamp of a simulated clock. Like the platform it asks
for a shortcut override first, looks for a shortcut next, and sends the press last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWindow

from pos_app.cashier.scanner import decoder, replay

LayoutName = Literal["us", "rs-latin", "rs-cyrillic"]

_ROWS: Mapping[LayoutName, tuple[tuple[int, str, str], ...]] = {
    "us": (),
    "rs-latin": (
        (2, "1234567890'+", '!"#$%&/()=?*'),
        (16, "qwertzuiopšđ", "QWERTZUIOPŠĐ"),
        (30, "asdfghjklčć", "ASDFGHJKLČĆ"),
        (43, "žyxcvbnm,.-", "ŽYXCVBNM;:_"),
    ),
    "rs-cyrillic": (
        (2, "1234567890'+", '!"#$%&/()=?*'),
        (16, "љњертзуиопшђ", "ЉЊЕРТЗУИОПШЂ"),
        (30, "асдфгхјклчћ", "АСДФГХЈКЛЧЋ"),
        (43, "жѕџцвбнм,.-", "ЖЅЏЦВБНМ;:_"),
    ),
}
SHIFT, CTRL, ALT, ALTGR, WINDOWS = 42, 29, 56, 100, 125
_NAMED = {
    decoder.ENTER: (Qt.Key.Key_Return, "\r"),
    96: (Qt.Key.Key_Enter, "\r"),
    decoder.TAB: (Qt.Key.Key_Tab, "\t"),
    SHIFT: (Qt.Key.Key_Shift, ""),
    54: (Qt.Key.Key_Shift, ""),
    CTRL: (Qt.Key.Key_Control, ""),
    ALT: (Qt.Key.Key_Alt, ""),
    ALTGR: (Qt.Key.Key_AltGr, ""),
    WINDOWS: (Qt.Key.Key_Meta, ""),
    1: (Qt.Key.Key_Escape, "\x1b"),
    14: (Qt.Key.Key_Backspace, "\b"),
    59: (Qt.Key.Key_F1, ""),
    61: (Qt.Key.Key_F3, ""),
    62: (Qt.Key.Key_F4, ""),
    63: (Qt.Key.Key_F5, ""),
    64: (Qt.Key.Key_F6, ""),
    67: (Qt.Key.Key_F9, ""),
    68: (Qt.Key.Key_F10, ""),
    88: (Qt.Key.Key_F12, ""),
    104: (Qt.Key.Key_PageUp, ""),
    108: (Qt.Key.Key_Down, ""),
}
_MODIFIER = {
    SHIFT: Qt.KeyboardModifier.ShiftModifier,
    54: Qt.KeyboardModifier.ShiftModifier,
    CTRL: Qt.KeyboardModifier.ControlModifier,
    ALT: Qt.KeyboardModifier.AltModifier,
    ALTGR: Qt.KeyboardModifier.NoModifier,  # X11 reports it in the native modifiers alone
    WINDOWS: Qt.KeyboardModifier.MetaModifier,
}
_PAD = {55, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 96, 98}
_WITHOUT_NUM_LOCK = {
    71: Qt.Key.Key_Home,
    72: Qt.Key.Key_Up,
    73: Qt.Key.Key_PageUp,
    75: Qt.Key.Key_Left,
    76: Qt.Key.Key_Clear,
    77: Qt.Key.Key_Right,
    79: Qt.Key.Key_End,
    80: Qt.Key.Key_Down,
    81: Qt.Key.Key_PageDown,
    82: Qt.Key.Key_Insert,
    83: Qt.Key.Key_Delete,
}
"""The Qt keys that both platforms report for the pad while Num Lock is off; none has a text."""
_SUFFIX = {
    "enter": (decoder.ENTER,),
    "tab": (decoder.TAB,),
    "crlf": (decoder.ENTER, decoder.ENTER),
    "none": (),
}
_HUMAN_ENDS = {"\r": (decoder.ENTER, 0), "\t": (decoder.TAB, 0)}
PAD_PLACES = {digit: place for place, digit in decoder.KEYPAD_DIGITS.items()} | {".": 83, "\r": 96}
F9, F10, F12, ESCAPE, PAD_PLUS = 67, 68, 88, 1, 78


def _texts(layout: LayoutName) -> dict[int, tuple[str, str]]:
    texts = dict(decoder.US.keys)
    for first, plain, shifted in _ROWS[layout]:
        texts |= {first + i: both for i, both in enumerate(zip(plain, shifted, strict=True))}
    return texts


@dataclass
class Keyboards:
    """All keyboards of one till: one clock (ms), one set of modifiers, one user layout.

    window: the target of the keys, by default the focus window.
    """

    layout: LayoutName = "us"
    now: int = 10_000
    caps_lock: bool = False
    num_lock: bool = True
    window: QWindow | None = None
    _down: list[int] = field(default_factory=list)

    def press(self, place: int, *, repeat: bool = False) -> None:
        self._send(QEvent.Type.KeyPress, place, repeat=repeat)
        if place in _MODIFIER:
            self._down.append(place)

    def release(self, place: int, *, repeat: bool = False) -> None:
        if place in _MODIFIER:
            self._down.remove(place)
        self._send(QEvent.Type.KeyRelease, place, repeat=repeat)

    def type_on_pad(self, text: str, *, gap: int = 130) -> None:
        """Type digits, a point and Enter on the numeric pad as a cashier does."""
        for char in text:
            self.now += gap - 60
            self.tap(PAD_PLACES[char], hold=60)

    def tap(self, place: int, *, hold: int = 70) -> None:
        """Press a key, and release it `hold` ms later."""
        self.press(place)
        self.now += hold
        self.release(place)

    def scan(
        self,
        code: str,
        *,
        gap: int = 4,
        suffix: str = "enter",
        prefix: str = "",
        set_to: str = "us",
    ) -> None:
        """Scan a code: each key goes down and up at once, `gap` ms from key to key. set_to: the
        layout that the scanner is set to."""
        for char in prefix + code:
            if char < " ":
                self._control(char, gap=gap)
            else:
                self._scanner_key(*key_of(char, set_to), gap=gap)
        for place in _SUFFIX[suffix]:
            self._scanner_key(place, False, gap=gap)

    def _control(self, char: str, *, gap: int) -> None:
        """Send a control code as scanners do: Ctrl and the key 64 positions above it."""
        self.press(CTRL)
        self._scanner_key(us_key(chr(ord(char) + 64).lower())[0], False, gap=gap)
        self.release(CTRL)

    def type(self, text: str, *, gap: int = 130) -> None:
        """Type `text` of the user's layout as a cashier does, `gap` ms from key to key."""
        keys = {char: (place, level) for place, both in self._keys() for level, char in both}
        for char in text:
            place, level = _HUMAN_ENDS.get(char) or keys[char]
            hold = min(70, gap // 2)
            self.now += gap - hold
            if level:
                self.press(SHIFT)
            self.tap(place, hold=hold)
            if level:
                self.release(SHIFT)

    def _keys(self) -> list[tuple[int, list[tuple[int, str]]]]:
        texts = _texts(self.layout)
        return [(place, [(1, both[1]), (0, both[0])]) for place, both in reversed(texts.items())]

    def _scanner_key(self, place: int, shift: bool, *, gap: int) -> None:
        if shift:
            self.press(SHIFT)
        self.press(place)
        self.now += gap // 2
        self.release(place)
        if shift:
            self.release(SHIFT)
        self.now += gap - gap // 2

    def _send(self, kind: QEvent.Type, place: int, *, repeat: bool) -> None:
        focused: QWindow | None = QGuiApplication.focusWindow()
        window = self.window or focused or _any_window()
        if kind is QEvent.Type.KeyPress:
            override = self._event(QEvent.Type.ShortcutOverride, place, repeat)
            override.ignore()
            QCoreApplication.sendEvent(window, override)
            press = self._event(kind, place, repeat)
            if not override.isAccepted() and replay.fire(press):
                return
            QCoreApplication.sendEvent(window, press)
        else:
            QCoreApplication.sendEvent(window, self._event(kind, place, repeat))

    def _event(self, kind: QEvent.Type, place: int, repeat: bool) -> QKeyEvent:
        modifiers = Qt.KeyboardModifier.NoModifier
        for down in self._down:
            modifiers |= _MODIFIER[down]
        key, text = self._key_and_text(place, shift=bool(modifiers & _MODIFIER[SHIFT]))
        if place in _PAD:
            modifiers |= Qt.KeyboardModifier.KeypadModifier
        native = (2 if self.caps_lock else 0) | (0x80 if ALTGR in self._down else 0)
        event = QKeyEvent(kind, key, modifiers, place + 8, 0, native, text, repeat)
        event.setTimestamp(self.now)
        return event

    def _key_and_text(self, place: int, *, shift: bool) -> tuple[int, str]:
        if place in _NAMED:
            return _NAMED[place]
        if not self.num_lock and place in _WITHOUT_NUM_LOCK:
            return _WITHOUT_NUM_LOCK[place], ""
        text = _texts(self.layout)[place][shift]
        if self.caps_lock and text.isalpha():
            text = text.swapcase()
        return ord(text.upper()), text


def _any_window() -> QWindow:
    """The window that gets the focus from the window manager when its window has gone."""
    return next(each for each in QGuiApplication.topLevelWindows() if each.isVisible())


def us_key(char: str) -> tuple[int, bool]:
    return key_of(char, "us")


def key_of(char: str, layout: str) -> tuple[int, bool]:
    for place, both in decoder.LAYOUTS[layout].keys.items():
        if char in both:
            return place, both[0] != char
    raise ValueError(f"{char!r} is on no key of a keyboard {layout}")
