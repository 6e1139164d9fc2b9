"""Payments in seven methods, with remainder and change. `money.whole_dinars` rounds cash, where the
shop's settings say so.

A proforma names payments as a sale does, by any method (`domain.pricing.price` checks both alike),
though it is only an offer for which no money is taken
(`selling.sale.ticket.DocumentKind.takes_money`).

Sources: fiscal.md 6.13 (rounding concerns the drawer only, the receipt stays exact),
platform-contract.md 2.15 (payments are never below the total, and only cash may exceed it).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property

from pos_app.domain.money.money import Money, whole_dinars
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass


class PaymentMethod(StrEnum):
    """The methods. Those that a store's own order lacks are appended in this order."""

    CASH = "cash"
    CARD = "card"
    CHECK = "check"
    MOBILE_MONEY = "mobilemoney"
    WIRE_TRANSFER = "wiretransfer"
    VOUCHER = "voucher"
    OTHER = "other"


MAY_BE_PAID_LATER = (
    PaymentMethod.CHECK,
    PaymentMethod.WIRE_TRANSFER,
    PaymentMethod.VOUCHER,
    PaymentMethod.OTHER,
)
"""The methods by which the money may come days after the receipt; a shop chooses among them."""


@dataclass(frozen=True)
class Payments:
    """Amounts by method, in the order given."""

    by_method: tuple[tuple[PaymentMethod, Money], ...] = ()

    @classmethod
    def of(cls, amounts: Mapping[PaymentMethod, Money]) -> Payments:
        """Payments from amounts by method, without zeros. Raises Invalid for a negative amount."""
        for method, amount in amounts.items():
            if amount < Money.ZERO:
                raise Invalid("payment_negative", field=f"payments.{method}", method=method)
        return cls(tuple((method, amount) for method, amount in amounts.items() if amount))

    @classmethod
    def summed(cls, payments: Iterable[tuple[PaymentMethod, Money]]) -> Payments:
        """Payments from parts, several of which may be by one method. Raises Invalid as `of`."""
        amounts: dict[PaymentMethod, Money] = {}
        for method, amount in payments:
            amounts[method] = amounts.get(method, Money.ZERO) + amount
        return cls.of(amounts)

    def amount(self, method: PaymentMethod) -> Money:
        return Money.total([amount for paid_by, amount in self.by_method if paid_by is method])

    @cached_property
    def total(self) -> Money:
        return Money.total([amount for _, amount in self.by_method])

    @property
    def in_money(self) -> Money:
        """All payments except "other", which also covers goods given away free (fiscal.md 6.7)."""
        return self.total - self.amount(PaymentMethod.OTHER)

    @cached_property
    def cash(self) -> Money:
        return self.amount(PaymentMethod.CASH)


def check_cover(total: Money, payments: Payments) -> Money:
    """The change of a receipt: payments less total. Only cash can exceed the total. Raises Invalid
    on "payments" when they are below the total, or above it by other methods than cash."""
    if payments.total < total:
        raise Invalid("below_total", field="payments", paid=payments.total, total=total)
    change = payments.total - total
    if change > payments.cash:
        raise Invalid("above_total", field="payments", total=total)
    return change


def check_remainder(total: Money, payments: Payments, *, in_advance: Money) -> Money:
    """The change of a receipt that was partly paid in advance.

    The payments cover the rest exactly, or exceed it by cash. Raises Invalid on "items" when the
    advances exceed the price of the items, else on "payments".
    """
    if in_advance > total:
        raise Invalid("below_advances", field="items", in_advance=in_advance, total=total)
    remaining = total - in_advance
    try:
        return check_cover(remaining, payments)
    except Invalid as error:
        raise Invalid(
            "remaining", field="payments", remaining=remaining, paid=payments.total
        ) from error


def change_on_paper(total: Money, on_receipt: Payments, handed_over: Money) -> Money | None:
    """The exact change that is printed, or None where it equals the change handed over.

    | total   | cash on the receipt | handed over | on paper |
    | 1674.72 | 2000.00             | 325         | 325.28   |
    | 1674.00 | 2000.00             | 326         | None     |
    | 1674.72 | 1674.72             | 0           | None     |

    Raises Invalid as `check_cover` does.
    """
    exact = check_cover(total, on_receipt)
    return exact if exact and exact != handed_over else None


NOTHING_PAID: tuple[tuple[PaymentMethod, Money], ...] = ((PaymentMethod.CASH, Money.ZERO),)
"""The payment of a receipt on which nothing remains to be paid: 0.00 in cash (fiscal.md 6.2)."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The state of a sale's payment at the till.

    remaining: the cash that would pay the rest. change: the money given back. rounding: the
    drawer's gain or loss by whole dinars. on_receipt: the exact payments of the receipt, or None
    while something remains.
    """

    remaining: Money
    change: Money
    rounding: Money
    on_receipt: Payments | None


def settle(total: Money, tendered: Payments, *, in_whole_dinars: bool) -> Settlement:
    """Compare `tendered` with `total`.

    in_whole_dinars: cash due and change are rounded; the drawer gains or loses the difference.

    | total   | tendered            | remaining | change | rounding | cash on the receipt |
    | 1674.72 | cash 2000           | 0         | 325    | 0.28     | 2000.00             |
    | 1674.72 | cash 1675 (exactly) | 0         | 0      | 0.28     | 1674.72             |
    | 1674.72 | cash 1674.72        | 0         | 0      | 0        | 1674.72             |
    | 1674.30 | cash 1674           | 0         | 0      | -0.30    | 1674.30             |
    | 1674.72 | card 1000           | 675       | 0      | 0        | -                   |
    | 0.30    | nothing             | 0.30      | 0      | 0        | -                   |

    Raises Invalid when methods other than cash exceed the total.
    """
    by_other = tendered.total - tendered.cash
    if by_other > total:
        raise Invalid("above_total.cash", field="payments")
    exact, cash = total - by_other, tendered.cash
    due = whole_dinars(exact) if in_whole_dinars else exact
    if exact and not cash:
        owed = cash_owed(exact, in_whole_dinars=in_whole_dinars)
        return Settlement(owed, Money.ZERO, Money.ZERO, None)
    if cash < min(due, exact):
        return Settlement(due - cash, Money.ZERO, Money.ZERO, None)
    change = max(cash - due, Money.ZERO)
    if in_whole_dinars:
        change = Money(change.amount.to_integral_value(rounding="ROUND_FLOOR"))
    shown = exact if cash in (due, exact) else max(cash, exact)
    return Settlement(Money.ZERO, change, cash - change - exact, _with_cash(tendered, shown))


def cash_owed(amount: Money, *, in_whole_dinars: bool) -> Money:
    """The cash that pays an amount exactly, in whole dinars where that is the setting. It is the
    amount itself where whole dinars would be zero."""
    return (whole_dinars(amount) or amount) if in_whole_dinars else amount


def excess_of(total: Money, payments: Payments) -> Money:
    """The excess of other methods than cash over the total (platform-contract.md 2.15)."""
    return max(payments.total - payments.cash - total, Money.ZERO)


def has_para(total: Money, tendered: Payments, *, in_whole_dinars: bool) -> bool:
    """Whether the cash received has para, of which there are no coins: it is neither whole dinars
    nor exactly what the other methods leave."""
    cash = tendered.cash
    exact = total - (tendered.total - cash)
    return in_whole_dinars and cash not in (whole_dinars(cash), exact)


def rest_by(
    method: PaymentMethod, total: Money, beside: Payments, *, in_whole_dinars: bool
) -> Money:
    """The amount of one method that covers the rest of a total, beside the payments so far.

    Cash follows `cash_owed`.

    | total   | beside       | by cash | by card |
    | 1674.72 | nothing      | 1675    | 1674.72 |
    | 1674.72 | card 1000    | 675     | 674.72  |
    | 1674.72 | cash 1000    | 675     | 674.72  |
    | 1674.72 | cash 1674.72 | 0       | 0       |
    | 0.30    | nothing      | 0.30    | 0.30    |
    """
    cash = beside.cash
    exact = total - (beside.total - cash)
    if exact <= Money.ZERO:
        return Money.ZERO
    owed = cash_owed(exact, in_whole_dinars=in_whole_dinars)
    if cash in (owed, exact) or cash > owed:
        return Money.ZERO
    return owed - cash if method is PaymentMethod.CASH else exact - cash


def _with_cash(payments: Payments, cash: Money) -> Payments:
    others = dict(payments.by_method)
    return Payments.of(others | {PaymentMethod.CASH: cash})
