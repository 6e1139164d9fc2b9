"""The columns of the manager's table: the fields that they show, and how their cells are edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, IntEnum, StrEnum, auto
from types import MappingProxyType

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import Option
from pos_app.cashier.words.article_texts import label_text
from pos_app.domain.article.fields import KINDS, FieldKind
from pos_app.domain.article.product import ProductType
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.table import TableOrder


class CatalogueColumn(IntEnum):
    """All columns, from left to right; one set of them is shown at a time."""

    TICK = 0
    PICTURE = 1
    CODE = 2
    NAME = 3
    SUBTITLE = 4
    CATEGORY = 5
    EAN = 6
    BARCODES = 7
    MAKERS_CODE = 8
    KIND = 9
    UNIT = 10
    BASE_UNIT = 11
    PER_BASE_UNIT = 12
    WEIGHT = 13
    DIMENSIONS = 14
    PRICE = 15
    PLANNED_PRICE = 16
    PLANNED_FROM = 17
    PLANNED_UNTIL = 18
    LABEL = 19
    OPEN_PRICE = 20
    PINNED = 21
    STATE = 22


_C, _F = CatalogueColumn, DraftField


class ColumnSet(StrEnum):
    """The sets of columns; together they show every field that fits a cell."""

    MAIN = "main"
    CODES = "codes"
    PLANS = "plans"
    MEASURES = "measures"
    SHELF = "shelf"


_ALWAYS = (_C.TICK, _C.PICTURE, _C.CODE, _C.NAME, _C.STATE)
SETS: Mapping[ColumnSet, frozenset[CatalogueColumn]] = MappingProxyType({
    ColumnSet.MAIN: frozenset(
        {*_ALWAYS, _C.CATEGORY, _C.EAN, _C.UNIT, _C.PRICE, _C.LABEL}
    ),
    ColumnSet.CODES: frozenset({*_ALWAYS, _C.EAN, _C.BARCODES, _C.MAKERS_CODE}),
    ColumnSet.PLANS: frozenset(
        {*_ALWAYS, _C.PRICE, _C.PLANNED_PRICE, _C.PLANNED_FROM, _C.PLANNED_UNTIL}
    ),
    ColumnSet.MEASURES: frozenset(
        {*_ALWAYS, _C.UNIT, _C.BASE_UNIT, _C.PER_BASE_UNIT, _C.WEIGHT, _C.DIMENSIONS}
    ),
    ColumnSet.SHELF: frozenset(
        {*_ALWAYS, _C.SUBTITLE, _C.CATEGORY, _C.KIND, _C.OPEN_PRICE, _C.PINNED}
    ),
})  # fmt: skip
SORTED_BY: Mapping[CatalogueColumn, TableOrder] = MappingProxyType(
    {_C.CODE: TableOrder.CODE, _C.NAME: TableOrder.NAME, _C.PRICE: TableOrder.PRICE}
)
FIELD_OF: Mapping[CatalogueColumn, DraftField] = MappingProxyType({
    _C.CODE: _F.SKU,
    _C.NAME: _F.NAME,
    _C.SUBTITLE: _F.SUBTITLE,
    _C.CATEGORY: _F.CATEGORIES,
    _C.EAN: _F.EAN,
    _C.BARCODES: _F.BARCODES,
    _C.MAKERS_CODE: _F.MANUFACTURER_SKU,
    _C.KIND: _F.PRODUCT_TYPE,
    _C.UNIT: _F.UNIT,
    _C.BASE_UNIT: _F.BASE_UNIT,
    _C.PER_BASE_UNIT: _F.PER_BASE_UNIT,
    _C.WEIGHT: _F.WEIGHT,
    _C.DIMENSIONS: _F.DIMENSIONS,
    _C.PRICE: _F.PRICE,
    _C.PLANNED_PRICE: _F.PLANNED_PRICE,
    _C.PLANNED_FROM: _F.PLANNED_FROM,
    _C.PLANNED_UNTIL: _F.PLANNED_UNTIL,
    _C.LABEL: _F.TAX_LABEL,
    _C.OPEN_PRICE: _F.OPEN_PRICE,
    _C.PINNED: _F.PINNED,
})  # fmt: skip
FOLDS = (
    _C.EAN,
    _C.UNIT,
    _C.CATEGORY,
    _C.DIMENSIONS,
    _C.BASE_UNIT,
    _C.MAKERS_CODE,
    _C.KIND,
    _C.PINNED,
    _C.PICTURE,
    _C.PLANNED_UNTIL,
    _C.PLANNED_FROM,
    _C.WEIGHT,
    _C.OPEN_PRICE,
    _C.SUBTITLE,
    _C.BARCODES,
    _C.PER_BASE_UNIT,
    _C.LABEL,
)
"""The columns in the order in which they are hidden while not all fit."""


class CellKind(Enum):
    WORDS = auto()
    NUMBER = auto()
    """A typed digit replaces the old text."""
    CODE = auto()
    """Digits and points, perhaps on several lines."""
    CHOICE = auto()
    CHOICES = auto()
    """Any number of entries of a list."""
    YES_OR_NO = auto()


_OF_KIND: Mapping[FieldKind, CellKind] = {
    FieldKind.NAME: CellKind.WORDS,
    FieldKind.TEXT: CellKind.WORDS,
    FieldKind.CODE: CellKind.CODE,
    FieldKind.SKU: CellKind.CODE,
    FieldKind.EAN: CellKind.CODE,
    FieldKind.UNIT: CellKind.CHOICE,
    FieldKind.NUMBER: CellKind.NUMBER,
    FieldKind.PRICE: CellKind.NUMBER,
    FieldKind.TAX_LABEL: CellKind.CHOICE,
    FieldKind.PRODUCT_TYPE: CellKind.CHOICE,
    FieldKind.DIMENSIONS: CellKind.CODE,
    FieldKind.CATEGORIES: CellKind.CHOICES,
}
_OURS = {
    _F.BARCODES: CellKind.CODE,
    _F.PLANNED_PRICE: CellKind.NUMBER,
    _F.PLANNED_FROM: CellKind.CODE,
    _F.PLANNED_UNTIL: CellKind.CODE,
    _F.OPEN_PRICE: CellKind.YES_OR_NO,
    _F.PINNED: CellKind.YES_OR_NO,
}
KIND_OF: Mapping[CatalogueColumn, CellKind] = MappingProxyType(
    {column: _OURS.get(field) or _OF_KIND[KINDS[field]] for column, field in FIELD_OF.items()}
)


def shows_number(column: CatalogueColumn) -> bool:
    return KIND_OF.get(column) is CellKind.NUMBER


def head_words(column: CatalogueColumn, texts: Texts) -> str:
    return texts(f"cat.column.{column.name.lower()}")


def field_options(field: DraftField, model: CatalogueModel, texts: Texts) -> Sequence[Option]:
    """The options of a field; the option with the id "" stands for no choice."""
    none = Option("", texts("cat.none"))
    match KINDS.get(field):
        case FieldKind.UNIT:
            units = (
                Option(
                    one.id, one.symbol if one.name == one.symbol else f"{one.symbol} · {one.name}"
                )
                for one in model.units()
            )
            return (none, *units)
        case FieldKind.PRODUCT_TYPE:
            kinds = (Option(one.value, texts(f"cat.type.{one.value}")) for one in ProductType)
            return (none, *kinds)
        case FieldKind.TAX_LABEL:
            rates = model.services.rates
            return tuple(Option(one.value, label_text(one, rates, texts)) for one in TaxLabel)
        case FieldKind.CATEGORIES:
            return tuple(Option(one, name) for one, name in model.category_names().items())
        case _:
            raise ValueError(f"{field} is typed")
