"""Sends held keys again, as if they had just come from the platform."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWindow
from shiboken6 import isValid

from pos_app.cashier.scanner import shortcuts

_PRESS = QEvent.Type.KeyPress
_TRANSIENTS = QWindow.AncestorMode.IncludeTransients
_OVERRIDE = QEvent.Type.ShortcutOverride


def lasting_copy(event: QKeyEvent) -> QKeyEvent:
    """A copy that outlives the platform's event; a ShortcutOverride is copied as its press."""
    kind = QEvent.Type.KeyRelease if event.type() is QEvent.Type.KeyRelease else _PRESS
    return _copy(event, kind)


def send_key(event: QKeyEvent, window: QWindow | None) -> None:
    """Send the key to the window that has the focus now; to `window` where none has it.

    As the platform does: first the focused widget may accept the ShortcutOverride, then a shortcut
    may act, then the focused widget gets the key.
    """
    target = _target(window)
    if target is None:
        return
    if event.type() is _PRESS:
        override = _copy(event, _OVERRIDE)
        override.ignore()
        QCoreApplication.sendEvent(target, override)
        if not override.isAccepted() and shortcuts.fire(event):
            return
    QCoreApplication.sendEvent(target, event)


def _target(window: QWindow | None) -> QWindow | None:
    candidates = (QGuiApplication.focusWindow(), window)
    target = next((candidate for candidate in candidates if candidate and isValid(candidate)), None)
    modal: QWindow | None = QGuiApplication.modalWindow()
    if modal is None or target is modal:
        return target
    inside = target is not None and modal.isAncestorOf(target, _TRANSIENTS)
    return target if inside else modal


def _copy(event: QKeyEvent, kind: QEvent.Type) -> QKeyEvent:
    copy = QKeyEvent(
        kind,
        event.key(),
        event.modifiers(),
        event.nativeScanCode(),
        event.nativeVirtualKey(),
        event.nativeModifiers(),
        event.text(),
        event.isAutoRepeat(),
        event.count(),
    )
    copy.setTimestamp(event.timestamp())
    return copy
