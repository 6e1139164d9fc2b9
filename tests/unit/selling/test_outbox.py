"""The outbox: each sale to its one receipt, whatever the server answers or does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pos_app import errors
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.selling.outbox.answer_effects import after_sending
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.sale import LEFT_IN_FRONT, PendingReason, ReceiptFacts, Sale
from pos_app.selling.sale.state import ENDED, SaleState
from pos_app.selling.server import answers
from pos_app.selling.server.monitor import ServerLink, ServerView
from pos_app.selling.server.ports import OutgoingSale
from tests.fakes import fiscal_server
from tests.fakes.counter import Counter
from tests.fakes.fiscal_server import SIGNED_AT, Fault
from tests.sweep import each

_S = SaleState


@pytest.fixture
def counter() -> Counter:
    return Counter()


def in_state(counter: Counter, sale: Sale, state: SaleState) -> Callable[[], bool]:
    return lambda: counter.state(sale) is state


# --- answers -----------------------------------------------------------------------------------


async def test_a_sale_is_done_with_its_receipt(counter: Counter) -> None:
    sale = counter.sell()
    await counter.until(in_state(counter, sale, _S.DONE))
    done = counter.store.sales.sale(sale.key)
    assert done.receipt.fiscal_number == "ABCD1234-ABCD1234-1"
    assert done.receipt.signed_at == SIGNED_AT
    assert done.receipt_id == "receipt-1"
    assert counter.server.handed[0].body == counter.store.sales.body(sale.key)
    assert counter.server.ledger == [sale.key]


@pytest.mark.parametrize("fault", [Fault.ANSWER_LOST, Fault.IN_DOUBT])
async def test_a_signed_sale_ends_as_signed_though_its_answer_is_damaged(
    counter: Counter, fault: Fault
) -> None:
    """The look-up can report only its number; it is sent to nobody again (I2)."""
    counter.server.damaged = True
    counter.server.faults.append(fault)
    sale = counter.sell()
    await counter.until(lambda: bool(counter.server.handed))
    counter.server.find_out(signed=True)
    await counter.until(in_state(counter, sale, _S.DONE))
    done = counter.store.sales.sale(sale.key)
    assert done.receipt == ReceiptFacts("receipt-1", "ABCD1234-ABCD1234-1", None)
    assert (counter.server.ledger, counter.handed()) == ([sale.key], [1])
    assert [one.key for one in counter.store.sales.done_to_be_seen()] == [sale.key]


async def test_an_answer_that_says_nothing_new_is_written_once(counter: Counter) -> None:
    """The doubt knows the receipt's id; each look-up after it fails and returns none."""
    counter.server.faults.append(Fault.IN_DOUBT)
    sale = counter.sell()
    await counter.until(in_state(counter, sale, _S.DOUBT))
    fails = PendingReason(AnswerClass.UNKNOWN, "50000001", "Internal error")

    async def look_up(key: str, *, epoch: str | None) -> answers.NoAnswer:
        counter.server.looked_up.append(key)
        return answers.NoAnswer(fails)

    counter.server.look_up = look_up  # type: ignore[method-assign, assignment]
    note = no_more_than(counter.store.sales.note, 1)
    counter.store.sales.note = note  # type: ignore[method-assign]
    await counter.until(lambda: len(counter.server.looked_up) == 50)
    kept = counter.store.sales.sale(sale.key)
    assert (kept.receipt_id, kept.reason) == ("receipt-1", fails)


def no_more_than(write: Callable[..., Sale], times: int) -> Callable[..., Sale]:
    written: list[object] = []

    def counted(*args: object, **more: object) -> Sale:
        written.append(args)
        assert len(written) <= times, "written again and again"
        return write(*args, **more)

    return counted


# --- operations on receipts ----------------------------------------------------------------------

IN_FRONT = [Operation.REFUND, Operation.ADVANCE, Operation.CLOSE]


@pytest.mark.parametrize("fault", [Fault.WAIT, Fault.CURE, Fault.NOT_DELIVERED, Fault.AT_THE_DOOR])
@pytest.mark.parametrize("operation", IN_FRONT)
async def test_what_is_not_sent_now_waits_for_a_person(
    counter: Counter, operation: Operation, fault: Fault
) -> None:
    """The buyer may leave: the act is never sent by itself later, but the sale behind it is."""
    counter.server.faults.append(fault)
    act, sale = counter.act(operation), counter.sell()
    await counter.until(in_state(counter, sale, _S.DONE))
    assert counter.state(act) is _S.REFUSED
    await counter.steps(50)
    assert [one.key for one in counter.server.handed] == [act.key, sale.key]
    counter.outbox.try_again(act.key)
    await counter.until(in_state(counter, act, _S.DONE))
    assert counter.server.ledger == [sale.key, act.key]


@pytest.mark.parametrize("operation", IN_FRONT)
async def test_what_could_not_be_sent_in_time_is_not_sent_later(
    counter: Counter, operation: Operation
) -> None:
    """The server is away, and comes back when the buyer has left."""
    counter.server.running = False
    act = counter.act(operation)
    await counter.until(in_state(counter, act, _S.REFUSED))
    assert counter.clock.ticks() < 1_000_000 + 60_000
    counter.server.running = True
    await counter.steps(50)
    assert counter.server.ledger == []
    counter.outbox.try_again(act.key)
    await counter.until(in_state(counter, act, _S.DONE))
    assert counter.server.ledger == [act.key]


async def test_behind_a_sale_that_waits_nothing_is_sent_late(counter: Counter) -> None:
    sale = counter.sell()
    counter.server.always[sale.key] = Fault.WAIT
    await counter.steps(5)
    act = counter.act(Operation.REFUND)
    await counter.until(in_state(counter, act, _S.REFUSED))
    counter.server.always.clear()
    await counter.until(in_state(counter, sale, _S.DONE))
    await counter.steps(50)
    assert counter.server.ledger == [sale.key]


@pytest.mark.parametrize("operation", IN_FRONT)
async def test_what_a_killed_till_had_not_sent_waits_for_a_person(
    counter: Counter, operation: Operation
) -> None:
    act, copy = counter.act(operation), counter.act(Operation.COPY)
    counter.restart()
    await counter.until(in_state(counter, copy, _S.DONE))
    assert counter.state(act) is _S.REFUSED
    reason = counter.store.sales.sale(act.key).reason
    assert (reason.code, reason.answer_class) == (LEFT_IN_FRONT, AnswerClass.WAIT)
    counter.outbox.cancel(act.key, reason="gone")
    await counter.until(in_state(counter, act, _S.CANCELLED))
    assert counter.server.ledger == [copy.key]


@each(("operation", "number"), [(Operation.REFUND, "one"), (Operation.CLOSE, "two")])
def test_the_receipt_of_a_pair(operation: Operation, number: str) -> None:
    """The refund, and not the copy behind it; the sale of a closing, and not the refund before."""
    first, last = (
        replace(fiscal_server.receipt(1), invoice_number=name) for name in ("one", "two")
    )
    told = after_sending(answers.Issued("r-1", first, (("r-2", last),)), operation)
    assert told.receipt is not None
    assert told.receipt.fiscal_number == number
    unread = after_sending(answers.IssuedUnreadable("r-1", "one", (("r-2", "two"),)), operation)
    assert unread.receipt == ReceiptFacts(told.receipt.receipt_id, number, None)
    refused = after_sending(answers.RefusedByServer(PendingReason(AnswerClass.UNKNOWN, "40010001")))
    assert refused.state is _S.DOUBT, "a refusal with the class unknown"


@pytest.mark.parametrize(
    ("fault", "state", "next_goes_on"),
    [
        (Fault.FIX, _S.REFUSED, True),
        (Fault.WAIT, _S.FROZEN, False),
        (Fault.CURE, _S.FROZEN, False),
        (Fault.NOT_DELIVERED, _S.FROZEN, False),
        (Fault.AT_THE_DOOR, _S.FROZEN, False),
        (Fault.IN_DOUBT, _S.DOUBT, True),
    ],
)
async def test_each_class_of_answer(
    counter: Counter, fault: Fault, state: SaleState, next_goes_on: bool
) -> None:
    first, _second = counter.sell(), counter.sell()
    counter.server.faults.append(fault)
    await counter.until(lambda: len(counter.server.handed) == 1)
    assert counter.state(first) is state
    await counter.until(lambda: len(counter.server.handed) == 2)
    assert counter.handed() == ([1, 2] if next_goes_on else [1, 1])


async def test_a_sale_that_a_ready_processor_keeps_refusing_stops_nobody(counter: Counter) -> None:
    first, second, third = counter.sell(), counter.sell(), counter.sell()
    counter.server.always[first.key] = Fault.CURE
    await counter.until(in_state(counter, third, _S.DONE))
    assert counter.handed() == [1, 1, 1, 2, 3]
    assert counter.state(second) is _S.DONE
    assert counter.state(first) is _S.FROZEN

    counter.server.always.clear()
    await counter.until(in_state(counter, first, _S.DONE))
    assert counter.server.ledger == [second.key, third.key, first.key]


@pytest.mark.parametrize("told", [ProcessorState.READY, ProcessorState.DISK])
async def test_a_nearly_full_disk_keeps_the_order_however_long_it_stays(
    counter: Counter, told: ProcessorState
) -> None:
    """The trouble is no sale's own: none lets the next pass, even where the status is silent."""
    sales = [counter.sell()]
    counter.server.always[sales[0].key] = Fault.NO_ROOM
    counter.server.processor = told
    await counter.until(lambda: len(counter.server.handed) == 6)
    sales += [counter.sell(), counter.sell()]
    await counter.until(lambda: len(counter.server.handed) == 8)
    assert counter.handed() == [1] * 8

    counter.server.always.clear()
    counter.server.processor = ProcessorState.READY
    sales.append(counter.sell())
    await counter.until(lambda: set(counter.states()) == {_S.DONE})
    assert counter.server.ledger == [sale.key for sale in sales]


async def test_refusals_for_another_reason_are_counted_anew(counter: Counter) -> None:
    counter.sell()
    counter.sell()
    counter.server.faults.extend([Fault.CURE, Fault.CURE, Fault.WAIT, Fault.CURE, Fault.CURE])
    await counter.until(lambda: len(counter.server.ledger) == 2)
    assert counter.handed() == [1, 1, 1, 1, 1, 1, 2]


async def test_while_the_processor_is_away_little_is_sent_and_then_at_once(
    counter: Counter,
) -> None:
    counter.server.processor = ProcessorState.AWAY
    counter.server.faults.extend([Fault.WAIT] * 99)
    sale = counter.sell()
    begin = counter.clock.ticks()
    await counter.until(lambda: counter.clock.ticks() - begin > 60_000)
    assert counter.state(sale) is _S.FROZEN
    assert len(counter.server.handed) <= 4

    counter.server.processor = ProcessorState.READY
    counter.server.faults.clear()
    back = counter.clock.ticks()
    await counter.until(in_state(counter, sale, _S.DONE))
    assert counter.clock.ticks() - back <= 1_000


# --- lost answers ------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Fault.ANSWER_LOST, Fault.ANSWER_WITHOUT_SENSE])
async def test_a_lost_answer_is_found_and_never_sent_again(counter: Counter, fault: Fault) -> None:
    sale = counter.sell()
    counter.server.faults.append(fault)
    await counter.until(in_state(counter, sale, _S.DONE))
    assert counter.server.ledger == [sale.key]
    assert counter.handed() == [1]
    assert counter.changes == [(1, _S.SENDING), (1, _S.DOUBT), (1, _S.DONE)]


@pytest.mark.parametrize("signed", [True, False])
async def test_a_doubt_waits_for_the_server_and_the_next_sale_does_not(
    counter: Counter, signed: bool
) -> None:
    doubtful, following = counter.sell(), counter.sell()
    counter.server.faults.append(Fault.IN_DOUBT)
    await counter.until(in_state(counter, following, _S.DONE))
    begin = counter.clock.ticks()
    await counter.until(lambda: counter.clock.ticks() - begin > 60_000)
    assert counter.state(doubtful) is _S.DOUBT
    assert counter.handed() == [1, 2]
    open_sale = counter.store.sales.sale(doubtful.key)
    assert open_sale.receipt_id == "receipt-1"
    assert open_sale.reason.code == RequestState.UNKNOWN

    counter.server.find_out(signed=signed)
    await counter.until(in_state(counter, doubtful, _S.DONE))
    assert sorted(counter.server.ledger) == [doubtful.key, following.key]
    assert counter.handed() == ([1, 2] if signed else [1, 2, 1])


# --- who answers -------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["foreign", "other_install", "other_environment", "other_version"])
async def test_a_stranger_gets_no_sale(counter: Counter, who: str) -> None:
    counter.server.stranger = who
    seen: list[ServerView] = []
    counter.outbox.listen(on_server=seen.append)
    sale = counter.sell()
    await counter.steps(20)
    assert counter.server.handed == []
    assert counter.server.looked_up == []
    assert counter.state(sale) is _S.FROZEN
    assert [(view.link, view.reason.code) for view in seen if view.reason] == [
        (ServerLink.STRANGER, who)
    ]

    counter.server.stranger = ""
    await counter.until(in_state(counter, sale, _S.DONE))
    assert counter.outbox.view.link is ServerLink.OURS


async def test_the_proof_is_asked_again_after_a_silence(counter: Counter) -> None:
    first = counter.sell()
    await counter.until(in_state(counter, first, _S.DONE))
    counter.clock.go_on(10_000)
    counter.server.stranger = "foreign"
    second = counter.sell()
    await counter.steps(5)
    assert counter.state(second) is _S.FROZEN
    assert counter.handed() == [1]


# --- a person's acts ---------------------------------------------------------------------------


@pytest.mark.parametrize("state", [RequestState.UNKNOWN, RequestState.NEEDS_HUMAN])
@pytest.mark.parametrize("signed", [True, False])
async def test_what_the_server_does_not_cancel_goes_back_to_the_truth(
    counter: Counter, state: RequestState, signed: bool
) -> None:
    counter.server.faults.append(Fault.WAIT)
    sale = counter.sell()
    await counter.until(lambda: len(counter.server.handed) == 1)
    counter.server.kept[sale.key].state = state
    counter.outbox.cancel(sale.key, reason="купац је одустао")
    await counter.until(in_state(counter, sale, _S.DOUBT))

    counter.server.find_out(signed=signed)
    await counter.until(lambda: counter.state(sale) in ENDED)
    assert counter.state(sale) is (_S.DONE if signed else _S.CANCELLED)
    assert counter.handed() == [1]
    dropped = [one.key for one in counter.store.sales.done_to_be_seen()]
    assert dropped == ([sale.key] if signed else [])


# --- the coroutine -----------------------------------------------------------------------------


async def run_until(counter: Counter, *events: asyncio.Event) -> None:
    """Let the outbox run by itself until all of these came."""
    running = asyncio.create_task(counter.outbox.run())
    for event in events:
        await asyncio.wait_for(event.wait(), timeout=30)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_full_disk_is_told_and_outlived(counter: Counter) -> None:
    faults: list[errors.MachineError | None] = []
    done, over = asyncio.Event(), asyncio.Event()

    def on_fault(fault: errors.MachineError | None) -> None:
        faults.append(fault)
        counter.store.disk_full = False
        counter.server.issue = issue  # type: ignore[method-assign]
        if fault is None:
            over.set()

    counter.outbox.listen(
        on_sale=lambda sale: done.set() if sale.state is _S.DONE else None, on_fault=on_fault
    )
    sale = counter.sell()
    issue = counter.server.issue

    async def fills_the_disk(sale: OutgoingSale) -> answers.IssueAnswer:
        counter.store.disk_full = True
        return await issue(sale)

    counter.server.issue = fills_the_disk  # type: ignore[method-assign]
    await run_until(counter, done, over)
    assert [type(fault) for fault in faults] == [errors.DiskFull, type(None)]
    assert (counter.server.ledger, counter.handed()) == ([sale.key], [1])


@pytest.mark.parametrize(
    ("held_seconds", "told"), [(4, []), (20, [errors.DatabaseBusy, type(None)])]
)
async def test_a_till_that_another_program_holds_is_told_when_it_lasts(
    counter: Counter, held_seconds: int, told: list[type]
) -> None:
    faults: list[errors.MachineError | None] = []
    done = asyncio.Event()
    counter.outbox.listen(
        on_sale=lambda sale: done.set() if sale.state is _S.DONE else None, on_fault=faults.append
    )
    until = counter.clock.ticks() + held_seconds * 1_000
    move = counter.store.sales.move

    def held(*args: Any, **more: Any) -> Sale:
        if counter.clock.ticks() < until:
            raise errors.DatabaseBusy(what="Another program holds the database.")
        moved: Sale = move(*args, **more)
        return moved

    counter.store.sales.move = held  # type: ignore[method-assign]
    counter.sell()
    await run_until(counter, done)
    assert [type(fault) for fault in faults] == told
    assert len(counter.handed()) == 1


# --- doubts that began a moment ago --------------------------------------------------------------


async def in_doubt(counter: Counter, fault: Fault = Fault.IN_DOUBT) -> Sale:
    counter.server.faults.append(fault)
    sale = counter.sell()
    await counter.until(in_state(counter, sale, _S.DOUBT))
    return sale


async def test_a_doubt_that_stays_is_told_again_after_five_seconds(counter: Counter) -> None:
    begin = counter.clock.ticks()
    sale = await in_doubt(counter)
    await counter.until(lambda: not counter.outbox.young_doubts)
    assert YOUNG <= counter.clock.ticks() - begin <= YOUNG + 1_500
    assert counter.changes[-1] == (sale.sequence, _S.DOUBT)
    told = len(counter.changes)
    await counter.steps(20)
    assert len(counter.changes) == told
    for_a_person, begin = await in_doubt(counter), counter.clock.ticks()
    counter.server.kept[for_a_person.key].state = RequestState.NEEDS_HUMAN
    await counter.until(lambda: not counter.outbox.young_doubts)
    assert counter.clock.ticks() - begin < YOUNG, "what only a person can end calls at once"


async def test_a_refused_sale_is_cancelled_by_the_servers_word(counter: Counter) -> None:
    counter.server.faults.append(Fault.FIX)
    sale = counter.sell()
    await counter.until(in_state(counter, sale, _S.REFUSED))
    counter.server.running = False
    assert counter.outbox.cancel(sale.key, reason="погрешан артикал").state is _S.CANCELLING
    await counter.steps(10)
    assert counter.state(sale) is _S.CANCELLING
    counter.server.running = True
    await counter.until(in_state(counter, sale, _S.CANCELLED))
    assert counter.server.kept[sale.key].state is RequestState.CANCELLED
    assert counter.server.ledger == []
