"""The process that writes a report into a file.

    python -m pos_app.bootstrap.till.report_export        the request: JSON on stdin

The till starts it (`adapters.report_export`) and gives it the whole content. The file gets its name
only when it is completely written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pos_app.adapters import chosen_file
from pos_app.adapters.catalogue_files.spreadsheets import write_csv, write_xlsx
from pos_app.adapters.json_lines import read_request, report_outcome
from pos_app.adapters.pdf.report_sheets import report_pdf
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.report_export import sheet_asked
from pos_app.documents.report_sheet import ReportSheet
from pos_app.selling.cells import Cell, plain

_LONGEST_TITLE = 31
"""The most letters that the name of a sheet in a workbook may have."""
_NOT_IN_TITLES = str.maketrans(dict.fromkeys("[]:*?/\\", " "))


def main(arguments: list[str]) -> int:
    asked = read_request()
    return report_outcome(lambda: export(asked))


def export(asked: dict[str, Any]) -> dict[str, Any]:
    path, draft = Path(asked["file"]), Path(asked["draft"])
    sheet = sheet_asked(asked["sheet"])
    with chosen_file.whole(path, draft):
        match path.suffix.lower():
            case ".pdf":
                draft.write_bytes(report_pdf(sheet, faces=Typefaces()))
            case ".xlsx":
                title = sheet.title.translate(_NOT_IN_TITLES)[:_LONGEST_TITLE]
                write_xlsx(draft, rows_of(sheet), title=title)
            case _:
                write_csv(draft, (tuple(map(plain, row)) for row in rows_of(sheet)))
    return {"done": {"done": len(sheet.rows), "failed": 0}}


def rows_of(sheet: ReportSheet) -> Iterator[Sequence[Cell]]:
    """Iterate over the heads, the rows, their sum and the notes, in this order."""
    yield [column.head for column in sheet.columns]
    yield from sheet.rows
    if sheet.total is not None:
        yield sheet.total
    yield ()
    yield from (
        (words,) for words in (sheet.title, sheet.shop, sheet.period, *sheet.notes) if words
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
