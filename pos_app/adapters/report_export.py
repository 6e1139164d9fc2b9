"""Writes files of reports in a child process: the port `selling.reports.export`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from pos_app import installed
from pos_app.adapters.child_work import ChildWorks
from pos_app.documents.chart import ChartBar
from pos_app.documents.report_sheet import ReportSheet, SheetCell, SheetColumn
from pos_app.selling.file_work import FileWork


class ReportExportProcess:
    """Starts the exports. command: starts the child."""

    def __init__(self, *, command: Sequence[str] | None = None) -> None:
        self._command = command or installed.command("pos_app.bootstrap.till.report_export")
        self._works = ChildWorks()

    def close(self) -> None:
        self._works.close()

    def export(self, sheet: ReportSheet, path: Path) -> FileWork:
        draft = path.with_name(f"{secrets.token_hex(8)}.part")
        asked = partial(_asked, sheet, path, draft)
        return self._works.begin(tuple(self._command), asked, draft=draft)


def _asked(sheet: ReportSheet, path: Path, draft: Path) -> dict[str, Any]:
    return {"file": str(path), "draft": str(draft), "sheet": asked_of(sheet)}


# --- the sheet as JSON members, and back ---------------------------------------------------------

_PLAIN = ("title", "shop", "period", "page_word", "language", "chart_title", "is_line", "is_lying")


def asked_of(sheet: ReportSheet) -> dict[str, Any]:
    return {
        **{name: getattr(sheet, name) for name in _PLAIN},
        "notes": list(sheet.notes),
        "legend": list(sheet.legend),
        "made": sheet.made.isoformat(),
        "columns": [[one.head, one.kind] for one in sheet.columns],
        "rows": [list(map(_cell_value, row)) for row in sheet.rows],
        "total": None if sheet.total is None else list(map(_cell_value, sheet.total)),
        "bars": [
            [bar.word, bar.short, bar.label, _cell_value(bar.value), _cell_value(bar.before)]
            for bar in sheet.bars
        ],
    }


def sheet_asked(asked: Mapping[str, Any]) -> ReportSheet:
    """Return the sheet that `asked_of` was given."""
    total = asked["total"]
    return ReportSheet(
        **{name: asked[name] for name in _PLAIN},
        notes=tuple(asked["notes"]),
        legend=tuple(asked["legend"]),
        made=datetime.fromisoformat(asked["made"]),
        columns=tuple(SheetColumn(*one) for one in asked["columns"]),
        rows=tuple(tuple(map(_cell, row)) for row in asked["rows"]),
        total=None if total is None else tuple(map(_cell, total)),
        bars=tuple(
            ChartBar(
                word,
                Decimal(value[1]),
                None if before is None else Decimal(before[1]),
                short,
                label,
            )
            for word, short, label, value, before in asked["bars"]
        ),
    )


def _cell_value(cell: SheetCell) -> object:
    if isinstance(cell, Decimal):
        return ["number", str(cell)]
    if isinstance(cell, date):
        return ["moment" if isinstance(cell, datetime) else "day", cell.isoformat()]
    return cell


def _cell(value: Any) -> SheetCell:
    if not isinstance(value, list):
        cell: SheetCell = value
        return cell
    kind, text = value
    if kind == "number":
        return Decimal(text)
    return date.fromisoformat(text) if kind == "day" else datetime.fromisoformat(text)
