"""A button that appeared by itself takes no key and no finger before anybody can have seen it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import appeared
from pos_app.cashier.ui.buttons import BigButton, Button, ButtonKind
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.press_guard import PressGuard
from pos_app.cashier.ui.press_part import REST_MS
from pos_app.cashier.ui.theme import Theme

K = Qt.Key
AWAY = 40
"""Milliseconds after which a work ends, longer than the rounds of a press."""


class Page(Ground):
    """A page with a button that begins, and a question that an answer brings. Enter, a letter and
    an F-key press the question's yes, as a screen does that has its keys itself."""

    KEYS = (K.Key_Return, K.Key_A, K.Key_F12)

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        super().__init__(theme)
        self.pressed: list[str] = []
        self.resize(600, 400)
        self.row = QHBoxLayout(self)
        self.begin = Button(theme, "Почни")
        self.row.addWidget(self.begin)
        self.yes: Button | BigButton | None = None
        qtbot.addWidget(self)
        self.show()
        qtbot.waitExposed(self)
        self.activateWindow()
        qtbot.waitUntil(self.isActiveWindow)
        PressGuard(self).watch(48)
        self.begin.setFocus()
        qtbot.wait(20)

    def ask(self, yes: Button | BigButton) -> None:
        self.yes = yes
        yes.rests_when_it_comes = True
        yes.clicked.connect(lambda: self.pressed.append(yes.accessibleName()))
        self.row.addWidget(yes)

    def keyPressEvent(self, event: object) -> None:
        if self.yes is not None and self.yes.isEnabled() and event.key() in self.KEYS:  # type: ignore[attr-defined]
            self.yes.click()


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, in_real_time: None) -> Page:
    return Page(theme, qtbot)


def _strike(page: QWidget, key: Qt.Key, sign: str = "") -> None:
    QTest.sendKeyEvent(
        QTest.KeyAction.Click, page.windowHandle(), key, sign, Qt.KeyboardModifier.NoModifier
    )


def _tap(page: QWidget, button: QWidget) -> None:
    spot = button.mapTo(page, button.rect().center())
    QTest.mouseClick(
        page.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot
    )


def _enter(page: Page) -> None:
    _strike(page, K.Key_Return, "\r")


def _letter(page: Page) -> None:
    _strike(page, K.Key_A, "a")


def _f12(page: Page) -> None:
    _strike(page, K.Key_F12)


def _space(page: Page) -> None:
    assert page.yes is not None
    page.yes.setFocus()
    _strike(page, K.Key_Space, " ")


def _finger(page: Page) -> None:
    assert page.yes is not None
    _tap(page, page.yes)


WAYS = pytest.mark.parametrize(
    ("cap", "press"),
    [("Enter", _enter), ("", _enter), ("A", _letter), ("F12", _f12), ("", _space), ("", _finger)],
)


@WAYS
def test_a_question_that_an_answer_brings_rests(
    page: Page, qtbot: QtBot, theme: Theme, cap: str, press: Callable[[Page], None]
) -> None:
    _strike(page, K.Key_F5)
    qtbot.wait(AWAY)  # the work of the key ends
    page.ask(Button(theme, "Увези", key=cap, kind=ButtonKind.FILLED))
    qtbot.wait(AWAY)
    press(page)
    qtbot.wait(200)
    press(page)
    assert page.pressed == []
    qtbot.wait(REST_MS + AWAY)
    press(page)
    assert page.pressed == ["Увези"]


@pytest.mark.parametrize(
    ("cap", "press"),
    [("Enter", _enter), ("", _enter), ("A", _letter), ("F12", _f12), ("", _finger)],
)
def test_what_a_press_brings_is_pressed_at_once(
    page: Page, qtbot: QtBot, theme: Theme, cap: str, press: Callable[[Page], None]
) -> None:
    """A layout shows a new widget only when the press is over."""
    page.begin.clicked.connect(
        lambda: page.ask(Button(theme, "Увези", key=cap, kind=ButtonKind.FILLED))
    )
    if press is _finger:
        _strike(page, K.Key_Space, " ")
    else:
        _tap(page, page.begin)
    qtbot.wait(10)
    press(page)
    assert page.pressed == ["Увези"]


def test_what_a_scan_brings_is_pressed_at_once(page: Page, qtbot: QtBot, theme: Theme) -> None:
    appeared.hand.begin()
    page.ask(Button(theme, "Плати", key="F12", kind=ButtonKind.FILLED))
    qtbot.wait(10)
    _f12(page)
    assert page.pressed == ["Плати"]


def test_a_button_that_stood_there_and_is_allowed_acts_at_once(
    page: Page, qtbot: QtBot, theme: Theme
) -> None:
    """Those of the sale are allowed and renamed after each scan."""
    page.ask(Button(theme, "Плати", key="Enter", kind=ButtonKind.FILLED))
    assert isinstance(page.yes, Button)
    page.yes.refuse("празна корпа")
    qtbot.wait(REST_MS + AWAY)
    page.yes.allow()
    page.yes.set_words("Плати 58,99")
    _enter(page)
    assert page.pressed == ["Плати 58,99"]


def test_a_button_that_got_the_focus_by_itself_rests(
    page: Page, qtbot: QtBot, theme: Theme
) -> None:
    """Qt gives the focus of a button that is disabled to the next one."""
    other = Button(theme, "Нови артикал")
    other.rests_when_it_comes = True
    other.clicked.connect(lambda: page.pressed.append("Нови артикал"))
    page.row.addWidget(other)
    qtbot.wait(REST_MS + AWAY)
    page.begin.setEnabled(False)
    assert other.hasFocus()
    qtbot.wait(AWAY)
    _strike(page, K.Key_Space, " ")
    assert page.pressed == []
    qtbot.wait(REST_MS + AWAY)
    _strike(page, K.Key_Space, " ")
    assert page.pressed == ["Нови артикал"]


def test_a_button_that_is_only_made_anew_is_pressed_at_once(
    page: Page, qtbot: QtBot, theme: Theme
) -> None:
    page.ask(Button(theme, "Увези", key="Enter", kind=ButtonKind.FILLED))
    qtbot.wait(REST_MS + AWAY)
    old = page.yes
    assert old is not None
    page.ask(Button(theme, "Увези", key="Enter", kind=ButtonKind.FILLED))
    page.row.removeWidget(old)
    old.hide()
    old.deleteLater()
    qtbot.wait(10)
    _enter(page)
    assert page.pressed == ["Увези"]


def test_an_enter_that_waited_while_a_long_page_was_made_is_none(
    page: Page, qtbot: QtBot, theme: Theme
) -> None:
    """The rest begins when the page can be seen, not when the making of it began."""

    def answer() -> None:
        page.ask(Button(theme, "Увези", key="Enter", kind=ButtonKind.FILLED))
        assert page.yes is not None
        page.yes.show()
        QTest.qSleep(REST_MS + AWAY)

    QTimer.singleShot(AWAY, answer)
    qtbot.waitUntil(lambda: page.yes is not None)
    _enter(page)
    qtbot.wait(AWAY)
    _enter(page)
    assert page.pressed == []
