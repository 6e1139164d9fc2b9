"""Strokes: keys that go down or up, as the burst detector sees them. `KeyReader` makes them of Qt's
events."""

from __future__ import annotations

from enum import Enum
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.scanner import decoder
from pos_app.cashier.scanner.decoder import Decoder, Family, position
from pos_app.lazy_dataclass import dataclass

E = TypeVar("E")


class StrokeKind(Enum):
    """The meaning that a key has in a scan."""

    CHAR = "char"
    """A character of the scanner's layout."""
    ALT_DIGIT = "alt_digit"
    """A digit of the numeric pad while Alt is down, as a part of one character."""
    END = "end"
    """Enter, Tab or line feed, which ends a scan and is no part of the code."""
    SHIFT = "shift"
    ALT = "alt"
    MODIFIER = "modifier"
    """Any other modifier or lock key."""
    COMBINATION = "combination"
    """The key of a character, pressed with Ctrl, Alt, AltGr or the Windows key: a command, a sign
    typed by hand, or a scanner's key while the cashier holds the modifier."""
    OTHER = "other"
    """Any other key: function keys, arrows, Esc, with or without Ctrl and Alt."""


@dataclass(frozen=True, slots=True)
class Stroke(Generic[E]):
    """A key that went down or up.

    at: the time stamp of the event in ms. key: the number of the physical key, by which a release
    is paired with its press. char: the character that the key gives with the present Shift; plain:
    the character without Shift. eager: the key acts at once if no burst is under way (+ and - of
    the numeric pad). event: what the caller needs to act on the stroke later.
    """

    at: int
    key: int
    kind: StrokeKind
    event: E
    char: str = ""
    plain: str = ""
    down: bool = True
    repeat: bool = False
    eager: bool = False
    pad: bool = False

    @property
    def counts(self) -> bool:
        return self.down and not self.repeat and self.kind in _PARTS


_PARTS = frozenset({StrokeKind.CHAR, StrokeKind.ALT_DIGIT, StrokeKind.COMBINATION})


_CTRL = Qt.KeyboardModifier.ControlModifier
_ALT = Qt.KeyboardModifier.AltModifier
_META = Qt.KeyboardModifier.MetaModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_RELEASE = QEvent.Type.KeyRelease

_ENDS = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab})
_END_POSITIONS = frozenset({decoder.ENTER, decoder.KEYPAD_ENTER, decoder.TAB})
_EAGER_POSITIONS = frozenset({decoder.KEYPAD_PLUS, decoder.KEYPAD_MINUS})
_PAD_POSITIONS = frozenset(
    {*decoder.KEYPAD_DIGITS, *_EAGER_POSITIONS, 55, decoder.KEYPAD_POINT, 98}
)
_PAD_SIGNS = {**decoder.KEYPAD_DIGITS, decoder.KEYPAD_POINT: "."}
_NAMED_KEYS = 0x01000000
"""The first of Qt's numbers for keys that have no character."""
_MODIFIERS_AND_LOCKS = frozenset(
    {
        Qt.Key.Key_Control,
        Qt.Key.Key_Meta,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
        Qt.Key.Key_ScrollLock,
    }
)
# Bits of nativeModifiers(): X11's Lock and Mod5 (level 3, AltGr) masks; Qt's own on Windows.
_X_LOCK, _X_ALTGR = 0x02, 0x80
_WINDOWS_CAPS = 0x100
_GROUP_SEPARATOR = "\x1d"
_RIGHT_BRACKET = 27  # the position of the key
_J, _M = 36, 50  # Ctrl+J is line feed, Ctrl+M carriage return


class KeyReader:
    """Makes strokes of Qt's key events, read in the decoder's layout. It also knows what a key of
    the numeric pad types when a person presses it."""

    def __init__(self, decoder: Decoder, family: Family) -> None:
        self._decoder = decoder
        self._family = family

    def read(self, event: QKeyEvent, at: int, copy: QKeyEvent) -> Stroke[QKeyEvent]:
        """Return the stroke of `event`, stamped `at` ms; `copy` is sent when the stroke is
        replayed."""
        code = event.key()
        key_position = position(self._family, event.nativeScanCode())
        kind, char, plain = self._meaning(event, code, key_position)
        return Stroke(
            at=at,
            # A key without a scan code gets Qt's number, made negative so that the two don't
            # collide. A character that Windows composed has neither: its key is 0.
            key=(key_position or -code) if code else 0,
            kind=kind,
            event=copy,
            char=char,
            plain=plain,
            down=event.type() is not _RELEASE,
            repeat=event.isAutoRepeat(),
            eager=key_position in _EAGER_POSITIONS,
            pad=key_position in _PAD_POSITIONS,
        )

    def pad_sign(self, event: QKeyEvent) -> str:
        """Return the sign that a key of the numeric pad types, or "" if Qt gives the text itself or
        the key is a command.

        With Num Lock off, and on Windows with Shift, the system reports these keys as Home, End and
        so on. The keys beside the pad that have the same names have other scan codes.
        """
        if event.key() < _NAMED_KEYS or event.modifiers() & (_CTRL | _META):
            return ""
        return _PAD_SIGNS.get(position(self._family, event.nativeScanCode()), "")

    def _meaning(
        self, event: QKeyEvent, code: int, key_position: int
    ) -> tuple[StrokeKind, str, str]:
        if code == Qt.Key.Key_Shift:
            return StrokeKind.SHIFT, "", ""
        if code == Qt.Key.Key_Alt:
            return StrokeKind.ALT, "", ""
        if code in _MODIFIERS_AND_LOCKS:
            return StrokeKind.MODIFIER, "", ""
        modifiers = event.modifiers()
        if key_position in _END_POSITIONS or code in _ENDS:
            return StrokeKind.END, "", ""
        native = event.nativeModifiers()
        altgr = self._family is Family.X11 and bool(native & _X_ALTGR)
        if altgr or modifiers & (_CTRL | _ALT | _META):
            return self._combination(modifiers, key_position)
        char, plain = self._characters(event, key_position, bool(modifiers & _SHIFT))
        return (StrokeKind.CHAR if char else StrokeKind.OTHER), char, plain

    def _characters(self, event: QKeyEvent, key_position: int, shift: bool) -> tuple[str, str]:
        lock = _X_LOCK if self._family is Family.X11 else _WINDOWS_CAPS
        caps = bool(event.nativeModifiers() & lock)
        char = self._decoder.char(key_position, shift=shift, caps=caps)
        if char:
            return char, self._decoder.char(key_position, shift=False, caps=caps)
        char = self._decoder.text_char(event.text(), caps=caps)
        return char, char

    def _combination(
        self, modifiers: Qt.KeyboardModifier, key_position: int
    ) -> tuple[StrokeKind, str, str]:
        # Scanners send control codes and character numbers with Ctrl and Alt.
        if modifiers & _ALT and not modifiers & (_CTRL | _META):
            digit = decoder.KEYPAD_DIGITS.get(key_position, "")
            if digit:
                return StrokeKind.ALT_DIGIT, digit, digit
        if modifiers & _CTRL and not modifiers & (_ALT | _META | _SHIFT):
            if key_position in (_J, _M):
                return StrokeKind.END, "", ""
            if key_position == _RIGHT_BRACKET:
                return StrokeKind.CHAR, _GROUP_SEPARATOR, _GROUP_SEPARATOR
        char = self._decoder.char(key_position, shift=False)
        return (StrokeKind.COMBINATION if char else StrokeKind.OTHER), char, char
