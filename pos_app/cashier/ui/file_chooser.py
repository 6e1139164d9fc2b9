"""The dialog in which a person chooses files: the system's own, or Qt's.

Qt's own dialog knows no Serbian: its labels are set here, its other words by qt_words.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import (
    QIdentityProxyModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    QStandardPaths,
    Qt,
)
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFileSystemModel,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QTreeView,
    QWidget,
)

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.press_guard import guard_opened
from pos_app.domain.text.search_text import fold

SHEETS = "CSV, XLSX, ODS, XLS (*.csv *.tsv *.txt *.xlsx *.ods *.xls)"
"""The filter of a chooser of sheets that are read."""


def file_stem(words: str) -> str:
    """A file's name from words of the window's language, in letters that each system and mail
    program takes: "Промене цена" -> "promene-cena"."""
    return fold(words).replace(" ", "-")


def file_chooser(
    parent: QWidget,
    texts: Texts,
    title: str,
    *,
    saves: bool = False,
    many: bool = False,
    folder: bool = False,
) -> QFileDialog:
    """Return a dialog that is to be opened with `open()`. It begins in the person's documents.
    title: the id of its text. saves: the person names a file, which need not exist. folder: the
    person chooses a folder instead of files. A closed dialog is deleted, because it would watch the
    folder that it showed as long as the till is open."""
    labels, modes = QFileDialog.DialogLabel, QFileDialog.FileMode
    chooser = _Chooser(parent, texts, title)
    chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if saves:
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    elif folder:
        chooser.setFileMode(modes.Directory)
        chooser.setOption(QFileDialog.Option.ShowDirsOnly)
    else:
        chooser.setFileMode(modes.ExistingFiles if many else modes.ExistingFile)
    documents = QStandardPaths.StandardLocation.DocumentsLocation
    begin = Path(QStandardPaths.writableLocation(documents))
    chooser.setDirectory(str(begin if begin.is_dir() else Path.home()))
    for label, text_id in (
        (labels.LookIn, "look_in"),
        (labels.FileName, "name"),
        (labels.FileType, "type"),
        (labels.Accept, "keep" if saves else "take"),
        (labels.Reject, "leave"),
    ):
        chooser.setLabelText(label, texts(f"file.{text_id}"))
    chooser.setProxyModel(_Columns(texts, chooser))
    return chooser


class _Chooser(QFileDialog):
    def __init__(self, parent: QWidget, texts: Texts, title: str) -> None:
        super().__init__(parent, texts(title))
        self._longest = ("999,9 MB", texts("file.kind.of", kind="JPEG"), "24.12.2026. 08:00")
        """The longest usual words of the columns behind the name."""

    def showEvent(self, event: QShowEvent) -> None:
        self._widen()
        super().showEvent(event)
        guard_opened(self)

    def accept(self) -> None:
        """Add the ending to a typed name that has none of the offered ones. Qt adds none to a name
        with a point, such as a day; it asks afterwards whether a file of the whole name is to be
        replaced. The system's own dialog does both itself."""
        field, ending = self.findChild(QLineEdit, "fileNameEdit"), self.defaultSuffix()
        if self.acceptMode() is QFileDialog.AcceptMode.AcceptSave and field is not None and ending:
            name, endings = field.text(), _ENDING.findall(" ".join(self.nameFilters()))
            is_folder = Path(self.directory().absoluteFilePath(name)).is_dir()
            has_one = name.casefold().endswith((f".{ending}", *endings))
            if name.strip(". ") and not has_one and not is_folder:
                field.setText(f"{name.rstrip('. ')}.{ending}")
        super().accept()

    def _widen(self) -> None:
        """Give Qt's own dialog the width in which size, kind and day of a file are whole; the name
        has the rest."""
        table, sides = self.findChild(QTreeView, "treeView"), self.findChild(QSplitter, "splitter")
        places_list = sides.widget(0) if sides is not None else None
        if table is None or sides is None or places_list is None:
            return
        width_of, head, air = table.fontMetrics().horizontalAdvance, table.header(), _AIR
        heads = [
            str(table.model().headerData(number, Qt.Orientation.Horizontal))
            for number in range(head.count())
        ]
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for number, longest in enumerate(self._longest, start=1):
            width = max(width_of(longest), width_of(heads[number]) + air) + air
            head.resizeSection(number, width)
        taken = sum(map(head.sectionSize, range(1, head.count())))
        places = places_list.sizeHint().width()
        parent = self.parentWidget()
        room = parent.window().size() if parent is not None else self.screen().availableSize()
        wanted = QSize(places + taken + width_of("0" * 32), round(0.8 * room.height()))
        self.resize(self.size().expandedTo(wanted).boundedTo(room - QSize(2 * air, 2 * air)))
        sides.setSizes([places, self.width() - places])


_ENDING = re.compile(r"\*(\.\w+)")
"""An ending in the words of a filter."""
_AIR = 24
"""The width beside the words of a cell, which in a head holds the arrow of the order too."""


class _Columns(QIdentityProxyModel):
    """The files, with translated column heads, sizes, kinds and days. The system's own dialog does
    not use it."""

    def __init__(self, texts: Texts, parent: QObject) -> None:
        super().__init__(parent)
        self._texts = texts
        self._heads = [texts(f"file.column.{one}") for one in ("name", "size", "type", "changed")]

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        is_head = orientation is Qt.Orientation.Horizontal and section < len(self._heads)
        if is_head and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if is_head and role == Qt.ItemDataRole.TextAlignmentRole:  # Qt writes it at the upper edge
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return super().headerData(section, orientation, role)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        files = self.sourceModel()
        is_told = role == Qt.ItemDataRole.DisplayRole and index.column() in (1, 2, 3)
        if not is_told or not isinstance(files, QFileSystemModel):
            return super().data(index, role)
        file = files.fileInfo(self.mapToSource(index))
        match index.column():
            case 1:
                return "" if file.isDir() else size_text(file.size())
            case 2:
                if file.isDir():
                    return self._texts("file.kind.folder")
                kind = file.suffix().upper()
                return (
                    self._texts("file.kind.of", kind=kind)
                    if kind
                    else self._texts("file.kind.file")
                )
            case _:
                return file.lastModified().toString("d.M.yyyy. HH:mm")


def size_text(size: int) -> str:
    """A size in bytes as people read it: 123456 -> "123,5 KB"."""
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if size >= least:
            return f"{Decimal(size) / least:.1f} {unit}".replace(".", ",")
    return f"{size} B"
