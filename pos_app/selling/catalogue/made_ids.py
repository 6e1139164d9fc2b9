"""Ids of articles made here: the same name or row always gives the same id."""

from __future__ import annotations

from uuid import UUID, uuid5

from pos_app.domain.text.search_text import fold

_MADE_HERE = UUID("5b0c1f0e-6f0a-5c9c-9a53-0d0f6a1f2b11")


def id_of_category(name: str) -> str:
    """The id of a category made here; it is the same for one name, in either script."""
    return str(uuid5(_MADE_HERE, f"category/{fold(name)}"))


def id_of_row(sheet_key: str, number: int) -> str:
    return str(uuid5(_MADE_HERE, f"{sheet_key}/{number}"))


def id_of_product_above(sheet_key: str, number: int) -> str:
    """The id of the product of which a row makes the first variant."""
    return str(uuid5(_MADE_HERE, f"{sheet_key}/{number}/product"))
