"""Words for what the hand gives, and what goes back beside it."""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import Payments


def given_by_hand(gives: Money, texts: Texts, *, name: str = "done.give") -> tuple[str, str]:
    """Return the name and the amount of the figure. Nothing is told in words without an amount,
    because 0,00 reads like a sum that is to be counted. name: the id of the figure's name."""
    if gives > Money.ZERO:
        return texts(name), amount_text(gives)
    return texts("done.nothing"), ""


def by_methods(payments: Payments, texts: Texts) -> str:
    """Return each method with its amount."""
    parts = (f"{texts(f'pay.method.{one}')} {amount_text(by)}" for one, by in payments.by_method)
    return ", ".join(parts)
