"""The items of a sale, as the cart showed them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout

from pos_app.cashier.sale.rows import cart_row
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.rows import CartWords
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import ROW, CartDelegate, RowView
from pos_app.domain.cart import CartLine

MOST_SHOWN = 7
"""Rows shown at once; more of them scroll."""
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class _Lines(QAbstractListModel):
    """Rows for the cart's delegate."""

    def __init__(self, rows: Sequence[object], parent: Panel) -> None:
        super().__init__(parent)
        self._rows = tuple(rows)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self._rows[index.row()] if role == ROW else None


class LinesList(Panel):
    """A panel of rows, read only."""

    def __init__(self, theme: Theme, texts: Texts, lines: Sequence[CartLine]) -> None:
        super().__init__(theme)
        self._count = len(lines)
        self.setAccessibleName(texts("att.lines"))
        remove, restore = texts("cart.remove"), texts("cart.restore")
        delegate = CartDelegate(theme, CartWords(remove=remove, restore=restore))
        self.view = RowView(theme, delegate, name=texts("att.lines"))
        rows = [cart_row(line, texts, touched=False) for line in lines]
        self.view.setModel(_Lines(rows, self))
        self.view.setSelectionMode(RowView.SelectionMode.NoSelection)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, theme.metrics.s1, 1, theme.metrics.s1)
        column.addWidget(self.view)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        shown = min(max(self._count, 1), MOST_SHOWN)
        return QSize(8 * metrics.touch, shown * metrics.cart_row + 2 * metrics.s1 + 2)
