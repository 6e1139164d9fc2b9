"""The additional text names what an advance is for: the items if the buyer asks for them, and
always the proforma, because an advance has no reference to a proforma.

The fiscal part of an advance names amounts by tax label alone; this text stands below its end line.
Source: fiscal.md 6.2, 6.3.
"""

from __future__ import annotations

from itertools import dropwhile, pairwise

from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.domain.receipt.open_advances import by_proforma
from pos_app.domain.text.transliteration import latin
from pos_app.selling.sale.ticket import Ticket

_HEAD = "Аванс за:"
_HEADS = frozenset({_HEAD, latin(_HEAD)})
_MARK = "– "


def with_proforma(text: str, ticket: Ticket) -> str:
    """Put a line above the text that names the proforma of an advance, if it has one."""
    referent = ticket.typed_details.referent
    if referent is None or referent.paid_before:
        return text
    text_line = by_proforma(referent.number, in_latin=_is_latin(ticket))
    return "\n".join(filter(None, (text_line, text)))


def _is_latin(ticket: Ticket) -> bool:
    names = [line.article.frozen.printed_name for line in ticket.cart.active]
    return all(name == latin(name) for name in names)


def lists_items(text: str) -> bool:
    return without_items(text) != text.strip()


def without_items(text: str) -> str:
    """The text without the lines of the items. A head without items was typed, and stays."""
    text_lines = text.splitlines()
    for start, (head, first) in enumerate(pairwise(text_lines)):
        if head in _HEADS and first.startswith(_MARK):
            rest = dropwhile(lambda line: line.startswith(_MARK), text_lines[start + 1 :])
            return "\n".join((*text_lines[:start], *rest)).strip()
    return text.strip()


def with_items(text: str, ticket: Ticket, *, longest: int) -> str:
    """The text, and below it the present items, as many as fit."""
    own = without_items(text)
    cart = ticket.cart
    items = [
        f"{_MARK}{quantity_text(line.quantity)} {line.article.frozen.unit}".rstrip()
        + f" {line.article.frozen.name}: {amount_text(total)}"
        for line, total in zip(cart.active, cart.totals, strict=True)
    ]
    is_latin = all(item == latin(item) for item in items)
    text_lines = [own, latin(_HEAD) if is_latin else _HEAD, *items]
    while len(joined := "\n".join(filter(None, text_lines))) > longest and len(items) > 1:
        items.pop()
        left = len(cart.active) - len(items)
        text_lines = [*text_lines[: 2 + len(items)], f"{_MARK}+ {left}"]
    return joined
