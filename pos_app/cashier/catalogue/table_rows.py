"""The rows of the manager's table for Qt; each is read when it is painted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from pos_app.cashier.catalogue import columns, decisions
from pos_app.cashier.catalogue.model import CatalogueModel, owner_id_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import Option
from pos_app.cashier.ui.views import Index
from pos_app.cashier.words.article_texts import price_text
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark
from pos_app.selling.catalogue.product_draft import DraftField, barcodes_in_line

_TOP = QModelIndex()
_OF_ROW: Mapping[columns.CatalogueColumn, Callable[[CatalogueRow, Texts], str]] = {
    columns.CatalogueColumn.CODE: lambda row, _: "" if row.sku is None else str(row.sku),
    columns.CatalogueColumn.NAME: lambda row, _: row.name,
    columns.CatalogueColumn.SUBTITLE: lambda row, _: row.subtitle,
    columns.CatalogueColumn.EAN: lambda row, _: row.ean or "",
    columns.CatalogueColumn.UNIT: lambda row, _: row.unit,
    columns.CatalogueColumn.PRICE: price_text,
    columns.CatalogueColumn.LABEL: lambda row, _: row.label.value,
}
"""The cell texts that are known without reading the row's product."""


class CatalogueRows(QAbstractTableModel):
    def __init__(self, model: CatalogueModel, texts: Texts, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self._listed = model, model.listed
        self._texts = texts
        self._names = model.category_names()

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else self._listed.count

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(columns.CatalogueColumn)

    def row(self, number: int) -> CatalogueRow | None:
        return self._listed.row(number)

    def is_ticked(self, row: CatalogueRow) -> bool:
        return self._listed.is_ticked(row.product_id)

    def is_unsaved(self, row: CatalogueRow) -> bool:
        return bool(self._model.unsaved_in(row))

    def typed_text(self, row: CatalogueRow, column: columns.CatalogueColumn) -> str:
        return self._model.begin_cell(row, columns.FIELD_OF[column])

    def can_edit(self, row: CatalogueRow, column: columns.CatalogueColumn) -> bool:
        """Whether the cell belongs to the product or its only article; several are edited in the
        form."""
        return column in columns.FIELD_OF and self._model.has_one_owner(
            row, columns.FIELD_OF[column]
        )

    def number_of(
        self, row: CatalogueRow, column: columns.CatalogueColumn, *, near: int = -1
    ) -> int | None:
        """The number that the row of a cell has by now, which is mostly `near`; None if it left the
        list, or if the cell has become one of another article."""
        number = self._listed.number_of(row, near=near)
        now = None if number is None else self.row(number)
        if now is None or not self.can_edit(now, column):
            return None
        field = columns.FIELD_OF[column]
        return number if owner_id_of(now, field) == owner_id_of(row, field) else None

    def note_edited(self, cell: tuple[CatalogueRow, DraftField] | None) -> None:
        """Note the cell that is edited, so that widgets that are made anew open it again."""
        self._model.edited_cell = cell

    def options(self, column: columns.CatalogueColumn) -> Sequence[Option]:
        return columns.field_options(columns.FIELD_OF[column], self._model, self._texts)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._listed.row(index.row())
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.words(row, columns.CatalogueColumn(index.column()))
        if (
            role == Qt.ItemDataRole.CheckStateRole
            and index.column() == columns.CatalogueColumn.TICK
        ):
            return Qt.CheckState.Checked if self.is_ticked(row) else Qt.CheckState.Unchecked
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return columns.head_words(columns.CatalogueColumn(section), self._texts)
        return None

    def words(self, row: CatalogueRow, column: columns.CatalogueColumn) -> str:
        if column in columns.FIELD_OF:
            return self._field_words(row, column)
        if column is columns.CatalogueColumn.TICK:
            return self._texts("cat.ticked") if self.is_ticked(row) else ""
        return self.state_words(row) if column is columns.CatalogueColumn.STATE else ""

    def _field_words(self, row: CatalogueRow, column: columns.CatalogueColumn) -> str:
        field = columns.FIELD_OF[column]
        typed = self._model.typed_in_row(row, field)
        if typed is None and column in _OF_ROW:
            return _OF_ROW[column](row, self._texts)
        if typed is None and column is columns.CatalogueColumn.CATEGORY:
            return self._categories(row.category_ids)
        if not self._model.has_one_owner(row, field):
            return ""
        text = self._model.stands(row, field)
        match columns.KIND_OF[column]:
            case columns.CellKind.CHOICES:
                return self._categories(text.split("\n"))
            case columns.CellKind.CHOICE:
                words = {one.id: one.words for one in self.options(column)}.get(text, text)
                return words.split(" · ")[0] if text else ""
            case columns.CellKind.YES_OR_NO:
                return self._texts("cat.yes") if text else ""
            case _:
                return barcodes_in_line(text)

    def _categories(self, ids: Iterable[str]) -> str:
        ids = tuple(one for one in ids if one)
        if not self._names.keys() >= set(ids):  # a category was made since
            self._names = self._model.category_names()
        named = (self._names.get(one, "") for one in ids)
        return ", ".join(name for name in named if name)

    def state_words(self, row: CatalogueRow) -> str:
        """Words for how a row differs from the platform, or that it has unsaved text."""
        if self.is_unsaved(row):
            return self._texts("cat.state.unsaved")
        mark = self.mark_of(row)
        if mark is EditMark.NONE and not self._model.services.has_platform:
            return self._texts("cat.state.saved")
        return self._texts(f"cat.state.{mark.name.lower()}")

    def mark_of(self, row: CatalogueRow) -> EditMark:
        return decisions.mark_of(self._model, row)

    def want_picture(self, row: CatalogueRow) -> None:
        """Have the photo of a row brought from the platform; the row is visible now."""
        sync = self._model.services.sync
        if sync is not None:
            sync.want_picture(row.product_id)

    def variants_words(self, row: CatalogueRow) -> str:
        return self._texts.count("cat.variants", row.articles) if row.articles > 1 else ""

    def reset(self) -> None:
        self.beginResetModel()
        self._names = self._model.category_names()
        self.endResetModel()
