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


def check_gifts_ordered(gifts: Money, total: Money, *, in_money: Money) -> None:
    """Check that the money paid in advance does not exceed the price of the goods that are not
    given away.

    in_money: payments by other methods than "other". For an order of 400.00 with 300.00 given away,
    100.00 can be paid; with more the advance could never be closed. Raises Invalid on "payments".
    """
    if gifts and in_money > total - gifts:
        raise Invalid("free_exceeds", field="payments", in_money=in_money, rest=total - gifts)
