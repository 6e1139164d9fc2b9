"""The units that shops use: how people spell them, and what each measures.

One table serves the names that receipts print, the sheets of wholesalers and other programs, the
scale, the sale's questions and a manager's list. Source: till.md (Catalogue: units and categories;
odd numbers).
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from pos_app.domain.text.search_text import fold
from pos_app.lazy_dataclass import dataclass


class Measure(StrEnum):
    KILOGRAM = "kilogram"
    LITRE = "litre"
    METRE = "metre"
    SQUARE_METRE = "square_metre"
    CUBIC_METRE = "cubic_metre"
    HOUR = "hour"
    PIECE = "piece"
    PACK = "pack"
    """What is counted as pieces are, and may be sold by halves."""


@dataclass(frozen=True, slots=True)
class KnownUnit:
    """A unit with the symbol that a new one gets. size: one of it in its measure. words: the
    spellings of its symbol and name in the letters of `fold`, which writes both scripts alike and
    drops points."""

    name: str
    symbol: str
    measure: Measure
    size: Decimal
    words: tuple[str, ...]


_M = Measure
_KNOWN = tuple(
    KnownUnit(name, symbol, measure, Decimal(size), (fold(symbol), fold(name), *others.split()))
    for name, symbol, measure, size, others in (
        ("комад", "ком", _M.PIECE, "1", "komada komadi kmd pc pcs pce piece pieces"),
        ("килограм", "kg", _M.KILOGRAM, "1", "kgr kilo kilograma kilogrami kilogram"),
        ("грам", "g", _M.KILOGRAM, "0.001", "gr grm grama grami gram"),
        ("тона", "t", _M.KILOGRAM, "1000", "tone ton tonne"),
        ("литар", "l", _M.LITRE, "1", "lit ltr lt litra litara litri liter litre"),
        ("милилитар", "ml", _M.LITRE, "0.001", "mililitara mililitra"),
        ("децилитар", "dl", _M.LITRE, "0.1", "decilitara decilitra"),
        ("метар", "m", _M.METRE, "1", "met mtr metara metra metri meter metre"),
        ("центиметар", "cm", _M.METRE, "0.01", "centimetara centimetra"),
        ("квадратни метар", "m²", _M.SQUARE_METRE, "1", "kvm sqm"),
        ("кубни метар", "m³", _M.CUBIC_METRE, "1", "kubm cbm"),
        ("паковање", "пак", _M.PACK, "1", "pakovanja pakovanje pk pack"),
        ("кутија", "кут", _M.PACK, "1", "kutija kutije ktj box"),
        ("сет", "сет", _M.PACK, "1", "set setova seta"),
        ("пар", "пар", _M.PACK, "1", "pari pair pr"),
        ("порција", "порција", _M.PACK, "1", "porcije porc por"),
        ("флаша", "флаша", _M.PACK, "1", "flase fl"),
        ("тегла", "тегла", _M.PACK, "1", "tegle"),
        ("конзерва", "конзерва", _M.PACK, "1", "konzerve"),
        ("кеса", "кеса", _M.PACK, "1", "kese"),
        ("врећа", "врећа", _M.PACK, "1", "vrece"),
        ("џак", "џак", _M.PACK, "1", "dzaka dzakovi"),
        ("гајба", "гајба", _M.PACK, "1", "gajbe"),
        ("картон", "картон", _M.PACK, "1", "kartona kartoni"),
        ("ролна", "ролна", _M.PACK, "1", "rolne"),
        ("услуга", "услуга", _M.PACK, "1", "usluge"),
        ("сат", "h", _M.HOUR, "1", "sati sata cas hour"),
        ("дан", "дан", _M.PACK, "1", "dana day"),
    )
)
_BY_WORD = {word: unit for unit in _KNOWN for word in unit.words}
_OTHER = KnownUnit("", "", Measure.PACK, Decimal(1), ())
"""What is true of a unit that is not in the table."""


def known_unit(text: str) -> KnownUnit | None:
    """The unit that people mean by that symbol or name, as they spell it."""
    return _BY_WORD.get(fold(text))


def unit_word(text: str) -> str:
    """A word that all spellings of a unit have in common.

    | symbol        | word   |
    | кг., KG, kgr  | kg     |
    | pcs, kom.     | kom    |
    | paleta        | paleta |
    """
    known = known_unit(text)
    return known.words[0] if known else fold(text)


def is_weight(symbol: str) -> bool:
    """Whether a quantity of that unit is read from a scale, and therefore never assumed to be 1."""
    return _measured(symbol).measure is Measure.KILOGRAM


def is_piece(symbol: str) -> bool:
    known = known_unit(symbol)
    return known is not None and known.measure is Measure.PIECE


def measure_of(symbol: str) -> tuple[Measure, Decimal]:
    """What a unit measures, and the size of one; what has no unit is sold by the piece."""
    known = _measured(symbol) if symbol else _KNOWN[0]
    return known.measure, known.size


def is_measured_alike(symbol: str, other: str) -> bool:
    """Whether an article may get the unit `other` in place of `symbol` with its price as it is:
    both are as much of the same measure. A unit that is counted is like having none, "".

    | symbol | other | alike                                |
    | ком    | пак   | yes                                  |
    | g      | гр    | yes                                  |
    | kg     | g     | no: the price would be that of 1 g   |
    | kg     | –     | no: it would be sold by the piece    |
    | kg     | l     | no: nothing is read from the scale   |
    | l      | m     | no: the price would be that of 1 m   |
    """
    first, second = (_measured(one) for one in (symbol, other))
    if _is_counted(first) or _is_counted(second):
        return _is_counted(first) and _is_counted(second)
    return (first.measure, first.size) == (second.measure, second.size)


def label_step(symbol: str, *, by_weight: bool) -> Decimal:
    """How much of a unit one in the five digits of a scale's label is: a gram, or a piece where
    the goods are counted. by_weight: the shop weighs the article, whatever its unit.

    | unit        | digits | quantity |
    | kg          | 00412  | 0.412    |
    | g           | 00412  | 412      |
    | ком, пак, – | 00003  | 3        |
    | t           | 02000  | 0.002; no quantity is less than a thousandth, so 00412 is refused |
    """
    unit = _measured(symbol)
    return Decimal(1) if _is_counted(unit) and not by_weight else Decimal("0.001") / unit.size


def _measured(symbol: str) -> KnownUnit:
    return known_unit(symbol) or _OTHER


def _is_counted(unit: KnownUnit) -> bool:
    return unit.measure in (Measure.PIECE, Measure.PACK)


def spellings_of(text: str) -> tuple[str, ...]:
    """The words of a unit that a cell may mean, its own first; none for a cell without letters.

    | cell          | the words               |
    | gr., Gram, г  | gr, g, gram, grama, …   |
    | pcs, kom., КОМ | pcs, kom, komad, …     |
    | paleta        | paleta                  |
    """
    word, known = fold(text), known_unit(text)
    return tuple(dict.fromkeys((word, *(known.words if known else ())))) if word else ()


def usual_unit(text: str) -> tuple[str, str]:
    """The name and symbol of a new unit that a cell names.

    | cell      | name    | symbol |
    | kut.      | кутија  | кут    |
    | paleta    | paleta  | paleta |
    """
    known = known_unit(text)
    symbol = text.strip().rstrip(".")
    return (known.name, known.symbol) if known else (symbol, symbol)
