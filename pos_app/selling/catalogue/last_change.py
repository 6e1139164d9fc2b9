"""The last change of many articles, an import or a bulk change, and how it is taken back.

What each article had before is kept before the change is committed. It is taken back as one act; an
article that something else changed since then stays as it is, and is told.
Source: till.md (Catalogue).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.selling.catalogue.catalogue import CatalogueEditor, delete_product
from pos_app.selling.catalogue.editing import Edited, delete_variant, open_for_edit, save_typed
from pos_app.selling.synchronisation.catalogue_edits import photos_of


class ChangeKind(StrEnum):
    """What was done to many articles at once."""

    IMPORT = "import"
    BULK = "bulk"


@dataclass(frozen=True, slots=True)
class LastChange:
    """The change that can be taken back. name: of the imported file, "" for a bulk change.
    articles: how many it changed or added; at: UTC."""

    kind: ChangeKind
    name: str
    by: str
    at: datetime
    articles: int


@dataclass(frozen=True, slots=True)
class ChangedArticle:
    """What a change made of an article: its fields as they stand in the form, by their names.

    before: the fields that it changed, as they were; None for one that it added. after: those
    fields, or all of an added one, as it left them.
    """

    product_id: str
    article_id: str
    before: Mapping[str, str] | None
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back. left: names of the first articles that something else changed since;
    left_many: how many these are."""

    done: int
    left: tuple[str, ...] = ()
    left_many: int = 0


class ChangeLog(Protocol):
    """Where a change is kept until another one takes its place."""

    def keep(self, changed: Sequence[ChangedArticle], categories: Mapping[str, str]) -> None:
        """Keep what is about to be committed. categories: names by id of those that are made with
        it. Raises DiskFull and DiskFailed, where nothing may be committed."""

    def close(self) -> None:
        """The change is made."""


@contextmanager
def noted(
    editor: CatalogueEditor, product_id: str, article_id: str, into: list[ChangedArticle]
) -> Iterator[None]:
    """What is written within is noted as a change of this article, within the same transaction."""
    before = open_for_edit(editor, editor, product_id, article_id)
    yield
    after = open_for_edit(editor, editor, product_id, article_id)
    if after is None:
        return
    if before is None:
        into.append(ChangedArticle(product_id, article_id, None, after.typed))
        return
    was, now = before.typed, after.typed
    fields = [name for name in now if now[name] != was[name]]
    if fields:
        into.append(
            ChangedArticle(
                product_id,
                article_id,
                {name: was[name] for name in fields},
                {name: now[name] for name in fields},
            )
        )


def take_back(editor: CatalogueEditor, changed: ChangedArticle, *, by: str, at: datetime) -> bool:
    """Make an article what it was before the change; False where something else changed it since,
    so that it stays as it is. What was taken back already stays so."""
    now = open_for_edit(editor, editor, changed.product_id, changed.article_id)
    if changed.before is None:
        return now is None or _remove(editor, now, changed, by=by, at=at)
    if now is None:
        return False
    typed = now.typed
    wanted = {name: was for name, was in changed.before.items() if typed[name] != was}
    if any(typed[name] != changed.after[name] for name in wanted):
        return False
    try:
        ids = (changed.product_id, changed.article_id)
        save_typed(editor, *ids, wanted, by=by, at=at)
    except (Invalid, NotAllowed, NotFound):  # another article has its code by now
        return False
    return True


def _remove(
    editor: CatalogueEditor, now: Edited, changed: ChangedArticle, *, by: str, at: datetime
) -> bool:
    """An article that was added goes, unless something else made more of it."""
    product = now.product
    if now.typed != changed.after:
        return False
    if now.is_variant:
        delete_variant(editor, now, by=by, at=at)
        return True
    if product.variants or photos_of(product):
        return False
    delete_product(editor, product.id, by=by, at=at)
    return True


def name_of(editor: CatalogueEditor, changed: ChangedArticle) -> str:
    """What an article is called now; its code or its old name where it is gone."""
    now = open_for_edit(editor, editor, changed.product_id, changed.article_id)
    if now is not None:
        return now.owner.name
    known = {**changed.after, **(changed.before or {})}
    return known.get("name") or known.get("sku") or known.get("ean") or ""
