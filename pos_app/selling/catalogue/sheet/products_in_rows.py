"""Puts the rows of a product together, which other systems write as a row for each variant, each
picture and each part of a set.

What only the first row of a product says is filled into the others, so that each row can be read,
refused and imported again by itself. A price is never filled in.
Source: articles-from-a-file.md ("From another till or web shop").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pos_app.domain.text.search_text import fold
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.heads import VARIANT_OF, SheetColumns, SheetField

_F, _S = DraftField, SheetField
MOST_OF_GROUP = 5000
"""The most rows that are taken together; the systems allow 2048 variants and 250 pictures."""
_FILLED_IN = frozenset({
    _F.NAME, _F.CATEGORIES, _F.TAX_LABEL, _F.UNIT, _F.PRODUCT_TYPE, _S.ON_SALE, _S.ARCHIVED,
    _S.IN_STORE, _S.TAX_FLAG, _S.NET_TAX, _S.CHARGED, _S.BY_WEIGHT, _S.LEVEL,
})  # fmt: skip
_OF_ARTICLE = frozenset({
    _F.SKU, _F.EAN, _F.BARCODES, _F.MANUFACTURER_SKU, _F.PRICE, _S.STORE_PRICE, _S.OPTION,
})  # fmt: skip
"""A row below the first of its product that has none of these shows a picture or a part."""
_NO_VARIANT = frozenset({"", "default title", "regular"})
"""What systems write as the variant of a product that has none, folded."""
_PARENT, _VARIATION = "variable", "variation"
_NO_ARTICLE = frozenset({"grouped", "external"})
_FROM_PARENT = "parent"
"""The tax of a variant that has its product's."""


class ProductRow(NamedTuple):
    """A row of an article. variant_of: its product's name, if the row is of a variant; variant:
    the variant's name. is_article: False for a row that is told and not imported."""

    number: int
    cells: list[str]
    variant_of: str = ""
    variant: str = ""
    is_article: bool = True


def product_rows(
    rows: Iterable[tuple[int, list[str]]], columns: SheetColumns
) -> Iterator[ProductRow]:
    """Yield the rows of articles, in their order."""
    reader = _Rows(columns)
    names = set(columns.fields.values())
    if _S.ROW_TYPE in names:
        yield from reader.by_type(rows)
    elif names & {_S.GROUP, _S.OPTION}:
        yield from reader.by_group(rows)
    else:
        yield from (ProductRow(number, cells) for number, cells in rows)


def with_further_taxes(
    rows: Iterable[tuple[int, list[str]]], columns: SheetColumns
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of another system's file; one with nothing but a tax, as Odoo writes an
    article's second one, stands in the tax of the row above it."""
    above: tuple[int, list[str]] | None = None
    for number, cells in rows:
        filled = [at for at, cell in enumerate(cells) if cell.strip()]
        if above and len(filled) == 1 and columns.fields.get(filled[0]) == _F.TAX_LABEL:
            at, whole = filled[0], [*above[1], *[""] * (filled[0] + 1 - len(above[1]))]
            whole[at] = ",".join(filter(None, (whole[at].strip(), cells[at].strip())))
            above = above[0], whole
            continue
        if above:
            yield above
        above = number, cells
    if above:
        yield above


class _Rows:
    def __init__(self, columns: SheetColumns) -> None:
        self._places: dict[str, list[int]] = {}
        for index, name in columns.fields.items():
            self._places.setdefault(name, []).append(index)
        self._filled_in = {at for name in _FILLED_IN for at in self._places.get(name, ())}
        self._firsts: dict[str, Sequence[str]] = {}
        """What the first row of each product fills in, by its group; of a parent by its code and
        id."""

    def _text(self, cells: Sequence[str], name: str) -> str:
        texts = (cells[at].strip() for at in self._places.get(name, ()) if at < len(cells))
        return next((text for text in texts if text), "")

    def _options(self, cells: Sequence[str]) -> list[str]:
        """The values of a row's options; Odoo writes "Boja: Crvena, Veličina: L" in one cell."""
        texts = (cells[at].strip() for at in self._places.get(_S.OPTION, ()) if at < len(cells))
        values = [text for text in texts if text]
        if len(values) == 1 and ": " in values[0]:
            return [part.rpartition(": ")[2].strip() for part in values[0].split(",")]
        return values

    def _variant(self, cells: Sequence[str]) -> str:
        return " / ".join(self._options(cells))

    def _filling(self, first: Sequence[str]) -> list[str]:
        return [cell if at in self._filled_in else "" for at, cell in enumerate(first)]

    def _filled(self, cells: list[str], first: Sequence[str]) -> list[str]:
        whole = [*cells, *[""] * (len(first) - len(cells))]
        for at in self._filled_in:
            if at < len(first) and not whole[at].strip():
                whole[at] = first[at]
        return whole

    # --- products that rows share a text with ----------------------------------------------------

    def by_group(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[ProductRow]:
        by = _S.GROUP if _S.GROUP in self._places else _F.NAME
        key, group = "", list[tuple[int, list[str]]]()
        for number, cells in rows:
            own = self._text(cells, by)
            goes_on = own == key if own else not self._text(cells, _F.NAME)
            if group and (not goes_on or len(group) >= MOST_OF_GROUP):
                yield from self._of_group(key, group, by)
                group = []
            if not group:
                key = own
            group.append((number, cells))
        if group:
            yield from self._of_group(key, group, by)

    def _of_group(
        self, key: str, group: list[tuple[int, list[str]]], by: str
    ) -> Iterator[ProductRow]:
        first = self._firsts.get(key) or group[0][1] if key else group[0][1]
        is_known = key in self._firsts
        if key and by is _S.GROUP:
            self._firsts[key] = self._filling(first)
        articles = [
            (number, self._filled(cells, first))
            for at, (number, cells) in enumerate(group)
            if self._is_article(cells, by, is_first=not at and not is_known)
        ]
        variants = [self._variant(cells) for _, cells in articles]
        are_alike = all(fold(one) in _NO_VARIANT for one in variants)
        for (number, cells), variant in zip(articles, variants, strict=True):
            name = self._text(cells, VARIANT_OF) or self._text(cells, _F.NAME)
            row = ProductRow(number, cells)
            yield (
                row if are_alike or not variant else row._replace(variant_of=name, variant=variant)
            )

    def _is_article(self, cells: Sequence[str], by: str, *, is_first: bool) -> bool:
        if is_first or (by is _F.NAME and self._text(cells, _F.NAME)):
            return any(cell.strip() for cell in cells)
        return any(self._text(cells, name) for name in _OF_ARTICLE)

    # --- rows that say what they are -------------------------------------------------------------

    def by_type(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[ProductRow]:
        """WooCommerce: "variable" is a product, each of its "variation" is an article."""
        for number, cells in rows:
            kinds = set(fold(self._text(cells, _S.ROW_TYPE)).split())
            if _PARENT in kinds:
                ids = (self._text(cells, _F.SKU), f"id:{self._text(cells, _S.ROW_ID)}")
                self._firsts |= dict.fromkeys(ids, self._filling(cells))
            elif _VARIATION in kinds:
                yield self._variation(number, cells)
            else:
                yield ProductRow(number, cells, is_article=not kinds & _NO_ARTICLE)

    def _variation(self, number: int, cells: list[str]) -> ProductRow:
        """A variant, whose own name is "Majica - Crvena, L"."""
        parent = self._firsts.get(self._text(cells, _S.PARENT), ())
        whole = self._filled(self._without_parents_tax(cells), parent)
        for at in self._places.get(_S.ON_SALE, ()):
            if at < len(parent):
                whole[at] = min(whole[at], parent[at])  # "-1" and "0" are before "1"
        name, own = self._text(parent, _F.NAME), self._text(cells, _F.NAME)
        options = self._options(cells)
        if not name:
            end = f" - {', '.join(options)}"
            name = own.removesuffix(end) if own.endswith(end) else own.rpartition(" - ")[0] or own
        variant = " / ".join(options) or own.removeprefix(f"{name} - ")
        return ProductRow(number, whole, name, variant)

    def _without_parents_tax(self, cells: list[str]) -> list[str]:
        places = self._places.get(_F.TAX_LABEL, ())
        return [
            "" if at in places and fold(cell) == _FROM_PARENT else cell
            for at, cell in enumerate(cells)
        ]
