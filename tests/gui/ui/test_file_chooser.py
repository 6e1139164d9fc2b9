"""The dialog in which files are chosen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.file_chooser import file_chooser


def test_nothing_is_left_of_a_dialog_that_was_closed(qtbot: QtBot, folder: Path) -> None:
    """A dialog that lives on watches the folder that it showed."""
    (folder / "cene.csv").write_text("", encoding="utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
    chosen: list[str] = []
    for act in (QFileDialog.accept, QFileDialog.reject):
        chooser = file_chooser(parent, Texts(), "cat.import")
        chooser.fileSelected.connect(chosen.append)
        chooser.setDirectory(str(folder))
        chooser.open()
        chooser.selectFile("cene.csv")
        assert chooser.labelText(QFileDialog.DialogLabel.Accept) == "Изабери"
        heads = chooser.findChildren(QTreeView)[0].model()
        told = [heads.headerData(n, Qt.Orientation.Horizontal) for n in range(heads.columnCount())]
        assert told == ["Назив", "Величина", "Врста", "Измењено"]
        act(chooser)
        qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog))
    assert chosen == [str(folder / "cene.csv")]
