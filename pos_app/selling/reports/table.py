"""A report as columns, lines and their sum. The column says what a cell means; the window and the
files put it into words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import PriceReason

Cell = str | int | Decimal | datetime | PriceReason | None
"""Amounts are exact; a datetime is an instant in UTC."""
_TENTH = Decimal("0.1")


class ColumnKind(StrEnum):
    KEY = "key"
    """An identifier of the line, which the window puts into words."""
    TEXT = "text"
    COUNT = "count"
    QUANTITY = "quantity"
    AMOUNT = "amount"
    BACK = "back"
    """A refunded amount: negative."""
    NET = "net"
    QUIET = "quiet"
    """An amount to compare with."""
    CHANGE = "change"
    AGE = "age"
    """A number of days, which nobody adds up."""
    TICK = "tick"
    """Whether the line is chosen for an act on several."""
    MOMENT = "moment"


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """name: the name of its head. in_files: whether only files have the column."""

    name: str
    kind: ColumnKind
    in_files: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """key: the line's identifier, of which its cells of the kind KEY are parts."""

    key: str
    cells: tuple[Cell, ...]

    @property
    def is_empty(self) -> bool:
        """Whether all that it says of its key is 0, in the period before, too."""
        return not any(self.cells[1:])


@dataclass(frozen=True, slots=True)
class Table:
    """total: the sums below the columns that have one, or None."""

    columns: tuple[ReportColumn, ...]
    lines: tuple[Line, ...]
    total: tuple[Cell, ...] | None = None

    @property
    def is_empty(self) -> bool:
        return all(line.is_empty for line in self.lines)


@dataclass(frozen=True, slots=True)
class ReportBar:
    """key: the key of its line. before: the value in the period before, or None."""

    key: str
    value: Decimal
    before: Decimal | None = None


def change_of(now: Decimal, before: Decimal | None) -> Decimal | None:
    """The change in percent to a tenth, half up, or None where there is nothing to compare with.

    | now    | before | change |
    | 104.60 | 100    | 4.6    |
    | 0      | 100    | -100   |
    | 100    | 0      | None   |
    """
    if before is None or before <= 0:
        return None
    return ((now - before) * 100 / before).quantize(_TENTH, ROUND_HALF_UP) + 0


def summed(columns: Sequence[ReportColumn], lines: Sequence[Line]) -> tuple[Cell, ...]:
    """Add up counts and amounts, each below its column."""
    adding = (
        ColumnKind.COUNT,
        ColumnKind.AMOUNT,
        ColumnKind.BACK,
        ColumnKind.NET,
        ColumnKind.QUIET,
    )
    return tuple(
        _added([line.cells[index] for line in lines]) if column.kind in adding else None
        for index, column in enumerate(columns)
    )


def _added(cells: Sequence[Cell]) -> Cell:
    counts = [cell for cell in cells if isinstance(cell, int)]
    amounts = [cell for cell in cells if isinstance(cell, Decimal)]
    return sum(counts) if counts and not amounts else sum(amounts, Decimal(0))
