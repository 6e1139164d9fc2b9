"""The meaning of a Qt key event for a scan, on X11 and on Windows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.scanner.decoder import US, Decoder, Family
from pos_app.cashier.scanner.strokes import KeyReader, Stroke, StrokeKind

X, W = Family.X11, Family.SET1
K = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT, PAD = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.KeypadModifier


def read(
    family: Family,
    key: int,
    modifiers: Qt.KeyboardModifier,
    scan_code: int,
    native: int = 0,
    text: str = "",
) -> Stroke[QKeyEvent]:
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan_code, 0, native, text)
    return KeyReader(Decoder(US), family).read(event, 5, event)


@pytest.mark.parametrize(
    ("family", "key", "modifiers", "scan_code", "native", "text", "kind", "char"),
    [
        (X, ord("Љ"), NONE, 24, 0, "љ", StrokeKind.CHAR, "q"),
        (W, ord("Љ"), NONE, 16, 0, "љ", StrokeKind.CHAR, "q"),
        (X, ord("V"), NONE, 55, 0x80, "@", StrokeKind.COMBINATION, "v"),  # AltGr
        (W, ord("V"), CTRL | ALT, 47, 0, "@", StrokeKind.COMBINATION, "v"),
        (X, K.Key_Home, NONE, 79, 0, "", StrokeKind.CHAR, "7"),  # the pad without Num Lock
        (W, K.Key_Home, NONE, 0x47, 0, "", StrokeKind.CHAR, "7"),
        (W, K.Key_Home, NONE, 0x147, 0, "", StrokeKind.OTHER, ""),  # Home itself
        (W, K.Key_Enter, PAD, 0x11C, 0, "\r", StrokeKind.END, ""),
        (X, K.Key_Return, SHIFT, 36, 0, "\r", StrokeKind.END, ""),
        (X, K.Key_Return, CTRL, 36, 0, "\r", StrokeKind.END, ""),  # exact cash, or a scan's
        (X, K.Key_F4, ALT, 70, 0, "", StrokeKind.OTHER, ""),
        (X, K.Key_Backtab, SHIFT, 23, 0, "", StrokeKind.END, ""),
        (W, K.Key_5, ALT | PAD, 0x4C, 0, "", StrokeKind.ALT_DIGIT, "5"),
        (W, K.Key_5, ALT, 0x06, 0, "5", StrokeKind.COMBINATION, "5"),  # a payment method
        (X, K.Key_BracketRight, CTRL, 35, 0, "\x1d", StrokeKind.CHAR, "\x1d"),
        (X, K.Key_Shift, NONE, 50, 0, "", StrokeKind.SHIFT, ""),
        (X, K.Key_CapsLock, NONE, 66, 0, "", StrokeKind.MODIFIER, ""),
        (X, K.Key_F12, NONE, 96, 0, "", StrokeKind.OTHER, ""),
        (X, K.Key_A, NONE, 38, 0x02, "A", StrokeKind.CHAR, "a"),  # Caps Lock
        (X, K.Key_A, NONE, 0, 0x02, "A", StrokeKind.CHAR, "a"),  # and no scan code
        (W, K.Key_A, NONE, 0, 0x100, "A", StrokeKind.CHAR, "a"),
        (X, K.Key_A, NONE, 0, 0, "A", StrokeKind.CHAR, "A"),
        (X, K.Key_Return, NONE, 0, 0, "\r", StrokeKind.END, ""),
        (X, K.Key_Left, NONE, 0, 0, "", StrokeKind.OTHER, ""),
    ],
)
def test_meaning(
    family: Family,
    key: int,
    modifiers: Qt.KeyboardModifier,
    scan_code: int,
    native: int,
    text: str,
    kind: StrokeKind,
    char: str,
) -> None:
    stroke = read(family, key, modifiers, scan_code, native, text)
    assert (stroke.kind, stroke.char) == (kind, char)


def test_a_character_that_windows_composed_has_no_key() -> None:
    stroke = read(W, 0, NONE, 0x38, text="4")
    assert (stroke.key, stroke.kind, stroke.char) == (0, StrokeKind.CHAR, "4")


@pytest.mark.parametrize(
    ("family", "key", "modifiers", "scan_code", "text", "sign"),
    [
        (X, K.Key_End, PAD, 87, "", "1"),
        (X, K.Key_Clear, PAD, 84, "", "5"),
        (X, K.Key_Delete, PAD, 91, "\x7f", "."),
        (X, K.Key_End, ALT | PAD, 87, "", "1"),  # a payment method
        (X, K.Key_1, PAD, 87, "1", ""),  # with Num Lock Qt reports it
        (X, K.Key_Comma, PAD, 91, ",", ""),  # of any layout
        (X, K.Key_Left, CTRL | PAD, 83, "", ""),  # a command
        (X, K.Key_End, NONE, 115, "", ""),  # End itself
        (W, K.Key_End, PAD, 0x4F, "", "1"),
        (W, K.Key_Delete, PAD, 0x53, "", "."),
        (W, K.Key_Insert, PAD, 0x52, "", "0"),
        (W, K.Key_End, NONE, 0x14F, "", ""),
        (W, K.Key_Enter, PAD, 0x11C, "\r", ""),
    ],
)
def test_what_a_hand_types_on_the_pad(
    family: Family, key: int, modifiers: Qt.KeyboardModifier, scan_code: int, text: str, sign: str
) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan_code, 0, 0, text)
    assert KeyReader(Decoder(US), family).pad_sign(event) == sign
