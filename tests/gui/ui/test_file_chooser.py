from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.file_chooser import file_chooser
from tests.gui.pictures import FIFTEEN, NARROW, Shape, look_of, styled


@pytest.mark.parametrize(
    ("named", "saved"),
    [
        ("novembar", "novembar.xlsx"),
        ("30.11.2026.", "30.11.2026.xlsx"),
        ("do 30.11.2026", "do 30.11.2026.xlsx"),
        ("novembar.XLSX", "novembar.XLSX"),
        ("novembar.csv", "novembar.csv"),
    ],
)
def test_a_typed_name_gets_its_ending_also_where_it_has_points(
    qtbot: QtBot, folder: Path, named: str, saved: str
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    chosen: list[str] = []
    chooser = file_chooser(parent, Texts(), "cat.export", saves=True)
    chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
    chooser.setDefaultSuffix("xlsx")
    chooser.fileSelected.connect(chosen.append)
    chooser.setDirectory(str(folder))
    chooser.open()
    field = chooser.findChildren(QLineEdit)[0]
    field.setText(named)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog))
    assert chosen == [str(folder / saved)]


@pytest.mark.parametrize("shape", [NARROW, FIFTEEN], ids=lambda one: one.name)
@pytest.mark.parametrize("saves", [True, False])
def test_each_part_of_the_dialog_is_as_large_as_a_finger(
    qapp: QApplication, qtbot: QtBot, folder: Path, shape: Shape, *, saves: bool
) -> None:
    (folder / "cene.csv").write_bytes(b"")
    with styled(qapp, look_of(shape)) as theme:
        parent = QWidget()
        qtbot.addWidget(parent)
        parent.resize(shape.width, shape.height)
        parent.show()
        chooser = file_chooser(parent, Texts(), "cat.import", saves=saves)
        chooser.setDirectory(str(folder))
        chooser.open()
        table, finger = chooser.findChildren(QTreeView)[0], theme.metrics.touch
        files = table.model()
        qtbot.waitUntil(lambda: files.rowCount(table.rootIndex()) == 1 and table.isVisible())
        kinds = (QAbstractButton, QComboBox, QLineEdit)
        pressed = [one for kind in kinds for one in chooser.findChildren(kind) if one.isVisible()]
        assert len(pressed) > 6
        assert [one for one in pressed if min(one.width(), one.height()) < finger] == []
        row = table.visualRect(files.index(0, 0, table.rootIndex()))
        assert min(row.height(), table.header().height()) >= finger
        assert chooser.width() <= parent.width()
        assert chooser.height() <= parent.height()
        chooser.reject()
        qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog))
