"""Describes what somebody is asked to approve, so that nobody approves what they don't see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from types import MappingProxyType

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.cart import Cart
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """Describes exactly what is asked for.

    words: the act as the screen calls it, or "". key: the id of the act's text, with `values`,
    where no words are given and the name of the right says too little. of: the article, the
    receipt's number, or another subject; "" for none. what: the id of the text that names the kind
    of subject. amount: the amount that the act is about, or that stands after it. before: the
    amount that stands now, where the act changes it. drawer: why the drawer can't hold so much, or
    "".
    """

    words: str = ""
    key: str = ""
    values: Mapping[str, Money | Decimal | str] = field(
        default_factory=lambda: MappingProxyType({})
    )
    of: str = ""
    what: str = "receipt"
    amount: Money | None = None
    before: Money | None = None
    drawer: str = ""


NOTHING_ELSE = About()
"""The name of the right says all."""


def about_change(before: Cart, after: Cart) -> About:
    """Return what a change of the cart is about: the article of the one changed line with its
    totals, or else the whole cart."""
    changed = [line for line in before.active if not any(line == other for other in after.active)]
    if len(changed) != 1 or before.discount != after.discount:
        return About(amount=after.total, before=before.total)
    line = changed[0]
    old, new = (
        dict(zip((one.id for one in cart.active), cart.totals, strict=True))
        for cart in (before, after)
    )
    name = line.article.frozen.name
    return About(of=name, what="article", amount=new.get(line.id, Money.ZERO), before=old[line.id])
