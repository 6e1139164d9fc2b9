"""Qt's own words are the till's, in each language: its file dialog and its
questions, and a field's menu."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.qt_words import CONTEXTS
from tests.gui.window.hands import Hands

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ENGLISH = re.compile(r"[A-Za-z]{2,}")
KEYS = re.compile(r"\t.*|(Alt|Ctrl|Shift)\+\w+")
"""A menu tells keys beside its words, as they are printed on keyboards."""
NEVER = {
    "About Qt", "Apply", "Abort", "Close without Saving", "Discard", "False", "Help",
    "Hide Details...", "Ignore", "N&o to All", "Reset", "Restore Defaults", "Retry", "Save All",
    "Show Details...", "True", "Yes to &All",
}  # fmt: skip
"""Words of buttons, questions and cells that the till does not use."""


NO_WORDS = 0xFFFFFFFF


def told_by_qt() -> Iterator[tuple[str, str]]:
    """Each class with each text of Qt's, as Qt's translations list them."""
    places = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    content = (places / "qtbase_hr.qm").read_bytes()
    at, messages = 16, b""
    while at < len(content):
        section, length = struct.unpack_from(">BI", content, at)
        messages = content[at + 5 : at + 5 + length] if section == 0x69 else messages
        at += 5 + length
    at, context, source = 0, "", ""
    while at < len(messages):
        part, at = messages[at], at + 1
        if part == 1:
            yield context, source
            continue
        length = struct.unpack_from(">I", messages, at)[0] if part != 5 else 0
        length = 0 if length == NO_WORDS else length
        words = messages[at + 4 : at + 4 + length]
        at += 4 + length
        match part:
            case 6:
                source = words.decode()
            case 7:
                context = words.decode()


def test_qt_says_nothing_in_english_in_a_serbian_window(hands: Hands) -> None:
    seen = {
        (context, source)
        for context, source in told_by_qt()
        if context in CONTEXTS and source not in NEVER
    }
    assert {context for context, _ in seen} == CONTEXTS
    english = [
        (context, source, told)
        for context, source in sorted(seen)
        if ENGLISH.search(
            KEYS.sub("", told := QCoreApplication.translate(context, source)).replace("%1", "")
        )
        and "<h3>" not in source
    ]
    assert english == []
    cyrillic = {source: QCoreApplication.translate(context, source) for context, source in seen}
    hands.window.change(language="sr-Latn")
    assert QCoreApplication.translate("QLineEdit", "&Copy") == "Kopiraj"
    hands.window.change(language="en")
    assert QCoreApplication.translate("QLineEdit", "&Copy") == "Copy"
    assert QCoreApplication.translate("QFileDialog", "Forward") == "Forward"
    hands.window.change(language="sr-Cyrl")
    assert all(QCoreApplication.translate("QFileDialog", one) for one in cyrillic)


def words_of(window: QWidget) -> list[str]:
    """The words that a window of Qt's shows."""
    told = [window.windowTitle()]
    for one in window.findChildren(QWidget):
        if isinstance(one, QLabel):
            told.append(one.text())
        if isinstance(one, QDialogButtonBox):
            told += [button.text() for button in one.buttons()]
    if isinstance(window, QMessageBox):
        told.append(window.text())
    return [KEYS.sub("", word).replace("&", "") for word in told if word]


def in_the_loop_of(act: Callable[[], object], look: Callable[[], bool]) -> None:
    """Do what runs a loop of Qt's own, in which `look` is called until it has seen its window."""
    timer = QTimer()
    timer.setInterval(20)
    timer.timeout.connect(lambda: timer.stop() if look() else None)
    timer.start()
    act()
    assert not timer.isActive(), "it never opened"


def test_the_questions_and_menus_of_files_and_of_a_field_are_in_the_till_s_words(
    hands: Hands, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "999.csv").touch()
    chooser = file_chooser(hands.window, hands.window.texts, "cat.import")
    chooser.setDirectory(str(tmp_path))
    chooser.open()
    table = chooser.findChildren(QTreeView)[0]
    qtbot.waitUntil(lambda: table.model().rowCount(table.rootIndex()) > 0)
    (name,) = chooser.findChildren(QLineEdit, "fileNameEdit")
    first = table.model().index(0, 0, table.rootIndex())
    told = [*menu_of(table.viewport(), table.visualRect(first).center()), *menu_of(name)]
    assert {"Преименуј", "Обриши", "Прикажи скривене датотеке", "Налепи"} <= set(told)
    chooser.reject()
    qtbot.waitUntil(lambda: not hands.window.findChildren(QFileDialog))
    chooser = file_chooser(hands.window, hands.window.texts, "set.diag.folder", folder=True)
    chooser.setDirectory(str(tmp_path))
    chooser.open()
    (name,) = chooser.findChildren(QLineEdit, "fileNameEdit")
    name.setText("777")  # there is no such place

    def look() -> bool:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            return False
        told.extend([box.text(), *words_of(box)])
        box.accept()
        return True

    in_the_loop_of(chooser.accept, look)
    assert "У реду" in told
    assert [one for one in told if ENGLISH.search(one)] == []
    chooser.reject()
    qtbot.waitUntil(lambda: not hands.window.findChildren(QFileDialog))
    hands.press("F2")
    search = hands.window.focusWidget()
    assert search is not None
    assert menu_of(search) == [
        "Опозови", "Понови", "Исеци", "Копирај", "Налепи", "Обриши", "Изабери све",
    ]  # fmt: skip


def menu_of(place: QWidget, spot: QPoint | None = None) -> list[str]:
    """Press the right button there, and close the menu that opens."""
    told: list[str] = []

    def look() -> bool:
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu):
            return False
        told.extend(KEYS.sub("", one.text()).replace("&", "") for one in menu.actions())
        menu.close()
        return True

    def press() -> None:
        window = place.window().windowHandle()
        pressed = place.mapTo(place.window(), spot or place.rect().center())
        QTest.mouseClick(window, Qt.MouseButton.RightButton, pos=pressed)
        QTest.qWait(200)

    in_the_loop_of(press, look)
    return [one for one in told if one]
