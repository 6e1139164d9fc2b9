"""Goods that a customer brings back for others: an exchange is a refund and a sale after it, and
only the difference changes hands. Once the refund is signed, the shop owes its amount.

The new receipt is credited with the refund up to the price of the new goods, by the methods of the
refund; a remainder is paid as usual, and a rest of the refund goes back. Both receipts are exact;
the cash that changes hands is rounded once. Sources: fiscal.md 6.4, 6.7, 6.13; till.md
("Receipts").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from decimal import Decimal

from pos_app.domain.money import payment
from pos_app.domain.money.money import Money, handed, whole_dinars
from pos_app.domain.receipt.cart import Cart
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class GoodsBack:
    """The refund of an exchange.

    taken: quantities by the line of the receipt. is_whole: whether the refund takes all that was
    left. payments: the payments of the refund; given_away: the part for goods that were given away,
    which is not credited. buyer_code, buyer_value: the buyer's document. reason: why the goods come
    back, where that was asked. lifted_by: the colleague who permitted it, "" for nobody. refund:
    the key of the signed refund, when only the sale is left; "" before. rounding: the rounding in
    the drawer's row of the signed refund.
    """

    receipt_id: str
    number: str
    taken: Mapping[int, Decimal]
    is_whole: bool
    total: Money
    payments: payment.Payments
    given_away: Money = Money.ZERO
    buyer_code: str = ""
    buyer_value: str = field(default="", repr=False)
    reason: str = ""
    lifted_by: str = ""
    refund: str = ""
    rounding: Money = Money.ZERO

    @property
    def is_refunded(self) -> bool:
        """Whether the refund is signed already: its amount is owed to the customer."""
        return bool(self.refund)

    def signed(self, key: str, rounding: Money) -> GoodsBack:
        return replace(self, refund=key, rounding=rounding)

    @property
    def credit(self) -> payment.Payments:
        gifts = {
            payment.PaymentMethod.OTHER: self.payments.amount(payment.PaymentMethod.OTHER)
            - self.given_away
        }
        return payment.Payments.of(dict(self.payments.by_method) | gifts)


@dataclass(frozen=True, slots=True)
class Netting:
    """Returned goods against new goods. used: the credit that pays for new goods. rest: the exact
    remaining price, with gifts, which only "other" pays. back: the rest of the credit."""

    used: payment.Payments
    rest: Money
    back: payment.Payments
    given_away: Money = Money.ZERO

    @classmethod
    def of(cls, goods: GoodsBack, cart: Cart) -> Netting:
        """cart: the new goods. Cash is used last, so that the rest goes back in cash before any
        method that needs a terminal.

        | credit              | new  | used               | rest | back               |
        | cash 500            | 800  | cash 500           | 300  | -                  |
        | cash 500            | 300  | cash 300           | 0    | cash 200           |
        | cash 500, card 500  | 300  | card 300           | 0    | card 200, cash 500 |
        """
        credit = goods.credit
        order = sorted(credit.by_method, key=lambda paid: paid[0] is payment.PaymentMethod.CASH)
        used: dict[payment.PaymentMethod, Money] = {}
        gifts, total = cart.given_away, cart.total
        sold = total - gifts
        for method, amount in order:
            used[method] = min(amount, sold - Money.total(used.values()))
        left = {method: amount - used[method] for method, amount in order}
        rest = total - Money.total(used.values())
        return cls(payment.Payments.of(used), rest, payment.Payments.of(left), gifts)

    def credited(self, goods: GoodsBack) -> payment.Payments:
        """The credit in the drawer's row of the sale: the part used; for a refund that was signed
        before, all of it less the rounding of the refund's row, because no money moved then."""
        parts = list(self.used.by_method)
        if goods.is_refunded:
            parts += [
                (payment.PaymentMethod.CASH, self.back.cash),
                (payment.PaymentMethod.CASH, -goods.rounding),
            ]
        return payment.Payments.summed(parts)

    def owed(self, *, in_whole_dinars: bool) -> Money:
        """The amount asked of the customer: zero where it rounds to no whole dinar."""
        is_nothing = in_whole_dinars and not whole_dinars(self.rest) and not self.given_away
        return Money.ZERO if is_nothing else self.rest

    def receives_nothing(self, *, in_whole_dinars: bool) -> bool:
        """Whether the credit pays for all that is sold. Only "other" is taken then, for gifts."""
        return self.owed(in_whole_dinars=in_whole_dinars) == self.given_away

    @property
    def back_beside(self) -> payment.Payments:
        """What goes back by other methods than cash."""
        cash = payment.PaymentMethod.CASH
        return payment.Payments.of({by: sum_ for by, sum_ in self.back.by_method if by is not cash})

    def cash_back(self, *, in_whole_dinars: bool) -> Money:
        cash = self.back.cash
        return handed(cash, in_whole_dinars=in_whole_dinars)

    def settled(self, tendered: payment.Payments, *, in_whole_dinars: bool) -> payment.Settlement:
        """Settle the customer's payment beside the credit. Raises Invalid where methods other than
        cash exceed the amount, and for any payment of a customer who has none to make."""
        owed = self.owed(in_whole_dinars=in_whole_dinars)
        if tendered.in_money and self.receives_nothing(in_whole_dinars=in_whole_dinars):
            raise Invalid("above_total.cash", field="payments")
        settled = payment.settle(owed, tendered, in_whole_dinars=in_whole_dinars)
        if self.rest == owed or settled.on_receipt is None:
            return settled
        shown = payment.Payments.summed(
            [*settled.on_receipt.by_method, (payment.PaymentMethod.CASH, self.rest)]
        )
        return payment.Settlement(Money.ZERO, settled.change, settled.rounding - self.rest, shown)
