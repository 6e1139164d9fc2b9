"""A manager's decisions about half-done pairs are kept, so that the till still shows them after a
restart, under what was solved on that day.

The decision itself is the server's; this module keeps what one row of Attention needs.
Source: till.md ("Attention").
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.lazy_dataclass import dataclass

KEPT = timedelta(days=2)
"""The page shows one day of the shop; the second one covers time zones and a changed clock."""


@dataclass(frozen=True, slots=True)
class PairDecision:
    """A manager's word that ended a half-done pair.

    at: UTC. receipt_id: the receipt that had been refused; total: its amount. is_reversal: whether
    the signed receipt was reversed; otherwise the pair was finished. operation: the operation of
    the pair; number: the number of its signed receipt. They are None and "" if the server had not
    reported them.
    """

    receipt_id: str
    at: datetime
    by: str
    is_reversal: bool
    total: Money | None = None
    operation: Operation | None = None
    number: str = ""


class DecisionLog(Protocol):
    """Decisions on pairs, never changed; keeping one deletes those older than `KEPT`.

    Raises DiskFull, DatabaseBusy, DatabaseDamaged.
    """

    def keep_decision(self, decision: PairDecision) -> None:
        """Keep a decision, so that it survives a power cut. A later one about the same receipt is
        ignored."""

    def decisions(self, *, since: datetime) -> Sequence[PairDecision]:
        """The readable decisions since then, the oldest first."""
