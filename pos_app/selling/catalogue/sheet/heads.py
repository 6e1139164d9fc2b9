"""The heads of a sheet: which column is which field, in whatever words people write there.
Source: till.md (Catalogue: import/export with a preview that names each bad cell).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pos_app.domain.fields import SHARED_FIELDS
from pos_app.domain.search_text import fold
from pos_app.errors import Invalid
from pos_app.selling.catalogue.product_draft import DraftField

_F = DraftField
VARIANT_OF = "variant_of"
"""The column of the product that a row is a variant of, by its name."""
HEADS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    **{one.name: one.heads for one in SHARED_FIELDS if one.heads},
    VARIANT_OF: ("Варијанта артикла", "variant of", "glavni artikal"),
    _F.BARCODES: ("Остали бар-кодови", "further barcodes", "barkodovi"),
    _F.PLANNED_PRICE: ("Планирана цена", "planned price", "nova cena"),
    _F.PLANNED_FROM: ("Планирана од", "planned from", "vazi od"),
    _F.PLANNED_UNTIL: ("Планирана до", "planned until", "vazi do"),
    _F.OPEN_PRICE: ("Цену уписује касир", "open price"),
    _F.PINNED: ("Омиљено", "favourite", "pinned"),
})  # fmt: skip
"""The first head of each is written; any of them is read, in either script, whatever its case."""
_BY_HEAD = {fold(head): name for name, heads in HEADS.items() for head in heads}
_OF_CURRENCY = frozenset({"rsd", "din", "dinara", "dinar"})
"""Words of a head that say no more than the currency."""
_OF_ARTICLE: frozenset[str] = frozenset({_F.SKU, _F.EAN, _F.NAME})
"""One of them says which article a row is about."""
_OF_LABEL = frozenset({
    "poreska oznaka", "oznaka poreza", "tax label", "taxratelabel", "poreska grupa", "tarifa",
    "poreska tarifa",
})  # fmt: skip
_OF_RATE = frozenset({
    "stopa", "poreska stopa", "stopa poreza", "stopa pdv", "stopa pdv a", "pdv stopa", "tax rate",
    "vat rate",
})  # fmt: skip
"""Heads of the tax, folded: a label says all, a rate nearly so, a mere "tax" may be its amount."""


class Columns(NamedTuple):
    """Which column is which field. less_exact: places of further columns of the tax, not read;
    unknown: those of columns whose head nobody understood."""

    fields: Mapping[int, str]
    less_exact: tuple[int, ...]
    unknown: tuple[int, ...]


def field_of_head(head: str) -> str | None:
    """Which field a column of this head is; None for a head that is not known.

    "MPC (RSD)" and "Цена, дин." are prices: the currency says nothing more.
    """
    words = fold(head).split()
    found = _BY_HEAD.get(" ".join(words))
    return found or _BY_HEAD.get(" ".join(one for one in words if one not in _OF_CURRENCY))


def columns_of(heads: Sequence[str]) -> Columns:
    """A column of an unknown head is left out, and told.

    Raises Invalid when nothing says which article a row is about, or two columns are one field;
    but of several columns of the tax the one with the most exact head is read.
    """
    places: dict[str, list[int]] = {}
    unknown = []
    for place, head in enumerate(heads):
        name = field_of_head(head)
        if name is not None:
            places.setdefault(name, []).append(place)
        elif head.strip():
            unknown.append(place)
    tax = places.get(_F.TAX_LABEL, [])
    tax.sort(key=lambda place: _exactness(heads[place]))
    less_exact: tuple[int, ...] = ()
    if len(tax) > 1 and _exactness(heads[tax[0]]) < _exactness(heads[tax[1]]):
        less_exact = tuple(sorted(tax[1:]))
        del tax[1:]
    for first, *others in places.values():
        if others:
            raise _twice(heads, first, others[0])
    if not _OF_ARTICLE & places.keys():
        raise Invalid(
            "no column is a code, an EAN or a name; the heads stand in one of the first five rows",
            kind="no_heads",
        )
    fields = {first: name for name, (first,) in places.items()}
    return Columns(dict(sorted(fields.items())), less_exact, tuple(unknown))


def row_of_heads(rows: Sequence[Sequence[str]]) -> int:
    """Which of the first rows has the heads, from 0: titles may stand above them."""
    if rows and _known_heads(rows[0]) & _OF_ARTICLE:
        return 0
    found = (
        at for at, row in enumerate(rows)
        if (known := _known_heads(row)) & _OF_ARTICLE and len(known) > 1
    )  # fmt: skip
    return next(found, 0)


def _known_heads(row: Sequence[str]) -> set[str]:
    return {name for head in row if (name := field_of_head(head)) is not None}


def _exactness(head: str) -> int:
    """Of a head of the tax: 0 is the most exact."""
    return next((at for at, some in enumerate((_OF_LABEL, _OF_RATE)) if fold(head) in some), 2)


def _twice(heads: Sequence[str], first: int, second: int) -> Invalid:
    one, other = heads[first], heads[second]
    at_one, at_other = letters_of(first), letters_of(second)
    return Invalid(
        f'two columns mean the same: "{one}" ({at_one}) and "{other}" ({at_other}); leave one',
        kind="head_twice", one=one, other=other, at_one=at_one, at_other=at_other,
    )  # fmt: skip


def letters_of(place: int) -> str:
    """A column as spreadsheets name it: 0 is A, 26 is AA."""
    letters = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        letters = chr(ord("A") + letter) + letters
        place -= 1
    return letters
