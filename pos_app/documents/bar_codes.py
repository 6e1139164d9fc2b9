"""Bar codes as bars: EAN-13, EAN-8, UPC-A, and Code 128 for all other codes.

Sources: GS1 General Specifications 5.2 (EAN/UPC), 5.4 (Code 128: sets B and C, check character).
"""

from __future__ import annotations

from pos_app.domain.article.barcodes import is_gtin
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

_L = ("3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112")
"""Widths of space, bar, space, bar of each digit; set G is the same from right to left."""
_FIRST = (
    "LLLLLL",
    "LLGLGG",
    "LLGGLG",
    "LLGGGL",
    "LGLLGG",
    "LGGLLG",
    "LGGGLL",
    "LGLGLG",
    "LGLGGL",
    "LGGLGL",
)
"""The sets of the left half of an EAN-13, by its first digit."""
_SYMBOLS = """
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212
112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131
311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321
112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111
314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114
122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212
124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112
"""
_CODE_128 = tuple(_SYMBOLS.split())
_START_B, _START_C, _STOP = 104, 105, 106
LONGEST = 24
"""A label has room for a Code 128 of so many characters."""


@dataclass(frozen=True, slots=True)
class BarCode:
    """widths: the widths of bars and spaces in turn, a bar first, in modules. text: below the
    bars."""

    widths: tuple[int, ...]
    text: str

    @property
    def modules(self) -> int:
        """The width of the whole code in modules, without the white beside it."""
        return sum(self.widths)


def bar_code(code: str) -> BarCode:
    """The bars of a code. Raises Invalid for a code that no symbol holds."""
    if is_gtin(code) and len(code) in (8, 12, 13):
        return _ean_8(code) if len(code) == 8 else _ean_13(code.zfill(13), code)
    return _code_128(code)


def _ean_13(code: str, text: str) -> BarCode:
    sets = _FIRST[int(code[0])]
    left = "".join(_digit(digit, one) for digit, one in zip(code[1:7], sets, strict=True))
    right = "".join(_L[int(digit)] for digit in code[7:])
    return _joined(f"111{left}11111{right}111", text)


def _ean_8(code: str) -> BarCode:
    left = "".join(_L[int(digit)] for digit in code[:4])
    right = "".join(_L[int(digit)] for digit in code[4:])
    return _joined(f"111{left}11111{right}111", code)


def _digit(digit: str, code_set: str) -> str:
    return _L[int(digit)] if code_set == "L" else _L[int(digit)][::-1]


def _code_128(code: str) -> BarCode:
    if not code or len(code) > LONGEST or not all(" " <= sign <= "~" for sign in code):
        raise Invalid("no_bars")
    if code.isdigit() and len(code) % 2 == 0:
        pairs = (int(code[at : at + 2]) for at in range(0, len(code), 2))
        values = [_START_C, *pairs]
    else:
        values = [_START_B, *(ord(sign) - 32 for sign in code)]
    check = (values[0] + sum(index * one for index, one in enumerate(values))) % 103
    return _joined("".join(_CODE_128[one] for one in (*values, check, _STOP)), code)


def _joined(widths: str, text: str) -> BarCode:
    return BarCode(tuple(int(one) for one in widths), text)
