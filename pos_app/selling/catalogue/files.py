"""Work with files of the catalogue runs in a process of its own, so that the window never waits.

Source: till.md (Catalogue: import, export, labels; Promise 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.bulk_act import EndingName, PlannedRow
from pos_app.selling.catalogue.last_change import LastChange
from pos_app.selling.catalogue.sheet import row_plan
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.file_work import FileWork


@dataclass(frozen=True, slots=True)
class BadCellShown:
    """A cell of an import that is wrong, or perhaps not meant. row: as spreadsheets count, 0 for a
    whole column; column: "" for the whole file."""

    row: int
    column: str
    text: str
    why: PosError


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A row of an import that changes something, or makes a new article.

    name: the article's present name. price: the price of a new article, "1.149,00". is_unpriced:
    whether it is a new article without a price, and no cell says that the cashier types one.
    """

    row: int
    name: str
    is_new: bool
    price: str = ""
    changes: tuple[row_plan.FieldChange, ...] = ()
    is_unpriced: bool = False


@dataclass(frozen=True, slots=True)
class ColumnShown:
    """A column of a sheet, and how it is read. index: its number from 0. head: "" where it has
    none.

    field: the field of the form, as `DraftField`, VARIANT_OF or `SheetField` names it; "" if the
    column is not imported, and then why gives the reason (ColumnUse). A field may have a reason,
    too: that it is remembered. cells: some of its cells.
    """

    index: int
    head: str
    field: str
    why: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The effect of an import, of which nothing is written yet. bad_cells, odd_cells, changes: the
    first of them. odd: the number of cells that are valid and perhaps not meant.

    renamed: the number of articles that get another name; they come first among the changes.
    unpriced: the number of new articles without a price, which the cashier then types each time;
    they come next, and a person confirms them. categories, units: names of the first new
    categories and symbols of the first new units; new_categories, new_units: their numbers.
    encoding: the encoding of the text, if it is not UTF-8. plan: the file that keeps all of it
    until a person confirms.

    doubled: the numbers of columns that name the same field equally well; a person chooses one
    before the import. names_article: whether a column identifies the articles; without one no row
    is read. questions: the questions that a person may answer for all rows. taxes: the texts that
    stand for a tax and whose label a person may say. system: the other system whose export this is,
    or "". answers: the answers
    given now, or remembered from an earlier sheet of that shape. joined: the number of rows that
    add a further barcode to the article of another row.
    """

    plan: Path
    rows: int
    new: int
    changed: int
    same: int
    bad: int
    bad_cells: tuple[BadCellShown, ...]
    changes: tuple[ChangeShown, ...]
    renamed: int = 0
    new_categories: int = 0
    categories: tuple[str, ...] = ()
    new_units: int = 0
    units: tuple[str, ...] = ()
    odd: int = 0
    odd_cells: tuple[BadCellShown, ...] = ()
    encoding: str = ""
    unpriced: int = 0
    joined: int = 0
    columns: tuple[ColumnShown, ...] = ()
    doubled: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    names_article: bool = True
    questions: tuple[row_plan.Question, ...] = ()
    taxes: tuple[str, ...] = ()
    system: str = ""
    answers: row_plan.SheetAnswers = row_plan.NOTHING_SAID_OF_SHEET
    shape: str = ""
    remembered: bool = False

    @property
    def changes_something(self) -> bool:
        return bool(self.new + self.changed + self.joined)


class CatalogueFiles(Protocol):
    """Begins work with files of the catalogue."""

    def plan_import(
        self,
        path: Path,
        *,
        label: TaxLabel | None,
        rates: Mapping[TaxLabel, Decimal],
        answers: row_plan.SheetAnswers | None = None,
    ) -> FileWork:
        """Read a sheet, and report what it would change. label: the tax label of every row, or None
        to read each cell, in which a rate of today may stand for a label. rates: today's rates, in
        percent. answers: a person's answers about this sheet, or None for the answers about the
        last imported sheet of this shape."""

    def carry_out(self, plan: ImportPlan, *, name: str, by: str) -> FileWork:
        """Make the changes of the valid rows of a plan, and remember the answers about the sheet;
        the result is ActDone. name: the name of the sheet's file."""

    def save_refused(self, plan: ImportPlan, path: Path, *, language: str) -> FileWork:
        """Write the rows that a plan refused as CSV or XLSX, by the name of the file, each with the
        reason in a column that an import does not read."""

    def change(
        self,
        rows: Sequence[PlannedRow],
        *,
        by: str,
        ends: EndingName | None = None,
        for_later: bool = False,
    ) -> FileWork:
        """Make what a person saw (`bulk_plan.row_of`), the rows of a product one after another;
        the result is ActDone. ends: the unit or category that goes with the last row, if no article
        has it any more. for_later: the rows plan prices. This, a deletion and an import raise
        NotAllowed while another change of many articles is open."""

    def delete(self, rows: Sequence[PlannedRow], *, by: str) -> FileWork:
        """Stop selling these products (`bulk_plan.row_to_delete`); the result is ActDone."""

    def carry_on(self) -> FileWork:
        """Carry on the change of many articles that was cut or stopped; the result is ActDone."""

    def take_back(self, last: LastChange, *, by: str) -> FileWork:
        """Take the last change back, which a person was asked about; its result is Undone. If that
        change was cut or stopped, the rest of it is not made. Raises NotAllowed where another one
        has taken its place."""

    def export(self, choice: TableChoice, path: Path) -> FileWork:
        """Write what the table shows, as CSV or XLSX by the name of the file."""

    def labels(self, product_ids: Sequence[str], path: Path, *, only_changed: bool) -> FileWork:
        """Write a sheet of labels as PDF. only_changed: only articles whose label has changed since
        it was printed."""

    def coming_labels(
        self, day: date, path: Path, *, now: datetime, only_changed: bool
    ) -> FileWork:
        """The same for all articles whose planned prices begin or end on a day of the shop, with
        the prices that they come to have (`price_labels.labels_for`)."""

    def take_photos(self, paths: Sequence[Path], *, product_id: str, by: str) -> FileWork:
        """Add photos to a product, all or none: an edit like any other, which waits for the
        platform with its photos on this machine."""
