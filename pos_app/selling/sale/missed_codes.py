"""Codes that were scanned or typed for a sale and came to nothing: goods that may leave unpaid.

They belong to the cart and are stored with it, so that hold, recall or a killed till forget none.
"""

from __future__ import annotations

from pos_app.domain.barcodes import WhyUnknown
from pos_app.domain.cart import CartArticle
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnknownCode:
    """Nothing is sold under this code. why: None where the code is sound but nobody's."""

    code: str
    why: WhyUnknown | None = None


Missed = tuple[UnknownCode, ...]
"""Of one cart, in the order in which they came."""


def with_code(codes: Missed, missed: UnknownCode, *, rest_of: str = "") -> Missed:
    """With one more; the same code again is the same goods.

    rest_of: what was told of the same scan before: both are one. A code that was read whole is what
    was misread just now, scanned once more.
    """
    if missed.why in (WhyUnknown.RECEIPT, WhyUnknown.ID_CARD):
        return codes  # no goods
    again = {missed.code, rest_of} - {""}
    others = tuple(one for one in codes if one.code not in again)
    return (*(others if missed.why else _sound(others)), missed)


def without_entered(codes: Missed, article: CartArticle) -> Missed:
    """After a line was entered: its article may be that of a missed code, and what was misread
    just now was scanned once more."""
    entered = {article.unknown_code, article.frozen.gtin}
    return tuple(one for one in _sound(codes) if one.code not in entered)


def _sound(codes: Missed) -> Missed:
    return tuple(one for one in codes if one.why is None)
