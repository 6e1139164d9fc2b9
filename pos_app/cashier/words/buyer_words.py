"""What a buyer is called, on each screen that names one."""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.receipt.buyer import BUYER_KINDS

_SHOWN_DIGITS = 3
"""The last digits of a person's number that are shown; they tell two buyers at the counter
apart."""


def buyer_words(
    buyer: str, texts: Texts, *, name: str = "", kind: str = "", is_whole: bool = False
) -> str:
    """A buyer by the kind of the number and the number; "" without one.

    buyer: in wire form, whose number may lack. name: that of the buyers' book. kind: the words for
    the kind, where they are not the usual ones. is_whole: the number of a natural person is needed
    whole, to compare two of them.

    | buyer        | words                      |
    | 10:100000001 | ПИБ 100000001              |
    | 20:001234567 | Лична карта, крај броја 567 |
    | 20:          | Лична карта                |
    """
    code, _, number = buyer.partition(":")
    known = BUYER_KINDS.get(code)
    kind = kind or (code if known is None else texts(f"pay.kind.{known.name}"))
    if number and not is_whole and (known is None or known.personal):
        named = texts("buyer.number_ends", kind=kind, end=number[-_SHOWN_DIGITS:])
    else:
        named = f"{kind} {number}".strip()
    return f"{name}, {named}" if name else named
