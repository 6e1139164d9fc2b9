"""What is done with files of the catalogue, in a process of its own: the window never waits.

Source: till.md (Catalogue: import, export, labels; Promise 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from pos_app.domain.tax import TaxLabel
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.sheet.row_plan import (
    NOTHING_SAID_OF_SHEET,
    FieldChange,
    Question,
    SheetAnswers,
)
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.file_work import FileWork


@dataclass(frozen=True, slots=True)
class BadCellTold:
    """A cell of an import that can't be so, or is perhaps not meant. row: as spreadsheets count; 0
    for a whole column; column: "" for the whole file."""

    row: int
    column: str
    text: str
    why: PosError


@dataclass(frozen=True, slots=True)
class ChangeTold:
    """A row of an import that changes something, or makes a new article.

    name: of an article that is changed as it is now. price: of a new one, "1.149,00".
    is_unpriced: a new one without a price, of which nobody said that the cashier types it.
    """

    row: int
    name: str
    is_new: bool
    price: str = ""
    changes: tuple[FieldChange, ...] = ()
    is_unpriced: bool = False


@dataclass(frozen=True, slots=True)
class ColumnTold:
    """A column of a sheet, and what became of it. place: from 0. head: "" where it has none.

    field: of the form, as `DraftField` or VARIANT_OF names it; "" where it is not imported, and
    why then tells it (ColumnUse). cells: some of what stands in it.
    """

    place: int
    head: str
    field: str
    why: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do; nothing is written yet. bad_cells, odd_cells, changes: the first of
    them. odd: how many cells can be so and are perhaps not meant.

    renamed: how many articles get another name; they come first among the changes. unpriced: how
    many of the new articles have no price, so that the cashier types it each time; they come next,
    and a person says that this is meant.
    categories: names of those that are made with it, new_categories of them. encoding: what the
    text was read as, where that is not UTF-8.
    plan: the file in which all of it waits to be confirmed.

    columns: what became of each; doubled: fields that several columns say alike, by their places:
    a person says which one before anything is imported. names_article: whether a column says which
    article a row is about; without one no row is read. questions: what a person may say once for
    all rows. answers: what was said, now or, where it is remembered, of an earlier sheet of that
    shape. joined: rows that add a further barcode to the article of another row.
    """

    plan: Path
    rows: int
    new: int
    changed: int
    same: int
    bad: int
    bad_cells: tuple[BadCellTold, ...]
    changes: tuple[ChangeTold, ...]
    renamed: int = 0
    new_categories: int = 0
    categories: tuple[str, ...] = ()
    odd: int = 0
    odd_cells: tuple[BadCellTold, ...] = ()
    encoding: str = ""
    unpriced: int = 0
    joined: int = 0
    columns: tuple[ColumnTold, ...] = ()
    doubled: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    names_article: bool = True
    questions: tuple[Question, ...] = ()
    answers: SheetAnswers = NOTHING_SAID_OF_SHEET
    shape: str = ""
    remembered: bool = False

    @property
    def changes_something(self) -> bool:
        return bool(self.new + self.changed + self.joined)


class CatalogueFiles(Protocol):
    """Begins such work."""

    def plan_import(
        self, path: Path, *, label: TaxLabel | None, rates: Mapping[TaxLabel, Decimal],
        answers: SheetAnswers | None = None,
    ) -> FileWork:  # fmt: skip
        """Read a sheet, and tell what it would change. label: of every row, whatever its cell says;
        None: as the cells say, where a rate of today may stand for a label. rates: those, in
        percent. answers: what a person says of this sheet; None: what was said of the last one of
        its shape that was imported."""

    def carry_out(self, plan: ImportPlan, *, name: str, by: str) -> FileWork:
        """Make the changes of a plan whose rows are right, and remember what was said of the sheet.
        name: of its file."""

    def save_refused(self, plan: ImportPlan, path: Path, *, language: str) -> FileWork:
        """Write the rows that a plan refused as CSV or XLSX, by the name of the file, each with the
        reason in a column that an import does not read."""

    def take_back(self, *, by: str) -> FileWork:
        """Take the last change back; its result is Undone."""

    def export(self, choice: TableChoice, path: Path) -> FileWork:
        """Write what the table shows, as CSV or XLSX by the name of the file."""

    def labels(self, product_ids: Sequence[str], path: Path, *, only_changed: bool) -> FileWork:
        """A sheet of labels as PDF. only_changed: of articles whose label would say another
        thing than the one that was printed last."""

    def take_photos(self, paths: Sequence[Path], *, product_id: str, by: str) -> FileWork:
        """Add photos to a product, all or none: an edit like any other, which waits for the
        platform with its photos on this machine."""
