"""Tells which key presses type something.

A sign with Alt, Ctrl or the Windows key is a command, although Qt's own fields type the digit for
Alt and a digit.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

HELD = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_WINDOWS_ALTGR = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def typed_text(event: QKeyEvent, *, on_windows: bool | None = None) -> str:
    """Return the text that a press types; "" if it types nothing. AltGr types the third sign of a
    key. X11 then reports no modifier; Windows reports Ctrl and Alt, and a text only if the layout
    has such a sign. A sign that Windows composed has no key. on_windows: by default the
    application's platform."""
    text = event.text()
    if not text.isprintable():
        return ""
    if on_windows is None:
        on_windows = QGuiApplication.platformName() == "windows"
    held = event.modifiers() & HELD
    composed = not event.key() or (on_windows and held == _WINDOWS_ALTGR)
    return text if not held or composed else ""


def is_command(event: QKeyEvent) -> bool:
    """Tell whether a press is a command, although a field would type its sign."""
    text = event.text()
    return bool(text) and text.isprintable() and not typed_text(event)
