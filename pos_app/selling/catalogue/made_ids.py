"""What is made with articles here, and its ids: the same name or row always gives the same id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from uuid import UUID, uuid5

from pos_app.domain.article.product import Unit
from pos_app.domain.text.search_text import fold
from pos_app.lazy_dataclass import dataclass

_MADE_HERE = UUID("5b0c1f0e-6f0a-5c9c-9a53-0d0f6a1f2b11")


def id_of_category(name: str) -> str:
    """The id of a category made here; it is the same for one name, in either script."""
    return str(uuid5(_MADE_HERE, f"category/{fold(name)}"))


def id_of_unit(symbol: str) -> str:
    """The id of a unit made with an import; it is the same for one symbol, in either script."""
    return str(uuid5(_MADE_HERE, f"unit/{fold(symbol)}"))


@dataclass(frozen=True, slots=True)
class NewNames:
    """Units and categories that an article needs and the shop does not have, by their ids.
    categories: names. units: name and symbol."""

    categories: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not self.categories and not self.units

    def made_units(self) -> list[Unit]:
        return [Unit(unit_id, name, symbol) for unit_id, (name, symbol) in self.units.items()]

    def __or__(self, other: NewNames) -> NewNames:
        return NewNames({**self.categories, **other.categories}, {**self.units, **other.units})


def id_of_row(sheet_key: str, number: int) -> str:
    return str(uuid5(_MADE_HERE, f"{sheet_key}/{number}"))


def id_of_product_above(sheet_key: str, number: int) -> str:
    """The id of the product of which a row makes the first variant."""
    return str(uuid5(_MADE_HERE, f"{sheet_key}/{number}/product"))
