"""A cashier's typing arrives as it was typed."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from pos_app.cashier.scanner.decoder import ENTER
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.file_chooser import file_chooser
from tests.gui.scanner import wedge
from tests.gui.scanner.conftest import Till, Until

EAN, EAN_PROVED = "8600123456789", "8609910700134"


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("us", "Bread 2*0.412, yz/-+"),
        ("rs-latin", "Žuti čaj? šđ 2*0,412 yz-"),
        ("rs-cyrillic", "Љута Њива 2*0,412 џѕ-"),
    ],
)
def test_typing_arrives_unchanged(till: Till, layout: wedge.LayoutName, text: str) -> None:
    line = QLineEdit()
    till.show(line)
    till.keys.layout = layout
    for gap in (400, 130, 80, 45):
        line.clear()
        till.keys.type(text, gap=gap)
        till.decide()
        assert line.text() == text, gap
    QTest.keyClicks(line, EAN)  # keys sent straight to a widget are not looked at
    assert line.text() == text + EAN
    assert till.codes == []


async def test_the_decision_comes_by_itself_after_the_gap(till: Till, until: Until) -> None:
    line = QLineEdit()
    till.show(line)
    started = time.monotonic()
    till.keys.press(2)
    await until(line.text)
    assert time.monotonic() - started >= 0.035
    assert till.filter.findChild(QTimer).interval() == 40
    till.keys.scan(EAN, suffix="none")
    await until(lambda: till.codes == [EAN])
    assert line.text() == "1"


async def test_keys_that_were_in_time_are_believed_after_a_stall(till: Till, until: Until) -> None:
    """The loop stands still in the middle of a scan: the timer is due before the keys."""
    line = QLineEdit()
    till.show(line)
    till.keys.scan(EAN[:6], suffix="none")
    stalled_until = time.monotonic() + 0.2
    while time.monotonic() < stalled_until:
        _work()
    asyncio.get_running_loop().call_soon(till.keys.scan, EAN[6:])
    await until(lambda: till.codes)
    assert till.codes == [EAN]
    assert line.text() == ""


def _work() -> int:
    return sum(range(1000))


def test_a_quick_key_after_one_that_opens_a_question_goes_to_the_question(till: Till) -> None:
    """The platform moves the focus later than Qt opens the dialog; the key is not lost."""
    till.show(QPushButton("x"))
    dialog = QDialog(till.window)
    answer = QLineEdit(dialog)
    answer.setFocus()
    QShortcut("3", till.window, dialog.open)
    till.keys.type("34", gap=25)
    till.keys.type("\r", gap=25)
    seen = answer.text()
    dialog.close()
    assert seen == "4"


@pytest.mark.parametrize("suffix", ["none", "enter"])
@pytest.mark.parametrize("secret", ["wrongpwDEV123", "4711", "12345678"])
def test_a_secret_that_comes_at_a_scanner_s_pace_is_told_nowhere(
    till: Till, secret: str, suffix: str
) -> None:
    """A password manager types it, or a busy machine's queue releases it."""
    line = QLineEdit()
    line.setEchoMode(QLineEdit.EchoMode.Password)
    till.show(line)
    for _ in range(2):
        line.clear()
        till.keys.scan(secret, suffix=suffix)
        till.decide()
        assert line.text() == secret
    assert (till.codes, till.misread) == ([], [])
    till.keys.scan(EAN_PROVED)
    till.decide()
    assert (line.text(), till.codes) == (secret, [EAN_PROVED])


@pytest.mark.parametrize("is_known", [True, False])
def test_a_path_that_is_typed_into_the_dialog_of_files_is_typed(
    till: Till, folder: Path, qtbot: QtBot, *, is_known: bool
) -> None:
    """A program or a remote desktop types as fast as a scanner, or a busy machine bunches its keys.
    An Enter at a scanner's pace presses nothing there, and a code that proves itself is a scan.
    is_known: the suffix of the scanner was seen before."""
    path = folder / "cene-novembar.csv"
    path.write_text("")
    till.show(QLineEdit())
    if is_known:
        till.keys.scan(EAN_PROVED)
        till.codes.clear()
    chooser = file_chooser(till.window, Texts(), "cat.import")
    chosen: list[str] = []
    chooser.fileSelected.connect(chosen.append)
    chooser.open()
    chooser.activateWindow()
    line = chooser.findChildren(QLineEdit)[0]
    line.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is line)
    for bunched, hold, others in ((2, 4, 60), (15, 17, 15)):
        line.clear()
        till.keys.now += 2_000
        for number, char in enumerate(str(path)):
            till.keys.now += bunched if number % 6 in (3, 4, 5) else others
            place, shift = wedge.us_key(char)
            if shift:
                till.keys.press(wedge.SHIFT)
            till.keys.tap(place, hold=hold)
            if shift:
                till.keys.release(wedge.SHIFT)
        till.keys.now += 300
        till.keys.tap(ENTER)
        till.decide()
        assert (line.text(), chosen) == (str(path), [])
        assert (till.codes, till.misread) == ([], [])
    till.keys.now += 1_000
    till.keys.scan("lot-17")
    assert (line.text(), chosen) == (f"{path}lot-17", [])
    line.setText(str(path))
    till.keys.scan(EAN_PROVED)
    assert (line.text(), till.codes, chosen) == (str(path), [EAN_PROVED], [])
    till.keys.now += 1_000
    till.keys.tap(ENTER)
    assert chosen == [str(path)]
    qtbot.waitUntil(lambda: not till.window.findChildren(QFileDialog))
