"""Plans a change of many articles as it was shown, and makes the rows of the plan.

Source: till.md (Catalogue: bulk change).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from pos_app.domain.article.article import NO_MARKS
from pos_app.selling.catalogue import editing
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_change import BulkLine, owners
from pos_app.selling.catalogue.catalogue import CatalogueEditor, ProductReader, delete_product
from pos_app.selling.catalogue.last_change import ChangedArticle, with_whole_plan
from pos_app.selling.catalogue.product_draft import (
    OF_PLAN,
    DraftField,
    as_seen,
    as_typed,
    without_ended_plan,
)

OF_PRICE = OF_PLAN | {DraftField.PRICE}

# --- to plan -------------------------------------------------------------------------------------


def row_of(line: BulkLine) -> PlannedRow:
    """Plan for an article what a preview showed of it. A change of prices has all that decides what
    the article costs, changed or not, so that nothing of it is mixed with what another person
    plans. An article that stays has a row without fields, so that its product counts."""
    if line.stays is not None:
        return PlannedRow(line.product_id, line.before.id, {}, {})
    was = as_typed(line.before, NO_MARKS, line.plan)
    becomes = as_typed(replace(line.before, **line.changes), NO_MARKS, line.new_plan)
    whole = OF_PRICE if line.new_price is not None else ()
    after = {name: text for name, text in becomes.items() if text != was[name] or name in whole}
    before = {name: was[name] for name in after}
    more = {"name": line.name, "percent": line.percent and str(line.percent)}
    return PlannedRow(line.product_id, line.before.id, before, after, more)


def row_to_delete(catalogue: ProductReader, editor: CatalogueEditor, product_id: str) -> PlannedRow:
    more = {"looks": _look_of(catalogue, editor, product_id)}
    return PlannedRow(product_id, product_id, {}, {}, more)


def _look_of(catalogue: ProductReader, editor: CatalogueEditor, product_id: str) -> str:
    """Return a digest of all that a person sees of a product, or "" where it is gone."""
    product = catalogue.product(product_id)
    if product is None:
        return ""
    seen = [
        [*as_seen(owner, catalogue.marks(owner.id), editor.plan_of(owner.id)).items()]
        for owner in owners(product)
    ]
    return blake2b(repr(seen).encode(), digest_size=16).hexdigest()


# --- to carry out --------------------------------------------------------------------------------


def change_as_planned(
    editor: CatalogueEditor, rows: Iterable[PlannedRow], *, by: str, at: datetime
) -> tuple[list[ChangedArticle], list[str]]:
    """Change the articles of one product; return what was changed, and the name of the product if
    one of them is not any more as it was planned, or is gone. Raises what `save_typed` does."""
    changed, left = list[ChangedArticle](), list[str]()
    for planned in rows:
        row = _as_of(planned, at)
        if not row.after:
            continue
        now = editing.open_for_edit(editor, editor, row.product_id, row.article_id)
        if now is None:
            left = [str(row.more.get("name", ""))]
            continue
        assert row.before is not None
        typed = now.typed_fields
        if all(typed[name] == text for name, text in row.after.items()):
            continue
        if any(typed[name] != text for name, text in row.before.items()):
            left = [now.product.name]
            continue
        editing.save_typed(editor, row.product_id, row.article_id, row.after, by=by, at=at)
        changed.append(
            ChangedArticle(
                row.product_id,
                row.article_id,
                now.owner.name,
                with_whole_plan(row.before, now.plan),
                row.after,
            )
        )
    return changed, left


def _as_of(row: PlannedRow, at: datetime) -> PlannedRow:
    """Return a planned row without the planned price that the article had and that is over since,
    also where it was to stay."""
    if row.before is None:
        return row
    stays = all(row.before.get(name) == row.after.get(name) for name in OF_PLAN)
    after = without_ended_plan(row.after, at) if stays else row.after
    return replace(row, before=without_ended_plan(row.before, at), after=after)


def delete_as_planned(
    editor: CatalogueEditor, row: PlannedRow, *, by: str, at: datetime
) -> tuple[list[ChangedArticle], list[str]]:
    """Delete a product; return that, or its name, and delete nothing, if it is not as it was
    planned."""
    product = editor.product(row.product_id)
    if product is None:
        return [], []
    if _look_of(editor, editor, row.product_id) != row.more["looks"]:
        return [], [product.name]
    delete_product(editor, row.product_id, by=by, at=at)
    return [ChangedArticle(product.id, product.id, product.name, {}, {})], []
