"""The heads of a sheet are found, and each column gets its field.

Heads are read in the words that people write; a person's choice for a column replaces its head.
Sources: till.md (Catalogue: import), articles-from-a-file.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import NamedTuple

from pos_app.domain.article.fields import SHARED_FIELDS
from pos_app.domain.text.search_text import fold
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.cells import other_currency

_F = DraftField
VARIANT_OF = "variant_of"
"""The column that names the product whose variant the row is."""


class SheetField(StrEnum):
    """What a column of another system says that is no field of an article by itself."""

    GROUP = "group"
    """Rows with the same text are of one product."""
    OPTION = "option"
    """A value by which a variant differs from the others of its product."""
    ROW_ID = "row_id"
    ROW_TYPE = "row_type"
    """Whether a row is an article, a product with variants, or one of its variants."""
    PARENT = "parent"
    """The product of a variant: its code, or "id:" and its ROW_ID."""
    ON_SALE = "on_sale"
    IN_STORE = "in_store"
    """Whether a store has it; it is sold where any has it."""
    ARCHIVED = "archived"
    TAX_FLAG = "tax_flag"
    """Whether the tax in the column's head applies."""
    CHARGED = "charged"
    """Whether any tax applies."""
    NET_TAX = "net_tax"
    """A tax that comes on top of the price."""
    BY_WEIGHT = "by_weight"
    STORE_PRICE = "store_price"
    OFFER = "offer"
    """A lower price for a while."""
    LEVEL = "level"
    """A level of the category; narrower ones are in further columns."""


_S = SheetField
MANY_COLUMNS: frozenset[str] = frozenset({
    _F.BARCODES, _S.OPTION, _S.IN_STORE, _S.TAX_FLAG, _S.NET_TAX, _S.STORE_PRICE, _S.LEVEL,
})  # fmt: skip
"""The fields that several columns may hold."""
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
"""The first head of each is written; any of them is read, in either script and case."""
HEADS_WITHIN = 30
"""The rows in which the heads are looked for: titles and an address stand above them."""
REASON_HEADS = frozenset({"razlog", "reason"})
"""Folded heads of the column that gives the reason of a refused row; it is not read."""
_BY_HEAD = {fold(head): name for name, heads in HEADS.items() for head in heads}
_CURRENCY = frozenset({"rsd", "din", "dinara", "dinar", "dinarima"})
_FILLING = frozenset({"artikla", "artikala", "robe", "proizvoda", "proizvod", "art", "u"})
"""Words of a head that don't help to name the field."""
_SPELT = MappingProxyType(
    {"pdvom": "pdv", "sif": "sifra", "naz": "naziv", "prod": "prodajna", "maloprod": "maloprodajna"}
)
_IN_ONE = (
    ("pdv om", "pdv"),
    ("pdv a", "pdv"),
    ("bar kod", "barkod"),
    ("j m", "jm"),
    ("mp cena", "mpc"),
    ("s pdv", "sa pdv"),
)
"""Folded spellings of words in heads, each with the spelling that stands for it."""
_NUMBERED = frozenset({"ean", "barkod"})
"""Heads that a sheet has several times, with a number behind."""
_RATE = re.compile(r"\d\s*%")
"""A rate in the words of a head, as in "Цена са ПДВ 20%"."""
_NOT_READ = frozenset({
    "nabavna", "nab", "nabavne", "vp", "vpc", "veleprodajna", "velep", "fakturna", "faktura",
    "bez", "neto", "netto", "stanje", "zaliha", "zalihe", "lager", "kolicina", "kol", "vrednost",
    "iznos", "ukupno", "razlika", "marza", "ruc", "rabat", "popust", "dobavljac", "dobavljaca",
    "proizvodjac", "proizvodjaca", "zemlja", "poreklo", "rb", "rbr", "redni", "datum", "magacin",
    "napomena", "osnovica", "status", "aktivan", "purchase", "cost", "wholesale", "stock",
    "quantity", "supplier", "nc",
})  # fmt: skip
"""Words of heads that a catalogue does not have: stock, cost, supplier."""
NONE_REMEMBERED: Mapping[str, str] = MappingProxyType({})
_OF_ARTICLE: frozenset[str] = frozenset({_F.SKU, _F.EAN, _F.NAME})
"""Any of these fields identifies the article of a row."""
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
    _F.EAN: (frozenset({"ean"}),),
    _F.NAME: (frozenset({"naziv", "name", "naziv artikla"}),),
    _F.SKU: (frozenset({"sifra", "sku"}),),
    _F.CATEGORIES: (
        frozenset({"kategorija", "kategorije", "category", "categories"}),
        frozenset({"grupa", "robna grupa", "naziv grupe", "group", "grupa artikala"}),
    ),
})  # fmt: skip
"""Heads, without filling words, that name a field more exactly than others; the most exact come
first."""


class ColumnUse(StrEnum):
    KNOWN = "known"
    """The column's head is known, but belongs to no field of the catalogue."""
    UNKNOWN = "unknown"
    LESS_EXACT = "less_exact"
    """Another column says the same more exactly."""
    LEFT_OUT = "left_out"
    """A person said that the column is not imported."""
    REMEMBERED = "remembered"
    """A person chose the field of this head in another file."""


class SheetColumns(NamedTuple):
    """The field of each column, by the column's number.

    unread: the reason for each other column with a head. doubled: the columns that name a field
    equally well, so that a person has to choose; the first is read meanwhile. remembered: the
    columns whose field a person chose for the same head of another file.
    """

    fields: Mapping[int, str]
    unread: Mapping[int, ColumnUse]
    doubled: Mapping[str, tuple[int, ...]]
    remembered: frozenset[int] = frozenset()

    @property
    def less_exact(self) -> tuple[int, ...]:
        return tuple(at for at, why in self.unread.items() if why == ColumnUse.LESS_EXACT)

    @property
    def names_article(self) -> bool:
        return bool(_OF_ARTICLE & set(self.fields.values()))


class HeadRow(NamedTuple):
    """The heads of a sheet. at: the row, from 0, after which the articles begin; -1 where there is
    none. above: 1 where the row above has heads of groups, which are joined with it."""

    at: int
    above: int
    heads: tuple[str, ...]


def folded_head(head: str) -> str:
    """A head as it is looked up and remembered: folded, and with the signs that make another column
    of it, which `fold` drops: of another country's money, and of percent, in which the catalogue
    has taxes alone. "Цена (€)" -> "cena €", "Цена %" -> "cena %", "ПДВ %" -> "pdv"."""
    folded = f"{fold(head)} {other_currency(head)}".strip()
    is_share = "%" in _RATE.sub("", head) and fold(head) and not _is_known(head)
    return f"{folded} %" if is_share and _named(folded) != _F.TAX_LABEL else folded


def field_of_head(head: str) -> str | None:
    """The field of a column with this head, or None for an unknown one.

    | head                         | field |
    | Продајна цена, MPC (RSD)     | price |
    | Cena sa PDV-om, дин.         | price |
    | Šifra robe, Шиф. арт.        | sku   |
    | Nabavna cena, Cena bez PDV-a | none  |
    | Цена (€), Cena u EUR         | none  |
    | MPC %, Cena +/- %            | none  |
    """
    return _named(folded_head(head))


def _named(folded: str) -> str | None:
    return _BY_HEAD.get(folded) or _BY_HEAD.get(_bare(folded))


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
    """Whether the head is known, and the catalogue has no field for it."""
    words = fold(head).split()
    return " ".join(words) in REASON_HEADS | {"r br", "br"} or bool(_NOT_READ.intersection(words))


def columns_of(
    heads: Sequence[str],
    chosen: Mapping[int, str] | None = None,
    *,
    of_system: Mapping[int, str] | None = None,
    remembered: Mapping[str, str] = NONE_REMEMBERED,
) -> SheetColumns:
    """Find the field of each column. chosen: a person's choice by the column's number; "" for one
    that is not imported. of_system: the fields that a recognised system knows, in place of the
    words of heads. remembered: fields that a person chose for heads of other files, by the folded
    head; they count for a head that nothing else knows.

    All EAN columns but the first are further barcodes, which several columns may hold. Among
    several columns of another field the one with the most exact head is read.
    """
    chosen_fields = chosen or {}
    indices: dict[str, list[int]] = {}
    unread: dict[int, ColumnUse] = {}
    by_memory: set[int] = set()
    for index, head in enumerate(heads):
        name = field_of_head(head) if of_system is None else of_system.get(index)
        is_known = _is_known(head) or (of_system is not None and bool(head.strip()))
        otherwise = ColumnUse.KNOWN if is_known else ColumnUse.UNKNOWN
        if index in chosen_fields:
            name, otherwise = chosen_fields[index], ColumnUse.LEFT_OUT
        elif not name and not _is_known(head) and folded_head(head) in remembered:
            name, otherwise = remembered[folded_head(head)], ColumnUse.LEFT_OUT
            by_memory.add(index)
        if name:
            indices.setdefault(name, []).append(index)
        elif head.strip() or index in chosen_fields:
            unread[index] = otherwise
    return _one_each(heads, indices, unread, chosen_fields, by_memory)


def _one_each(
    heads: Sequence[str],
    indices: Mapping[str, Sequence[int]],
    unread: dict[int, ColumnUse],
    chosen: Mapping[int, str],
    by_memory: set[int],
) -> SheetColumns:
    """Of the columns of a field, find the one that is read."""
    fields: dict[int, str] = {}
    doubled: dict[str, tuple[int, ...]] = {}
    for name, several in indices.items():
        if name == SheetField.STORE_PRICE and _F.PRICE in chosen.values():
            unread |= dict.fromkeys(several, ColumnUse.LESS_EXACT)
            continue
        if name in MANY_COLUMNS:
            fields |= dict.fromkeys(several, name)
            continue
        ranks = {
            at: (at not in chosen, at in by_memory, _exactness(name, heads[at])) for at in several
        }
        first, *others = sorted(several, key=ranks.__getitem__)
        fields[first] = name
        if name == _F.EAN:
            fields |= dict.fromkeys(others, _F.BARCODES)
            continue
        unread |= dict.fromkeys(others, ColumnUse.LESS_EXACT)
        alike = [at for at in others if ranks[at] == ranks[first]]
        if alike:
            doubled[name] = (first, *alike)
    return SheetColumns(
        dict(sorted(fields.items())),
        dict(sorted(unread.items())),
        doubled,
        frozenset(by_memory & fields.keys()),
    )


def _exactness(name: str, head: str) -> int:
    """The grade of a head for a field: 0 is the most exact."""
    folded, grades = fold(head), _EXACT.get(name, ())
    ways = {folded, _bare(folded)}
    return next((at for at, some in enumerate(grades) if some & ways), len(grades))


def head_row(
    rows: Sequence[Sequence[str]],
    shapes: Mapping[str, object],
    *,
    is_of_system: Callable[[Sequence[str]], bool] = lambda _: False,
) -> HeadRow:
    """Return the row of heads among the first rows: one with a shape that a person has answered
    for; else one of a system that is recognised; else the one that fits best; else the first row
    that is as wide as most rows, unless it has a number. If there is no such row, letters stand for
    the heads.

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
    for way in ways:
        if not way.above and is_of_system(way.heads):
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
    """Join two rows of heads: a group stands for the columns up to the next group."""
    group, joined = "", []
    for index in range(max(len(above), len(below))):
        own = above[index].strip() if index < len(above) else ""
        under = below[index].strip() if index < len(below) else ""
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
    """The numbers of fields that a row of heads names (0 if none identifies the article), and of
    known heads."""
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
    """A digest of the heads in their order, which all files of one program share. It leaves out the
    column of reasons, which this till adds to refused rows."""
    folded = [folded_head(head) for head in heads]
    kept = [one for one in folded if one not in REASON_HEADS]
    while kept and not kept[-1]:
        kept.pop()
    return blake2b("\x1f".join(kept).encode(), digest_size=16).hexdigest() if kept else ""


def letters_of(index: int) -> str:
    """A column as spreadsheets name it: 0 is A, 26 is AA."""
    letters = ""
    while index >= 0:
        index, letter = divmod(index, 26)
        letters = chr(ord("A") + letter) + letters
        index -= 1
    return letters
