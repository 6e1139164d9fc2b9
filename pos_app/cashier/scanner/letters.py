"""The letter of a key by its position on the keyboard, whatever the user's layout: R is also Р."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QKeyEvent

from pos_app.cashier.scanner import decoder
from pos_app.cashier.ui.typed_keys import HELD

_DECODER = decoder.Decoder(decoder.US)


def letter_of(event: QKeyEvent) -> str:
    """Return the capital letter on the key; "" for any other key and beside Ctrl or Alt."""
    if event.modifiers() & HELD:
        return ""
    family = (
        decoder.Family.SET1 if QGuiApplication.platformName() == "windows" else decoder.Family.X11
    )
    sign = (
        _DECODER.char(decoder.position(family, event.nativeScanCode()), shift=False) or event.text()
    )
    return sign.upper() if sign.isalpha() else ""
