"""What is done with files of the catalogue, in a process of its own: the window never waits.

Source: till.md (Catalogue: import, export, labels; Promise 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from pos_app.domain.tax import TaxLabel
from pos_app.errors import PosError
from pos_app.selling.catalogue.sheet.row_plan import FieldChange
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
class ImportPlan:
    """What an import would do; nothing is written yet. bad_cells, odd_cells, changes: the first of
    them. odd: how many cells can be so and are perhaps not meant.

    renamed: how many articles get another name; they come first among the changes. unpriced: how
    many of the new articles have no price, so that the cashier types it each time; they come next,
    and a person says that this is meant.
    categories: names of those that are made with it, new_categories of them. encoding: what the
    text was read as, where that is not UTF-8.
    plan: the file in which all of it waits to be confirmed.
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


class CatalogueFiles(Protocol):
    """Begins such work."""

    def plan_import(
        self, path: Path, *, label: TaxLabel | None, rates: Mapping[TaxLabel, Decimal]
    ) -> FileWork:
        """Read a sheet, and tell what it would change. label: of every row, whatever its cell says;
        None: as the cells say, where a rate of today may stand for a label. rates: those, in
        percent."""

    def carry_out(self, plan: ImportPlan, *, by: str) -> FileWork:
        """Make the changes of a plan whose rows are right."""

    def export(self, choice: TableChoice, path: Path) -> FileWork:
        """Write what the table shows, as CSV or XLSX by the name of the file."""

    def labels(self, product_ids: Sequence[str], path: Path, *, only_changed: bool) -> FileWork:
        """A sheet of labels as PDF. only_changed: of articles whose label would say another
        thing than the one that was printed last."""

    def take_photos(self, paths: Sequence[Path], *, product_id: str, by: str) -> FileWork:
        """Add photos to a product, all or none: an edit like any other, which waits for the
        platform with its photos on this machine."""
