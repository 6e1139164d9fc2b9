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

    rest_of: the code reported before for the same scan. A code that was read whole replaces misread
    ones, because the item was scanned once more.
    """
    if missed.why in (WhyUnknown.RECEIPT, WhyUnknown.ID_CARD):
        return codes  # no goods
    again = {missed.code, rest_of} - {""}
    others = tuple(one for one in codes if one.code not in again)
    return (*(others if missed.why else _sound(others)), missed)


def without_entered(codes: Missed, article: CartArticle) -> Missed:
    """Remove the codes that an entered line settles: its article's, and misread ones, because the
    item was scanned once more."""
    entered = {code_key(one) for one in (article.unknown_code, article.frozen.gtin) if one}
    return tuple(one for one in _sound(codes) if code_key(one.code) not in entered)


def without_known(codes: Missed, known: UnknownCode) -> Missed:
    """Remove a code that an article has by now, because the cashier has taught the till what it
    means or somebody has added the article."""
    return tuple(one for one in codes if one.why or code_key(one.code) != code_key(known.code))


def _sound(codes: Missed) -> Missed:
    return tuple(one for one in codes if one.why is None)
