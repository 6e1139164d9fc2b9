"""A button that rests when it comes takes no key and no finger for REST_MS after it appeared by
itself: the yes of a preview that a long work brings.

A key or finger that was under way to what stood there before must not press what nobody has seen.
It appears by itself if it is shown or given the focus while nothing that a person pressed or
scanned is handled. The keys of a sale and of acts on receipts never rest so, because a cashier
knows the next key before its screen is there.
"""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Hashable
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from shiboken6 import isValid

from pos_app.cashier.ui.press_part import REST_MS
from pos_app.cashier.ui.typed_keys import typed_text

_ROUNDS = 3
"""A press is handled for so many rounds of the event loop: a layout shows its new widgets, and a
model tells its screen of a change, one round later."""
_ANEW_MS = 60
"""A button that replaces one with the same words within this time was only made anew."""
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ENTER = QKeySequence(Qt.Key.Key_Enter).toString()


class Hand:
    """Knows whether a press or a scan of a person is being handled."""

    def __init__(self) -> None:
        self._begun = 0
        self._ended = 0

    @property
    def acts(self) -> bool:
        return self._ended < self._begun

    def begin(self) -> None:
        """Begin to handle an input event or a scan, until the rounds of the loop after it."""
        self._begun += 1
        self._end_after(_ROUNDS, self._begun)

    def _end_after(self, rounds: int, number: int) -> None:
        if rounds:
            QTimer.singleShot(0, lambda: self._end_after(rounds - 1, number))
        else:
            self._ended = max(self._ended, number)


hand = Hand()
"""The hand at this program's keyboard, pointer and scanner."""


class _Fresh(NamedTuple):
    """noted: when it was shown. seen: when it could be seen, infinite until then, because to make a
    long page takes a while."""

    widget: weakref.ref[QWidget]
    what: Hashable
    has_only_focus: bool
    noted: float
    seen: float = math.inf


class Appeared:
    """The buttons that appeared by themselves."""

    def __init__(self) -> None:
        self._fresh: list[_Fresh] = []
        self._gone: dict[Hashable, float] = {}
        self._is_painting = False

    def note(self, widget: QWidget, *, has_only_focus: bool = False) -> None:
        """Note a button that is shown, or that got the focus."""
        if hand.acts:
            return
        now, what = _now(), _what(widget, has_only_focus)
        if now - self._gone.get(what, now - _ANEW_MS) < _ANEW_MS:
            return
        self._fresh.append(_Fresh(weakref.ref(widget), what, has_only_focus, now))
        if not self._is_painting:
            self._is_painting = True
            QTimer.singleShot(0, lambda: QTimer.singleShot(0, self._painted))

    def note_gone(self, widget: QWidget, *, had_only_focus: bool = False) -> None:
        """Note a button that is hidden, or that lost the focus: one like it is only made anew."""
        now, what = _now(), _what(widget, had_only_focus)
        self._gone = {one: at for one, at in self._gone.items() if now - at < _ANEW_MS}
        self._gone[what] = now
        self._fresh = [
            one for one in self._fresh if one.what != what or now - one.noted >= _ANEW_MS
        ]

    def rests(self, widget: QWidget) -> bool:
        """Tell whether a button takes no finger yet."""
        return any(one is widget for one, _ in self._resting(has_only_focus=False))

    def holds_back(self, event: QKeyEvent) -> bool:
        """Tell whether a key would press a button that takes none yet."""
        return bool(self._fresh) and any(
            _would_press(event, one, has_only_focus=has_only_focus)
            for one, has_only_focus in self._resting()
        )

    def _resting(self, *, has_only_focus: bool = True) -> list[tuple[QWidget, bool]]:
        self._fresh = [one for one in self._fresh if is_young(one.seen)]
        found = [(one.widget(), one.has_only_focus) for one in self._fresh]
        return [
            (widget, only_focus)
            for widget, only_focus in found
            if widget is not None
            and isValid(widget)
            and widget.isVisible()
            and widget.isEnabled()
            and (has_only_focus or not only_focus)
        ]

    def _painted(self) -> None:
        """Begin the rest of the buttons that can be seen now."""
        self._is_painting, now = False, _now()
        self._fresh = [one._replace(seen=min(one.seen, now)) for one in self._fresh]


appeared = Appeared()


def is_young(at: float) -> bool:
    return _now() - at < REST_MS


def _now() -> float:
    return time.monotonic() * 1000


def _what(widget: QWidget, has_only_focus: bool) -> Hashable:
    """Return what a person takes a button for: its words, and what it stands in."""
    around = widget.parentWidget()
    while around is not None and not around.accessibleName():
        around = around.parentWidget()
    place = around.accessibleName() if around is not None else ""
    return type(widget), widget.accessibleName(), place, has_only_focus


def _would_press(event: QKeyEvent, button: QWidget, *, has_only_focus: bool) -> bool:
    key, focus = event.key(), QApplication.focusWidget()
    if focus is button and (key in _ENTERS or key == Qt.Key.Key_Space):
        return True
    cap = "" if has_only_focus else str(getattr(button, "key_cap", ""))
    is_filled = not has_only_focus and bool(getattr(button, "is_filled", False))
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key in _ENTERS and not held:
        return cap == _ENTER or (is_filled and not cap)
    if not cap:
        return False
    if typed := typed_text(event):
        is_field = isinstance(focus, QLineEdit | QPlainTextEdit) and not focus.isReadOnly()
        is_letter = len(cap) == 1 and cap.isalpha() and typed.isalpha()
        return not is_field and (is_letter or typed == cap)
    return QKeySequence(key | held.value).toString() == cap
