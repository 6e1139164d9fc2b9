"""Asks how the listed receipts are written into a sheet: which rows, and which file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import popup_below
from pos_app.cashier.ui.file_chooser import file_chooser


def ask_export(key: QWidget, begin: Callable[[Path, bool], None], texts: Texts) -> None:
    """Open a menu below the button: one row for each receipt, or one for each line; then ask for
    the file. begin writes it; its second argument tells whether a row is a line."""
    menu = QMenu(key)
    for name, by_lines in (("by_receipts", False), ("by_lines", True)):
        action = QAction(texts(f"receipts.export.{name}"), menu)
        action.triggered.connect(
            lambda _=False, lines=by_lines: _ask_file(key, lambda path: begin(path, lines), texts)
        )
        menu.addAction(action)
    menu.aboutToHide.connect(menu.deleteLater)
    popup_below(menu, key)


def _ask_file(key: QWidget, begin: Callable[[Path], None], texts: Texts) -> None:
    chooser = file_chooser(key.window(), texts, "receipts.export", saves=True)
    chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
    chooser.setDefaultSuffix("xlsx")
    chooser.filterSelected.connect(
        lambda name: chooser.setDefaultSuffix("csv" if "csv" in name else "xlsx")
    )
    chooser.selectFile("racuni")
    chooser.fileSelected.connect(lambda name: begin(Path(name)))
    chooser.open()
