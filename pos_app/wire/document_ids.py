"""Ids of units, categories and photos in the JSON of a product, or of a change of one.

They are renamed member by member, because an id from a file may be any text, and may occur
elsewhere with another meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any


class IdMembers(Enum):
    """The members that name ids of one kind."""

    OWN = ("id",)
    """The id of the product itself, and of each of its variants."""
    UNITS = ("saleUnitId", "baseUnitId")
    CATEGORIES = ("categories",)


MEMBER_OF: Mapping[str, str] = MappingProxyType(
    {"sale_unit_id": "saleUnitId", "base_unit_id": "baseUnitId", "categories": "categories"}
)


def ids_in(document: Any, members: IdMembers) -> Iterator[str]:
    for owner in _owners(document):
        for member in members.value:
            value = owner.get(member)
            yield from [value] if isinstance(value, str) else value or ()


def rename_ids(document: Any, members: IdMembers, ids: Mapping[str, str]) -> bool:
    """Rename the ids in place, and return whether any changed. ids: new ones by old ones."""
    changed = False
    for owner in _owners(document):
        for member in members.value:
            value = owner.get(member)
            if isinstance(value, str):
                renamed: Any = ids.get(value, value)
            else:
                renamed = value and list(dict.fromkeys(ids.get(one, one) for one in value))
            if renamed != value:
                owner[member], changed = renamed, True
    return changed


def rename_photos(document: Any, ids: Mapping[str, str]) -> bool:
    """Rename photos in place, and return whether any changed. ids: new ones by old ones."""
    changed = False
    for owner in _owners(document):
        cover, images = owner.get("coverImage"), owner.get("images")
        if cover and cover["id"] in ids:
            cover["id"], changed = ids[cover["id"]], True
        if images and not ids.keys().isdisjoint(images):
            owner["images"], changed = [ids.get(one, one) for one in images], True
    return changed


def _owners(document: Any) -> Iterator[dict[str, Any]]:
    yield document
    yield from document.get("variants") or ()
