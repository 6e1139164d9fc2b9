"""Half-done pairs that a manager ended at this till: what became of them, and who decided it.

The server keeps the decision in its log and in the receipts; the till keeps what it shows of it
under today's solved cases.
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app import log
from pos_app.cashier.attention.rows import Row, decided_row
from pos_app.clock import Clock
from pos_app.domain.instant import day_of
from pos_app.domain.states import REVERSED
from pos_app.errors import MachineError
from pos_app.selling.pair_decisions import KEPT, DecisionLog, PairDecision
from pos_app.selling.server_answers import Issued

_log = log.get(__name__)


class DecidedPairs:
    """By the id of the receipt that had been refused."""

    def __init__(self, kept: DecisionLog, clock: Clock) -> None:
        self._kept = kept
        self._clock = clock
        self._here: dict[str, PairDecision] = {}
        """Those of this window; one that could not be kept is shown as long as it lives."""

    def note(self, row: Row, ended: Issued | str, manager: str) -> Issued | str:
        """What the server answered to a manager's word, unchanged; kept if it is the end."""
        is_over = isinstance(ended, Issued) or ended == REVERSED
        if is_over and row.receipt_id is not None:
            self._keep(self._decision(row, row.receipt_id, manager, is_reversal=ended == REVERSED))
        return ended

    def has(self, receipt_id: str) -> bool:
        """Whether it is over: a status that was told before may still say otherwise."""
        return receipt_id in self._here

    def of_today(self) -> Iterator[Row]:
        """Today's, the newest first. Raises a MachineError where they can't be read."""
        now = self._clock.now()
        kept = {one.receipt_id: one for one in self._kept.decisions(since=now - KEPT)}
        for decision in sorted((kept | self._here).values(), key=lambda one: one.at, reverse=True):
            if day_of(decision.at) == day_of(now):
                yield decided_row(decision)

    def _decision(
        self, row: Row, receipt_id: str, manager: str, *, is_reversal: bool
    ) -> PairDecision:
        pair = row.doubt.pair if row.doubt else None
        return PairDecision(
            receipt_id,
            self._clock.now(),
            manager,
            is_reversal,
            row.total,
            pair.operation if pair else None,
            pair.first.number if pair else "",
        )

    def _keep(self, decision: PairDecision) -> None:
        """The server has done it: told as a failed act it would be asked for twice."""
        self._here[decision.receipt_id] = decision
        try:
            self._kept.keep_decision(decision)
        except MachineError as error:
            _log.error("the decision on %s is not kept: %s", decision.receipt_id, error)
