"""Decides what the look-ups of a receipt in doubt (sent, not answered) prove. Pure functions.

A receipt is proven absent if it was not found, was not found again after the quiet time W, and the
counter did not change (exactly-once.md, "Proven absent"). A clock that jumped, or a late tick,
restarts W. A doubt begins when `answer_check` finds no answer.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.fiscalization.outcomes.answer_check import Outcome, SentDocument, echo_fault
from pos_app.fiscalization.ports import StateReason
from pos_app.lazy_dataclass import dataclass

LATE_TICK_SECONDS = 5.0
"""The delay allowed for a tick, and the drift allowed between wall and monotonic clocks."""
AWAY_TOO_LONG_SECONDS = 600.0
"""Seconds for which a processor may be away before a person is asked."""
UNSTEADY_AT_MOST_SECONDS = 600.0
"""A person is asked when a doubt was looked up for twice W and these seconds, because W was
restarted again and again."""


@dataclass(frozen=True, slots=True)
class FoundReceipt:
    """The look-up by RequestId returned a receipt. clock: the processor's time just before."""

    receipt: SignedReceipt
    clock: datetime | None


@dataclass(frozen=True, slots=True)
class NoReceiptFound:
    """The processor has no receipt of that RequestId. uid, counter: read from it just before."""

    uid: str | None
    counter: int | None


@dataclass(frozen=True, slots=True)
class ProcessorUnreachable:
    """The processor could not be asked."""


Look = FoundReceipt | NoReceiptFound | ProcessorUnreachable


@dataclass(frozen=True, slots=True)
class DoubtRule:
    """The lane's settings: W in seconds, and whether no other program uses the element."""

    quiet_seconds: float
    used_here_alone: bool


@dataclass(frozen=True, slots=True)
class DoubtProgress:
    """One doubt between two ticks; all times but `wall` are monotonic seconds.

    last_tick, wall: the time when the previous look-up ended, by both clocks. looked_seconds: the
    time for which the doubt has been looked up, without the time that the machine slept.
    """

    sent: SentDocument
    last_tick: float
    wall: datetime
    missing_since: float | None = None
    unreachable_since: float | None = None
    looked_seconds: float = 0.0


def assess(
    doubt: DoubtProgress,
    look: Look,
    rule: DoubtRule,
    *,
    began_seconds: float,
    now: float,
    wall: datetime,
    tick: float,
) -> tuple[DoubtProgress, Outcome | None]:
    """Return the doubt after one more look-up, and its outcome if the doubt has ended.
    began_seconds, now: when the look-up began and ended. tick: the seconds between two look-ups."""
    doubt = _after_the_clock(doubt, began_seconds=began_seconds, now=now, wall=wall, tick=tick)
    match look:
        case FoundReceipt(receipt, clock):
            fault = echo_fault(receipt, doubt.sent.found_at(clock))
            if fault is None:
                return doubt, Outcome(RequestState.SIGNED, receipt=receipt)
            return doubt, _ask("echo", f"The receipt found is not of this sale: {fault}.")
        case ProcessorUnreachable():
            return _unreachable(doubt, now)
        case NoReceiptFound(_, None) if doubt.sent.counter is not None:
            return _unreachable(doubt, now)  # without its counter, absence can't be proven
        case NoReceiptFound(None, _) if doubt.sent.uid is not None:
            return _unreachable(doubt, now)  # nor without its element's UID
        case NoReceiptFound(uid, counter):
            return _missing(replace(doubt, unreachable_since=None), uid, counter, rule, now)


def _after_the_clock(
    doubt: DoubtProgress, *, began_seconds: float, now: float, wall: datetime, tick: float
) -> DoubtProgress:
    """Return the doubt at the time `now`. W is restarted if the tick was late or the two clocks
    drifted apart. A slow look-up does not restart W, but only LATE_TICK_SECONDS of it count for
    W."""
    is_late = began_seconds - doubt.last_tick > tick + LATE_TICK_SECONDS
    drift = abs((wall - doubt.wall).total_seconds() - (now - doubt.last_tick))
    since = None
    if doubt.missing_since is not None and not is_late and drift <= LATE_TICK_SECONDS:
        since = doubt.missing_since + max(0.0, now - began_seconds - LATE_TICK_SECONDS)
    passed_seconds = min(max(0, now - doubt.last_tick), tick + LATE_TICK_SECONDS)
    return replace(
        doubt,
        last_tick=now,
        wall=wall,
        missing_since=since,
        looked_seconds=doubt.looked_seconds + passed_seconds,
    )


def _unreachable(doubt: DoubtProgress, now: float) -> tuple[DoubtProgress, Outcome | None]:
    since = now if doubt.unreachable_since is None else doubt.unreachable_since
    doubt = replace(doubt, unreachable_since=since, missing_since=None)
    if now - since <= AWAY_TOO_LONG_SECONDS:
        return doubt, None
    return doubt, _ask("away", "The processor has not answered for ten minutes.")


def _missing(
    doubt: DoubtProgress, uid: str | None, counter: int | None, rule: DoubtRule, now: float
) -> tuple[DoubtProgress, Outcome | None]:
    sent = doubt.sent
    if sent.uid is not None and uid is not None and uid != sent.uid:
        return doubt, _ask("replaced", "The secure element was replaced by another.")
    if sent.counter is not None and counter is not None and counter != sent.counter:
        return doubt, _ask(
            "counter_moved",
            f"The receipt is not found, but the counter moved from {sent.counter} to {counter}.",
        )
    since = now if doubt.missing_since is None else doubt.missing_since
    if now - since < rule.quiet_seconds:
        doubt = replace(doubt, missing_since=since)
        if doubt.looked_seconds <= 2 * rule.quiet_seconds + UNSTEADY_AT_MOST_SECONDS:
            return doubt, None
        return doubt, _ask(
            "unsteady",
            "The receipt is not found, but the computer's clock or the link to the processor was"
            " never steady for long enough to prove that there is none.",
        )
    if sent.counter is None and not rule.used_here_alone:
        return doubt, _ask(
            "not_alone", "The receipt is not found, but the element is used elsewhere too."
        )
    message = "The processor was asked again after a quiet time: it holds no such receipt."
    reason = StateReason(AnswerClass.WAIT, "proven_absent", message)
    return doubt, Outcome(RequestState.RELEASED, reason, is_absent=True)


def _ask(code: str, message: str) -> Outcome:
    return Outcome(RequestState.NEEDS_HUMAN, StateReason(AnswerClass.UNKNOWN, code, message))
