"""A finger on a touch screen: real touch events, sent to the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QWidget

from pos_app.cashier.ui.keyboard import Keyboard
from pos_app.cashier.ui.keyboard_layout import Special
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.patience import waited


class Finger:
    """One person's fingers at a window; each has a number."""

    def __init__(self, window: TillWindow, screen: QPointingDevice) -> None:
        self.window = window
        self.screen = screen

    def press(self, widget: QWidget, place: QPoint | None = None, *, finger: int = 0) -> QPoint:
        """Put a finger down, and return its position in the window."""
        assert widget.isVisible(), f"{widget.accessibleName()} is not there"
        spot = widget.mapTo(self.window, widget.rect().center() if place is None else place)
        assert self.window.rect().contains(spot), f"{widget.accessibleName()} is out of sight"
        waited(widget)
        handle = self.window.windowHandle()
        QTest.touchEvent(handle, self.screen).press(finger, spot, handle)
        QApplication.processEvents()
        return spot

    def lift(self, spot: QPoint, *, finger: int = 0) -> None:
        handle = self.window.windowHandle()
        QTest.touchEvent(handle, self.screen).release(finger, spot, handle)
        for _ in range(3):
            QApplication.processEvents()

    def tap(self, widget: QWidget, place: QPoint | None = None) -> None:
        self.lift(self.press(widget, place))

    def tap_named(self, words: str) -> None:
        """Tap the button whose accessible name has these words, pushing it into sight first."""
        found = [
            one
            for one in self.window.findChildren(QAbstractButton)
            if one.isVisible() and one.isEnabled() and words in one.accessibleName()
        ]
        assert found, f'no button "{words}"'
        area = area_around(found[0])
        if area is not None:
            self.push_into_sight(found[0], area)
        self.tap(found[0])

    def push(self, widget: QWidget, place: QPoint, *, up: int) -> None:
        """Put a finger down, move it up by that many pixels (down if negative), and lift it."""
        spot = self.press(widget, place)
        self.move(spot, up=up)
        self.lift(spot - QPoint(0, up))

    def move(self, spot: QPoint, *, up: int) -> None:
        handle = self.window.windowHandle()
        for part in range(1, 5):
            there = spot - QPoint(0, up * part // 4)
            QTest.touchEvent(handle, self.screen).move(0, there, handle)
            QApplication.processEvents()

    def push_into_sight(self, button: QWidget, area: QAbstractScrollArea) -> None:
        """Scroll the area by pushes until the button can be tapped; at most twelve times."""
        view = area.viewport()
        for _ in range(12):
            below = button.mapTo(view, button.rect().center()).y() - view.height()
            if below < 0:
                return
            far = min(view.height() // 2, below + button.height())
            self.push(view, view.rect().center(), up=far)

    def type(self, text: str) -> None:
        """Type letters and signs on the keyboard of the screen."""
        for sign in text:
            self.tap(self.keyboard.key(Special.SPACE if sign == " " else sign))

    def special(self, key: Special) -> None:
        self.tap(self.keyboard.key(key))

    @property
    def keyboard(self) -> Keyboard:
        keyboard = self.window.typing.keyboard
        assert keyboard is not None, "no keyboard is open"
        assert keyboard.isVisible()
        return keyboard


def area_around(widget: QWidget) -> QAbstractScrollArea | None:
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = above.parentWidget()
    return above
