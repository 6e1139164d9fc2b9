"""What stands on the left of Attention: one row for each thing that waits or is solved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.selling.answers import Doubt, OpenReceipt
from pos_app.selling.attention import NEEDS_YOU, Item, What
from pos_app.selling.life import SaleState
from pos_app.selling.link import ServerView
from pos_app.selling.sale import Sale

CORRECTION = "correction"
"""Reason of a sale that is cancelled to be corrected; its lines wait to be taken back."""


SERVER = "server"
"""Id of the row about the server itself."""


class Group(StrEnum):
    """Who must act."""

    NEEDS_YOU = "needs_you"
    GOES_ON = "goes_on"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing on the left. id: key of the sale, else id of the receipt, or SERVER. since: UTC.

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

    @property
    def group(self) -> Group:
        """Who must act."""
        return Group.NEEDS_YOU if self.what in NEEDS_YOU else Group.GOES_ON


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


def server_row(view: ServerView) -> Row | None:
    """The row of a server that does not come by itself; None while all is well with it."""
    if not view.is_troubled or view.troubled_since is None:
        return None
    return Row(SERVER, What.SERVER_FAILS, None, view.troubled_since)


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
