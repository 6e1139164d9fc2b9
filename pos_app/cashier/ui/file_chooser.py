"""The dialog in which a person chooses files: the system's own, where it has one.

Qt's own, which other systems get, knows no Serbian; its words are set here.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QIdentityProxyModel, QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from pos_app.cashier.texts.lookup import Texts


def file_chooser(
    parent: QWidget, texts: Texts, title: str, *, saves: bool = False, many: bool = False
) -> QFileDialog:
    """One that is to be opened with `open()`. It begins in the person's documents.

    title: key of its text. saves: a file is named, which need not exist. It is gone once it is
    closed: one that is kept watches the folder that it showed, for as long as the till is open.
    """
    labels, modes = QFileDialog.DialogLabel, QFileDialog.FileMode
    chooser = QFileDialog(parent, texts(title))
    chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if saves:
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    else:
        chooser.setFileMode(modes.ExistingFiles if many else modes.ExistingFile)
    documents = QStandardPaths.StandardLocation.DocumentsLocation
    folder = Path(QStandardPaths.writableLocation(documents))
    chooser.setDirectory(str(folder if folder.is_dir() else Path.home()))
    for label, key in (
        (labels.LookIn, "look_in"), (labels.FileName, "name"), (labels.FileType, "type"),
        (labels.Accept, "take"), (labels.Reject, "leave"),
    ):  # fmt: skip
        chooser.setLabelText(label, texts(f"file.{key}"))
    chooser.setProxyModel(_Columns(texts, chooser))
    return chooser


class _Columns(QIdentityProxyModel):
    """The files with heads in the words of the till. The system's own dialog does without it."""

    def __init__(self, texts: Texts, parent: QObject) -> None:
        super().__init__(parent)
        self._heads = [texts(f"file.column.{one}") for one in ("name", "size", "type", "changed")]

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        is_head = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        if is_head and section < len(self._heads):
            return self._heads[section]
        return super().headerData(section, orientation, role)
