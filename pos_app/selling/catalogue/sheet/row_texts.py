"""The texts of a row's cells, by the field that each column has: columns of other systems become
fields of an article.

Source: articles-from-a-file.md ("From another till or web shop").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pos_app.domain.article.barcodes import is_gtin
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.selling.catalogue.product_draft import DraftField, read_sku
from pos_app.selling.catalogue.sheet.cell_reading import NO_WORDS, TYPES, YES_WORDS, whole_code
from pos_app.selling.catalogue.sheet.heads import SheetColumns, SheetField
from pos_app.selling.catalogue.sheet.row_plan import BadCell
from pos_app.selling.catalogue.sheet.systems import System
from pos_app.selling.cells import Formula, unescaped

_F, _S = DraftField, SheetField
_TYPED_BY_CASHIER = frozenset({"variable", "variable price"})
"""Prices, folded, that say that the cashier types one."""
_OFF_SALE = NO_WORDS | {"draft", "archived", "unlisted"}
_UNTAXED = NO_WORDS | {"none"}
_PIECES = frozenset({"units", "unit", "unit s"})
"""Pieces, folded, as Odoo calls them; a new article has them anyway."""
_GOODS = frozenset({
    "goods", "storable product", "storable", "consumable", "consu", "product", "proizvod",
})  # fmt: skip
_LONG_EAN = (12, 13, 14)
_OF_SYSTEMS: frozenset[str] = frozenset(SheetField)


class RowTexts:
    """Reads the rows of a sheet one after the other."""

    def __init__(self, heads: Sequence[str], columns: SheetColumns, system: System | None) -> None:
        self._heads = heads
        self._fields = columns.fields
        self._system = system
        self._kinds = {*TYPES, *map(fold, TYPES.values())}
        self._told: dict[tuple[str, str], list[str]] = {}
        """The cells that were understood in another way, by field and kind."""

    def of(self, cells: Sequence[str]) -> dict[str, str]:
        """The texts of a row's cells, by field; several columns of barcodes are joined. Raises
        Invalid, with the field, where the prices of stores differ."""
        values: dict[str, str] = {}
        many: dict[str, list[tuple[str, str]]] = {}
        for index, name in self._fields.items():
            text = cells[index].strip() if index < len(cells) else ""
            if not text:
                continue
            if name in _OF_SYSTEMS:
                many.setdefault(name, []).append((self._heads[index].strip(), text))
            elif name == _F.BARCODES and name in values:
                values[name] = f"{values[name]}; {unescaped(text)}"
            elif not (name == _F.SKU and not text.strip("0")):  # 0 is no code
                values[name] = unescaped(text)
        if self._system is not None:
            self._as_of_system(values, many)
        self._price(values, many)
        self._kind(values)
        return values

    def is_sold(self, cells: Sequence[str]) -> bool:
        """Whether the other system sells what the row has."""
        in_stores = list[bool]()
        for index, name in self._fields.items():
            text = fold(cells[index]) if index < len(cells) else ""
            if not text:
                continue
            if name == _S.IN_STORE:
                in_stores.append(text not in NO_WORDS)
            elif name in _SALE and _SALE[name](cells[index]):
                return False
        return any(in_stores) or not in_stores

    def _as_of_system(
        self, values: dict[str, str], many: Mapping[str, list[tuple[str, str]]]
    ) -> None:
        self._tax(values, many)
        self._codes(values)
        levels = [text for _, text in many.get(_S.LEVEL, ())]
        if self._system is not None and (named := values.get(_F.CATEGORIES)):
            levels = self._system.levels(named)
        if levels:
            values[_F.CATEGORIES] = "; ".join(dict.fromkeys(levels))
        else:
            values.pop(_F.CATEGORIES, None)
        if fold(values.get(_F.UNIT, "")) in _PIECES:
            del values[_F.UNIT]
        if any(fold(text) in YES_WORDS for _, text in many.get(_S.BY_WEIGHT, ())):
            values.setdefault(_F.UNIT, "kg")
        if many.get(_S.OFFER):
            self._tell(_S.OFFER, "offer_price", many[_S.OFFER][0][1])

    def _tax(self, values: dict[str, str], many: Mapping[str, list[tuple[str, str]]]) -> None:
        """The tax as one text: that of the heads that apply, or that none is charged."""
        flags = [head for head, text in many.get(_S.TAX_FLAG, ()) if fold(text) in YES_WORDS]
        named = [head.partition("-")[2].strip().replace('"', "") for head in flags]
        named += dict.fromkeys(text for _, text in many.get(_S.NET_TAX, ()))
        if named:
            values[_F.TAX_LABEL] = " + ".join(named)
        for head, text in many.get(_S.CHARGED, ()):
            if fold(text) in _UNTAXED:
                values[_F.TAX_LABEL] = f"{head}: {text}"

    def _codes(self, values: dict[str, str]) -> None:
        """An EAN in the column of codes is the EAN; a barcode with letters is a further one, since
        an EAN has none."""
        ean = values.get(_F.EAN, "")
        if ean and not isinstance(ean, Formula) and any(one.isalpha() for one in ean):
            bars = values.pop(_F.EAN), values.get(_F.BARCODES, "")
            values[_F.BARCODES] = "; ".join(one for one in bars if one)
        code = values.get(_F.SKU, "")
        if code and _F.EAN not in values and len(code) in _LONG_EAN and is_gtin(code):
            values[_F.EAN] = values.pop(_F.SKU)
        first, parted, others = values.get(_F.BARCODES, "").partition("; ")
        if _F.EAN not in values and is_gtin(first):
            values[_F.EAN] = first
            values.pop(_F.BARCODES)
            if parted:
                values[_F.BARCODES] = others

    def _price(self, values: dict[str, str], many: Mapping[str, list[tuple[str, str]]]) -> None:
        """The price of the only store, or the one that all stores have."""
        stores = {text for _, text in many.get(_S.STORE_PRICE, ())}
        columns = [at for at, name in self._fields.items() if name == _S.STORE_PRICE]
        if len(columns) > 1 and len(stores | {values.get(_F.PRICE, "")} - {""}) > 1:
            raise Invalid("prices_differ", field=_F.PRICE)
        if stores:
            values[_F.PRICE] = unescaped(stores.pop())
        if fold(values.get(_F.PRICE, "")) in _TYPED_BY_CASHIER:
            del values[_F.PRICE]
            values[_F.OPEN_PRICE] = "da"

    def _kind(self, values: dict[str, str]) -> None:
        """A type that is none of ours is told once, and not imported."""
        kind = values.get(_F.PRODUCT_TYPE, "")
        if not kind or isinstance(kind, Formula) or fold(kind) in self._kinds:
            return
        del values[_F.PRODUCT_TYPE]
        if fold(kind) in _GOODS:
            values[_F.PRODUCT_TYPE] = "product"
        else:
            self._tell(_F.PRODUCT_TYPE, "kinds_unread", kind)

    def with_letters(self, values: dict[str, str]) -> bool:
        """Keep a code that is no number as the maker's, where the row has no other; return whether
        that was done."""
        code = values.get(_F.SKU, "")
        if not code or isinstance(code, Formula):
            return False
        try:
            read_sku(whole_code(code))
        except Invalid as error:
            if error.kind != "sku":
                return False
        else:
            return False
        del values[_F.SKU]
        has_room = values.setdefault(_F.MANUFACTURER_SKU, code) == code
        self._tell(_F.SKU, "codes_with_letters" if has_room else "codes_without_room", code)
        return has_room

    def _tell(self, name: str, kind: str, text: str) -> None:
        self._told.setdefault((name, kind), []).append(text)

    def remarks(self) -> list[BadCell]:
        """What was understood in another way, once for each column."""
        heads: dict[str, str] = {}
        for at, name in self._fields.items():
            heads.setdefault(name, self._heads[at])
        return [
            BadCell(0, heads.get(name, ""), texts[0], Invalid(kind, rows=len(texts)))
            for (name, kind), texts in self._told.items()
        ]


def _is_off(cell: str) -> bool:
    return cell.strip().startswith("-") or fold(cell) in _OFF_SALE


def _is_archived(cell: str) -> bool:
    return fold(cell) in YES_WORDS


_SALE: Mapping[str, Callable[[str], bool]] = {_S.ON_SALE: _is_off, _S.ARCHIVED: _is_archived}
"""Whether a cell says that what its row has is not sold."""
