"""Fires the shortcut of a key that was held.

Qt looks shortcuts up while it handles the platform's own event; there is no public way to ask for
it later. So a key that the scan filter replays is matched here, by Qt's rules for contexts, against
the shortcuts of the application's widgets: QShortcut, QAction and button. Sequences of several keys
and the mnemonics of labels, tabs and group boxes are not supported; the till uses none.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_NAMED_KEYS = 0x01000000
_CONTEXT = Qt.ShortcutContext


def fire(event: QKeyEvent) -> bool:
    """Fire the shortcut of this key press; False when there is none, or it is not allowed now."""
    wanted = _sequences(event)
    for root in _roots():
        if any(_fire_one(found, event) for found in _matching(root, wanted)):
            return True
    return False


def _sequences(event: QKeyEvent) -> list[QKeySequence]:
    """The key with its modifiers, then as Qt also matches it: without keypad, without Shift."""
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


def _fire_one(found: QObject, event: QKeyEvent) -> bool:
    if isinstance(found, QAction):
        return _fire_action(found, event)
    if isinstance(found, QShortcut):
        return _fire_shortcut(found, event)
    if not isinstance(found, QAbstractButton) or not _reaches(found, _CONTEXT.WindowShortcut):
        return False
    if not event.isAutoRepeat():
        found.animateClick()
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
