"""Sends keys again that were held back, as if they had just come from the system.

Qt looks shortcuts up while it handles the platform's own event; there is no public way to have one
looked up later. So this module matches a key that the scan filter replays, by Qt's rules for
contexts, against the shortcuts of the application's widgets: QShortcut, QAction and button.
Sequences of several keys and the mnemonics of labels, tabs and group boxes are not supported; the
till uses none.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QShortcut, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget
from shiboken6 import isValid

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_NAMED_KEYS = 0x01000000
_CONTEXT = Qt.ShortcutContext


def fire(event: QKeyEvent) -> bool:
    """Fire the shortcut of this key press; return False if there is none, or it is not allowed
    now."""
    wanted = _sequences(event)
    for root in _roots():
        if any(_fire_one(found, event) for found in _matching(root, wanted)):
            return True
    return False


def _sequences(event: QKeyEvent) -> list[QKeySequence]:
    """Return the key with its modifiers, then as Qt also matches it: without keypad, without
    Shift."""
    key = Qt.Key(event.key())
    modifiers = event.modifiers()
    combinations = [modifiers, modifiers & ~_KEYPAD]
    if modifiers & _SHIFT and _is_sign(event.key()):
        combinations.append(modifiers & ~(_SHIFT | _KEYPAD))  # "*" typed as Shift and a digit
    return [QKeySequence(QKeyCombination(combination, key)) for combination in combinations]


def _is_sign(key: int) -> bool:
    return key < _NAMED_KEYS and not chr(key).isalpha()


def _roots() -> Iterator[QObject]:
    application = QApplication.instance()
    if application is not None:
        yield application
    yield from QApplication.topLevelWidgets()


def _matching(root: QObject, wanted: list[QKeySequence]) -> Iterator[QObject]:
    for shortcut in root.findChildren(QShortcut):
        sequences = shortcut.keys()
        if any(keys in wanted for keys in sequences):
            yield shortcut
    for action in root.findChildren(QAction):
        if any(keys in wanted for keys in action.shortcuts()):
            yield action
    for button in root.findChildren(QAbstractButton):
        if button.shortcut() in wanted:
            yield button


def _fire_one(target: QObject, event: QKeyEvent) -> bool:
    if isinstance(target, QAction):
        return _fire_action(target, event)
    if isinstance(target, QShortcut):
        return _fire_shortcut(target, event)
    if not isinstance(target, QAbstractButton) or not _reaches(target, _CONTEXT.WindowShortcut):
        return False
    if not event.isAutoRepeat():
        target.animateClick()
    return True


def _fire_shortcut(shortcut: QShortcut, event: QKeyEvent) -> bool:
    owner = shortcut.parent()
    if not shortcut.isEnabled() or not isinstance(owner, QWidget):
        return False
    if not _reaches(owner, shortcut.context()):
        return False
    if shortcut.autoRepeat() or not event.isAutoRepeat():
        shortcut.activated.emit()
    return True


def _fire_action(action: QAction, event: QKeyEvent) -> bool:
    if not action.isEnabled() or not action.isVisible():
        return False
    context = action.shortcutContext()
    if not any(_reaches_action(owner, context) for owner in action.associatedObjects()):
        return False
    if action.autoRepeat() or not event.isAutoRepeat():
        action.trigger()
    return True


def _reaches_action(owner: QObject, context: Qt.ShortcutContext) -> bool:
    if isinstance(owner, QMenu):  # an entry of a menu counts where the menu is attached
        attached_to = owner.menuAction().associatedObjects()
        return any(_reaches_action(above, context) for above in attached_to if above is not owner)
    return isinstance(owner, QWidget) and _reaches(owner, context)


def _reaches(owner: QWidget, context: Qt.ShortcutContext) -> bool:
    if not owner.isVisible() or not owner.isEnabled() or _is_behind_modal(owner):
        return False
    if context is _CONTEXT.ApplicationShortcut:
        return True
    focus = QApplication.focusWidget()
    if context is _CONTEXT.WidgetShortcut:
        return owner is focus
    if context is _CONTEXT.WidgetWithChildrenShortcut:
        return focus is not None and (owner is focus or owner.isAncestorOf(focus))
    return owner.window() is (QApplication.activePopupWidget() or QApplication.activeWindow())


def _is_behind_modal(owner: QWidget) -> bool:
    modal = QApplication.activeModalWidget()
    above: QWidget | None = owner.window()
    while modal is not None and above is not None:
        if above is modal:
            return False
        parent = above.parentWidget()
        above = parent.window() if parent is not None else None
    return modal is not None


_PRESS = QEvent.Type.KeyPress
_TRANSIENTS = QWindow.AncestorMode.IncludeTransients
_OVERRIDE = QEvent.Type.ShortcutOverride


def lasting_copy(event: QKeyEvent, *, sign: str = "", is_held: bool = False) -> QKeyEvent:
    """Return a copy that outlives the platform's event; a ShortcutOverride is copied as its press.
    sign: the key's text, if the event lacks the text. is_held: the key was down before, and the
    event does not say so."""
    kind = QEvent.Type.KeyRelease if event.type() is QEvent.Type.KeyRelease else _PRESS
    return _copy(event, kind, sign, is_held=is_held)


def send_key(event: QKeyEvent, window: QWindow | None) -> None:
    """Send the key to the window that has the focus now; if none has it, to `window`.

    The order is the platform's: first the focused widget may accept the ShortcutOverride, then a
    shortcut may act, then the focused widget gets the key.
    """
    target = _target(window)
    if target is None:
        return
    if event.type() is _PRESS:
        override = _copy(event, _OVERRIDE)
        override.ignore()
        QCoreApplication.sendEvent(target, override)
        if not override.isAccepted() and fire(event):
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


def _copy(
    event: QKeyEvent, kind: QEvent.Type, sign: str = "", *, is_held: bool = False
) -> QKeyEvent:
    copy = QKeyEvent(
        kind,
        ord(sign) if sign else event.key(),
        event.modifiers(),
        event.nativeScanCode(),
        event.nativeVirtualKey(),
        event.nativeModifiers(),
        sign or event.text(),
        event.isAutoRepeat() or is_held,
        event.count(),
    )
    copy.setTimestamp(event.timestamp())
    return copy
