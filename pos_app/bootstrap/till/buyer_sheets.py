"""The process that writes the buyers' book into a sheet, or reads one.

    python -m pos_app.bootstrap.till.buyer_sheets WHAT        the request: JSON on stdin

The till starts it (`adapters.buyer_sheets`); WHAT is `write` or `read`. A file that is written gets
its name only when it is whole. What is read is told to the till, which alone writes its book.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pos_app import errors
from pos_app.adapters import chosen_file
from pos_app.adapters.buyer_sheets import buyers_asked, sheet_told
from pos_app.adapters.catalogue_files import spreadsheets
from pos_app.adapters.catalogue_files.other_workbook import too_large
from pos_app.adapters.json_lines import read_request, report_outcome, write_document
from pos_app.selling.buyers.buyer_sheet import HEADS, read_sheet, sheet_row
from pos_app.selling.cells import Cell, plain


def main(arguments: list[str]) -> int:
    asked = read_request()
    work = {"write": write, "read": read}[arguments[0]]
    return report_outcome(lambda: work(asked))


def write(asked: dict[str, Any]) -> dict[str, Any]:
    path, draft = Path(asked["file"]), Path(asked["draft"])
    buyers = buyers_asked(asked)

    def rows() -> Iterator[Sequence[Cell]]:
        yield HEADS
        yield from map(sheet_row, buyers)

    with chosen_file.whole(path, draft):
        if path.suffix.lower() == ".xlsx":
            spreadsheets.write_xlsx(draft, rows(), title="Купци")
        else:
            spreadsheets.write_csv(draft, (tuple(map(plain, row)) for row in rows()))
    return {"done": {"done": len(buyers), "failed": 0}}


def read(asked: dict[str, Any]) -> dict[str, Any]:
    found = spreadsheets.look_at(Path(asked["file"]))
    if found.may_end_process:
        write_document({"otherwise": errors.as_members(too_large())})
    sheet = read_sheet(spreadsheets.rows_of(found))
    return {"buyers": sheet_told(sheet)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
