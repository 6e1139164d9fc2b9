"""The dialog in which a person chooses files: the system's own, or Qt's.

Qt's own dialog knows no Serbian, so its words are set here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import (
    QCoreApplication,
    QIdentityProxyModel,
    QObject,
    QStandardPaths,
    Qt,
    QTranslator,
)
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.press_guard import guard_opened
from pos_app.domain.search_text import fold


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
    words = _Words(texts)
    QCoreApplication.installTranslator(words)
    chooser = _Chooser(parent, texts(title))
    chooser.destroyed.connect(lambda: QCoreApplication.removeTranslator(words))
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
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        guard_opened(self)


class _Words(QTranslator):
    """Translates Qt's own texts in the dialog, apart from the labels."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._translations: Mapping[str, str] = MappingProxyType(
            {
                "&Open": texts("file.open"),
                "&Save": texts("file.keep"),
                "Computer": texts("file.computer"),
                "Back": texts("file.back"),
                "Go back": texts("file.back"),
                "Forward": texts("file.forward"),
                "Go forward": texts("file.forward"),
                "Parent Directory": texts("file.up"),
                "Go to the parent directory": texts("file.up"),
                "Create New Folder": texts("file.new_folder"),
                "Create a New Folder": texts("file.new_folder"),
                "New Folder": texts("file.new_folder"),
                "&New Folder": texts("file.new_folder"),
                "List View": texts("file.list"),
                "Change to list view mode": texts("file.list"),
                "Detail View": texts("file.details"),
                "Change to detail view mode": texts("file.details"),
                "&Rename": texts("file.rename"),
                "&Delete": texts("file.delete"),
                "Show &hidden files": texts("file.hidden"),
                "&Yes": texts("file.yes"),
                "&No": texts("file.no"),
                "Are you sure you want to delete '%1'?": texts("file.ask_delete", file="%1"),
                "%1 already exists.\nDo you want to replace it?": texts("file.exists", file="%1"),
                "%1\nFile not found.\nPlease verify the correct file name was given.": texts(
                    "file.missing", file="%1"
                ),
            }
        )

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1, /
    ) -> str:
        is_dialogs = context in ("QFileDialog", "QFileSystemModel", "QPlatformTheme")
        return self._translations.get(source, source) if is_dialogs else source


class _Columns(QIdentityProxyModel):
    """The files, with translated column heads. The system's own dialog does not use it."""

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
