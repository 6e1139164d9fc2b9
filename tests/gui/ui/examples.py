"""The example data of the design's pictures, as value objects of the look."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex

from pos_app.cashier.ui.bars import StatusItem
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords
from pos_app.cashier.ui.views import ROW

WORDS = CartWords(remove="Уклони", restore="Врати")


def cart(*, is_current: bool = True) -> list[CartRow]:
    """Six rows; the last one carries a discount."""
    last = CartState.CURRENT if is_current else CartState.NORMAL
    return [
        CartRow("2", "Хлеб бели Сава 500 g", "58,99", "ком", "117,98"),
        CartRow("2", "Бурек са сиром 250 g", "165,00", "ком", "330,00"),
        CartRow("1,560", "Банана", "189,99", "kg", "296,38"),
        CartRow("2", "Млеко свеже 2,8 % 1 l", "139,99", "ком", "279,98"),
        CartRow("0,412", "Сир млади домаћи", "899,00", "kg", "370,39"),
        CartRow(
            "1", "Кафа млевена Златна 200 g", "279,99", "ком", "279,99",
            old_unit_price="349,99", discount="−20 %", old_total="349,99", state=last,
        ),
    ]  # fmt: skip


WELL = (
    StatusItem("Сервер", "ради"),
    StatusItem("Процесор", "спреман, Л-ПФР"),
    StatusItem("Ред", "празан"),
    StatusItem("Усклађено", "у 14:30"),
)


class Rows(QAbstractListModel):
    def __init__(self, rows: list[object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        return self._rows[index.row()] if role == ROW else None
