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
    QToolButton,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.qt_words import tell_in
from tests.gui.pictures import FIFTEEN, NARROW, Shape, look_of, styled


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


def test_what_qt_says_itself_is_in_the_till_s_words(qtbot: QtBot, folder: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    tell_in(Texts(), parent)
    chooser = file_chooser(parent, Texts(), "cat.import")
    chooser.open()
    chooser.findChildren(QLineEdit)[0].setText(str(folder.parent))
    assert chooser.labelText(QFileDialog.DialogLabel.Accept) == "Отвори", "of a folder"
    tips = {one.toolTip() for one in chooser.findChildren(QToolButton)}
    assert tips >= {"Назад", "Напред", "Место изнад", "Ново место"}
    chooser.reject()
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("sr-Cyrl", {"Место", "Датотека CSV", "Датотека XLSX", "999 B", "123,5 KB", "34,6 MB"}),
        ("sr-Latn", {"Mesto", "Datoteka CSV", "Datoteka XLSX", "999 B", "123,5 KB", "34,6 MB"}),
        ("en", {"Place", "CSV file", "XLSX file", "999 B", "123,5 KB", "34,6 MB"}),
    ],
)
def test_size_kind_and_day_are_whole_and_in_the_words_of_the_till(
    qtbot: QtBot, folder: Path, language: Language, told: set[str]
) -> None:
    (folder / "Фактуре").mkdir()
    for name, size in (("cene.csv", 999), ("новембар.xlsx", 123_456), ("slika.csv", 34_600_000)):
        (folder / name).write_bytes(bytes(size))
    parent, texts = QWidget(), Texts(language)
    qtbot.addWidget(parent)
    tell_in(texts, parent)
    parent.resize(1024, 768)
    parent.show()
    chooser = file_chooser(parent, texts, "cat.import")
    chooser.setDirectory(str(folder))
    chooser.open()
    table = chooser.findChildren(QTreeView)[0]
    model, root = table.model(), table.rootIndex
    qtbot.waitUntil(lambda: model.rowCount(root()) == 4 and table.isVisible())
    cells = [model.index(row, column, root()) for row in range(4) for column in (1, 2, 3)]
    words = {str(one.data()) for one in cells} - {""}
    days = {one for one in words if one.count(".") == 3 and ":" in one}
    assert days
    assert words - days == told
    for one in cells:
        needed = table.fontMetrics().horizontalAdvance(str(one.data()))
        assert table.visualRect(one).width() > needed + 6, one.data()
    chooser.reject()
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog))


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
