"""Goods given away are paid by "other", so that they are never refunded in money.

An item is given away when its name begins with "00:". Source: fiscal.md 6.7.
"""

from __future__ import annotations

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.errors import Invalid

PREFIX = "00:"


def names_gift(name: str) -> bool:
    """Whether an item of that name is given away; blanks before the prefix are ignored."""
    return name.lstrip().startswith(PREFIX)


def check_gifts_paid(gifts: Money, payments: Payments, *, before: Money = Money.ZERO) -> None:
    """Raise Invalid on "payments.other" where "other" does not pay for the gifts. before: the part
    that "other" paid in advance."""
    if gifts > payments.amount(PaymentMethod.OTHER) + before:
        field = "payments.other"
        raise Invalid("given_away", field=field, gifts=gifts)
