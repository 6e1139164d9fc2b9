"""The list is written into a sheet: the real key, menu and file, read back."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from tests.gui.parts import in_front, lines_of
from tests.gui.window.real_till import RealTill

BREAD = "8609910700134"


def _entry(words: str) -> QAction:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return next(one for one in menu.actions() if one.text() == words)


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
async def test_the_pdf_of_a_receipt_and_a_row_for_each_item(real: RealTill, tmp_path: Path) -> None:
    file = tmp_path / "racuni.csv"
    async with real.at_work():
        await real.sold(BREAD)
        await real.sold(BREAD, BREAD)
        await real.press("F7")
        screen = in_front(real.hands.window.frame, "receipts.title")
        await real.until(lambda: screen.side.rows.rowCount() == 2)
        await _pdf_is_saved_where_somebody_says(real, tmp_path)
        key = screen.side.filters.export_button
        await real.by_hand(QTest.mouseClick, key, Qt.MouseButton.LeftButton)
        await real.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        await real.by_hand(_entry("Ред за сваку ставку").trigger)
        await real.until(lambda: bool(real.hands.window.findChildren(QFileDialog)))
        chooser = real.hands.window.findChildren(QFileDialog)[0]
        await real.by_hand(chooser.fileSelected.emit, str(file))
        chooser.close()
        await real.until(file.exists)
        await real.until(lambda: screen.room.exporting.came is not None)
        rows = list(csv.reader(file.read_text(encoding="utf-8-sig").splitlines(), delimiter=";"))
        assert len(rows) == 3
        assert [row[9] for row in rows[1:]] == ["Хлеб бели Сава 500 g/ком"] * 2
        await real.tap_words("У реду")
        await real.until(lambda: screen.room.exporting.came is None)


async def _pdf_is_saved_where_somebody_says(real: RealTill, tmp_path: Path) -> None:
    file, nowhere = tmp_path / "racun.pdf", tmp_path / "none" / "racun.pdf"
    sale = real.last()
    screen = in_front(real.hands.window.frame, "receipts.title")
    await real.until(lambda: screen.model.can_act and screen.model.opened is not None)
    for target, told in ((file, "Сачувано"), (nowhere, "не може")):
        await real.type("d")
        await real.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert menu.activeAction().text() == "Отвори"
        await real.by_hand(QTest.keyClick, menu, Qt.Key.Key_Down)
        await real.by_hand(QTest.keyClick, menu, Qt.Key.Key_Return)
        await real.until(lambda: bool(real.hands.window.findChildren(QFileDialog)))
        chooser = real.hands.window.findChildren(QFileDialog)[0]
        assert sale.receipt is not None
        assert sale.receipt.fiscal_number in chooser.selectedFiles()[0]
        await real.by_hand(chooser.fileSelected.emit, str(target))
        chooser.close()
        await real.until(lambda: told in " ".join(lines_of(screen.opened)))  # noqa: B023
        await real.until(lambda: not real.hands.window.findChildren(QFileDialog))
    assert file.read_bytes().startswith(b"%PDF-")
    assert not nowhere.parent.exists()
