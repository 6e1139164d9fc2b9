"""Giving held keys back, as if they had just come from the platform."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWindow
from shiboken6 import isValid

from pos_app.cashier.scanner import shortcuts

_PRESS = QEvent.Type.KeyPress
_TRANSIENTS = QWindow.AncestorMode.IncludeTransients
_OVERRIDE = QEvent.Type.ShortcutOverride


def kept(event: QKeyEvent) -> QKeyEvent:
    """A copy of a platform's event that outlives it; an override becomes the press it asks for."""
    kind = QEvent.Type.KeyRelease if event.type() is QEvent.Type.KeyRelease else _PRESS
    return _copy(event, kind)


def deliver(event: QKeyEvent, window: QWindow | None) -> None:
    """Send the key to the window that has the focus now; `window` where none has it.

    As the platform does it: the focus may claim the key first, then a shortcut, then the key
    itself goes to the focus. The window finds the popup or the focus inside it.
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
    """The focus; or a modal dialog that has just opened, while the focus still lags behind it."""
    candidates = (QGuiApplication.focusWindow(), window)
    target = next((each for each in candidates if each and isValid(each)), None)
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
