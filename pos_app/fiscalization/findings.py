"""The part of the journal that holds what a person is to know: look-ups of doubts, and alarms.

Source: exactly-once.md, step 3 (an alarm in Attention), till.md ("Attention").
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from pos_app.domain.money import Money
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.server_status import Alarm, LookUpTried
from pos_app.fiscalization.lane_state import LaneState


class Findings(Protocol):
    """Errors are MachineError."""

    def looked(self, request_id: str, run: LookUpTried) -> None:
        """Keep look-ups in a row; the same request and beginning: what is kept of them so far."""
        ...

    def look_ups(self, request_id: str) -> tuple[LookUpTried, ...]:
        """What is kept of a request's look-ups, the oldest first."""
        ...

    def late_receipt(
        self,
        request_id: str,
        receipt: SignedReceipt,
        *,
        pfr_request_id: str,
        total: Money,
        lane: LaneState,
        now: datetime,
    ) -> None:
        """Raise the alarm about an attempt taken as absent whose receipt its request can't take.

        lane: with the counter that this explains, kept in the same transaction: a move of the
        counter that was told once is never told again.
        """
        ...

    def foreign_traffic(self, *, before: int, counter: int, lane: LaneState, now: datetime) -> None:
        """Raise the alarm that somebody else signed on this lane between these counters.

        lane: with that counter, kept in the same transaction.
        """
        ...

    def unexplained(self) -> bool:
        """Whether nobody has seen yet that the counter moved without us."""
        ...

    def was_left_before_unexplained(self, request_id: str) -> bool:
        """Whether nothing became of a request since the last such move that nobody has seen."""
        ...

    def signed_before_unexplained(self, lane: str | None = None) -> str | None:
        """The RequestId of the last receipt that was signed on this lane, or on any, before the
        first such move that nobody has seen; None where there is none."""
        ...

    def others_signed_since(self, moment: datetime) -> bool:
        """Whether the counter moved without us since then, seen or not."""
        ...

    def alarms(self) -> tuple[Alarm, ...]:
        """Those that nobody has seen, the oldest first. receipt_id: of the request itself."""
        ...

    def see(self, alarm_id: int, *, by: str, now: datetime) -> bool:
        """A person has seen an alarm, and those that are one with it; False: there is none."""
        ...
