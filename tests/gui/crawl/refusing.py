"""Filled keys that refuse: what can't be done yet is plain, and its word says what is missing.

The check presses, so that it is the last one in a window. It hears what is told at once: what a
server or the processor refuses nobody knows before.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QAbstractButton, QWidget
from shiboken6 import isValid

from pos_app.cashier.ui.buttons import BigButton, Button, ButtonKind
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.checks import Finding, named
from tests.gui.crawl.painted import taped
from tests.gui.pictures import settle


def refused(window: QWidget, theme: Theme) -> Iterator[Finding]:
    """Press each filled key; it refuses where new words tell a fault and the key is still there."""
    for key in [one for one in window.findChildren(QAbstractButton) if _is_filled(one, window)]:
        if not isValid(key) or not key.isVisible():
            return  # the key before it led away
        before = _faults(window, theme)
        name = named(key)
        key.click()
        settle()
        if not isValid(window) or not isValid(key) or not key.isVisible():
            return
        for words in sorted(_faults(window, theme) - before):
            yield Finding("refused", f"{name}: “{words}”")


def _is_filled(key: QAbstractButton, window: QWidget) -> bool:
    if not isinstance(key, Button | BigButton) or key.kind is not ButtonKind.FILLED:
        return False
    return key.isVisible() and key.isEnabled() and key.window() is window


def _faults(window: QWidget, theme: Theme) -> set[str]:
    """The visible words in the colour of a fault; the word of what destroys has it too."""
    ink = theme.colour("danger")
    widgets = [one for one in window.findChildren(QWidget) if one.isVisible()]
    return {
        text.words
        for one in widgets
        if not isinstance(one, QAbstractButton)
        for text in taped(one).texts
        if text.ink == ink
    }
