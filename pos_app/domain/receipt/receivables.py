"""What is owed for receipts that are paid later, as refunds take it off within a chain of receipts.
Source: till.md ("Reports"); decision 0225."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from pos_app.lazy_dataclass import dataclass


class ChainRole(StrEnum):
    """How a receipt acts on what its chain owes."""

    SALE = "sale"
    REFUND = "refund"
    REVERSAL = "reversal"
    """It undoes a refund."""
    CLOSING = "closing"
    """It is the refund by which an advance is closed, and moves no money."""


class PaidLater(NamedTuple):
    """The part of a receipt that was paid by a method whose money comes later, or was given back by
    it. referent: the number of the receipt that it refers to, or "". Numbers are in capitals, the
    amount is in para."""

    number: str
    role: ChainRole
    amount: int
    referent: str = ""


@dataclass(slots=True)
class OwedAmount:
    """What is owed for a receipt, in para. given_back: never more than was paid later."""

    paid: int = 0
    given_back: int = 0


def owed_in_chain(paid_later: Iterable[PaidLater]) -> dict[str, OwedAmount]:
    """What is owed for each sale of a chain, by its number; the oldest part comes first.

    A refund takes off from the receipt that it refers to. What it gives back beyond that, as the
    refund of a closed advance may, takes off from the others of the chain, the oldest first; more
    than all of them was paid in another way, and nobody owes less by it.
    """
    owed = dict[str, OwedAmount]()
    targets = dict[str, str]()
    beyond = 0
    for number, role, amount, referent in paid_later:
        if role is ChainRole.SALE:
            owed.setdefault(number, OwedAmount()).paid += amount
            continue
        if role is ChainRole.REFUND:
            target, given = referent if referent in owed else "", amount
            targets[number] = target
        elif role is ChainRole.REVERSAL and referent in targets:
            target, given = targets[referent], -amount
        else:
            continue
        if target:
            owed[target].given_back += given
        else:
            beyond += given
    for sale in owed.values():
        beyond += max(sale.given_back - sale.paid, 0)
        sale.given_back = min(sale.given_back, sale.paid)
    for sale in owed.values():
        taken = min(beyond, sale.paid - sale.given_back)
        sale.given_back += taken
        beyond -= taken
    return owed
