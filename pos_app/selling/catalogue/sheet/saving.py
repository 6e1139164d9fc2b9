"""Writes planned rows into the catalogue; no other part of a sheet writes there."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.catalogue import editing
from pos_app.selling.catalogue.catalogue import CatalogueEditor, ProductReader
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.row_plan import RowKind, RowPlan


def save_row(
    reader: ProductReader,
    editor: CatalogueEditor,
    row: RowPlan,
    *,
    piece: str | None,
    by: str,
    at: datetime,
) -> None:
    """Make the planned changes of a row, all or none of them. Raises Invalid where the changes have
    become impossible, DraftFaults where something else changed the article since it was planned,
    and what the catalogue raises.

    reader: has what earlier rows wrote. piece: the unit of new articles.
    """
    with editor.together():
        if row.new_names.categories:
            editor.add_categories(row.new_names.categories)
        if row.new_names.units:
            editor.add_units(row.new_names.made_units())
        if row.kind is RowKind.NEW and row.variant_of:
            _add_variant(reader, editor, row, piece=piece, by=by, at=at)
        elif row.kind is RowKind.JOINED:
            _join(editor, row, by=by, at=at)
        elif row.kind is RowKind.NEW:
            blank = editing.blank_product(
                row.product_id, label=_label_in(row), unit_id=piece, sku=None
            )
            editing.add_typed(editor, blank, row.typed_fields, by=by, at=at)
        else:
            ids = (row.product_id, row.article_id)
            editing.save_typed(
                editor,
                *ids,
                row.typed_fields,
                by=by,
                at=at,
                shown_fields=row.before,
                plans_are_meant=True,
            )


def _join(editor: CatalogueEditor, row: RowPlan, *, by: str, at: datetime) -> None:
    """Add the barcodes of a row to its article, the first as its EAN where it has none."""
    now = editing.open_for_edit(editor, editor, row.product_id, row.article_id)
    if now is None:
        raise editing.gone(row.article_id)
    text_lines = now.typed_fields[DraftField.BARCODES].splitlines()
    there = {now.typed_fields[DraftField.EAN], *(one.partition(" ")[0] for one in text_lines)}
    new = [
        one
        for one in row.typed_fields[DraftField.BARCODES].splitlines()
        if one.partition(" ")[0] not in there
    ]
    typed = {}
    if new and not now.typed_fields[DraftField.EAN]:
        typed[DraftField.EAN.value] = new.pop(0).partition(" ")[0]
    if new:
        typed[DraftField.BARCODES.value] = "\n".join([*text_lines, *new])
    editing.save_typed(editor, row.product_id, row.article_id, typed, by=by, at=at)


def _add_variant(
    reader: ProductReader,
    editor: CatalogueEditor,
    row: RowPlan,
    *,
    piece: str | None,
    by: str,
    at: datetime,
) -> None:
    product = reader.product(row.product_id)
    if product is None:
        blank = editing.blank_product(row.product_id, label=_label_in(row), unit_id=piece, sku=None)
        editing.add_typed(editor, blank, {DraftField.NAME.value: row.variant_of}, by=by, at=at)
        product = reader.product(row.product_id)
    if product is None or any(one.id == row.article_id for one in product.variants):
        raise Invalid("article_gone.variant")
    editing.add_variant_typed(
        editor, editing.blank_variant(product, row.article_id), row.typed_fields, by=by, at=at
    )


def _label_in(row: RowPlan) -> TaxLabel:
    return TaxLabel(row.typed_fields[DraftField.TAX_LABEL])
