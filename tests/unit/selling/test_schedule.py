"""The outbox's choice of its next act."""

from __future__ import annotations

from collections.abc import Set
from itertools import product

import pytest

from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import NotAllowed
from pos_app.selling.outbox.schedule import (
    STUCK_AFTER,
    Schedule,
    StepKind,
    longest_pause,
    pause_after,
)
from pos_app.selling.sale.sale import UNREADABLE, PendingReason, QueuedSale
from pos_app.selling.sale.state import SaleState, check_move
from tests.sweep import each

_S = SaleState
CURE = PendingReason(AnswerClass.CURE, "40011500", "PIN needed")


def queue(*states: SaleState | tuple[SaleState, bool]) -> list[QueuedSale]:
    return [
        QueuedSale(str(number), number, *_state_and_wish(state))
        for number, state in enumerate(states, start=1)
    ]


def _state_and_wish(state: SaleState | tuple[SaleState, bool]) -> tuple[SaleState, int, bool]:
    return (state[0], 0, state[1]) if isinstance(state, tuple) else (state, 0, False)


THREE = queue(_S.FROZEN, _S.FROZEN, _S.FROZEN)


def planned(
    waiting: list[QueuedSale], due: dict[str, int] | None = None, stuck: Set[str] = frozenset()
) -> Schedule:
    """A schedule that received these sales in reverse order."""
    schedule = Schedule()
    for sale in reversed(waiting):
        schedule.take(sale)
    for key in sorted(stuck, reverse=True):
        for _ in range(STUCK_AFTER):
            schedule.count(key, CURE)
    for key, tick in (due or {}).items():
        schedule.put_off(key, tick)
    return schedule


def told(
    schedule: Schedule, *, now: int = 1_000, may_send: bool = True, is_ready: bool = True
) -> object:
    act = schedule.next_act(now=now, may_send=may_send, is_ready=is_ready)
    return act and (act.kind, act.sale.sequence)


@each(
    ("waiting", "due", "stuck", "expected"),
    [
        (queue(), {}, "", None),
        (queue(_S.FROZEN, _S.FROZEN), {}, "", (StepKind.SEND, 1)),
        (queue(_S.FROZEN, _S.FROZEN), {"1": 1_001}, "", None),
        (queue(_S.FROZEN, _S.FROZEN), {"1": 1_000}, "", (StepKind.SEND, 1)),
        (queue(_S.REFUSED, _S.FROZEN), {}, "", (StepKind.SEND, 2)),
        (queue(_S.DOUBT, _S.FROZEN), {}, "", (StepKind.LOOK_UP, 1)),
        (queue(_S.DOUBT, _S.FROZEN), {"1": 2_000}, "", (StepKind.SEND, 2)),
        (queue(_S.FROZEN, _S.DOUBT), {}, "", (StepKind.LOOK_UP, 2)),
        (queue(_S.DOUBT, _S.CANCELLING), {}, "", (StepKind.CANCEL, 2)),
        (queue((_S.FROZEN, True), _S.FROZEN), {}, "", (StepKind.CANCEL, 1)),
        (queue((_S.FROZEN, True), _S.FROZEN), {"1": 2_000}, "", (StepKind.SEND, 2)),
        (queue((_S.REFUSED, True)), {}, "", (StepKind.CANCEL, 1)),
        (queue((_S.DOUBT, True)), {}, "", (StepKind.LOOK_UP, 1)),
        (queue(_S.REFUSED), {}, "", None),
        # a sale that is stuck lets the next ones pass
        (THREE, {}, "1", (StepKind.SEND, 2)),
        (THREE, {"2": 2_000}, "1", (StepKind.SEND, 1)),
        (THREE, {}, "12", (StepKind.SEND, 3)),
        (THREE, {}, "123", (StepKind.SEND, 1)),
        (THREE, {"1": 2_000}, "123", (StepKind.SEND, 2)),
    ],
)
def test_what_is_next(
    waiting: list[QueuedSale], due: dict[str, int], stuck: str, expected: object
) -> None:
    assert told(planned(waiting, due, set(stuck))) == expected


def test_while_the_processor_is_not_ready_nobody_passes_and_doubts_are_still_looked_up() -> None:
    waiting = queue(_S.FROZEN, _S.FROZEN)
    assert told(planned(waiting, {}, {"1"}), is_ready=False) == (StepKind.SEND, 1)
    assert told(planned(waiting, {"1": 2_000}, {"1"}), is_ready=False) is None
    assert told(planned(queue(_S.FROZEN)), may_send=False) is None
    doubtful = planned(queue(_S.FROZEN, _S.DOUBT))
    assert told(doubtful, may_send=False) == (StepKind.LOOK_UP, 2)


def test_of_those_that_are_due_the_earliest_goes_first() -> None:
    schedule = planned(queue(_S.DOUBT, _S.DOUBT, _S.DOUBT), {"1": 1_200, "2": 1_100})
    assert told(schedule) == (StepKind.LOOK_UP, 3)
    schedule.put_off("3", 1_300)
    assert (told(schedule), told(schedule, now=1_100)) == (None, (StepKind.LOOK_UP, 2))
    assert told(schedule, now=1_300) == (StepKind.LOOK_UP, 1)
    schedule.put_off("1", 1_400)
    assert told(schedule, now=1_300) == (StepKind.LOOK_UP, 2)


@each("state", [_S.DONE, _S.CANCELLED, _S.REFUSED])
def test_a_sale_that_came_to_an_end_is_out_of_the_way(state: SaleState) -> None:
    schedule = planned(queue(_S.FROZEN, _S.FROZEN), {"1": 9_000})
    assert told(schedule) is None
    schedule.take(QueuedSale("1", 1, state, 1))
    assert told(schedule) == (StepKind.SEND, 2)
    assert not schedule.is_empty


def test_pauses_grow_to_five_seconds_and_rest_until_the_next_is_due() -> None:
    pauses = {1: 250, 2: 500, 3: 1_000, 5: 4_000, 6: 5_000, 10**5: 5_000}
    for tries, pause in pauses.items():
        assert pause_after(tries) == pause
        assert pause_after(tries, longest=1_000) == min(pause, 1_000)
    dues: list[tuple[dict[str, int], int]] = [({}, 5_000), ({"1": 1_300}, 300)]
    for due, expected in (*dues, ({"1": 9_000}, 5_000), ({"1": 900}, 5_000)):
        schedule = planned(queue(_S.FROZEN), due)
        assert schedule.idle_for(now=1_000, longest=5_000, is_ready=True) == expected


@each(
    ("state", "code", "longest"),
    [
        (_S.FROZEN, "away", 5_000),
        (_S.DOUBT, "unknown", 250),
        (_S.DOUBT, "sending", 250),
        (_S.DOUBT, "needs_human", 1_000),
        (_S.DOUBT, "not_delivered", 1_000),
        (_S.DOUBT, UNREADABLE, 30_000),
        (_S.DOUBT, None, 1_000),
    ],
)
def test_a_doubt_that_the_server_settles_is_looked_up_often(
    state: SaleState, code: str | None, longest: int
) -> None:
    reason = None if code is None else PendingReason(AnswerClass.UNKNOWN, code)
    assert longest_pause(state, reason) == longest


ALLOWED = {
    ("frozen", "sending"), ("frozen", "cancelling"), ("frozen", "doubt"), ("frozen", "refused"),
    ("sending", "done"), ("sending", "refused"), ("sending", "frozen"), ("sending", "doubt"),
    ("refused", "cancelling"), ("refused", "frozen"), ("refused", "doubt"),
    ("doubt", "done"), ("doubt", "frozen"), ("doubt", "refused"),
    ("cancelling", "cancelled"), ("cancelling", "doubt"),
}  # fmt: skip


@each(("old", "new"), list(product(SaleState, SaleState)))
def test_each_pair(old: SaleState, new: SaleState) -> None:
    if (old.value, new.value) in ALLOWED:
        check_move(old, new)
    else:
        with pytest.raises(NotAllowed):
            check_move(old, new)
