"""The process that works with files of the catalogue.

    python -m pos_app.bootstrap.till.catalogue_files WHAT DATA  the request: JSON on stdin

It prints a line of JSON for each step; the last line is the outcome. The till starts it
(`adapters.catalogue_files.catalogue_process`).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from pos_app import settings
from pos_app.adapters.catalogue_files.catalogue_pictures import keep_photo
from pos_app.adapters.catalogue_files.spreadsheets import write_csv, write_xlsx
from pos_app.adapters.chosen_file import whole, write_whole
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.gs1 import read_gs1, verifier_of
from pos_app.adapters.json_lines import read_request, report_outcome
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.rows import FILES
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.bootstrap.till import bulk_acts, sheet_import
from pos_app.bootstrap.till.sheet_import import OpenCatalogue, report_progress
from pos_app.cashier.services.code_rules import code_rules
from pos_app.errors import Invalid
from pos_app.selling.catalogue import price_labels
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.catalogue.editing import order_photos
from pos_app.selling.catalogue.sheet.export import head_row, sheet_rows
from pos_app.selling.catalogue.table import TableChoice, TableOrder
from pos_app.selling.cells import plain
from pos_app.selling.synchronisation.catalogue_edits import photos_of


def main(arguments: list[str]) -> int:
    gc.disable()  # a short run makes millions of values, and no cycles of them
    what, data = arguments
    asked = read_request()
    works: dict[str, Callable[[OpenCatalogue, dict[str, Any]], dict[str, Any]]] = {
        "plan": lambda opened, asked: sheet_import.plan(
            opened, asked, rules=code_rules(settings.load(Path(data)), read_gs1, verifier_of)
        ),
        "apply": sheet_import.carry_out,
        "refused": sheet_import.write_refused,
        "undo": sheet_import.take_back_last,
        "act": carry_out,
        "carry_on": carry_on,
        "export": export,
        "labels": labels,
        "photos": photos,
    }

    def work() -> dict[str, Any]:
        with ExitStack() as stack:
            path, now = catalogue_file(Path(data)), SystemClock().now
            codes = range(*asked["codes"]) if asked.get("codes") else None
            opened = OpenCatalogue(
                path.parent,
                stack.enter_context(SqliteCatalogue(path, now=now)),
                stack.enter_context(SqliteCatalogueEditor(path, now=now, codes=codes)),
                stack.enter_context(closing(SqliteCatalogueTable(path, now=now))),
            )
            return works[what](opened, asked)

    return report_outcome(work)


def carry_out(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    return bulk_acts.told(bulk_acts.carry_out(opened.editor, asked))


def carry_on(opened: OpenCatalogue, _: dict[str, Any]) -> dict[str, Any]:
    return bulk_acts.told(bulk_acts.carry_on(opened.editor, sheet_import.runner(opened)))


# --- export --------------------------------------------------------------------------------------


def export(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    chosen, path = asked["choice"], Path(asked["file"])
    choice = TableChoice(
        chosen["query"],
        chosen["category"],
        EditMark(chosen["edits"]),
        TableOrder(chosen["order"]),
        chosen["descending"],
    )
    products = opened.table.products(choice)
    count = 0

    def rows() -> Iterator[Any]:
        nonlocal count
        yield head_row()
        for row in sheet_rows(opened.catalogue, opened.editor, _with_progress(products)):
            count += 1
            yield row

    with whole(path) as begun:
        if path.suffix.lower() == ".xlsx":
            write_xlsx(begun, rows(), title="Артикли")
        else:
            write_csv(begun, (tuple(plain(cell) for cell in row) for row in rows()))
    return {"done": {"done": count, "failed": 0, "articles": len(products)}}


def _with_progress(products: tuple[str, ...]) -> Iterator[str]:
    for number, product in enumerate(products):
        report_progress(number, len(products))
        yield product


# --- labels --------------------------------------------------------------------------------------


def labels(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Write a sheet of labels as PDF; their texts are remembered once the file is written."""
    now, only_new = datetime.now(UTC), asked["only_changed"]
    if "day" in asked:
        day, now = date.fromisoformat(asked["day"]), datetime.fromisoformat(asked["now"])
        found = price_labels.labels_for(opened.catalogue, day, now=now, only_new=only_new)
    else:
        products = _with_progress(tuple(asked["products"]))
        found = price_labels.labels_of(
            opened.catalogue, opened.editor, products, now=now, only_changed=only_new
        )
    if not found:
        raise Invalid("no_labels")
    from pos_app.adapters.pdf.price_labels import label_sheet  # it is half of the loading time
    from pos_app.adapters.pdf.typeface import Typefaces

    pdf = label_sheet([one.label for one in found], faces=Typefaces(), at=now)
    write_whole(Path(asked["file"]), pdf)
    price_labels.note_printed(opened.catalogue, opened.editor, found, now=now)
    return {"done": {"done": len(found), "failed": 0}}


# --- photos --------------------------------------------------------------------------------------


def photos(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Keep photos, and add them to a product. If one file is no photo, none is kept."""
    product = opened.catalogue.product(asked["product"])
    if product is None:
        raise Invalid("article_gone.article")
    into = opened.folder / FILES
    kept = [keep_photo(Path(one), file_id=str(uuid4()), into=into) for one in asked["files"]]
    ids = (*photos_of(product), *(one.file_id for one in kept))
    with opened.editor.together():
        for one in kept:
            opened.editor.keep_picture(one)
        order_photos(opened.editor, product, ids, by=asked["by"], at=datetime.now(UTC))
    return {"done": {"done": len(kept), "failed": 0}}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
