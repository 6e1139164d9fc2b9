"""The text of a field for an amount. Its thousands are grouped while it is typed, so that one zero
too many is seen.

A field has the letters "450.000,5" for the bare text "450000,5". All points that it has are its
own: a typed point is the decimal mark, as in the payment.
"""

from __future__ import annotations

import re

_WHOLE = re.compile(r"([-+\u2212]?[0-9]+)((?:,[0-9]*)?)")
_THOUSANDS = re.compile(r"(?<=[0-9])(?=(?:[0-9]{3})+$)")
_WRITTEN = re.compile(r"([-+\u2212]?[0-9]{1,3}(?:([.,])[0-9]{3}(?:\2[0-9]{3})*))(?!\2)([.,][0-9]*)")
"""An amount with a mark of thousands and another one of decimals."""
_MANY = re.compile(r"[0-9]{1,3}(?:(?:\.[0-9]{3}){2,}|(?:,[0-9]{3}){2,})")
_BLANK = re.compile(r"[\s'\u2019]")
_CURRENCY = r"(?:(?:rsd|рсд|din(?:ara)?|дин(?:ара)?)\.?)?"
_COPIED = re.compile(
    rf"{_CURRENCY}([0-9][0-9.,]*?)(?:,[-\u2013\u2014]+)?{_CURRENCY}", re.IGNORECASE
)
_ONE_THOUSAND = re.compile(r"([1-9][0-9]{0,2})[.,]([0-9]{3})")
_TWO_MARKS = re.compile(r"([1-9][0-9]*),([0-9]{3}),")


def grouped(bare_text: str) -> str:
    """Return a text with its thousands grouped; one that is no number stays as it is."""
    number = _WHOLE.fullmatch(bare_text)
    return _THOUSANDS.sub(".", number[1]) + number[2] if number else bare_text


def bare(field_text: str) -> str:
    """Return the bare text of what a field has."""
    return field_text.replace(".", "")


def bare_of_written(written: str) -> str:
    """Return the bare text of an amount that comes from elsewhere, such as "1.234,50". Where it has
    one mark alone, that is the decimal one."""
    written = _BLANK.sub("", written)
    if (number := _WRITTEN.fullmatch(written)) is not None:
        return re.sub("[.,]", "", number[1]) + "," + number[3][1:]
    return re.sub("[.,]", "", written) if _MANY.fullmatch(written) else written.replace(".", ",")


def copied(text: str) -> str:
    """Return the number of an amount that has its currency with it; "" where there is none.

    | copied          | number    |
    | 1.500,00 дин.   | 1.500,00  |
    | RSD 1 500       | 1500      |
    | 1.500,- din     | 1500      |
    | 1.500.000 RSD   | 1.500.000 |
    | 1.500 EUR, 1a   |           |
    """
    amount = _COPIED.fullmatch(_BLANK.sub("", text))
    if amount is None:
        return ""
    thousand = _ONE_THOUSAND.fullmatch(amount[1])
    return thousand[1] + thousand[2] if thousand is not None else amount[1]


def edited(before: str, selected: tuple[int, int], after: str, caret: int) -> tuple[str, int]:
    """Return what a field has after an edit, and where the caret is.

    before: what it had. selected: where the selection began and ended, the caret without one.
    after, caret: the text and the caret that the edit made.
    """
    start, end = selected
    begin = min(start, caret)
    inserted = after[begin:caret]
    head, tail = bare(after[:begin]), bare(after[caret:])
    if not inserted and start == end and head + tail == bare(before):  # only a point went
        head, tail = (head[:-1], tail) if caret < start else (head, tail[1:])
    head += bare_of_written(inserted)
    if (marked := _TWO_MARKS.fullmatch(head)) is not None:
        head = f"{marked[1]}{marked[2]},"  # the first mark was none of decimals
    return _with_caret(head, tail)


def _with_caret(head: str, tail: str) -> tuple[str, int]:
    whole, caret, behind = grouped(head + tail), 0, len(head)
    while behind:
        behind -= whole[caret] != "."
        caret += 1
    return whole, caret
