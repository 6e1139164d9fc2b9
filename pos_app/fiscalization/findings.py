"""What the server found out and a person is to know: look-ups of a doubt, and alarms.

Source: exactly-once.md, step 3 (an alarm in Attention), till.md ("Attention").
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pos_app.domain.money import Money
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AlarmKind, LookAnswer
from pos_app.fiscalization.lane_state import LaneState


@dataclass(frozen=True, slots=True)
class LookupRun:
    """Look-ups in a row that found the same. began, ended: the first and the last one, UTC."""

    request_id: str
    began: datetime
    ended: datetime
    answer: LookAnswer
    counter: int | None
    times: int = 1


@dataclass(frozen=True, slots=True)
class ServerAlarm:
    """Something that a manager has to see, from `since` to `at`, UTC. receipts: how many.

    LATE_RECEIPT: number, total, signed_at and the request. FOREIGN_TRAFFIC: the counters between
    which others signed; all of it that was not seen is one alarm, with the id of the last.
    ECHO: differs, the members of the answer; those that differ alike are one alarm, with the number
    and the request of the last.
    """

    id: int
    what: AlarmKind
    at: datetime
    since: datetime
    receipts: int = 1
    request_id: str | None = None
    number: str | None = None
    total: Money | None = None
    signed_at: datetime | None = None
    counter_before: int | None = None
    counter_now: int | None = None
    differs: tuple[str, ...] = ()


class Findings(Protocol):
    """The part of the journal that holds them. Errors are MachineError."""

    def looked(self, run: LookupRun) -> None:
        """Keep look-ups in a row; the same request and beginning: what is kept of them so far."""
        ...

    def looks(self, request_id: str) -> tuple[LookupRun, ...]:
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

    def alarms(self) -> tuple[ServerAlarm, ...]:
        """Those that nobody has seen, the oldest first."""
        ...

    def see(self, alarm_id: int, *, by: str, now: datetime) -> bool:
        """A person has seen an alarm, and those that are one with it; False: there is none."""
        ...
