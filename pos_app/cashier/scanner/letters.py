"""Which letter of the keyboard's Latin marks a press is, whatever layout the till is set to.

R on a cap is a place on the keyboard: with the Serbian layout the same key types р.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from pos_app.cashier.scanner.decoder import US, Family, position


def letter_of(event: QKeyEvent) -> str:
    """The capital letter on the key that was pressed alone, "" for every other press."""
    shift = Qt.KeyboardModifier.ShiftModifier
    if event.modifiers() & ~shift:
        return ""
    windows = QGuiApplication.platformName() == "windows"
    place = position(Family.SET1 if windows else Family.X11, event.nativeScanCode())
    plain = US.keys[place][0] if place in US.keys else chr(event.key() & 0xFF).lower()
    is_letter = len(plain) == 1 and "a" <= plain <= "z" and (place in US.keys or event.key() < 0x80)
    return plain.upper() if is_letter else ""
