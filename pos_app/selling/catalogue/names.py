"""What a manager may make of a unit or category, and how articles get another one.

Source: till.md (Catalogue: units and categories).
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import uuid4

from pos_app.characters import is_blank, without_controls
from pos_app.domain.article.name_words import NameField, compared_word, twin_of
from pos_app.domain.article.product import Category, ProductFields, Unit
from pos_app.domain.receipt.request import LONGEST_UNIT
from pos_app.domain.receipt.units import is_measured_alike, unit_word
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.catalogue_edits import Changes
from pos_app.selling.synchronisation.own_names import Named, NameKind

LONGEST_OF_NAME = 100
"""The longest name of a unit or category that is typed here: it stands on a chip, or in a menu."""


@dataclass(frozen=True, slots=True)
class NameCount:
    """A unit or category with the number of rows that have it."""

    named: Named
    rows: int


def new_name(kind: NameKind, name: str, symbol: str, *, position: int) -> Named:
    """A unit or category as it was typed. Blanks around the words are no part of them."""
    words = (" ".join(name.split()), symbol.strip())
    if kind is NameKind.UNIT:
        return Unit(str(uuid4()), *words, position)
    return Category(str(uuid4()), words[0], position)


def check_name(
    named: Named, others: Collection[Named], *, old: Named | None, has_articles: bool
) -> None:
    """Raise Invalid, with the field, where the shop can't have this unit or category.

    others: those of its kind. old: as it was before, None for a new one. has_articles: articles
    have it; then it stays one by which they are measured alike.
    """
    if old is None or old.name != named.name:
        _check_name(named, others)
    if isinstance(named, Unit) and not (isinstance(old, Unit) and old.symbol == named.symbol):
        _check_symbol(named, others)
        if isinstance(old, Unit) and has_articles and not may_replace(old, named):
            raise Invalid("unit_weight", field="symbol")


def may_replace(old: Named, new: Named | None) -> bool:
    """Whether articles may get `new`, None for nothing, in place of `old`. Their prices stay as
    they are, so a unit has to measure them alike."""
    if not isinstance(old, Unit):
        return True
    return is_measured_alike(old.symbol, new.symbol if isinstance(new, Unit) else "")


def _check_name(named: Named, others: Collection[Named]) -> None:
    if is_blank(named.name) or not compared_word(named, "name"):
        raise Invalid("name_missing", field="name")
    if len(named.name) > LONGEST_OF_NAME or without_controls(named.name) != named.name:
        raise Invalid("name_too_long", field="name", longest=LONGEST_OF_NAME)
    _check_other("name", named, others)


def _check_symbol(unit: Unit, others: Collection[Named]) -> None:
    if is_blank(unit.symbol):
        raise Invalid("symbol_missing", field="symbol")
    if len(unit.symbol) > LONGEST_UNIT:
        raise Invalid("unit_too_long", field="symbol", longest=LONGEST_UNIT)
    if not unit.symbol[:1].isalpha() or {*unit.symbol} & {" ", "/"}:
        raise Invalid("unit_symbol", field="symbol")
    _check_other("symbol", unit, others)
    word, units = unit_word(unit.symbol), (one for one in others if isinstance(one, Unit))
    same = next((one for one in units if unit_word(one.symbol) == word), None)
    if same is not None:
        raise Invalid("unit_spelled", field="symbol", other=same.name)


def _check_other(field: NameField, named: Named, others: Collection[Named]) -> None:
    other = twin_of(named, others, field)
    if other is not None:
        raise Invalid("word_taken", field=field, other=other.name)


@dataclass(frozen=True, slots=True)
class UnitInstead:
    """Articles with the unit `old` get another one, or none."""

    old_id: str
    new_id: str | None

    def changes_of(self, owner: ProductFields) -> Changes:
        fields = ("sale_unit_id", "base_unit_id")
        return {name: self.new_id for name in fields if getattr(owner, name) == self.old_id}


@dataclass(frozen=True, slots=True)
class CategoryInstead:
    """Articles in the category `old` get another one in its place, or one less."""

    old_id: str
    new_id: str | None

    def changes_of(self, owner: ProductFields) -> Changes:
        if self.old_id not in owner.categories:
            return {}
        named = (self.new_id if one == self.old_id else one for one in owner.categories)
        return {"categories": tuple(dict.fromkeys(one for one in named if one is not None))}


def instead(kind: NameKind, old_id: str, new_id: str | None) -> UnitInstead | CategoryInstead:
    return (UnitInstead if kind is NameKind.UNIT else CategoryInstead)(old_id, new_id)
