"""Qt's own words in the till's language: of its file dialog with its questions, and of the menu of
a field.

Qt knows no Serbian. A text of Qt that is missing here is shown in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QWidget

from pos_app.cashier.texts.lookup import Texts

CONTEXTS = frozenset(
    {
        "QComboBox", "QDialogButtonBox", "QFileDialog", "QFileSystemModel", "QGnomeTheme",
        "QLineEdit", "QMessageBox", "QPlatformTheme", "QWidgetTextControl",
    }
)  # fmt: skip
"""The classes of Qt whose words a person may see."""


def tell_in(texts: Texts, within: QWidget) -> None:
    """Have Qt use these words as long as that widget lives."""
    QCoreApplication.installTranslator(_Words(texts, within))


class _Words(QTranslator):
    def __init__(self, texts: Texts, within: QWidget) -> None:
        super().__init__(within)
        self._texts = texts

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1, /
    ) -> str:
        text_id = _TEXT_IDS.get(source) if context in CONTEXTS else None
        if text_id is None:
            return source
        match text_id:
            case "file.all":
                return f"{self._texts(text_id)} (*)"
            case "file.kind.of":
                return self._texts(text_id, kind="%1")
            case _:
                return self._texts(text_id, file="%1")


_TEXT_IDS: Mapping[str, str] = MappingProxyType(
    {
        # its labels, where none was set, and its buttons
        "Look in:": "file.look_in",
        "File &name:": "file.name",
        "Directory:": "file.look_in",
        "Files of type:": "file.type",
        "&Choose": "file.take",
        "&Open": "file.open",
        "Open": "file.open",
        "Find Directory": "file.open",
        "&Save": "file.keep",
        "Save": "file.keep",
        "Save As": "file.keep",
        "Cancel": "file.leave",
        "&Cancel": "file.leave",
        "Close": "file.leave",
        "&Close": "file.leave",
        "OK": "ok",
        "&OK": "ok",
        "&Yes": "file.yes",
        "&No": "file.no",
        # places and files
        "Computer": "file.computer",
        "My Computer": "file.computer",
        "Sidebar": "file.places",
        "List of places and bookmarks": "file.places",
        "Recent Places": "file.recent",
        "Back": "file.back",
        "Go back": "file.back",
        "Forward": "file.forward",
        "Go forward": "file.forward",
        "Parent Directory": "file.up",
        "Go to the parent directory": "file.up",
        "Create New Folder": "file.new_folder",
        "Create a New Folder": "file.new_folder",
        "New Folder": "file.new_folder",
        "&New Folder": "file.new_folder",
        "List View": "file.list",
        "Change to list view mode": "file.list",
        "Detail View": "file.details",
        "Change to detail view mode": "file.details",
        "All Files (*)": "file.all",
        "All files (*)": "file.all",
        "Directories": "file.places",
        "Files": "file.files",
        "Name": "file.column.name",
        "Size": "file.column.size",
        "Kind": "file.column.type",
        "Type": "file.column.type",
        "Date Modified": "file.column.changed",
        "Drive": "file.kind.folder",
        "Folder": "file.kind.folder",
        "File Folder": "file.kind.folder",
        "File": "file.kind.file",
        "Alias": "file.kind.file",
        "Shortcut": "file.kind.file",
        "Unknown": "file.kind.file",
        "%1 File": "file.kind.of",
        # the menu of a file or place
        "&Rename": "file.rename",
        "&Delete": "file.delete",
        "Delete": "file.delete",
        "Remove": "file.remove",
        "Show ": "file.hidden",
        "Show &hidden files": "file.hidden",
        # its questions and refusals
        "Are you sure you want to delete '%1'?": "file.ask_delete",
        "'%1' is write protected.\nDo you want to delete it anyway?": "file.ask_delete_protected",
        "Could not delete directory.": "file.not_deleted",
        "%1 already exists.\nDo you want to replace it?": "file.exists",
        "%1\nFile not found.\nPlease verify the correct file name was given.": "file.missing",
        "%1\nDirectory not found.\nPlease verify the correct directory name was given.": (
            "file.missing_folder"
        ),
        "Invalid filename": "file.wrong_name",
        '<b>The name "%1" cannot be used.</b><p>Try using another name, with fewer characters or no'
        " punctuation marks.": "file.wrong_name_words",
        # the menu of a field
        "&Undo": "field.undo",
        "&Redo": "field.redo",
        "Cu&t": "field.cut",
        "&Copy": "field.copy",
        "&Paste": "field.paste",
        "Select All": "field.all",
        "Copy &Link Location": "field.copy_link",
        "Open the combo box selection popup": "file.take",
    }
)
"""The ids of the till's texts, by the text of Qt's source."""
