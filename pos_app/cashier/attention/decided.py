"""Half-done pairs that a manager ended at this window: what became of them, and who took it.

The server keeps the decision in its log and in the receipts; here it stands under today's solved
cases for as long as the window lives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pos_app.cashier.attention.rows import Decision, Row
from pos_app.domain.instant import day_of
from pos_app.domain.states import REVERSED
from pos_app.selling.answers import Issued
from pos_app.selling.attention import What
from pos_app.selling.ports import Clock


class DecidedPairs:
    """By the id of the receipt that had been refused."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rows: dict[str, Row] = {}

    def note(self, row: Row, ended: Issued | str, manager: str) -> Issued | str:
        """What the server answered to a manager's word, unchanged; kept if it is the end."""
        is_over = isinstance(ended, Issued) or ended == REVERSED
        if is_over and row.receipt_id is not None:
            decision = Decision(manager, is_reversal=ended == REVERSED)
            now = self._clock.now()
            solved = replace(row, what=What.SOLVED, since=now, decision=decision)
            self._rows[row.receipt_id] = solved
        return ended

    def has(self, receipt_id: str) -> bool:
        """Whether it is over: a status that was told before may still say otherwise."""
        return receipt_id in self._rows

    def of_today(self) -> Iterator[Row]:
        """Today's, the newest first."""
        today = day_of(self._clock.now())
        for row in reversed(self._rows.values()):
            if day_of(row.since) == today:
                yield row
