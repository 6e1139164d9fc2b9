"""The table of keys as shortcuts of a window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from pos_app.cashier.keys import KEYPAD, KEYS, Act

_REPEATING = frozenset({Act.LINE_UP, Act.LINE_DOWN})


def listen_to_keys(window: QWidget, on_key: Callable[[Act], None]) -> None:
    """Call back for each key of the table, wherever the focus in `window` is."""
    for key in KEYS:
        shortcut = QShortcut(_sequence(key.sequence), window)
        shortcut.setAutoRepeat(key.act in _REPEATING)
        shortcut.activated.connect(lambda act=key.act: on_key(act))


def _sequence(text: str) -> QKeySequence:
    """A key of the table; a key of the numeric pad is another key than its namesake."""
    if not text.startswith(KEYPAD):
        return QKeySequence(text)
    sign = {"+": Qt.Key.Key_Plus, "-": Qt.Key.Key_Minus}[text.removeprefix(KEYPAD)]
    return QKeySequence(Qt.KeyboardModifier.KeypadModifier | sign)
