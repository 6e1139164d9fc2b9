"""The guard of a window: what comes to lie under a pointer that was just pressed takes no press."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import press_guard
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown, Option
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.press_guard import PressGuard
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.floating import open_menus
from tests.gui.taps import SlowHand, moment, send_pointer, strike, tap, tap_twice
from tests.sweep import each

NEAR = 48
PRESS, RELEASE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease


class Page(Ground):
    """Two buttons; the second lies under the first."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        super().__init__(theme)
        self.pressed: list[str] = []
        self.resize(600, 400)
        self.below, self.above = Button(theme, "Плати", parent=self), Button(theme, "Унеси")
        self.above.setParent(self)
        for button in (self.below, self.above):
            button.setGeometry(100, 100, 300, 100)
            button.clicked.connect(lambda _=False, one=button: self._press(one))
        self.below.hide()
        qtbot.addWidget(self)
        self.show()
        qtbot.waitExposed(self)
        self.activateWindow()
        PressGuard(self).watch(NEAR)

    def _press(self, button: Button) -> None:
        self.pressed.append(button.accessibleName())

    def swap(self) -> None:
        self.above.hide()
        self.below.show()


SPOT = QPoint(250, 150)


def _swapping(theme: Theme, qtbot: QtBot) -> Page:
    page = Page(theme, qtbot)
    page.above.clicked.connect(page.swap)
    return page


@each(
    ("apart", "first", "second", "takes"),
    [
        (80, SPOT, SPOT, False),
        (399, SPOT, SPOT, False),
        (440, SPOT, SPOT, True),  # the first was let go 30 ms after its press
        (200, SPOT, QPoint(390, 190), False),  # elsewhere on the button that was there
        (200, QPoint(250, 110), QPoint(250, 90), False),  # beside that button
    ],
)
def test_what_appears_takes_no_second_press(
    qtbot: QtBot, theme: Theme, apart: int, first: QPoint, second: QPoint, takes: bool
) -> None:
    page = _swapping(theme, qtbot)
    page.below.setGeometry(100, 50, 300, 200)
    tap_twice(page, first, apart=apart, second=second)
    assert page.pressed == (["Унеси", "Плати"] if takes else ["Унеси"])


def test_a_press_whose_button_changed_meanwhile_is_none(qtbot: QtBot, theme: Theme) -> None:
    page, at = Page(theme, qtbot), moment()
    send_pointer(page, SPOT, PRESS, at=at)
    page.above.set_words("Издај")
    send_pointer(page, SPOT, RELEASE, at=at + 900)
    assert page.pressed == []
    assert not page.above.isDown()
    tap(page, SPOT, at=at + 2000)
    assert page.pressed == ["Издај"]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_lies_below_an_entry_takes_no_press(qtbot: QtBot, theme: Theme) -> None:
    page = Page(theme, qtbot)
    choice = DropDown(theme, name="Дан")
    choice.setParent(page)
    choice.setGeometry(100, 20, 300, 48)
    choice.set_options([Option(one, one) for one in ("први", "други", "трећи")])
    choice.show()
    choice.click()
    (menu,) = open_menus()
    spot = page.mapFromGlobal(menu.mapToGlobal(menu.actionGeometry(menu.actions()[2]).center()))
    tap_twice(page, spot, apart=150)
    assert choice.current() == "трећи"
    assert page.pressed == []


def _button(page: Page) -> QWidget:
    page.above.setFocus()
    return page.above


def _field(page: Page) -> QWidget:
    field = QLineEdit(page)
    field.show()
    field.setFocus()
    return field


@each(
    ("focus", "key", "text", "acts"),
    [
        (_button, Qt.Key.Key_Space, " ", 1),
        (_field, Qt.Key.Key_5, "5", 3),
        (_field, Qt.Key.Key_A, "a", 3),
        (_field, Qt.Key.Key_Space, " ", 3),
    ],
)
def test_a_key_struck_three_times(
    qtbot: QtBot, theme: Theme, focus: Callable[[Page], QWidget], key: Qt.Key, text: str, acts: int
) -> None:
    page, at = Page(theme, qtbot), moment()
    qtbot.waitUntil(page.isActiveWindow)
    where = focus(page)
    for number in range(3):
        strike(page, key, text, at=at + 100 * number)
    typed = where.text() if isinstance(where, QLineEdit) else ""
    assert len(page.pressed) + len(typed) == acts
    if not typed:  # a key after another one is meant
        strike(page, Qt.Key.Key_F2, at=at + 300)
        strike(page, key, text, at=at + 400)
        assert len(page.pressed) == acts + 1


def test_the_last_sign_of_a_field_ends_the_repeats_of_delete(qtbot: QtBot, theme: Theme) -> None:
    """An empty field leaves the key to the window, where it removes a row."""
    page, at = Page(theme, qtbot), moment()
    qtbot.waitUntil(page.isActiveWindow)
    field = _field(page)
    assert isinstance(field, QLineEdit)
    field.setText("57")
    field.setCursorPosition(0)
    heard: list[int] = []
    page.keyPressEvent = lambda event: heard.append(event.key())  # type: ignore[method-assign]
    for number in range(5):
        strike(page, Qt.Key.Key_Delete, at=at + 60 * number, is_repeat=number > 0)
    assert field.text() == ""
    assert heard == []


@each("is_held", [True, False])
@each(("key", "text"), [(Qt.Key.Key_B, "b"), (Qt.Key.Key_Space, " "), (Qt.Key.Key_Delete, "")])
def test_a_key_that_led_to_a_field_does_nothing_there_while_it_repeats(
    qtbot: QtBot, theme: Theme, key: Qt.Key, text: str, is_held: bool
) -> None:
    page, at = Page(theme, qtbot), moment()
    qtbot.waitUntil(page.isActiveWindow)
    field = _field(page)
    assert isinstance(field, QLineEdit)
    field.setText("57")
    page.above.setFocus()

    def lead(event: QKeyEvent) -> None:
        field.setFocus()
        field.setCursorPosition(0)

    page.above.keyPressEvent = lead  # type: ignore[method-assign]
    for number in range(6):
        strike(page, key, text, at=at + 90 * number, is_repeat=is_held and number > 0)
    assert field.hasFocus()
    assert field.text() == "57"


def test_the_first_digits_of_an_amount_may_be_alike(qtbot: QtBot, theme: Theme) -> None:
    """The first one leads to the field and is typed there; the second one is meant too."""
    page, at = Page(theme, qtbot), moment()
    qtbot.waitUntil(page.isActiveWindow)
    field = _field(page)
    assert isinstance(field, QLineEdit)
    page.above.setFocus()

    def lead(event: QKeyEvent) -> None:
        field.setFocus()
        field.insert(event.text())

    page.above.keyPressEvent = lead  # type: ignore[method-assign]
    for number in range(3):
        strike(page, Qt.Key.Key_5, "5", at=at + 90 * number)
    assert field.text() == "555"


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> SlowHand:
    """A hand that strikes a key every 100 ms, however long the test takes."""
    fast = SlowHand(pause=100)
    monkeypatch.setattr(press_guard, "stamp_of", fast.stamp_of)
    return fast


def _hearing(theme: Theme, qtbot: QtBot) -> tuple[Page, list[int]]:
    page, heard = Page(theme, qtbot), list[int]()
    qtbot.waitUntil(page.isActiveWindow)
    page.keyPressEvent = lambda event: heard.append(event.key())  # type: ignore[method-assign]
    return page, heard


def _strike(page: Page, key: Qt.Key | str) -> None:
    """Strike a key as a platform sends it: to an open list or menu, else to the dialog."""
    above = QApplication.activePopupWidget() or QApplication.activeModalWidget() or page
    QTest.keyClick(above.windowHandle(), key)  # type: ignore[arg-type]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_enter_twice_over_the_names_that_a_file_dialog_offers(
    qtbot: QtBot, theme: Theme, folder: Path, hand: SlowHand
) -> None:
    """The names are a window of their own, to which Qt sends the keys that are typed."""
    (folder / "cene-leto.csv").write_text("", encoding="utf-8")
    page, heard = _hearing(theme, qtbot)
    chooser = file_chooser(page, Texts(), "cat.import")
    chosen: list[str] = []
    chooser.fileSelected.connect(chosen.append)
    chooser.setDirectory(str(folder))
    chooser.open()
    qtbot.waitUntil(chooser.isActiveWindow)
    field = chooser.findChildren(QLineEdit)[0]
    for letter in f"{folder}/c":
        _strike(page, letter)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    for letter in "ene-leto.csv":
        _strike(page, letter)
    assert field.text() == f"{folder}/cene-leto.csv"
    _strike(page, "v")
    assert field.text().endswith(".csvv"), "a letter may be struck twice"
    _strike(page, Qt.Key.Key_Backspace)
    assert QApplication.activePopupWidget() is not None
    _strike(page, Qt.Key.Key_Return)
    page.activateWindow()  # the offscreen platform does not
    qtbot.waitUntil(page.isActiveWindow)
    _strike(page, Qt.Key.Key_Return)
    assert (chosen, heard) == ([f"{folder}/cene-leto.csv"], [])
    hand.pause = 500
    _strike(page, Qt.Key.Key_Return)
    assert heard == [Qt.Key.Key_Return]
    qtbot.waitUntil(lambda: not page.findChildren(QFileDialog))
