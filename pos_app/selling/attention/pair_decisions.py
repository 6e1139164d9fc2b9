"""What a manager decided about a half-done pair: kept so that the till still shows it after a
restart, under what was solved on that day.

The decision itself is the server's; here is what one row of Attention needs.
Source: till.md ("Attention").
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.lazy_dataclass import dataclass

KEPT = timedelta(days=2)
"""One day of the shop is shown; the other covers the hours of its zone and a clock set anew."""


@dataclass(frozen=True, slots=True)
class PairDecision:
    """A manager's word that ended a half-done pair. at: UTC.

    receipt_id: of the receipt that had been refused; total: its amount. is_reversal: what was
    signed is undone, else the pair is finished. operation, number: of the pair and of its signed
    receipt; None and "" where the server had told neither.
    """

    receipt_id: str
    at: datetime
    by: str
    is_reversal: bool
    total: Money | None = None
    operation: Operation | None = None
    number: str = ""


class DecisionLog(Protocol):
    """Decisions on pairs, never changed; what is older than `KEPT` goes with the next one.

    Raises DiskFull, DatabaseBusy, DatabaseDamaged.
    """

    def keep_decision(self, decision: PairDecision) -> None:
        """Keep it, so that it survives a power cut; of two about one receipt the first stays."""

    def decisions(self, *, since: datetime) -> Sequence[PairDecision]:
        """Those from then on that can be read, the oldest first."""
