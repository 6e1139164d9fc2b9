"""Writes a sheet: a row for each article, with the heads that an import reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pos_app.domain.article.fields import KINDS, FieldKind
from pos_app.domain.text.search_text import fold
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueEditor
from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.product_draft import DraftField, barcodes_in_line
from pos_app.selling.catalogue.sheet.cell_reading import TYPES, unit_words
from pos_app.selling.catalogue.sheet.heads import HEADS, VARIANT_OF
from pos_app.selling.cells import Cell

_F = DraftField
WRITTEN = (
    _F.SKU,
    _F.NAME,
    VARIANT_OF,
    _F.VARIANT_NAME,
    _F.PRICE,
    _F.TAX_LABEL,
    _F.EAN,
    _F.UNIT,
    _F.CATEGORIES,
    _F.BARCODES,
    _F.PLANNED_PRICE,
    _F.PLANNED_FROM,
    _F.PLANNED_UNTIL,
    _F.MANUFACTURER_SKU,
    _F.SUBTITLE,
    _F.DESCRIPTION,
    _F.PRODUCT_TYPE,
    _F.WEIGHT,
    _F.DIMENSIONS,
    _F.BASE_UNIT,
    _F.PER_BASE_UNIT,
    _F.OPEN_PRICE,
    _F.PINNED,
)
"""The columns of an exported sheet, in their order."""
_NUMBERS = tuple(name for name, kind in KINDS.items() if kind is FieldKind.NUMBER)
_UNITS = tuple(name for name, kind in KINDS.items() if kind is FieldKind.UNIT)


def head_row() -> tuple[str, ...]:
    return tuple(HEADS[name][0] for name in WRITTEN)


def sheet_rows(
    catalogue: Catalogue, editor: CatalogueEditor, product_ids: Iterable[str]
) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each article of these products. Numbers stay numbers."""
    articles = _ArticleCells(catalogue)
    for product_id in product_ids:
        product = catalogue.product(product_id)
        if product is None:
            continue
        owners = product.variants if product.has_variants else (product, *product.variants)
        for owner in owners:
            marks, plan = catalogue.marks(owner.id), editor.plan_of(owner.id)
            cells = articles.cells(Edited(product, owner, marks, plan))
            yield tuple(cells[name] for name in WRITTEN)


class _ArticleCells:
    """Turns an article into the cells of a sheet: units and categories stand by their names."""

    def __init__(self, catalogue: Catalogue) -> None:
        known = unit_words(catalogue.units())
        self._units = {
            one.id: one.symbol if known[fold(one.symbol)] == one.id else one.name
            for one in catalogue.units()
        }
        self._names = {one.category.id: one.category.name for one in catalogue.categories()}

    def cells(self, edited: Edited) -> dict[str, Cell]:
        typed, owner = edited.typed_fields, edited.owner
        cells: dict[str, Cell] = {name: typed.get(name) or None for name in WRITTEN}
        plan = edited.plan
        cells[_F.SKU] = owner.sku
        cells[VARIANT_OF] = edited.product.name if edited.is_variant else None
        cells[_F.PRICE] = owner.price.amount if owner.price is not None else None
        cells[_F.PLANNED_PRICE] = plan.price.amount if plan is not None else None
        for field in _NUMBERS:
            cells[field] = getattr(owner, field)
        for field in _UNITS:
            cells[field] = self._units.get(getattr(owner, field) or "")
        cells[_F.PRODUCT_TYPE] = TYPES.get(typed[_F.PRODUCT_TYPE])
        known = [name for one in owner.categories if (name := self._names.get(one))]
        cells[_F.CATEGORIES] = "; ".join(known) or None
        cells[_F.BARCODES] = barcodes_in_line(typed[_F.BARCODES]) or None
        cells[_F.OPEN_PRICE] = "да" if edited.marks.open_price else None
        cells[_F.PINNED] = "да" if edited.marks.pinned else None
        return cells
