"""Units and categories that a shop had before its platform, and which of the platform's they are.

A shop that begins from a file, or from the usual units, has ids that no platform knows. What is
meant is the same word: a unit's symbol or name, a category's name. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID, uuid5

from pos_app.domain.product import Category, Product, ProductFields, Unit
from pos_app.domain.search_text import fold
from pos_app.errors import PosError

_IDS = UUID("c3a6f0de-0b1c-5c34-8f4b-0c6b8f7f3f0d")
"""Names the ids that are given in place of those that no platform takes."""


class NameKind(StrEnum):
    UNIT = "unit"
    CATEGORY = "category"


Named = Unit | Category


def same_named(ours: Iterable[Named], theirs: Sequence[Named]) -> dict[str, str]:
    """The platform's id for each of ours that it has, by the id that ours has here.

    | ours           | theirs                       | it is              |
    | ком, комад     | kom, komad                   | the same           |
    | kg, килограм   | кг., килограм                | the same, by symbol |
    | пак, паковање  | pak., kutija                 | the same, by symbol |
    | h, сат         | час, sat                     | the same, by name  |
    | пар, пар       | –                            | to be made         |
    """
    words: dict[str, str] = {}
    for of_all in (0, 1):  # a symbol says more than a name
        for one in theirs:
            told = _words(one)[of_all:]
            if told and told[0]:
                words.setdefault(told[0], one.id)
    found = {}
    for one in ours:
        same = next((words[word] for word in _words(one) if word in words), None)
        if same is not None:
            found[one.id] = same
    return found


def _words(one: Named) -> tuple[str, ...]:
    if isinstance(one, Unit):
        return fold(one.symbol.strip().rstrip(".")), fold(one.name)
    return (fold(one.name),)


def taken_anywhere(own_id: str) -> str:
    """An id that a platform without such a list takes, for one of ours: any uuid is."""
    try:
        return str(UUID(own_id))
    except ValueError:
        return str(uuid5(_IDS, own_id))


@dataclass(frozen=True, slots=True)
class Unmade:
    """What the platform has not, and does not let this till make. why: in its words. fault: why
    it is not known whether it was made; the platform's next lists tell."""

    kind: NameKind
    name: str
    why: str
    fault: PosError | None = None


def unmade_in(
    product: Product, changed: frozenset[str] | None, unmade: Mapping[str, Unmade]
) -> tuple[str, Unmade] | None:
    """The first field of what is sent that names such a unit or category; None without one.

    changed: the fields that are sent, None for all.
    """
    owners: list[ProductFields] = [product]
    if changed is None or "variants" in changed:
        owners += product.variants
    for owner in owners:
        for field, ids in (
            ("sale_unit_id", (owner.sale_unit_id,)),
            ("base_unit_id", (owner.base_unit_id,)),
            ("categories", owner.categories),
        ):
            if owner is product and changed is not None and field not in changed:
                continue
            for one in ids:
                if one is not None and one in unmade:
                    return field, unmade[one]
    return None
