"""A row of the platform as JSON: its id, its members, and the times of making, change and
deletion."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pos_app.domain.text.instant import nearest_from_text
from pos_app.errors import Invalid
from pos_app.wire.moment import instant_text

INSTANTS = ("createdAt", "updatedAt", "deletedAt")


def row_to_json(
    row_id: str,
    members: Mapping[str, Any],
    created_at: datetime,
    updated_at: datetime,
    deleted_at: datetime | None,
) -> dict[str, Any]:
    moments = map(instant_text, (created_at, updated_at, deleted_at))
    return {"id": row_id, **members, **dict(zip(INSTANTS, moments, strict=True))}


def members_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The members that `row_to_json` was given."""
    return {name: value for name, value in row.items() if name not in {"id", *INSTANTS}}


def is_deleted_row(document: object) -> bool:
    """Whether a body has the member `deletedAt`."""
    return isinstance(document, Mapping) and "deletedAt" in document


def brought_back(document: Mapping[str, Any]) -> dict[str, Any]:
    """A body by which a deleted row lives again."""
    return {**document, "deletedAt": None}


def is_gone(document: object) -> bool:
    """Whether a row of a list was deleted."""
    return isinstance(document, Mapping) and bool(document.get("deletedAt"))


def check_living(document: object) -> None:
    """Raise Invalid for a body that says when its row was deleted, because only DELETE deletes such
    rows; null is allowed."""
    if isinstance(document, Mapping) and document.get("deletedAt") is not None:
        raise Invalid("null", field="deletedAt")


def updated_since(query: Mapping[str, str]) -> datetime | None:
    """The instant of a list's query, or None for the whole list. Raises Invalid."""
    text = query.get("updatedSince")
    if text is None:
        return None
    try:
        return nearest_from_text(text)
    except Invalid as error:
        raise Invalid("wrong", field="updatedSince", why=error.what) from error


LIST_QUERY = frozenset({"updatedSince"})
