"""A held Enter is one press, also where X11 reports it as released and pressed again."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pos_app.cashier.scanner.decoder import ENTER
from tests.gui.scanner.conftest import Till


class Noting(QWidget):
    """Notes whether each press of a key is its first one."""

    def __init__(self) -> None:
        super().__init__()
        self.first: list[bool] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.first.append(not event.isAutoRepeat())


def test_what_comes_in_the_millisecond_of_its_release_is_held(till: Till) -> None:
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
