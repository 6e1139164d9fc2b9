"""A sign with Alt, Ctrl or the Windows key is a command and is typed nowhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.ui.typed_keys import typed_text
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
META = Qt.KeyboardModifier.MetaModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
ALTGR_ON_WINDOWS = CTRL | ALT
COMBINATIONS = (CTRL, ALT, META, ALT | SHIFT, CTRL | SHIFT, ALTGR_ON_WINDOWS)


def press(hands: Hands, sign: str, held: Qt.KeyboardModifier) -> None:
    key, action = Qt.Key(ord(sign.upper())), QTest.KeyAction.Click
    QTest.sendKeyEvent(action, hands.window.windowHandle(), key, sign, held)
    QApplication.processEvents()


def texts(hands: Hands) -> list[str]:
    return [one.text() for one in hands.window.findChildren(QLineEdit) if one.isVisible()]


def at_picker(hands: Hands) -> None:
    hands.area.sale.picker.view.setFocus()


def at_quantity(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.window.frame.run(TillCommand.QUANTITY)


def in_catalogue(hands: Hands) -> None:
    inside(hands.window).open("catalogue")
    let_in(inside(hands.window).catalogue.model, PIN)
    QApplication.processEvents()
    inside(hands.window).catalogue.focus_search()


def at_table(hands: Hands) -> None:
    in_catalogue(hands)
    inside(hands.window).catalogue.table.setFocus()


PLACES: tuple[Callable[[Hands], object], ...] = (
    lambda hands: hands.area.take_focus(),
    at_picker,
    at_quantity,
    in_catalogue,
    at_table,
)


def test_a_combination_types_nothing_wherever_the_focus_is(hands: Hands) -> None:
    for place in PLACES:
        place(hands)
        QApplication.processEvents()
        before, focus = texts(hands), hands.window.focusWidget()
        for held in COMBINATIONS:
            press(hands, "7", held)
            assert (texts(hands), hands.window.focusWidget()) == (before, focus), (place, held)
        hands.type("7")
        assert texts(hands) != before, place
        inside(hands.window).go_home()
        hands.area.back()
        hands.area.sale.search.clear()


def test_altgr_types_its_sign() -> None:
    """On a Serbian layout X11 reports no modifier for it, Windows reports Ctrl and Alt."""

    def typed(sign: str, held: Qt.KeyboardModifier, key: int = Qt.Key.Key_V, **of: bool) -> str:
        return typed_text(QKeyEvent(QEvent.Type.KeyPress, key, held, sign), **of)

    for sign in "@€[]{}\\|":
        assert typed(sign, NONE) == typed(sign, ALTGR_ON_WINDOWS, on_windows=True) == sign
        assert typed(sign, ALTGR_ON_WINDOWS | SHIFT, on_windows=True) == sign
        assert typed(sign, ALTGR_ON_WINDOWS, on_windows=False) == ""
        assert typed(sign, ALT, on_windows=True) == typed(sign, CTRL, on_windows=True) == ""
    assert typed("\x16", CTRL) == ""
    assert typed("Ж", SHIFT) == "Ж"
    assert typed("ђ", ALT, key=0) == "ђ", "composed of Alt and digits"
