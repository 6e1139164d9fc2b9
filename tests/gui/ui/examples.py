"""The example data of the design's pictures, as value objects of the look."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex

from pos_app.cashier.ui.bars import StatusItem
from pos_app.cashier.ui.choices import ChipSpec
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords, ListRow, Tile
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


TILES = (
    Tile("Хлеб бели Сава 500 g", "58,99", "Хб", 0, badge="2"),
    Tile("Хлеб ражани 400 g", "129,99", "Хр", 0),
    Tile("Багет француски 250 g", "79,99", "Бф", 0),
    Tile("Кифла са сусамом", "35,00", "Кс", 0),
    Tile("Кроасан са чоколадом", "95,00", "Кч", 0),
    Tile("Бурек са сиром 250 g", "165,00", "Бс", 0, badge="2"),
    Tile("Бурек са месом 250 g", "185,00", "Бм", 0),
    Tile("Переца", "45,00", "Пе", 0),
    Tile("Ђеврек са сусамом", "49,99", "Ђс", 0),
    Tile("Проја са сиром", "85,00", "Пс", 0),
    Tile("Млеко свеже 2,8 % 1 l", "139,99", "Мс", 1, badge="2"),
    Tile("Јогурт 2,8 % 1 l", "142,99", "Јо", 1),
    Tile("Сир млади домаћи", "899,00", "См", 1, per_unit="за 1 kg", badge="1"),
    Tile("Кајмак зрели", "1.690,00", "Кз", 1, per_unit="за 1 kg"),
    Tile("Јаја M 10 комада", "219,99", "Јм", 1),
    Tile("Банана", "189,99", "Ба", 2, per_unit="за 1 kg", badge="1"),
    Tile("Јабука ајдаред", "109,99", "Ја", 2, per_unit="за 1 kg"),
    Tile("Парадајз", "249,99", "Па", 2, per_unit="за 1 kg"),
    Tile("Вода минерална 1,5 l", "64,99", "Вм", 3),
    Tile("Кафа млевена Златна 200 g", "349,99", "Км", 3, badge="1"),
)

FOUND = (
    ListRow("2088", "Сир млади домаћи", "899,00", "kg", ((0, 3),)),
    ListRow("2091", "Сир фета 250 g", "329,99", "ком", ((0, 3),)),
    ListRow("2094", "Сир качкаваљ крављи", "1.149,00", "kg", ((0, 3),), variants="3 врсте"),
    ListRow("2097", "Сир за намазивање 150 g", "189,99", "ком", ((0, 3),)),
    ListRow("2101", "Сирни намаз са паприком 150 g", "199,99", "ком", ((0, 3),)),
    ListRow("1042", "Бурек са сиром 250 g", "165,00", "ком", ((9, 12),)),
    ListRow("1077", "Проја са сиром", "85,00", "ком", ((9, 12),)),
    ListRow("1083", "Гибаница са сиром 300 g", "210,00", "ком", ((12, 15),)),
    ListRow("5210", "Сирће јабуково 1 l", "129,99", "ком", ((0, 3),)),
    ListRow("2110", "Пица са сиром 400 g", "310,00", "ком", ((8, 11),)),
)


def chips(first: ChipSpec) -> list[ChipSpec]:
    words = (
        "Пекара", "Млечно", "Воће и поврће", "Пиће", "Слатко", "Месара", "Замрзнуто", "Хемија",
        "Кућа", "Намирнице", "Конзерве", "Деца", "Штампа", "Цигарете", "Остало",
    )  # fmt: skip
    return [first, *(ChipSpec(word, word) for word in words)]


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
