"""How people spell units in the sheets of shops, wholesalers and other programs.

Each row is one unit: its name and symbol where the shop has none yet, and its other spellings in
the letters of `fold`, which writes both scripts alike and drops points.
"""

from __future__ import annotations

from pos_app.domain.text.search_text import fold

_SPELLINGS = (
    ("комад", "ком", "komada komadi kmd pc pcs pce piece pieces"),
    ("килограм", "kg", "kgr kilo kilograma kilogrami kilogram"),
    ("грам", "g", "gr grm grama grami gram"),
    ("тона", "t", "tone ton tonne"),
    ("литар", "l", "lit ltr lt litra litara litri liter litre"),
    ("милилитар", "ml", "mililitara mililitra"),
    ("децилитар", "dl", "decilitara decilitra"),
    ("метар", "m", "met mtr metara metra metri meter metre"),
    ("центиметар", "cm", "centimetara centimetra"),
    ("квадратни метар", "m²", "kvm sqm"),
    ("кубни метар", "m³", "kubm cbm"),
    ("паковање", "пак", "pakovanja pakovanje pk pack"),
    ("кутија", "кут", "kutija kutije ktj box"),
    ("сет", "сет", "set setova seta"),
    ("пар", "пар", "pari pair pr"),
    ("порција", "порција", "porcije porc por"),
    ("флаша", "флаша", "flase fl"),
    ("сат", "h", "sati sata cas hour"),
    ("дан", "дан", "dana day"),
)


def _words(name: str, symbol: str, others: str) -> tuple[str, ...]:
    return (fold(symbol), fold(name), *others.split(" "))


_ROWS = {
    word: (name, symbol, words)
    for name, symbol, others in _SPELLINGS
    for words in [_words(name, symbol, others)]
    for word in words
}


def spellings_of(text: str) -> tuple[str, ...]:
    """The words of a unit that a cell may mean, its own first; none for a cell without letters.

    | cell          | the words               |
    | gr., Gram, г  | gr, g, gram, grama, …   |
    | pcs, kom., КОМ | pcs, kom, komad, …     |
    | paleta        | paleta                  |
    """
    word = fold(text)
    others = _ROWS[word][2] if word in _ROWS else ()
    return tuple(dict.fromkeys((word, *others))) if word else ()


def usual_unit(text: str) -> tuple[str, str]:
    """The name and symbol of a new unit that a cell names.

    | cell      | name    | symbol |
    | kut.      | кутија  | кут    |
    | paleta    | paleta  | paleta |
    """
    known = _ROWS.get(fold(text))
    if known is not None:
        return known[:2]
    symbol = text.strip().rstrip(".")
    return symbol, symbol
