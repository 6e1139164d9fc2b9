"""What stands on the left of Attention: one row for each thing that waits or is solved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.selling.answers import Doubt, OpenReceipt
from pos_app.selling.attention import Item
from pos_app.selling.life import SaleState
from pos_app.selling.sale import Sale, SoldUnknown

CORRECTION = "correction"
"""Reason of a sale that is cancelled to be corrected; its lines wait to be taken back."""


class Group(StrEnum):
    """Who must act."""

    NEEDS_YOU = "needs_you"
    GOES_ON = "goes_on"
    FOR_KNOWING = "for_knowing"
    """Nobody need act."""


class What(StrEnum):
    """What is the matter with a row, beyond what `Next` says of this till's open sales."""

    DECIDE = "decide"
    DECIDE_HERE = "decide_here"
    LOOKED_UP = "looked_up"
    CORRECT_OR_DROP = "correct_or_drop"
    HELP_PROCESSOR = "help_processor"
    REFUND = "refund"
    SENT = "sent"
    WAITS_FOR_SERVER = "waits_for_server"
    WAITS_FOR_PROCESSOR = "waits_for_processor"
    WAITS_BEHIND = "waits_behind"
    CANCELLED_SOON = "cancelled_soon"
    TAKE_BACK = "take_back"
    """Cancelled to be corrected: its lines wait for the counter to be free."""
    FOREIGN_DOUBT = "foreign_doubt"
    """A receipt in doubt that another program asked this server for."""
    TO_COMPLETE = "to_complete"
    """Sold at an open price for codes that the catalogue lacks: quiet, nothing waits for it."""
    SOLVED = "solved"


DOUBTS = frozenset({What.DECIDE, What.DECIDE_HERE, What.LOOKED_UP, What.FOREIGN_DOUBT})


@dataclass(frozen=True, slots=True)
class Row:
    """One thing on the left. id: key of the sale, else id of the receipt. since: UTC.

    sale: None for what another program asked for. item: what the core says of it.
    """

    id: str
    what: What
    total: Money | None
    since: datetime
    sale: Sale | None = None
    item: Item | None = None
    doubt: Doubt | None = None
    receipt_id: str | None = None
    to_complete: tuple[SoldUnknown, ...] = ()

    @property
    def group(self) -> Group:
        """Who must act."""
        if self.what is What.TO_COMPLETE:
            return Group.FOR_KNOWING
        return Group.NEEDS_YOU if self.what in _NEEDS_YOU else Group.GOES_ON


_NEEDS_YOU = DOUBTS | {
    What.CORRECT_OR_DROP,
    What.HELP_PROCESSOR,
    What.REFUND,
    What.TAKE_BACK,
}


def waits_for_taking_back(sale: Sale) -> bool:
    """Whether it was cancelled to be corrected, and its lines are not yet in a cart."""
    cancelled = sale.state is SaleState.CANCELLED and sale.drop_reason == CORRECTION
    return cancelled and not sale.shown


def correction_is_over(sale: Sale) -> bool:
    """Whether a correction came to its end: taken back, or signed after all."""
    return sale.shown or sale.state is SaleState.DONE


def to_take_back(sale: Sale) -> Row:
    """The row of a sale that can be corrected now."""
    return Row(sale.key, What.TAKE_BACK, sale.total, sale.frozen_at, sale)


def foreign_row(receipt: OpenReceipt, doubt: Doubt | None) -> Row:
    """The row of a doubt about what another program asked for."""
    return Row(
        id=receipt.receipt_id,
        what=What.FOREIGN_DOUBT,
        total=receipt.total,
        since=receipt.since,
        doubt=doubt,
        receipt_id=receipt.receipt_id,
    )


def is_of(doubt: Doubt, item: Item) -> bool:
    """Whether a doubt of the server is about this sale."""
    by_id = item.receipt_id is not None and doubt.receipt_id == item.receipt_id
    return by_id or doubt.key == item.key
