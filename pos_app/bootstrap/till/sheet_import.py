"""Plans, carries out and undoes the import of a sheet, and saves the rows that it refuses.

It runs in the process of `catalogue_files`; each function gets the till's request, and returns the
process's last output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from itertools import chain, islice, starmap
from pathlib import Path
from typing import Any

from pos_app import errors
from pos_app.adapters.catalogue_files import spreadsheets
from pos_app.adapters.catalogue_files.bulk_json import last_from_json
from pos_app.adapters.catalogue_files.other_workbook import too_large
from pos_app.adapters.chosen_file import whole
from pos_app.adapters.json_lines import read_line, write_document, write_line
from pos_app.adapters.sqlite.catalogue.bulk_acts import LEFT_NAMED
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.bootstrap.till import bulk_acts
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.article.barcodes import CodeRules
from pos_app.domain.money.tax import TaxLabel
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.bulk_act import ActKind, BulkAct, PlannedRow
from pos_app.selling.catalogue.made_ids import NewNames
from pos_app.selling.catalogue.product_draft import DraftField, amount_typed, read_price
from pos_app.selling.catalogue.sheet import row_plan
from pos_app.selling.catalogue.sheet.cell_reading import decimal_sign
from pos_app.selling.catalogue.sheet.heads import (
    ColumnUse,
    HeadRow,
    SheetColumns,
    SheetField,
    columns_of,
    folded_head,
    head_row,
    shape_of,
)
from pos_app.selling.catalogue.sheet.known_codes import KnownCode
from pos_app.selling.catalogue.sheet.planner import SheetPlanner
from pos_app.selling.catalogue.sheet.products_in_rows import (
    ProductRow,
    product_rows,
    with_further_taxes,
)
from pos_app.selling.catalogue.sheet.systems import System, fields_of, system_of
from pos_app.selling.cells import UNENDED, Cell, NumberCell, without_formula

TOLD = 500
"""The number of shown bad cells, and of shown changes; all of them are counted."""
FIRST = 50
"""The number of rows without a price, and of renamed rows, that are shown before all others."""
EACH = 200
"""The rows between two reports of progress."""
SAMPLE = 300
"""The number of rows by which the heads and the decimal sign of prices are found."""
MOST_SHAPES = 50
"""The number of remembered shapes, those of the last imports."""
MOST_HEADS = 500
"""The number of heads whose fields are remembered."""
_SAMPLES, _LONGEST_SAMPLE = 2, 24


@dataclass
class OpenCatalogue:
    folder: Path
    catalogue: SqliteCatalogue
    editor: SqliteCatalogueEditor
    table: SqliteCatalogueTable


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A file that was looked at. begin: its first rows; head: the row with the heads.
    chosen_before: the fields that a person chose for heads of other files."""

    file: spreadsheets.SheetFile
    begin: list[list[str]]
    rest: Iterator[list[str]]
    head: HeadRow
    answers: row_plan.SheetAnswers
    remembered: bool
    chosen_before: Mapping[str, str]
    system: System | None

    @property
    def shape(self) -> str:
        return shape_of(self.head.heads)

    def articles(self) -> Iterator[tuple[int, list[str]]]:
        """Iterate over the rows below the heads, each with its number in a spreadsheet."""
        at = self.head.at + 1
        yield from enumerate(chain(self.begin[at:], self.rest), at + 1)

    @property
    def head_rows(self) -> list[list[str]]:
        """The rows of the heads as they stand; none where letters stand for heads."""
        return self.begin[max(self.head.at - self.head.above, 0) : self.head.at + 1]

    def cells(self, index: int) -> list[str]:
        below = self.begin[self.head.at + 1 :]
        return [text for row in below if index < len(row) and (text := row[index].strip())]

    def columns(self) -> SheetColumns:
        heads, system = self.head.heads, self.system
        of_system = None
        if system is not None:
            filled = {at for at in range(len(heads)) if self.cells(at)}
            of_system = fields_of(system, heads, filled)
        return columns_of(
            heads, self.answers.fields, of_system=of_system, remembered=self.chosen_before
        )


def report_progress(done: int, whole: int) -> None:
    if done % EACH == 0:
        write_document({"progress": [done, whole]})


# --- to plan it ----------------------------------------------------------------------------------


@dataclass
class Counted:
    rows: int = 0
    kinds: dict[row_plan.RowKind, int] = field(
        default_factory=lambda: dict.fromkeys(row_plan.RowKind, 0)
    )
    bad_cells: list[list[Any]] = field(default_factory=list)
    odd: int = 0
    odd_cells: list[list[Any]] = field(default_factory=list)
    renamed: int = 0
    unpriced: int = 0
    refused: int = 0
    new_names: NewNames = field(default_factory=NewNames)
    _renames: list[list[Any]] = field(default_factory=list)
    _unpriced: list[list[Any]] = field(default_factory=list)
    _others: list[list[Any]] = field(default_factory=list)

    @property
    def changes(self) -> list[list[Any]]:
        """The first changes: a person should see rows without a price and rows with another name,
        so neither kind takes all the room."""
        first = [*self._unpriced[:FIRST], *self._renames[:FIRST]]
        return [*first, *self._unpriced[FIRST:], *self._renames[FIRST:], *self._others][:TOLD]

    def note_odd(self, cells: Sequence[row_plan.BadCell]) -> None:
        self.odd += len(cells)
        _add_cells(cells, self.odd_cells)

    def note_first(self, cells: Sequence[row_plan.BadCell]) -> None:
        """Note what is told once of a file, above what is told of rows."""
        self.odd += len(cells)
        self.odd_cells[:0] = _cell_rows(cells)

    def note(self, row: row_plan.RowPlan) -> None:
        self.rows += 1
        self.note_more(row)

    def note_more(self, row: row_plan.RowPlan) -> None:
        """Note a change beside that of its row."""
        self.kinds[row.kind] += 1
        _add_cells(row.bad, self.bad_cells)
        self.note_odd(row.odd)
        self.renamed += row.is_renamed
        self.unpriced += row.has_no_price
        self.new_names |= row.new_names
        changes = self._renames if row.is_renamed else self._others
        changes = self._unpriced if row.has_no_price else changes
        if row.kind in (row_plan.RowKind.NEW, row_plan.RowKind.CHANGED) and len(changes) < TOLD:
            is_new = row.kind is row_plan.RowKind.NEW
            price = (
                amount_typed(read_price(row.typed_fields.get(DraftField.PRICE, "")))
                if is_new
                else ""
            )
            changes.append([row.row, row.name, is_new, price, row.changes, row.has_no_price])


def _add_cells(cells: Sequence[row_plan.BadCell], entries: list[list[Any]]) -> None:
    room = TOLD - len(entries)
    entries += _cell_rows(cells[:room])


def plan(
    opened: OpenCatalogue, asked: dict[str, Any], *, rules: CodeRules | None = None
) -> dict[str, Any]:
    """Read the sheet, and write its changes into the plan; the catalogue is not changed. rules:
    codes that mean something else by them are told."""
    source, target = Path(asked["file"]), Path(asked["plan"])
    counted, read = Counted(), 0

    def report_read(percent: int) -> None:
        nonlocal read
        read = percent
        write_document({"progress": [counted.rows, 0, read]})

    sheet = _looked_at(opened, source, asked["answers"], report_read)
    planner = _planner(opened, sheet, source, asked, rules)
    counted.note_odd([*_doubt_of(sheet.file), *planner.unread])
    with target.open("wb") as kept, _refused_file(target).open("wb") as refused:
        write_line(refused, [sheet.file.kind, sheet.head_rows])
        rows = sheet.articles() if planner.columns.names_article else iter(())
        if sheet.system is not None:
            rows = with_further_taxes(rows, planner.columns)
        found: ProductRow | None = None
        for found in product_rows(rows, planner.columns):
            row = planner.plan(found)
            if row is None:
                continue
            counted.note(row)
            if counted.rows % EACH == 0:
                write_document({"progress": [counted.rows, 0, read]})
            if row.kind is row_plan.RowKind.BAD:
                counted.refused += 1
                numbers = [isinstance(one, NumberCell) for one in found.cells]
                told = (list(row.lacks), *_cell_rows(row.bad))
                cells = [cell.replace(UNENDED, "") for cell in found.cells]
                write_line(refused, [cells, numbers, *told])
            elif row.kind is not row_plan.RowKind.SAME:
                write_line(kept, _kept(row))
            for of_variant in planner.of_variants(row):
                counted.note_more(of_variant)
                write_line(kept, _kept(of_variant))
    counted.note_odd(planner.left_out)
    counted.note_first([*_cut_in(sheet, found), *planner.remarks()])
    return {"plan": _plan_document(target, sheet, planner, counted)}


def _looked_at(
    opened: OpenCatalogue, source: Path, asked: Mapping[str, Any] | None, value: Any
) -> _Sheet:
    """Look at a sheet. asked: a person's answers about it; with None the answers for an earlier
    sheet of its shape count."""
    found = spreadsheets.look_at(source)
    if found.may_end_process:
        write_document({"otherwise": errors.as_members(too_large())})
    rows = spreadsheets.rows_of(found, report_progress=value)
    begin = list(islice(rows, SAMPLE))
    if found.may_end_process:
        write_document({"otherwise": None})
    if not any(cell.strip() for row in begin for cell in row):
        raise errors.Invalid("file_empty")
    memory = _memory(opened)
    shapes = memory["shapes"]
    head = head_row(begin, shapes, is_of_system=lambda heads: system_of(heads) is not None)
    known = shapes.get(shape_of(head.heads)) if asked is None else None
    answers = _answers(asked or known or {})
    return _Sheet(
        found,
        begin,
        rows,
        head,
        answers,
        remembered=known is not None,
        chosen_before=memory["heads"],
        system=system_of(head.heads),
    )


def _answers(kept: Mapping[str, Any]) -> row_plan.SheetAnswers:
    return row_plan.SheetAnswers(
        {int(index): name for index, name in kept.get("fields", {}).items()},
        {row_plan.Question(one): answer for one, answer in kept.get("said", {}).items()},
        dict(kept.get("taxes", {})),
    )


def _memory(opened: OpenCatalogue) -> dict[str, Any]:
    """Return the answers about imported sheets, by their shapes and by folded heads, and the number
    of undone imports."""
    return {"shapes": {}, "heads": {}, "undone": 0, **opened.editor.answers_to_sheets()}


def _planner(
    opened: OpenCatalogue,
    sheet: _Sheet,
    source: Path,
    asked: Mapping[str, Any],
    rules: CodeRules | None,
) -> SheetPlanner:
    columns = sheet.columns()
    prices = (
        sheet.cells(index)
        for index, name in columns.fields.items()
        if name in (DraftField.PRICE, SheetField.STORE_PRICE)
    )
    return SheetPlanner(
        opened.catalogue,
        opened.editor,
        sheet.head.heads,
        columns,
        system=sheet.system,
        known=starmap(KnownCode, opened.catalogue.codes()),
        sheet_key=f"{_key_of(source)}{_memory(opened)['undone'] or ''}",
        label=TaxLabel(asked["label"]) if asked["label"] else None,
        rates={TaxLabel(one): Decimal(rate) for one, rate in asked["rates"].items()},
        at=datetime.now(UTC),
        answers=sheet.answers,
        point=decimal_sign(chain.from_iterable(prices)),
        rules=rules,
        head_rows=sheet.head_rows,
    )


def _plan_document(
    target: Path, sheet: _Sheet, planner: SheetPlanner, counted: Counted
) -> dict[str, Any]:
    kinds = {kind.value: many for kind, many in counted.kinds.items()}
    open_questions = planner.questions
    said = open_questions.answers
    questions = [one for one in row_plan.Question if open_questions.asked[one] or one in said]
    return {
        "file": str(target),
        "rows": counted.rows,
        "renamed": counted.renamed,
        **kinds,
        "categories": list(counted.new_names.categories.values()),
        "units": [symbol for _, symbol in counted.new_names.units.values()],
        "changes": counted.changes,
        "encoding": sheet.file.given_encoding,
        "unpriced": counted.unpriced,
        "odd": counted.odd,
        "odd_cells": counted.odd_cells,
        "bad_cells": [*_lacking(planner), *counted.bad_cells],
        "columns": [*_column_rows(sheet, planner)],
        "questions": questions,
        "taxes": open_questions.taxes,
        "system": sheet.system.name if sheet.system is not None else "",
        "doubled": {name: list(indices) for name, indices in planner.columns.doubled.items()},
        "names_article": planner.columns.names_article,
        "shape": sheet.shape,
        "answers": {
            "fields": {str(at): one for at, one in sheet.answers.fields.items()},
            "said": said,
            "taxes": dict(sheet.answers.by_tax),
        },
        "remembered": sheet.remembered,
    }


def _column_rows(sheet: _Sheet, planner: SheetPlanner) -> Iterator[list[Any]]:
    """Iterate over the columns with a head or cells: position, head, field, why it is not read,
    some cells. An empty column that a known system has and no catalogue is left out."""
    columns, heads = planner.columns, sheet.head.heads
    for index in range(max(map(len, sheet.begin))):
        head = heads[index].strip() if index < len(heads) else ""
        cells = sheet.cells(index)
        is_needless = sheet.system is not None and columns.unread.get(index) == ColumnUse.KNOWN
        if not cells and (not head or is_needless):
            continue
        some = [one[:_LONGEST_SAMPLE] for one in dict.fromkeys(cells)][:_SAMPLES]
        read = ColumnUse.REMEMBERED if index in columns.remembered else ""
        why = columns.unread.get(index, read if index in columns.fields else ColumnUse.UNKNOWN)
        yield [index, head, columns.fields.get(index, ""), why, some]


def _kept(row: row_plan.RowPlan) -> list[Any]:
    """Return a row in the form that `carry_out` reads."""
    ids = [row.product_id, row.article_id]
    new, texts = row.new_names, [dict(row.typed_fields), row.variant_of]
    names = [dict(new.categories), {one: list(words) for one, words in new.units.items()}]
    return [row.kind.value, *ids, *texts, *names, dict(row.before), row.name]


def _doubt_of(sheet_file: spreadsheets.SheetFile) -> Iterator[row_plan.BadCell]:
    """Report that the letters of the file may be read wrong."""
    if sheet_file.doubt:
        yield row_plan.BadCell(0, "", sheet_file.given_encoding, errors.Invalid("encoding_doubt"))


def _cut_in(sheet: _Sheet, last: ProductRow | None) -> Iterator[row_plan.BadCell]:
    """Report that the file seems to end within its last row."""
    heads = [*sheet.head.heads]
    while heads and not heads[-1].strip():
        heads.pop()
    if last is None or not sheet.file.ends_in_line or not 0 < len(last.cells) < len(heads):
        return
    at = len(last.cells) - 1
    yield row_plan.BadCell(last.number, heads[at], last.cells[at], errors.Invalid("row_cut"))


def _lacking(planner: SheetPlanner) -> Iterator[list[Any]]:
    """Iterate over missing columns that new articles need; each is reported once for all rows."""
    for head, rows in planner.lacking.items():
        why = errors.Invalid("no_column", rows=rows)
        yield [0, head, "", errors.as_members(why)]


def _key_of(source: Path) -> str:
    with source.open("rb") as file:
        digest = blake2b(digest_size=16)
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _cell_rows(cells: Sequence[row_plan.BadCell]) -> list[list[Any]]:
    return [[cell.row, cell.column, cell.text[:80], errors.as_members(cell.why)] for cell in cells]


# --- refused rows --------------------------------------------------------------------------------


def _refused_file(plan: Path) -> Path:
    return plan.with_suffix(".refused.jsonl")


def write_refused(_: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Save the rows that a plan refused, below their heads, with the reason in a column of its own,
    which an import does not read."""
    path, texts = Path(asked["file"]), Texts(asked["language"])
    count = 0
    with _refused_file(Path(asked["plan"])).open("rb") as kept:
        _, heads = read_line(kept.readline())
        width = max(map(len, heads), default=0)

        def rows() -> Iterator[list[Cell]]:
            nonlocal count, width
            for number, head in enumerate(heads, 1):
                padded = [*head, *[""] * (width - len(head))]
                yield [*padded, texts("cat.import.reason") if number == len(heads) else ""]
            for text_line in kept:
                cells, numbers, lacks, *bad = read_line(text_line)
                count += 1
                reasons = [f"{head}: {_why(texts, 'new_needs')}" for head in lacks]
                reasons += [f"{column}: {_why(texts, **why)}" for _, column, _, why in bad]
                shown = list[Cell](
                    Decimal(one) if is_number else without_formula(one)
                    for one, is_number in zip(cells[:width], numbers[:width], strict=True)
                )
                yield [*shown, *[""] * (width - len(shown)), "; ".join(reasons)]

        with whole(path) as begun:
            if path.suffix.lower() == ".xlsx":
                spreadsheets.write_xlsx(begun, rows(), title=texts("cat.import.reason"))
            else:
                spreadsheets.write_csv(begun, ([*map(_in_text, row)] for row in rows()))
    return {"done": {"done": count, "failed": 0}}


def _in_text(cell: Cell) -> str:
    """A cell of a text file. A number of three decimals gets a fourth, so that nobody is asked
    whether its point separates thousands."""
    if not isinstance(cell, Decimal):
        return str(cell)
    return f"{cell:.4f}" if cell.as_tuple().exponent == -3 else f"{cell:f}"


def _why(texts: Texts, kind: str = "", *, what: str = "", values: Any = None, **_: Any) -> str:
    members = {"kind": kind} | (values or {})
    return texts.error(errors.Invalid(members.pop("kind"), what=what, **members)).happened


# --- to carry it out -----------------------------------------------------------------------------


def carry_out(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Make the changes of a plan, each row whole or not at all. The plan is copied into the
    catalogue first, so that an import that is cut can be carried on. Many rows are one commit;
    after each commit the till has its turn to write."""
    with Path(asked["plan"]).open("rb") as kept:
        rows = [_planned(read_line(text_line)) for text_line in kept]
    editor = opened.editor
    editor.add_usual_units()
    _remember(opened, asked["shape"], asked["answers"], asked["heads"])
    act = BulkAct(ActKind.IMPORT, asked["name"], asked["by"], datetime.now(UTC))
    bulk_acts.begin(editor, act, rows, many=len(rows))
    return bulk_acts.told(runner(opened).carry_through())


def runner(opened: OpenCatalogue) -> bulk_acts.Runner:
    piece = next((one.id for one in opened.catalogue.units() if one.is_piece), None)
    is_first = not opened.catalogue.count(most=1)
    seconds = bulk_acts.FIRST_COMMIT_SECONDS if is_first else bulk_acts.COMMIT_SECONDS
    return bulk_acts.Runner(opened.editor, piece=piece, commit_seconds=seconds)


def _remember(
    opened: OpenCatalogue, shape: str, answers: Mapping[str, Any], heads: Mapping[str, str]
) -> None:
    """Keep a person's answers about a sheet for the next one of its shape, and the fields of its
    columns for each sheet that has their heads. That prices are meant for other units is said of
    one sheet alone. heads: by the column's number."""
    memory, before = _memory(opened), _memory(opened)
    said = {
        one: answer for one, answer in answers["said"].items() if one != row_plan.Question.MEASURE
    }
    answers = {**answers, "said": said}
    _keep_newest(memory["shapes"], shape, answers if any(answers.values()) else None, MOST_SHAPES)
    for index, name in answers["fields"].items():
        if head := folded_head(heads.get(index, "")):
            _keep_newest(memory["heads"], head, name, MOST_HEADS)
    if memory != before:
        opened.editor.keep_of_sheets(memory)


def _keep_newest(kept: dict[str, Any], key: str, value: Any, most: int) -> None:
    """Keep a value as the newest; the oldest go where there are too many."""
    kept.pop(key, None)
    if value is not None:
        kept[key] = value
    for old in list(kept)[:-most]:
        del kept[old]


def _planned(kept: Any) -> PlannedRow:
    kind, product_id, article_id, typed, variant_of, categories, units, before, name = kept
    more = {"kind": kind, "variant_of": variant_of, "name": name}
    new = {"categories": categories, "units": units}
    return PlannedRow(product_id, article_id, before, typed, {**more, **new})


# --- to take it back -----------------------------------------------------------------------------


def take_back_last(opened: OpenCatalogue, asked: dict[str, Any]) -> dict[str, Any]:
    """Undo the last change, its last article first. If this is cut, the rest is undone later."""
    shown = last_from_json(asked["last"])
    bulk_acts.begin_taking_back(opened.editor, shown, by=asked["by"])
    act = runner(opened).carry_through().act
    if act is None:
        return {"undone": [0, [], 0]}
    return {"undone": [act.done, list(act.left_names)[:LEFT_NAMED], act.left_out]}
