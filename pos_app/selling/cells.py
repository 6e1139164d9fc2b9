"""A cell as text: a formula is never read, and no text is written as one."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from decimal import Decimal

from pos_app.domain.text.search_text import fold

Cell = str | int | Decimal | datetime | date | None
"""A datetime is of Belgrade, without its zone, as spreadsheets keep it."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
UNENDED = "\x03"
"""Stands at the end of a cell of a text file whose quotation mark has no other of its own: the cell
holds what stood in the rows below, too."""
_CODES = re.compile(
    r"\b(EUR|EVRA|EVRO|USD|CHF|GBP|BAM|KM|MKD|HUF|RON|BGN|CZK|PLN|SEK|NOK|DKK|RUB|TRY)\b"
)
_KEPT_TEXT = re.compile('="([^"]*)"')


class Formula(str):
    __slots__ = ()


class NumberCell(str):
    """A cell that a workbook holds as a number: its point is before decimals. It stays one where
    blanks are taken off."""

    __slots__ = ()

    def strip(self, chars: str | None = None, /) -> NumberCell:
        return self


def other_currency(text: str) -> str:
    """The sign or the code of another country's money in a text of either script, "" without
    it."""
    signs = (one for one in text if unicodedata.category(one) == "Sc")
    code = _CODES.search(f"{text} {fold(text).upper()}")
    return next(signs, code[0] if code else "")


def without_formula(text: str) -> str:
    """Put an apostrophe in front of a text that a program would take for a formula."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_SIGNS) else text


def unescaped(cell: str) -> str:
    """A text without the apostrophe, or the ="…", by which a program marks it as text."""
    if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_SIGNS):
        return cell[1:]
    kept = _KEPT_TEXT.fullmatch(cell)
    if kept:
        return kept[1]
    return Formula(cell) if cell.startswith("=") else cell


def plain(cell: Cell) -> str:
    """A cell of a text file: numbers have a comma, and a text that a program would take for a
    formula has an apostrophe in front."""
    match cell:
        case None:
            return ""
        case int():
            return str(cell)
        case datetime():
            return f"{cell:%d.%m.%Y. %H:%M:%S}"
        case date():
            return f"{cell:%d.%m.%Y.}"
        case Decimal():
            is_amount = cell == cell.quantize(Decimal("0.01"))
            return (
                f"{cell:.2f}".replace(".", ",")
                if is_amount
                else (f"{cell.normalize():f}".replace(".", ","))
            )
        case _:
            return without_formula(cell)
