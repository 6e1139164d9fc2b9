"""Rows and words about what was put back from a copy, and about another secure element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from pos_app.cashier.attention.moments import when
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.texts import Told, Words
from pos_app.domain.instant import in_belgrade
from pos_app.domain.numerals import amount_text
from pos_app.selling.answers import ServerStatus
from pos_app.selling.attention import What
from pos_app.selling.basket import Basket

OF_A_COPY = frozenset({What.RESTORED, What.NEW_ELEMENT, What.CARTS_SET_ASIDE})


def rows_of_copies(
    status: ServerStatus | None, carts: Sequence[Basket], *, now: datetime
) -> Iterable[Row]:
    """The journal is an older one and another element is there, as the server told last; carts
    of this till that came out of a copy.
    """
    restored = status.restored if status else None
    if restored is not None:
        row_id = f"restored {restored.epoch}"
        yield Row(row_id, What.RESTORED, None, restored.since, restored=restored)
    offered = status.processor.offered if status else None
    if offered is not None:
        yield Row(f"element {offered.uid}", What.NEW_ELEMENT, None, now, offered=offered)
    if carts:
        since = carts[-1].opened_at
        yield Row("carts set aside", What.CARTS_SET_ASIDE, None, since, carts=tuple(carts))


def copy_words(row: Row, words: Words, *, now: datetime) -> Told:
    """The three parts of the notice of such a row."""
    what, values = row.what, dict[str, str]()
    kind = f"att.happened.{what}"
    if row.restored is not None:
        kind = f"att.restored.{row.restored.why}"
        kind = kind if words.has(kind) else "att.restored.other"
        values = {"when": when(row.restored.since, words, now=now)}
    if row.offered is not None:
        values = {"uid": row.offered.uid, "known": row.offered.known}
    if row.carts:
        values = {"carts": "; ".join(_cart_words(cart) for cart in row.carts)}
    safe, press = words(f"att.safe.{what}"), words(f"att.press.{what}")
    return Told(words(kind, **values), safe, press)


def copy_why(row: Row, words: Words) -> str:
    """The same in a few words, for the row itself."""
    if row.offered is not None:
        return row.offered.uid
    if row.carts:
        return words.count("att.why.carts_set_aside", len(row.carts))
    return words("att.why.restored")


def _cart_words(cart: Basket) -> str:
    opened = in_belgrade(cart.opened_at).strftime("%d.%m. %H:%M")
    return f"{amount_text(cart.cart.total)} ({opened}, {cart.cashier})"
