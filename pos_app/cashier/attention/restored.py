"""Rows and words about what was put back from a copy, and about another secure element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from pos_app.cashier.attention.moments import when
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.domain.instant import in_belgrade
from pos_app.domain.number_text import amount_text
from pos_app.domain.server_status import ServerStatus
from pos_app.selling.attention import AttentionKind
from pos_app.selling.ticket import Ticket

OF_A_COPY = frozenset(
    {AttentionKind.RESTORED, AttentionKind.NEW_ELEMENT, AttentionKind.CARTS_SET_ASIDE}
)


def rows_of_copies(
    status: ServerStatus | None, carts: Sequence[Ticket], *, now: datetime
) -> Iterable[Row]:
    """The journal is an older one and another element is there, as the server told last; carts
    of this till that came out of a copy.
    """
    restored = status.restored if status else None
    if restored is not None:
        row_id = f"restored {restored.epoch}"
        yield Row(row_id, AttentionKind.RESTORED, None, restored.since, restored=restored)
    offered = status.processor.offered if status else None
    if offered is not None:
        yield Row(f"element {offered.uid}", AttentionKind.NEW_ELEMENT, None, now, offered=offered)
    if carts:
        since = carts[-1].opened_at
        yield Row("carts set aside", AttentionKind.CARTS_SET_ASIDE, None, since, carts=tuple(carts))


def copy_words(row: Row, texts: Texts, *, now: datetime) -> NoticeText:
    """The three parts of the notice of such a row."""
    what, values = row.what, dict[str, str]()
    kind = f"att.happened.{what}"
    if row.restored is not None:
        kind = f"att.restored.{row.restored.why}"
        kind = kind if texts.has(kind) else "att.restored.other"
        values = {"when": when(row.restored.since, texts, now=now)}
    if row.offered is not None:
        values = {"uid": row.offered.uid, "known": row.offered.known}
    if row.carts:
        values = {"carts": "; ".join(_cart_words(cart) for cart in row.carts)}
    safe, press = texts(f"att.safe.{what}"), texts(f"att.press.{what}")
    return NoticeText(texts(kind, **values), safe, press)


def copy_why(row: Row, texts: Texts) -> str:
    """The same in a few words, for the row itself."""
    if row.offered is not None:
        return row.offered.uid
    if row.carts:
        return texts.count("att.why.carts_set_aside", len(row.carts))
    return texts("att.why.restored")


def _cart_words(cart: Ticket) -> str:
    opened = in_belgrade(cart.opened_at).strftime("%d.%m. %H:%M")
    return f"{amount_text(cart.cart.total)} ({opened}, {cart.cashier})"
