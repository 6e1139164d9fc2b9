"""Files of a report, written in a process of its own: CSV, XLSX or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pos_app.documents.report_sheet import ReportSheet
from pos_app.selling.file_work import FileWork


class ReportExport(Protocol):
    """Writes a report; its result is a FileDone."""

    def export(self, sheet: ReportSheet, path: Path) -> FileWork:
        """Write the sheet in the format of the file's name. The file appears only whole."""
        ...
