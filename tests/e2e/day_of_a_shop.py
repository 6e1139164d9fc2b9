"""Acts of a cashier as data, and the goods of the demo shop that are sold by the piece."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

BREAD, MILK, COFFEE = "8609910700134", "8609951100139", "8609912100130"
"""Their prices are 58,99, 139,99 and 349,99."""
ROLL = "4"
"""35,00, typed."""
PAID_FURTHER = ("8609953300131", COFFEE)
SCANNED = (BREAD, MILK, *PAID_FURTHER)
TYPED = ("2", "3", "4", "5", "6", "7", "21", "22", "37", "52")


class Kind(StrEnum):
    SALE = "sale"
    REFUND = "whole refund"
    REFUND_LINE = "refund of one line"
    REFUND_OWN_ERROR = "refund on the shop's own error"
    EXCHANGE = "exchange for dearer goods"
    EXCHANGE_BACK = "exchange for goods that cost no more"
    COPY = "copy"
    CORRECT_PAYMENT = "corrected payment"
    CORRECT_BUYER = "corrected buyer"
    ADVANCE = "advance"
    PAYMENT = "further payment"
    CLOSING = "closing"
    REFUND_ADVANCE = "refund of an advance"


REFUNDS = frozenset({Kind.REFUND, Kind.REFUND_LINE, Kind.REFUND_OWN_ERROR, Kind.REFUND_ADVANCE})
CORRECTIONS = frozenset({Kind.CORRECT_PAYMENT, Kind.CORRECT_BUYER})
EXCHANGES = frozenset({Kind.EXCHANGE, Kind.EXCHANGE_BACK})


class Way(StrEnum):
    CASH = "exact cash"
    CARD = "exact card"
    GIVEN = "cash with change"
    MIXED = "cash and card"


@dataclass(frozen=True, slots=True)
class Act:
    """thread: acts on the same receipts share it. kill_after: seconds from the confirming key."""

    kind: Kind
    thread: int
    goods: tuple[str, ...] = ()
    way: Way = Way.CASH
    kill_after: float | None = None
