"""The law leaves some choices to the shop: settings that plans follow.

Source: fiscal.md 6.2 (payment of a closing's refund), 6.4 (copies of refunds), 6.7 (restricted
payments); the settings are `esir.*`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.lazy_dataclass import dataclass

PaymentLines = tuple[tuple[PaymentMethod, Money], ...]

_NO_MONEY = frozenset({PaymentMethod.VOUCHER, PaymentMethod.OTHER})
_RESTRICTED = frozenset({PaymentMethod.CARD, PaymentMethod.CHECK, PaymentMethod.MOBILE_MONEY})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopChoices:
    """closing_refund_in_cash: else the refund of a closing mirrors the payments of its advances.

    copy_of_every_refund: else only refunds with cash get one. restricted_payments: card, check and
    instant payment are recorded as cash.
    """

    closing_refund_in_cash: bool = False
    copy_of_every_refund: bool = False
    restricted_payments: bool = False

    def recorded(self, paid: PaymentLines) -> PaymentLines:
        """The payments as receipts show them.

        | paid                        | restricted          |
        | card 100                    | cash 100            |
        | cash 20, card 80, voucher 5 | cash 100, voucher 5 |
        """
        return _as_cash(paid, _RESTRICTED) if self.restricted_payments else paid

    def of_closing(self, paid: PaymentLines) -> PaymentLines:
        """The payments of a closing's refund, from those of its advances.

        | advances                   | mirrored | in cash             |
        | card 60, transfer 30       | the same | cash 90             |
        | card 60, voucher 5, other 1| the same | cash 60, voucher 5, other 1 |

        Payments by voucher or other are never refunded in money.
        """
        if not self.closing_refund_in_cash:
            return self.recorded(paid)
        return _as_cash(paid, frozenset(PaymentMethod) - _NO_MONEY)

    def wants_copy(self, paid: PaymentLines) -> bool:
        in_cash = any(method is PaymentMethod.CASH and amount for method, amount in paid)
        return self.copy_of_every_refund or in_cash

    def of_signed_refund(self, *, asked: PaymentLines, signed: PaymentLines) -> ShopChoices:
        """The rules by which a signed refund was made, for its copy, even if settings changed.

        asked: the payments in its request; signed: the payments on the refund.

        | restricted now | asked    | signed   | restricted for the copy |
        | no             | card 100 | cash 100 | yes                     |
        | yes            | card 100 | card 100 | no                      |
        | as it is       | cash 100 | cash 100 | as it is                |
        """
        for_copy = replace(self, copy_of_every_refund=True)
        other = replace(for_copy, restricted_payments=not self.restricted_payments)
        changed = self.recorded(asked) != signed and other.recorded(asked) == signed
        return other if changed else for_copy


USUAL = ShopChoices()
"""The rules of a shop without settings."""


def _as_cash(paid: PaymentLines, methods: Iterable[PaymentMethod]) -> PaymentLines:
    as_cash = frozenset(methods)
    return Payments.summed(
        (PaymentMethod.CASH if method in as_cash else method, amount) for method, amount in paid
    ).by_method
