"""Goods given away on signed receipts. Source: fiscal.md 6.7."""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.domain.money.free_supply import check_gifts_ordered, check_gifts_paid, names_gift
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.planned import AdvanceOrder


def given_away(lines: Iterable[FiscalLine]) -> Money:
    """The gross of the lines given away."""
    return Money.total(line.total for line in lines if is_given_away(line))


def is_given_away(line: FiscalLine) -> bool:
    return names_gift(line.name)


def check_free_supply(document: FiscalDocument, *, in_advance: Money = Money.ZERO) -> None:
    """Check that "other" covers the goods that a receipt gives away, or that a refund takes back.

    in_advance: earlier payments by "other", where the document closes an advance. Raises Invalid on
    "payments.other".
    """
    other = Payments.of({PaymentMethod.OTHER: document.paid_by(PaymentMethod.OTHER)})
    check_gifts_paid(given_away(document.lines), other, before=in_advance)


def check_free_refund(payments: Payments, chain: Chain) -> None:
    """Check that the refund of an advance returns no more money than was paid in money.

    Its lines are amounts by label, so they don't show goods given away.

    | order                    | paid                | given back before | now      |         |
    | 300 given away, 100 sold | other 300, cash 100 | –                 | cash 101 | refused |
    | 300 given away, 100 sold | other 300, card 100 | cash 60           | cash 40  | fits    |
    | 400 sold                 | other 300, cash 100 | –                 | cash 400 | fits    |

    Raises Invalid on "payments.other".
    """
    in_money = chain.paid_in_advance - chain.paid_by(PaymentMethod.OTHER)
    if given_away(chain.order.lines) and payments.in_money > in_money:
        field, free = "payments.other", payments.total - in_money
        raise Invalid("free", field=field, free=free)


def check_free_order(order: AdvanceOrder, *, in_money: Money) -> None:
    """Call `check_gifts_ordered` for an order of known amount; another one has its items only at
    the closing."""
    if order.is_known:
        check_gifts_ordered(given_away(order.lines), order.total, in_money=in_money)
