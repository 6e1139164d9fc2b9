"""What the cashier adds to a receipt beside its lines, as typed: it belongs to the cart.

It is stored with the cart at each change, so that every way of paying finds it, and hold, recall,
Esc or a killed till lose none of it. Finished or not: what is wrong with it is told at the payment.
Source: till.md ("Payment", Promise 1), fiscal.md 5, 6.2, 6.8, 6.12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod


@dataclass(frozen=True, slots=True)
class TypedAdvance:
    """What an advance asks for, as typed.

    amount: "" for the whole cart. unknown: whether the final amount is not known; None is the
    store's usual. parts: by tax label. day, time: when a wire transfer arrived, Belgrade.
    """

    amount: str = ""
    unknown: bool | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class TypedDetails:
    """Texts as typed; numbers of persons never show in logs.

    buyer_code: of the codebook, "" for the usual one. buyer_sure: the cashier said that this very
    number is right though its check digit does not fit. centre_code: "" for no cost centre. ways:
    names of the ways of delivery; None is the shop's usual one. email: the address as typed.
    paid: what was given so far, line by line; a card may have been charged on its terminal.
    """

    buyer_code: str = ""
    buyer_value: str = field(default="", repr=False)
    centre_code: str = ""
    centre_value: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    ways: tuple[str, ...] | None = None
    email: str = field(default="", repr=False)
    advance: TypedAdvance = field(default_factory=TypedAdvance)
    buyer_sure: bool = False
    paid: tuple[tuple[PaymentMethod, Money], ...] = ()

    @property
    def paid_in_all(self) -> Money:
        """What was given so far, cash too."""
        return Money.total(money for _, money in self.paid)

    @property
    def paid_otherwise(self) -> Money:
        """What was given by other means than cash: it may be taken already."""
        amounts = (money for method, money in self.paid if method is not PaymentMethod.CASH)
        return Money.total(amounts)


NOTHING_ADDED = TypedDetails()
"""A receipt of lines alone, handed over in the usual way."""
