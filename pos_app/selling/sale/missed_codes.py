"""Codes that were scanned or typed for a sale and found no article: their goods may leave unpaid.

They are stored with the cart, so that none is lost when the cart is suspended or recalled, or when
the till is killed.
"""

from __future__ import annotations

from pos_app.domain.article.barcodes import WhyUnknown, code_key
from pos_app.domain.receipt.cart import CartArticle
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnknownCode:
    """No article has this code. why is None where the code itself is valid."""

    code: str
    why: WhyUnknown | None = None


Missed = tuple[UnknownCode, ...]
"""The missed codes of one cart, in the order in which they came."""


def with_code(codes: Missed, missed: UnknownCode, *, rest_of: str = "") -> Missed:
    """Add a code; the same code again means the same goods.

    rest_of: the code reported before for the same scan. A code that was read whole replaces the
    misread ones that are like it, because the item was scanned once more.
    """
    if missed.why in (WhyUnknown.RECEIPT, WhyUnknown.ID_CARD):
        return codes  # no goods
    again = {missed.code, rest_of} - {""}
    others = tuple(one for one in codes if one.code not in again)
    return (*(others if missed.why else without_known(others, missed.code)), missed)


def without_entered(codes: Missed, article: CartArticle) -> Missed:
    """Remove the codes that an entered line settles."""
    for entered in (article.unknown_code, article.frozen.gtin):
        codes = without_known(codes, entered) if entered else codes
    return codes


def without_known(codes: Missed, known: str) -> Missed:
    """Remove a code that an article has by now, and the misread ones that are like it: their item
    was scanned once more. Any other one may be of other goods, and stays."""
    return tuple(one for one in codes if not _is_settled(one, known))


_FEW_SIGNS = 4
"""A part with no more signs may be of any code."""


def _is_settled(missed: UnknownCode, known: str) -> bool:
    """Whether a code that was read whole is the missed one: the same, or of a misread one a part,
    the whole, or the code in which the check digit found one wrong sign.

    | missed                         | read whole    | settled |
    | 8609951 (cut)                  | 8609951101730 | yes     |
    | 2100094014125 (check digit)    | 2100094014124 | yes     |
    | 018609951101730172712311 (GS1) | 8609951101730 | yes     |
    | lot-0016 (cut)                 | lot-0017      | no      |
    | 8609951 (nobody's)             | 8609951101730 | no      |
    """
    if code_key(missed.code) == code_key(known):
        return True
    if missed.why is None:
        return False
    short, long = sorted((missed.code, known), key=len)
    if missed.why is WhyUnknown.CHECK_DIGIT and len(short) == len(long):
        return sum(one != other for one, other in zip(short, long, strict=True)) == 1
    return len(short) > _FEW_SIGNS and short in long
