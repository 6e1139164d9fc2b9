"""An article becomes again what it was before the last change of many, here and at the platform.

An article that something else has changed since stays as it is, and is reported.
Source: till.md (Catalogue).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue import editing
from pos_app.selling.catalogue.catalogue import CatalogueEditor, delete_product
from pos_app.selling.catalogue.last_change import ChangedArticle, with_whole_plan
from pos_app.selling.catalogue.product_draft import GIVEN_BY_PLATFORM, with_plan, without_ended_plan
from pos_app.selling.synchronisation.catalogue_edits import photos_of


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of taking back. left_names: names of the first articles that something else
    changed since; left_many: their number."""

    done: int
    left_names: tuple[str, ...] = ()
    left_many: int = 0


@contextmanager
def noted(
    editor: CatalogueEditor, product_id: str, article_id: str, into: list[ChangedArticle]
) -> Iterator[None]:
    """Note what is written within as a change of this article, in the same transaction."""
    before = editing.open_for_edit(editor, editor, product_id, article_id)
    yield
    after = editing.open_for_edit(editor, editor, product_id, article_id)
    if after is None:
        return
    if before is None:
        into.append(as_added(after))
        return
    was, now = before.typed_fields, after.typed_fields
    fields = with_plan(name for name in now if now[name] != was[name])
    if fields:
        into.append(
            ChangedArticle(
                product_id,
                article_id,
                after.owner.name,
                with_whole_plan({name: was[name] for name in was if name in fields}, before.plan),
                {name: now[name] for name in now if name in fields},
            )
        )


def as_added(added: editing.Edited) -> ChangedArticle:
    owner = added.owner
    return ChangedArticle(added.product.id, owner.id, owner.name, None, _filled(added.typed_fields))


def _filled(typed_fields: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in typed_fields.items() if text}


def take_back(editor: CatalogueEditor, changed: ChangedArticle, *, by: str, at: datetime) -> bool:
    """Undo a change of an article. It returns False, and nothing is changed, where something else
    changed the article since, or the article is gone."""
    if changed.is_deletion:
        return _bring_back(editor, changed, by=by, at=at)
    now = editing.open_for_edit(editor, editor, changed.product_id, changed.article_id)
    if now is None:
        return False
    if changed.before is None:
        return _remove(editor, now, changed, by=by, at=at)
    typed = now.typed_fields
    before, after = (without_ended_plan(one, at) for one in (changed.before, changed.after))
    wanted = {name: was for name, was in before.items() if typed.get(name) != was}
    if any(typed[name] != after[name] for name in wanted.keys() & typed.keys()):
        return False
    try:
        ids = (changed.product_id, changed.article_id)
        are_compared = now.is_variant or not now.product.variants
        editing.save_typed(editor, *ids, wanted, by=by, at=at, plans_are_meant=are_compared)
    except (Invalid, NotAllowed, NotFound):  # another article has its code by now
        return False
    return True


def _bring_back(editor: CatalogueEditor, changed: ChangedArticle, *, by: str, at: datetime) -> bool:
    try:
        editor.bring_back(changed.product_id, by=by, at=at)
    except (Invalid, NotAllowed, NotFound):
        return False
    return True


def _remove(
    editor: CatalogueEditor, now: editing.Edited, changed: ChangedArticle, *, by: str, at: datetime
) -> bool:
    product, typed = now.product, _filled(now.typed_fields)
    for field in GIVEN_BY_PLATFORM:
        if field not in changed.after:
            typed.pop(field, None)
    if typed != changed.after:
        return False
    if now.is_variant:
        editing.delete_variant(editor, now, by=by, at=at)
        return True
    if product.variants or photos_of(product):
        return False
    delete_product(editor, product.id, by=by, at=at)
    return True


def name_of(editor: CatalogueEditor, changed: ChangedArticle) -> str:
    """The article's present name; its earlier one where it is gone."""
    now = editing.open_for_edit(editor, editor, changed.product_id, changed.article_id)
    return changed.name if now is None else now.owner.name
