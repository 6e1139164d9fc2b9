"""Scanners that type in unusual ways, and a held Enter."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from pos_app.cashier.scanner.decoder import ENTER, KEYPAD_DIGITS
from tests.gui.scanner.conftest import Till
from tests.gui.scanner.wedge import ALT


def test_control_codes_of_a_scanner(till: Till) -> None:
    """The group separator belongs to the code; a line feed after the Enter is ignored."""
    line = QLineEdit("било")
    till.show(line)
    fired: list[str] = []
    for keys in ("Ctrl+J", "Ctrl+M", "Ctrl+]"):
        QShortcut(keys, till.window, lambda keys=keys: fired.append(keys))
    till.keys.scan("0109506\x1d21AB\r\n", suffix="none")
    assert till.codes == ["0109506\x1d21AB"]
    assert (line.text(), fired) == ("било", [])


@pytest.mark.parametrize("suffix", ["enter", "none"])
def test_a_scanner_that_types_alt_and_numbers(till: Till, suffix: str) -> None:
    """Alt with a digit of the pad chooses a payment method, but not when a scanner types it."""
    line = QLineEdit("било")
    till.show(line)
    fired: list[int] = []
    QShortcut("Alt+5", till.window, lambda: fired.append(5))
    pad = {digit: place for place, digit in KEYPAD_DIGITS.items()}
    for number in ("054", "056", "051", "065"):
        till.keys.press(ALT)
        for digit in number:
            till.keys.tap(pad[digit], hold=1)
        till.keys.release(ALT)
    till.keys.scan("", suffix=suffix)
    till.decide()
    assert till.codes == ["683A"]
    assert (line.text(), fired) == ("било", [])
    till.keys.press(ALT)
    till.keys.press(pad["5"])
    till.decide()
    assert fired == [5]


class Noting(QWidget):
    """Notes whether each press of a key is its first one."""

    def __init__(self) -> None:
        super().__init__()
        self.first: list[bool] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.first.append(not event.isAutoRepeat())


def test_what_comes_in_the_millisecond_of_its_release_is_held(till: Till) -> None:
    """X11 reports a held key as released and pressed again."""
    noting = Noting()
    till.show(noting)
    till.keys.press(ENTER)
    for _ in range(3):
        till.keys.now += 40
        till.keys.release(ENTER)
        till.keys.press(ENTER)
    till.keys.now += 40
    till.keys.release(ENTER)
    till.keys.now += 90
    till.keys.tap(ENTER)
    assert noting.first == [True, False, False, False, True]


def test_a_scan_with_caps_lock_on_and_one_on_the_pad_are_read_as_they_were_meant(
    till: Till,
) -> None:
    line = QLineEdit()
    till.show(line)
    till.keys.caps_lock = True
    till.keys.scan("aBc-12-yZ")
    till.keys.caps_lock = False
    till.keys.now += 500
    for place in (72, 77, 82, 82, 79):
        till.keys.tap(place, hold=2)
        till.keys.now += 2
    till.keys.tap(96, hold=2)
    assert till.codes == ["aBc-12-yZ", "86001"]
    assert line.text() == ""
