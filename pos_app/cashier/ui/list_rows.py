"""The model of a list whose rows are painted: a row gets its words when it comes into sight."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt

from pos_app.cashier.ui import views

RowT = TypeVar("RowT")
_ROOT = QModelIndex()


class ListRows(QAbstractListModel, Generic[RowT]):
    """spoken: the words of a painted row for a screen reader."""

    def __init__(self, spoken: Callable[[Any], str]) -> None:
        super().__init__()
        self._spoken = spoken
        self._rows: Sequence[RowT] = ()
        self._painted: Callable[[RowT], object] | None = None
        self._depends_on: Hashable = None

    def show_rows(
        self,
        rows: Sequence[RowT],
        painted: Callable[[RowT], object],
        *,
        depends_on: Hashable = None,
    ) -> None:
        """Show these rows. Rows that were there before keep their positions, so that further ones
        only follow.

        painted: makes what the delegate paints of a row. depends_on: what that depends on beside
        the row; the list begins anew with another one.
        """
        before, made = self._rows, tuple(rows)
        is_same = depends_on == self._depends_on
        self._painted, self._depends_on = painted, depends_on
        if is_same and made == before:
            return
        if is_same and before and made[: len(before)] == before:
            self.beginInsertRows(QModelIndex(), len(before), len(made) - 1)
            self._rows = made
            self.endInsertRows()
            return
        self.beginResetModel()
        self._rows = made
        self.endResetModel()

    def row_at(self, number: int) -> RowT | None:
        """Return the row that is shown at this place, which may differ from what a screen's model
        has by now."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def rowCount(self, parent: views.Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: views.Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        is_spoken = role == Qt.ItemDataRole.AccessibleTextRole
        if not index.isValid() or self._painted is None or not (is_spoken or role == views.ROW):
            return None
        row = self._painted(self._rows[index.row()])
        return self._spoken(row) if is_spoken else row
