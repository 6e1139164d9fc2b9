"""The heads of a sheet: in which row they stand, and which column is which field.

They are read in whatever words people write there; what a person says of a column counts before
them. Sources: till.md (Catalogue: import), catalogue-file.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import NamedTuple

from pos_app.domain.fields import SHARED_FIELDS
from pos_app.domain.search_text import fold
from pos_app.selling.catalogue.product_draft import DraftField

_F = DraftField
VARIANT_OF = "variant_of"
"""The column of the product that a row is a variant of, by its name."""
HEADS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    **{one.name: one.heads for one in SHARED_FIELDS if one.heads},
    VARIANT_OF: ("Варијанта артикла", "variant of", "glavni artikal"),
    _F.BARCODES: ("Остали бар-кодови", "further barcodes", "barkodovi", "bar kodovi",
                  "dodatni barkodovi", "ostali barkodovi"),
    _F.PLANNED_PRICE: ("Планирана цена", "planned price", "nova cena"),
    _F.PLANNED_FROM: ("Планирана од", "planned from", "vazi od"),
    _F.PLANNED_UNTIL: ("Планирана до", "planned until", "vazi do"),
    _F.OPEN_PRICE: ("Цену уписује касир", "open price"),
    _F.PINNED: ("Омиљено", "favourite", "pinned"),
})  # fmt: skip
"""The first head of each is written; any of them is read, in either script, whatever its case."""
HEADS_WITHIN = 30
"""Rows in which the heads are looked for: titles and an address stand above them."""
REASON_HEADS = frozenset({"razlog", "reason"})
"""Heads, folded, of the column in which refused rows have the reason: it is not read."""
_BY_HEAD = {fold(head): name for name, heads in HEADS.items() for head in heads}
_CURRENCY = frozenset({"rsd", "din", "dinara", "dinar", "dinarima"})
_FILLING = frozenset({"artikla", "artikala", "robe", "proizvoda", "proizvod", "art", "u"})
"""Words of a head that say nothing of the field."""
_SPELT = MappingProxyType({
    "pdvom": "pdv", "sif": "sifra", "naz": "naziv", "prod": "prodajna", "maloprod": "maloprodajna",
})  # fmt: skip
_IN_ONE = (("pdv om", "pdv"), ("pdv a", "pdv"), ("bar kod", "barkod"), ("j m", "jm"),
           ("mp cena", "mpc"), ("s pdv", "sa pdv"))  # fmt: skip
"""Words of a head that are written in other ways too, folded."""
_NUMBERED = frozenset({"ean", "barkod"})
"""Heads of which a sheet has several, with a number behind."""
_NOT_READ = frozenset({
    "nabavna", "nab", "nabavne", "vp", "vpc", "veleprodajna", "velep", "fakturna", "faktura",
    "bez", "neto", "netto", "stanje", "zaliha", "zalihe", "lager", "kolicina", "kol", "vrednost",
    "iznos", "ukupno", "razlika", "marza", "ruc", "rabat", "popust", "dobavljac", "dobavljaca",
    "proizvodjac", "proizvodjaca", "zemlja", "poreklo", "rb", "rbr", "redni", "datum", "magacin",
    "napomena", "osnovica", "status", "aktivan", "purchase", "cost", "wholesale", "stock",
    "quantity", "supplier", "nc",
})  # fmt: skip
"""Words of heads of what a catalogue does not have: stock, what was paid for it, who makes it."""
_OF_ARTICLE: frozenset[str] = frozenset({_F.SKU, _F.EAN, _F.NAME})
"""One of them says which article a row is about."""
_EXACT: Mapping[str, tuple[frozenset[str], ...]] = MappingProxyType({
    _F.TAX_LABEL: (
        frozenset({"poreska oznaka", "oznaka poreza", "tax label", "taxratelabel",
                   "poreska grupa", "tarifa", "poreska tarifa"}),
        frozenset({"stopa", "poreska stopa", "stopa poreza", "stopa pdv", "pdv stopa",
                   "tax rate", "vat rate"}),
    ),
    _F.PRICE: (
        frozenset({"mpc", "mp cena", "cena mp", "mpc sa pdv", "maloprodajna cena",
                   "maloprodajna cena sa pdv", "retail price", "maloprodajna cijena"}),
        frozenset({"prodajna cena sa pdv", "cena sa pdv", "cena s pdv", "price with vat",
                   "price incl vat", "gross price", "cijena sa pdv"}),
        frozenset({"prodajna cena", "cena prodajna", "selling price", "prodajna cijena"}),
    ),
    _F.NAME: (frozenset({"naziv", "name", "naziv artikla"}),),
    _F.SKU: (frozenset({"sifra", "sku"}),),
    _F.CATEGORIES: (
        frozenset({"kategorija", "kategorije", "category", "categories"}),
        frozenset({"grupa", "robna grupa", "naziv grupe", "group", "grupa artikala"}),
    ),
})  # fmt: skip
"""Heads, as words without filling, that say a field more exactly than others; the first most."""


class ColumnUse(StrEnum):
    """What became of a column whose field nobody reads."""

    KNOWN = "known"
    """Its head is known, and is of nothing that a catalogue has."""
    UNKNOWN = "unknown"
    LESS_EXACT = "less_exact"
    """Another column says the same more exactly."""
    LEFT_OUT = "left_out"
    """A person said that it is not imported."""


class Columns(NamedTuple):
    """Which column is which field.

    unread: places of the other columns that have a head, and why each is not read.
    doubled: fields that several columns say alike, so that a person has to say which one; the first
    is read meanwhile.
    """

    fields: Mapping[int, str]
    unread: Mapping[int, ColumnUse]
    doubled: Mapping[str, tuple[int, ...]]

    @property
    def less_exact(self) -> tuple[int, ...]:
        """Places of columns that say less exactly what another one says, not read."""
        return tuple(at for at, why in self.unread.items() if why == ColumnUse.LESS_EXACT)

    @property
    def names_article(self) -> bool:
        """Whether something says which article a row is about."""
        return bool(_OF_ARTICLE & set(self.fields.values()))


class HeadRow(NamedTuple):
    """The heads of a sheet. at: the row, from 0, after which the articles begin; -1 where there is
    none. above: 1 where the row above it has the heads of groups, which are joined with it."""

    at: int
    above: int
    heads: tuple[str, ...]


def field_of_head(head: str) -> str | None:
    """Which field a column of this head is; None for a head that is not known.

    | head                         | field |
    | Продајна цена, MPC (RSD)     | price |
    | Cena sa PDV-om, дин.         | price |
    | Šifra robe, Шиф. арт.        | sku   |
    | Nabavna cena, Cena bez PDV-a | none  |
    """
    folded = fold(head)
    found = _BY_HEAD.get(folded)
    return found or _BY_HEAD.get(_bare(folded))


def _bare(folded: str) -> str:
    """A head without currency and filling: "prod cena robe rsd" -> "prodajna cena"."""
    spelt = f" {folded} "
    for written, meant in _IN_ONE:
        spelt = spelt.replace(f" {written} ", f" {meant} ")
    words = (_SPELT.get(one, one) for one in spelt.split())
    kept = [one for one in words if one not in _CURRENCY and one not in _FILLING]
    if len(kept) > 1 and kept[0] in _NUMBERED and kept[-1].isdigit():
        kept.pop()
    return " ".join(kept) or folded


def _is_known(head: str) -> bool:
    """Whether it is the head of something that a catalogue does not have."""
    words = fold(head).split()
    return " ".join(words) in REASON_HEADS | {"r br", "br"} or bool(_NOT_READ.intersection(words))


def columns_of(heads: Sequence[str], chosen: Mapping[int, str] | None = None) -> Columns:
    """Which column is which field. chosen: what a person said of columns, by their places; "" for
    one that is not imported.

    Further columns of the EAN are further barcodes, which several columns may be. Of several
    columns of another field the one with the most exact head is read.
    """
    said = chosen or {}
    places: dict[str, list[int]] = {}
    unread: dict[int, ColumnUse] = {}
    for place, head in enumerate(heads):
        name = said[place] if place in said else field_of_head(head)
        if name:
            places.setdefault(name, []).append(place)
        elif place in said:
            unread[place] = ColumnUse.LEFT_OUT
        elif head.strip():
            unread[place] = ColumnUse.KNOWN if _is_known(head) else ColumnUse.UNKNOWN
    fields: dict[int, str] = {}
    doubled: dict[str, tuple[int, ...]] = {}
    for name, several in places.items():
        if name == _F.BARCODES:
            fields |= dict.fromkeys(several, name)
            continue
        ranks = {at: (at not in said, _exactness(name, heads[at])) for at in several}
        first, *others = sorted(several, key=ranks.__getitem__)
        fields[first] = name
        if name == _F.EAN:
            fields |= dict.fromkeys(others, _F.BARCODES)
            continue
        unread |= dict.fromkeys(others, ColumnUse.LESS_EXACT)
        alike = [at for at in others if ranks[at] == ranks[first]]
        if alike:
            doubled[name] = (first, *alike)
    return Columns(dict(sorted(fields.items())), dict(sorted(unread.items())), doubled)


def _exactness(name: str, head: str) -> int:
    """How exactly a head says a field: 0 is the most exact."""
    folded, grades = fold(head), _EXACT.get(name, ())
    ways = {folded, _bare(folded)}
    return next((at for at, some in enumerate(grades) if some & ways), len(grades))


def head_row(rows: Sequence[Sequence[str]], shapes: Mapping[str, object]) -> HeadRow:
    """The heads among the first rows: those of a shape that a person has told of, else those that
    fit best; else, where nothing is known, the first row as wide as most that has no number.

    shapes: by `shape_of`. Groups of heads may stand in the row above them ("Цена" above "ВП" and
    "МП").
    """
    first = rows[:HEADS_WITHIN]
    ways = [HeadRow(at, 0, tuple(row)) for at, row in enumerate(first)]
    ways += [
        HeadRow(at, 1, _grouped(first[at - 1], first[at]))
        for at in range(1, len(first))
        if not any(_is_number(cell) for cell in (*first[at - 1], *first[at]))
    ]
    for way in ways:
        if shape_of(way.heads) in shapes:
            return way
    best = max(ways, key=lambda way: (_fit(way.heads), -way.above, -way.at), default=None)
    if best is not None and _fit(best.heads)[0]:
        return best
    return _unknown_heads(first)


def _unknown_heads(rows: Sequence[Sequence[str]]) -> HeadRow:
    widths = [sum(bool(cell.strip()) for cell in row) for row in rows]
    usual = max(set(widths), key=lambda width: (widths.count(width), width), default=0)
    for at, row in enumerate(rows):
        if widths[at] >= max(usual, 1):
            if any(_is_number(cell) for cell in row):
                break
            return HeadRow(at, 0, tuple(row))
    widest = max((len(row) for row in rows), default=0)
    return HeadRow(-1, 0, tuple(letters_of(at) for at in range(widest)))


def _grouped(above: Sequence[str], below: Sequence[str]) -> tuple[str, ...]:
    """Two rows of heads as one: a group stands for the columns up to the next group."""
    group, joined = "", []
    for place in range(max(len(above), len(below))):
        own = above[place].strip() if place < len(above) else ""
        under = below[place].strip() if place < len(below) else ""
        group = own or group
        whole = f"{group} {under}".strip()
        if not under:
            joined.append(own)
        elif own and field_of_head(whole) is None and field_of_head(under) is None:
            joined.append(whole)
        else:
            joined.append(whole if field_of_head(whole) or _is_known(whole) else under)
    return tuple(joined)


def _fit(heads: Sequence[str]) -> tuple[int, int]:
    """How many fields a row of heads names, and how many heads are known; no field where none says
    which article a row is about."""
    names = {name for head in heads if (name := field_of_head(head)) is not None}
    filled = sum(bool(head.strip()) for head in heads)
    numbers = any(_is_number(head) for head in heads)
    if not _OF_ARTICLE & names or (len(names) == 1 and filled > 1) or numbers:
        return 0, 0
    known = sum(_is_known(head) for head in heads if head.strip())
    return len(names) * 2 + known, known


def _is_number(cell: str) -> bool:
    """Whether a cell is a price, a code or another number, which no head is."""
    text = cell.strip().rstrip("%").replace(".", "").replace(",", "").replace(" ", "")
    return text.isascii() and text.isdigit()


def shape_of(heads: Sequence[str]) -> str:
    """What files of one program have alike: their heads, in their order. The column of reasons,
    which this till adds to refused rows, is no part of it."""
    folded = [fold(head) for head in heads]
    kept = [one for one in folded if one not in REASON_HEADS]
    while kept and not kept[-1]:
        kept.pop()
    return blake2b("\x1f".join(kept).encode(), digest_size=16).hexdigest() if kept else ""


def letters_of(place: int) -> str:
    """A column as spreadsheets name it: 0 is A, 26 is AA."""
    letters = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        letters = chr(ord("A") + letter) + letters
        place -= 1
    return letters
