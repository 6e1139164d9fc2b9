"""What the cashier typed into the search field means.

| typed     | means                                             |
|-----------|---------------------------------------------------|
| (nothing) | nothing                                           |
| 3*        | the quantity of the next item, at the star        |
| 0,412*    | the same; comma and point are both decimal        |
| 2088      | an article code or EAN, at Enter                  |
| 2000      | cash received, when numpad + follows              |
| sir       | a search, at each key                             |
| sir 250   | a search                                          |
"""

from __future__ import annotations

from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import parse_amount, parse_multiplier
from pos_app.errors import Invalid


def multiplier(text: str) -> Quantity | None:
    """The quantity of "3*"; None for other text. Raises Invalid for "0*" and "0*1"."""
    return parse_multiplier(text)


def is_code(text: str) -> bool:
    """Whether Enter looks it up as a code instead of taking the first hit of a search."""
    typed = text.strip()
    return typed.isascii() and typed.isdigit()


def has_words(text: str) -> bool:
    """Whether Enter may take the first hit: what has no letter names no article."""
    return any(sign.isalpha() for sign in text)


def amount(text: str) -> Money | None:
    """What was typed as an amount; None for nothing or for words."""
    typed = text.strip()
    if not typed:
        return None
    try:
        return parse_amount(typed)
    except Invalid:
        return None


def is_number(text: str) -> bool:
    """Whether it is a number, or the beginning of one ("0,"): nothing to search for."""
    typed = text.strip()
    return bool(typed) and all(sign in "0123456789.," for sign in typed)
