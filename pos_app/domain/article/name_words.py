"""When two units, or two categories, are one to a person: equal names, or equal symbols, in either
script, whatever their case, and a symbol with or without a dot. How else people spell a unit is
known by `units.unit_word`.

Source: till.md (Catalogue: units and categories), platform-contract.md 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pos_app.domain.article.product import Category, Unit
from pos_app.domain.text.search_text import fold

NameField = Literal["name", "symbol"]


def compared_word(named: Unit | Category, field: NameField) -> str:
    """The word by which a field is compared; "" where there is none."""
    if field == "name":
        return fold(named.name)
    return fold(named.symbol.strip().rstrip(".")) if isinstance(named, Unit) else ""


def twin_of(
    named: Unit | Category, others: Iterable[Unit | Category], *fields: NameField
) -> Unit | Category | None:
    """The first of the others whose name, or symbol, is that of `named`, in any of these fields."""
    words = [(field, word) for field in fields if (word := compared_word(named, field))]
    same = (one for one in others for field, word in words if compared_word(one, field) == word)
    return next(same, None)
