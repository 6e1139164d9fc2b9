"""The picker's rows for Qt. They are put into words when they are painted, and a picture is loaded
once.

A view lays out each row of its model, which takes a third of a second for 100,000 rows. So the
model begins with few rows, and adds more when somebody scrolls.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from pos_app.cashier.sale.catalogue_pages import PAGE, Choice, RowWindow
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.rows import ListRow, Tile
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import PICTURE, ROW
from pos_app.cashier.words import article_texts
from pos_app.domain.money.number_text import NO_BREAK_SPACE
from pos_app.domain.text.search_text import hits
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.synchronisation.run import SyncRunner

# --- in words ------------------------------------------------------------------------------------


def tile_of(row: CatalogueRow, texts: Texts, *, badge: str = "") -> Tile:
    return Tile(
        name=row.name,
        price=article_texts.price_text(row, texts),
        initials=article_texts.initials(row.name),
        tone=article_texts.tone_of(row),
        per_unit=_per_unit(row, texts),
        badge=badge,
        refusal="" if can_be_sold(row) else texts("picker.not_for_sale"),
        has_picture=row.picture is not None,
    )


def list_row_of(row: CatalogueRow, texts: Texts, *, query: str = "") -> ListRow:
    many = row.articles > 1
    return ListRow(
        code="" if row.sku is None else str(row.sku),
        name=row.name,
        price=article_texts.price_text(row, texts),
        unit=row.unit,
        hits=tuple(hits(row.name, query)) if query else (),
        variants=texts.count("picker.variants", row.articles) if many else "",
        refusal="" if can_be_sold(row) else texts("picker.not_for_sale"),
    )


def can_be_sold(row: CatalogueRow) -> bool:
    """Tell whether a tap can lead to an item: there is an article, and it has a price or asks for
    one."""
    return row.articles > 0 and (row.price is not None or row.asks_price)


def _per_unit(row: CatalogueRow, texts: Texts) -> str:
    if not row.by_weight or row.price is None or article_texts.is_typed(row):
        return ""
    return texts("picker.per_unit", unit=f"1{NO_BREAK_SPACE}{row.unit}")


# --- for Qt --------------------------------------------------------------------------------------

STEP = 2 * PAGE
"""The rows that a view lays out at first. Their number is doubled when the view is scrolled to
their end."""
MOST_AT_ONCE = 2_000
_TOP = QModelIndex()


class PickerRows(QAbstractListModel):
    """Rows of the catalogue, as tiles or as rows of the list."""

    def __init__(
        self,
        window: RowWindow,
        texts: Texts,
        theme: Theme,
        parent: QObject | None = None,
        *,
        sync: SyncRunner | None = None,
    ) -> None:
        """sync: fetches pictures that are shown and missing here."""
        super().__init__(parent)
        self.window = window
        self._sync = sync
        self.as_list = False
        self._reached = window.at_most(STEP)
        self._texts = texts
        self._pictures = article_texts.TilePictures(theme)
        self._badges: Mapping[str, str] = {}

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 0 if parent.isValid() else self._reached

    def canFetchMore(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> bool:
        if parent.isValid():
            return False
        return self.window.at_most(self._reached + 1) > self._reached

    def fetchMore(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> None:
        """For a view that was scrolled to its end, double the rows, but add at most
        MOST_AT_ONCE."""
        if self.canFetchMore(parent):
            self.reach(self._reached + min(self._reached, MOST_AT_ONCE))

    def reach(self, rows: int) -> None:
        """Have at least so many rows, if there are as many."""
        wanted = min(rows, self.window.at_most(rows + 1))
        if wanted > self._reached:
            self.beginInsertRows(_TOP, self._reached, wanted - 1)
            self._reached = wanted
            self.endInsertRows()

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        row = self.window.row(index.row())
        if row is None:
            return None
        if role == ROW:
            return self._value(row)
        if role == PICTURE:
            return self._pictures.of(row.picture)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.name}, {article_texts.price_text(row, self._texts)} {row.unit}".strip()
        return None

    def show(self, choice: Choice) -> None:
        self.beginResetModel()
        self.window.show(choice)
        self._reached = self.window.at_most(STEP)
        self.endResetModel()

    def reload(self) -> None:
        reached = self._reached
        self.show(self.window.choice)
        self.reach(reached)

    def set_badges(self, badges: Mapping[str, str]) -> set[str]:
        """Take the count of each product in the cart; return the products whose count is new."""
        old, self._badges = self._badges, badges
        return {key for key in old.keys() | badges.keys() if old.get(key) != badges.get(key)}

    def _value(self, row: CatalogueRow) -> object:
        if self.as_list:
            return list_row_of(row, self._texts, query=self.window.choice.query)
        if row.picture is None and row.picture_id is not None and self._sync is not None:
            self._sync.want_picture(row.product_id)
        return tile_of(row, self._texts, badge=self._badges.get(row.product_id, ""))
