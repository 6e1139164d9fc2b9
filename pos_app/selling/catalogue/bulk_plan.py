"""Plans a change of many articles, and makes the rows of a plan, each product whole or not at all.

Source: till.md (Catalogue: bulk change).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from pos_app.domain.article.product import Product
from pos_app.errors import Invalid, as_members
from pos_app.selling.catalogue import editing
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_change import BulkChange, owners
from pos_app.selling.catalogue.catalogue import CatalogueEditor, delete_product
from pos_app.selling.catalogue.last_change import ChangedArticle
from pos_app.selling.catalogue.product_draft import DraftField, as_typed

_GIVEN_BY_PLATFORM = (DraftField.SKU, DraftField.PRODUCT_TYPE)

# --- to plan -------------------------------------------------------------------------------------


def plan_change(
    editor: CatalogueEditor, product_ids: Iterable[str], change: BulkChange
) -> Iterator[PlannedRow]:
    """Plan the new values of each article. A product that stays as it is has one row without any,
    so that it counts."""
    for product_id in product_ids:
        product = editor.product(product_id)
        try:
            rows = [] if product is None else [*_planned_of(editor, product, change)]
        except Invalid as error:  # the article can't have such a value
            more = {"fault": as_members(error)}
            rows = [PlannedRow(product_id, product_id, {}, {}, more)]
        yield from rows or [PlannedRow(product_id, product_id, {}, {})]


def _planned_of(
    editor: CatalogueEditor, product: Product, change: BulkChange
) -> Iterator[PlannedRow]:
    for owner in owners(product):
        changes = change.changes_of(owner)
        if not changes:
            continue
        marks, plan = editor.marks(owner.id), editor.plan_of(owner.id)
        was = as_typed(owner, marks, plan)
        becomes = as_typed(replace(owner, **changes), marks, plan)
        names = [name for name in becomes if becomes[name] != was[name]]
        before, after = ({name: one[name] for name in names} for one in (was, becomes))
        yield PlannedRow(product.id, owner.id, before, after)


def plan_deletion(editor: CatalogueEditor, product_ids: Iterable[str]) -> Iterator[PlannedRow]:
    for product_id in product_ids:
        more = {"looks": _look_of(editor, product_id)}
        yield PlannedRow(product_id, product_id, {}, {}, more)


def _look_of(editor: CatalogueEditor, product_id: str) -> str:
    """Return a digest of all that a person sees of a product, or "" where it is gone."""
    product = editor.product(product_id)
    if product is None:
        return ""
    seen = []
    for owner in owners(product):
        typed = as_typed(owner, editor.marks(owner.id), editor.plan_of(owner.id))
        seen.append(
            [(name, text) for name, text in typed.items() if name not in _GIVEN_BY_PLATFORM]
        )
    return blake2b(repr(seen).encode(), digest_size=16).hexdigest()


# --- to carry out --------------------------------------------------------------------------------


def change_as_planned(
    editor: CatalogueEditor, rows: Iterable[PlannedRow], *, by: str, at: datetime
) -> tuple[list[ChangedArticle], list[str]]:
    """Change the articles of one product, all or none; return what was changed, and the name of the
    product if one of them is not any more as it was planned. Raises what `save_typed` does."""
    changed, left = list[ChangedArticle](), list[str]()
    for row in rows:
        now = editing.open_for_edit(editor, editor, row.product_id, row.article_id)
        if now is None or not row.after:
            continue
        assert row.before is not None
        typed = now.typed
        if all(typed[name] == text for name, text in row.after.items()):
            continue
        if any(typed[name] != text for name, text in row.before.items()):
            left = [now.product.name]
            continue
        editing.save_typed(editor, row.product_id, row.article_id, row.after, by=by, at=at)
        changed.append(
            ChangedArticle(row.product_id, row.article_id, now.owner.name, row.before, row.after)
        )
    return changed, left


def delete_as_planned(editor: CatalogueEditor, row: PlannedRow, *, by: str, at: datetime) -> str:
    """Delete a product; return its name, and delete nothing, if it is not as it was planned."""
    product = editor.product(row.product_id)
    if product is None:
        return ""
    if _look_of(editor, row.product_id) != row.more["looks"]:
        return product.name
    delete_product(editor, row.product_id, by=by, at=at)
    return ""
