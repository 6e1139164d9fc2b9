"""The process that works with files of the catalogue.

    python -m pos_app.bootstrap.till.catalogue_files WHAT DATA  what is asked: JSON on stdin

It prints a line of JSON for each step, the last of which tells what came of it. The till starts it
(`adapters.catalogue_files.catalogue_process`); nobody types it.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from itertools import chain, islice, starmap
from pathlib import Path
from typing import Any
from uuid import uuid4

from pos_app.adapters.catalogue_files.catalogue_pictures import keep_photo
from pos_app.adapters.catalogue_files.spreadsheets import (
    HEADS_WITHIN,
    SheetFile,
    look_at,
    rows_of,
    write_csv,
    write_xlsx,
)
from pos_app.adapters.chosen_file import unwritten, write_whole
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.json_lines import read_line, write_line
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue, catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.rows import FILES
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.bootstrap.till.told_work import tell, told
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid, MachineError, PosError, as_members
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.catalogue.editing import order_photos
from pos_app.selling.catalogue.price_labels import labels_of
from pos_app.selling.catalogue.product_draft import DraftField, amount_typed, read_price
from pos_app.selling.catalogue.sheet.cells import plain
from pos_app.selling.catalogue.sheet.export import head_row, sheet_rows
from pos_app.selling.catalogue.sheet.heads import row_of_heads
from pos_app.selling.catalogue.sheet.planner import KnownCode, SheetPlanner
from pos_app.selling.catalogue.sheet.row_plan import BadCell, RowKind, RowPlan
from pos_app.selling.catalogue.sheet.saving import save_row
from pos_app.selling.catalogue.table import TableChoice, TableOrder
from pos_app.selling.synchronisation.catalogue_edits import photos_of

TOLD = 500
"""So many bad cells, and so many changes, are shown; all of them are counted."""
FIRST = 50
"""So many of each kind that a person should look at come first."""
EACH = 200
"""Rows between two words of progress."""
MOST_ROWS, PAUSE = 2000, 0.003
"""Of an import: so many rows are one commit at most; after each the till has its turn."""
COMMIT_SECONDS, FIRST_COMMIT_SECONDS = 0.03, 0.2
"""So long no other program can write, which gives up counting what a sale sold after 50 ms; and
while the catalogue was empty, so that nothing is sold. Each commit writes the index of words."""


@dataclass
class OpenCatalogue:
    """The catalogue of the data folder, read and written. folder: where it lies."""

    folder: Path
    catalogue: SqliteCatalogue
    editor: SqliteCatalogueEditor
    table: SqliteCatalogueTable


def main(arguments: list[str]) -> int:
    """Do what is asked; the exit status."""
    gc.disable()  # a short run that makes millions of values, and no cycles of them
    what, data = arguments
    asked = read_line(sys.stdin.buffer.read())
    works = {
        "plan": plan,
        "apply": carry_out,
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
                stack.enter_context(SqliteCatalogueEditor(path, codes=codes)),
                stack.enter_context(closing(SqliteCatalogueTable(path, now=now))),
            )
            return works[what](opened, asked)

    return told(work)


def tell_progress(done: int, whole: int) -> None:
    if done % EACH == 0:
        tell({"progress": [done, whole]})


# --- import --------------------------------------------------------------------------------------


@dataclass
class Counted:
    """What the rows of a sheet come to."""

    rows: int = 0
    kinds: dict[RowKind, int] = field(default_factory=lambda: dict.fromkeys(RowKind, 0))
    bad_cells: list[list[Any]] = field(default_factory=list)
    odd: int = 0
    odd_cells: list[list[Any]] = field(default_factory=list)
    renamed: int = 0
    unpriced: int = 0
    categories: dict[str, str] = field(default_factory=dict)
    _renames: list[list[Any]] = field(default_factory=list)
    _unpriced: list[list[Any]] = field(default_factory=list)
    _others: list[list[Any]] = field(default_factory=list)

    @property
    def changes(self) -> list[list[Any]]:
        """The first of them: no price, and another name, are what a person should see, so neither
        kind takes all the room."""
        first = [*self._unpriced[:FIRST], *self._renames[:FIRST]]
        return [*first, *self._unpriced[FIRST:], *self._renames[FIRST:], *self._others][:TOLD]

    def note_odd(self, cells: Sequence[BadCell]) -> None:
        self.odd += len(cells)
        _tell_cells(cells, self.odd_cells)

    def note(self, row: RowPlan) -> None:
        self.rows += 1
        self.kinds[row.kind] += 1
        _tell_cells(row.bad, self.bad_cells)
        self.note_odd(row.odd)
        self.renamed += row.is_renamed
        self.unpriced += row.has_no_price
        self.categories |= row.new_categories
        changes = self._renames if row.is_renamed else self._others
        changes = self._unpriced if row.has_no_price else changes
        if row.kind in (RowKind.NEW, RowKind.CHANGED) and len(changes) < TOLD:
            is_new = row.kind is RowKind.NEW
            price = amount_typed(read_price(row.typed.get(DraftField.PRICE, ""))) if is_new else ""
            changes.append([row.row, row.name, is_new, price, row.changes, row.has_no_price])


def _tell_cells(cells: Sequence[BadCell], told: list[list[Any]]) -> None:
    """Add the first of them to those that are told."""
    room = TOLD - len(told)
    told += [[cell.row, cell.column, cell.text[:80], as_members(cell.why)] for cell in cells[:room]]


def plan(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Read the sheet, and write what it would change beside it; nothing in the catalogue."""
    source, target = Path(asked["file"]), Path(asked["plan"])
    found = look_at(source)
    counted = Counted()
    with target.open("wb") as kept:
        label = TaxLabel(asked["label"]) if asked["label"] else None

        def tell_read(percent: int) -> None:
            if not counted.rows:
                tell({"progress": [0, 0, percent]})

        rows = rows_of(found, told=tell_read)
        rates = {TaxLabel(one): Decimal(rate) for one, rate in asked["rates"].items()}
        begin = list(islice(rows, HEADS_WITHIN))
        head = row_of_heads(begin)
        heads = begin[head] if begin else None
        planner = _planner(opened, heads, key=_key_of(source), label=label, rates=rates)
        counted.note_odd([*_doubt_of(found), *planner.unread])
        for number, cells in enumerate(chain(begin[head + 1 :], rows), head + 2):
            row = planner.plan(number, cells)
            if row is None:
                continue
            counted.note(row)
            tell_progress(counted.rows, 0)
            if row.kind in (RowKind.NEW, RowKind.CHANGED):
                document = [
                    row.kind.value,
                    row.product_id,
                    row.article_id,
                    dict(row.typed),
                    row.variant_of,
                    dict(row.new_categories),
                ]
                write_line(kept, document)
    kinds = {kind.value: many for kind, many in counted.kinds.items()}
    told = {"file": str(target), "rows": counted.rows, "renamed": counted.renamed, **kinds}
    told |= {"categories": list(counted.categories.values()), "changes": counted.changes}
    told |= {"encoding": found.told_encoding}
    told |= {"unpriced": counted.unpriced, "odd": counted.odd, "odd_cells": counted.odd_cells}
    return {"plan": told | {"bad_cells": [*_lacking(planner), *counted.bad_cells]}}


def _doubt_of(found: SheetFile) -> Iterator[BadCell]:
    """That the letters of the file may be read wrong."""
    if found.doubt:
        words = "the letters may be read wrong: look at the names, or save the file as UTF-8"
        yield BadCell(0, "", found.told_encoding, Invalid(words, kind="encoding_doubt"))


def _lacking(planner: SheetPlanner) -> Iterator[list[Any]]:
    """Columns that new articles need, told once, however many rows there are."""
    for head, rows in planner.lacking.items():
        why = Invalid("new articles need this column", kind="no_column", rows=rows)
        yield [0, head, "", as_members(why)]


def _key_of(source: Path) -> str:
    """Of the file's content."""
    with source.open("rb") as file:
        digest = blake2b(digest_size=16)
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _planner(
    opened: OpenCatalogue,
    heads: list[str] | None,
    *,
    key: str,
    label: TaxLabel | None,
    rates: Mapping[TaxLabel, Decimal],
) -> SheetPlanner:
    if heads is None:
        raise Invalid("the sheet is empty", kind="file_empty")
    known = starmap(KnownCode, opened.catalogue.codes())
    return SheetPlanner(
        opened.catalogue, opened.editor, heads, known=known, sheet_key=key, label=label, rates=rates
    )


def carry_out(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Make the changes of a plan, a row whole or not at all; what was made stays if it is stopped.

    Many rows are one commit, and after each the till has its turn to write.
    """
    with Path(asked["plan"]).open("rb") as kept:
        lines = kept.readlines()
    opened.editor.add_usual_units()
    piece = next((one.id for one in opened.catalogue.units() if one.is_piece), None)
    seconds = COMMIT_SECONDS if opened.catalogue.count(most=1) else FIRST_COMMIT_SECONDS
    importer = _Importer(opened.editor, piece=piece, by=asked["by"], commit_seconds=seconds)
    written = 0
    tell({"progress": [0, len(lines)]})
    while written < len(lines):
        written += importer.write(lines[written : written + MOST_ROWS])
        tell({"progress": [written, len(lines)]})
        time.sleep(PAUSE)
    return {"done": {"done": importer.done, "failed": importer.failed}}


class _Importer:
    """Writes rows of a plan. piece: the unit of new articles."""

    def __init__(
        self, editor: SqliteCatalogueEditor, *, piece: str | None, by: str, commit_seconds: float
    ) -> None:
        self._editor = editor
        self._commit_seconds = commit_seconds
        self._piece = piece
        self._by = by
        self.done = self.failed = 0

    def write(self, lines: list[bytes]) -> int:
        """Write rows in one commit until its time is over; how many these are, at least one."""
        done = failed = 0
        until = time.monotonic() + self._commit_seconds
        editor = self._editor
        with editor.together():
            for line in lines:
                try:
                    row, at = _row(read_line(line)), datetime.now(UTC)
                    save_row(editor, editor, row, piece=self._piece, by=self._by, at=at)
                except MachineError:
                    raise
                except PosError:
                    failed += 1
                else:
                    done += 1
                if time.monotonic() > until:
                    break
        self.done += done
        self.failed += failed
        return done + failed


def _row(kept: Any) -> RowPlan:
    """A row as `plan` kept it."""
    kind, product_id, article_id, typed, variant_of, categories = kept
    return RowPlan(
        0, RowKind(kind), "", product_id, article_id, typed, variant_of, new_categories=categories
    )


# --- export --------------------------------------------------------------------------------------


def export(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Write what the table shows."""
    chosen, path = asked["choice"], Path(asked["file"])
    choice = TableChoice(
        chosen["query"], chosen["category"], EditMark(chosen["edits"]),
        TableOrder(chosen["order"]), chosen["descending"],
    )  # fmt: skip
    products = opened.table.products(choice)
    count = 0

    def rows() -> Iterator[Any]:
        nonlocal count
        yield head_row()
        for row in sheet_rows(opened.catalogue, opened.editor, _telling(products)):
            count += 1
            yield row

    try:
        if path.suffix.lower() == ".xlsx":
            write_xlsx(path, rows(), title="Артикли")
        else:
            write_csv(path, (tuple(plain(cell) for cell in row) for row in rows()))
    except OSError as error:
        raise unwritten(error) from error
    return {"done": {"done": count, "failed": 0}}


def _telling(products: tuple[str, ...]) -> Iterator[str]:
    for number, product in enumerate(products):
        tell_progress(number, len(products))
        yield product


# --- labels --------------------------------------------------------------------------------------


def labels(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """A sheet of labels as PDF; what stands on them is remembered once the file is written."""
    found = list(labels_of(opened.catalogue, _telling(tuple(asked["products"]))))
    if asked["only_changed"]:
        printed = opened.editor.labels_printed(one[0] for one in found)
        found = [one for one in found if printed.get(one[0]) != one[1].shown]
    now = datetime.now(UTC)
    if not found:
        raise Invalid("no label says another thing than the last one", kind="no_labels")
    from pos_app.adapters.pdf.price_labels import label_sheet  # half of what a start would load
    from pos_app.adapters.pdf.typeface import Typefaces

    pdf = label_sheet([label for _, label in found], faces=Typefaces(), at=now)
    write_whole(Path(asked["file"]), pdf)
    shown = {article_id: label.shown for article_id, label in found}
    opened.editor.note_labels(shown, at=now)
    return {"done": {"done": len(found), "failed": 0}}


# --- photos --------------------------------------------------------------------------------------


def photos(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Keep photos, and add them to those of a product; none of them where one is no photo."""
    product = opened.catalogue.product(asked["product"])
    if product is None:
        raise Invalid("this article is gone", kind="article_gone")
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
