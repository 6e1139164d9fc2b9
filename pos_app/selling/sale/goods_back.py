"""What a customer brings back for other goods: an exchange is a refund and a sale after it, and the
hand moves what is between them. Once the refund is signed, what it is worth is owed.

Of the refund as much as the new goods cost is credited on the new receipt, by the methods of the
refund; what remains is paid as usual, and what is left of the refund goes back. Both receipts are
exact; the cash that the hand moves is rounded once. Sources: fiscal.md 6.4, 6.7, 6.13; till.md
("Receipts").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from decimal import Decimal

from pos_app.domain.cart import Cart
from pos_app.domain.money import Money, handed, whole_dinars
from pos_app.domain.payment import PaymentMethod, Payments, Settlement, settle
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class GoodsBack:
    """The refund of an exchange, as it was put together.

    taken: how much of which line of the receipt. is_whole: it is all that was left of it. payments:
    the way of the money, as the refund says it; given_away: what of it is for goods that were given
    away, which nobody is credited for. buyer_code, buyer_value: the buyer's document. reason: why
    it comes back, where that was asked. lifted_by: who let a colleague take it back, "" for nobody.
    refund: its key once it is signed, and only the sale is
    left; "" before. rounding: then as the drawer's row of it has it.
    """

    receipt_id: str
    number: str
    taken: Mapping[int, Decimal]
    is_whole: bool
    total: Money
    payments: Payments
    given_away: Money = Money.ZERO
    buyer_code: str = ""
    buyer_value: str = field(default="", repr=False)
    reason: str = ""
    lifted_by: str = ""
    refund: str = ""
    rounding: Money = Money.ZERO

    @property
    def is_refunded(self) -> bool:
        """Whether nothing comes back any more: its worth is owed to the customer."""
        return bool(self.refund)

    def signed(self, key: str, rounding: Money) -> GoodsBack:
        """The same once its refund is signed."""
        return replace(self, refund=key, rounding=rounding)

    @property
    def credit(self) -> Payments:
        """What the customer is credited with, by method."""
        gifts = {PaymentMethod.OTHER: self.payments.amount(PaymentMethod.OTHER) - self.given_away}
        return Payments.of(dict(self.payments.by_method) | gifts)


@dataclass(frozen=True, slots=True)
class Netting:
    """Goods back against new goods. used: of the credit, for the new ones. rest: what these cost
    beside, exactly, with those that are given away, which only "other" pays. back: what is left of
    the credit."""

    used: Payments
    rest: Money
    back: Payments
    given_away: Money = Money.ZERO

    @classmethod
    def of(cls, goods: GoodsBack, cart: Cart) -> Netting:
        """cart: the new goods. Cash is used last, so that what goes back is cash before
        it is anything that a terminal has to be told.

        | credit              | new  | used               | rest | back               |
        | cash 500            | 800  | cash 500           | 300  | -                  |
        | cash 500            | 300  | cash 300           | 0    | cash 200           |
        | cash 500, card 500  | 300  | card 300           | 0    | card 200, cash 500 |
        """
        credit = goods.credit
        order = sorted(credit.by_method, key=lambda one: one[0] is PaymentMethod.CASH)
        used: dict[PaymentMethod, Money] = {}
        gifts, total = cart.given_away, cart.total
        sold = total - gifts
        for method, amount in order:
            used[method] = min(amount, sold - Money.total(used.values()))
        left = {method: amount - used[method] for method, amount in order}
        rest = total - Money.total(used.values())
        return cls(Payments.of(used), rest, Payments.of(left), gifts)

    def credited(self, goods: GoodsBack) -> Payments:
        """What the drawer's row of the sale has of the credit: what is used; and all of it, less
        what the row of the refund left out, where that was signed before and nothing of it moved.
        """
        parts = list(self.used.by_method)
        if goods.is_refunded:
            parts += [(PaymentMethod.CASH, self.back.cash), (PaymentMethod.CASH, -goods.rounding)]
        return Payments.summed(parts)

    def owed(self, *, in_whole_dinars: bool) -> Money:
        """What the customer is asked for: nothing where it is less than the smallest coin."""
        is_nothing = in_whole_dinars and not whole_dinars(self.rest) and not self.given_away
        return Money.ZERO if is_nothing else self.rest

    def cash_back(self, *, in_whole_dinars: bool) -> Money:
        """The cash that the hand gives."""
        cash = self.back.cash
        return handed(cash, in_whole_dinars=in_whole_dinars)

    def settled(self, tendered: Payments, *, in_whole_dinars: bool) -> Settlement:
        """What the customer gives beside the credit against what is asked for. Raises Invalid where
        methods other than cash exceed it."""
        owed = self.owed(in_whole_dinars=in_whole_dinars)
        settled = settle(owed, tendered, in_whole_dinars=in_whole_dinars)
        if self.rest == owed or settled.on_receipt is None:
            return settled
        shown = Payments.summed([*settled.on_receipt.by_method, (PaymentMethod.CASH, self.rest)])
        return Settlement(Money.ZERO, settled.change, settled.rounding - self.rest, shown)
