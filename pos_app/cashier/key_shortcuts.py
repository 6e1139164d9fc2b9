"""The table of keys, heard by a window.

Keys of the numeric pad are taken at the door of the window: Qt looks for no shortcut with them
on X11, and a field with the focus would take them for text.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from pos_app.cashier.keys import KEYPAD, KEYS, NOT_YET, KeyAction

_REPEATING = frozenset({KeyAction.LINE_UP, KeyAction.LINE_DOWN})
_SIGNS = {Qt.Key.Key_Plus: "+", Qt.Key.Key_Minus: "-"}
_PAD_ACTS = {
    key.sequence.removeprefix(KEYPAD): key.act for key in KEYS if key.sequence.startswith(KEYPAD)
}


def listen_to_keys(
    window: QWidget, on_key: Callable[[KeyAction], None], *, on_missing: Callable[[str], None]
) -> None:
    """Call back for each key of the table but the pad's, wherever the focus in `window` is.

    on_missing: for a key that has no screen yet.
    """
    for key in KEYS:
        if key.sequence.startswith(KEYPAD):
            continue
        shortcut = QShortcut(QKeySequence(key.sequence), window)
        shortcut.setAutoRepeat(key.act in _REPEATING)
        shortcut.activated.connect(lambda act=key.act: on_key(act))
    for cap in NOT_YET:
        shortcut = QShortcut(QKeySequence(cap), window)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(lambda cap=cap: on_missing(cap))


class PadKeys(QObject):
    """Takes + and − of the numeric pad before any widget of a window sees them.

    is_wanted: whether they act now; otherwise they are text. Install it on the QWindow.
    """

    def __init__(
        self, on_key: Callable[[KeyAction], None], *, is_wanted: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._on_key = on_key
        self._is_wanted = is_wanted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the press; a held key acts once."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        act = pad_act(event)
        if act is None or not self._is_wanted():
            return False
        if not event.isAutoRepeat():
            self._on_key(act)
        event.accept()
        return True


def pad_act(event: QKeyEvent) -> KeyAction | None:
    """What a key of the numeric pad does; None for any other key."""
    if not event.modifiers() & Qt.KeyboardModifier.KeypadModifier:
        return None
    sign = _SIGNS.get(Qt.Key(event.key()))
    return None if sign is None else _PAD_ACTS.get(sign)
