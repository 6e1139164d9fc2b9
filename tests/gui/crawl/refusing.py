"""Filled keys that refuse: what can't be done yet is plain, and its word says what is missing.

The check presses, as a hand in no hurry, so that it is the last one in a window. It hears what is
told at once: what a server or the processor refuses nobody knows before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QWidget
from shiboken6 import isValid

from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.checks import Finding, named
from tests.gui.crawl.painted import taped
from tests.gui.crawl.state import state
from tests.gui.pictures import settle

_NO = re.compile(r"\.played\[\d+\] = 'no'$")


def refused(window: QWidget, theme: Theme) -> Iterator[Finding]:
    """Press each filled key; it refuses where it is still there and new words tell a fault, the
    tone of a refusal is heard, or a fault that was told before stands on and nothing changes."""
    for key in [one for one in window.findChildren(QAbstractButton) if _is_filled(one, window)]:
        if not isValid(key) or not key.isVisible():
            return  # the key before it led away
        told, before = _faults(window, theme), state(window, key)
        name = named(key)
        for resting in key.findChildren(QTimer):
            resting.stop()
        key.click()
        settle()
        if not isValid(window) or not isValid(key) or not key.isVisible():
            return
        standing, changes = _faults(window, theme), state(window, key) ^ before
        faults = sorted(standing - told) or ([] if changes else sorted(standing))
        for words in faults:
            yield Finding("refused", f"{name}: “{words}”")
        if not faults and any(map(_NO.search, changes)):
            yield Finding("refused", f"{name} plays the tone of a refusal")


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
