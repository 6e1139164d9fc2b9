"""Words for what the hand gives, and what goes back beside it."""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod, Payments


def given_by_hand(gives: Money, texts: Texts, *, name: str = "done.give") -> tuple[str, str]:
    """Return the name and the amount of the figure. Nothing is told in words without an amount,
    because 0,00 reads like a sum that is to be counted. name: the id of the figure's name."""
    if gives > Money.ZERO:
        return texts(name), amount_text(gives)
    return texts("done.nothing"), ""


def goes_back_words(payments: Payments, texts: Texts) -> str:
    """Say what goes back without the drawer, or "" for nothing: a figure it would be, were it to be
    paid out."""
    beside = without_cash(payments)
    return texts("done.goes_back", methods=by_methods(beside, texts)) if beside.total else ""


def without_cash(payments: Payments) -> Payments:
    return Payments(tuple(one for one in payments.by_method if one[0] is not PaymentMethod.CASH))


def done_facts(facts: Iterable[str]) -> str:
    """Return facts as one line, which begins with a capital."""
    line = " · ".join(facts)
    return line[:1].upper() + line[1:]


def by_methods(payments: Payments, texts: Texts) -> str:
    """Return each method with its amount."""
    parts = (f"{texts(f'pay.method.{one}')} {amount_text(by)}" for one, by in payments.by_method)
    return ", ".join(parts)
