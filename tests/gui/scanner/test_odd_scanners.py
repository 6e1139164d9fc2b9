"""Scanners that type in unusual ways."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier.scanner.decoder import KEYPAD_DIGITS
from tests.gui.scanner.conftest import Till
from tests.gui.scanner.wedge import ALT


def test_a_scan_with_caps_lock_on_is_read_as_it_was_meant(till: Till) -> None:
    line = QLineEdit()
    till.show(line)
    till.keys.caps_lock = True
    till.keys.scan("aBc-12-yZ")
    assert till.codes == ["aBc-12-yZ"]


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


def test_a_pad_scanner(till: Till) -> None:
    line = QLineEdit()
    till.show(line)
    for place in (72, 77, 82, 82, 79):
        till.keys.tap(place, hold=2)
        till.keys.now += 2
    till.keys.tap(96, hold=2)
    assert till.codes == ["86001"]
    assert line.text() == ""
