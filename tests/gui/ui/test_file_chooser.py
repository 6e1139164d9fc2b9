from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QToolButton, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.file_chooser import file_chooser


def test_nothing_is_left_of_a_dialog_that_was_closed(qtbot: QtBot, folder: Path) -> None:
    """A dialog that lived on would watch its folder."""
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


def test_a_file_is_saved_by_that_word(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    chooser = file_chooser(parent, Texts(), "cat.export", saves=True)
    assert chooser.labelText(QFileDialog.DialogLabel.Accept) == "Сачувај"
    assert QCoreApplication.translate("QFileDialog", "&Rename") == "Преименуј"
    assert QCoreApplication.translate("QLineEdit", "&Rename") == "&Rename"
    chooser.deleteLater()
    told = QCoreApplication.translate
    qtbot.waitUntil(lambda: told("QFileDialog", "&Rename") == "&Rename")


def test_what_qt_says_itself_is_in_the_till_s_words(qtbot: QtBot, folder: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    chooser = file_chooser(parent, Texts(), "cat.import")
    chooser.open()
    chooser.findChildren(QLineEdit)[0].setText(str(folder.parent))
    assert chooser.labelText(QFileDialog.DialogLabel.Accept) == "Отвори", "of a folder"
    tips = {one.toolTip() for one in chooser.findChildren(QToolButton)}
    assert tips >= {"Назад", "Напред", "Место изнад", "Ново место"}
    chooser.reject()
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog))
