"""A journal or a till put back from a copy: nothing old is sent without a look-up or a person."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from pos_app.domain.receipt.server_status import JournalCompared, ProcessorState
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.selling.outbox.recent_doubts import PROVEN_WITHIN
from pos_app.selling.sale.sale import (
    JOURNAL_BEHIND,
    JOURNAL_RESTORED,
    NOT_COMPARED,
    PROVING,
    PendingReason,
    RememberedJournal,
    Sale,
)
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server import answers
from pos_app.selling.server.monitor import PROOF_LASTS
from pos_app.selling.server.ports import OutgoingSale
from tests.fakes.counter import Counter
from tests.fakes.fiscal_server import Fault
from tests.unit.selling.test_outbox import in_state

_S = SaleState


@pytest.fixture
def counter() -> Counter:
    return Counter()


def reason_of(counter: Counter, sale: Sale) -> str:
    reason = counter.store.sales.sale(sale.key).reason
    return reason.code if reason else ""


def is_for_a_person(counter: Counter, sale: Sale) -> bool:
    return reason_of(counter, sale) == RequestState.NEEDS_HUMAN


async def done(counter: Counter, count: int = 1) -> list[Sale]:
    sales = [counter.sell() for _ in range(count)]
    await counter.until(lambda: set(counter.states()) == {_S.DONE})
    return sales


async def seen(counter: Counter) -> None:
    """Let the till see the journal's present mark."""
    counter.server.processor = ProcessorState.AWAY
    counter.clock.go_on(10_000)
    await counter.until(lambda: counter.store.sales.remembered().journal == counter.server.mark())
    counter.server.processor = ProcessorState.READY
    await counter.until(lambda: counter.outbox.view.is_ready)


async def test_after_an_older_journal_signed_ones_are_found_and_no_other_is_sent(
    counter: Counter,
) -> None:
    await done(counter)
    copy = counter.server.copy()
    await done(counter)
    await seen(counter)
    counter.server.faults.append(Fault.ANSWER_LOST)
    signed, tried, never = counter.sell(), counter.sell(), counter.sell()
    await counter.until(lambda: len(counter.server.handed) == 3)
    for state in (_S.SENDING, _S.FROZEN):
        counter.store.sales.move(tried.key, state, at=counter.clock.now())
    assert counter.states()[2:] == [_S.DOUBT, _S.FROZEN, _S.FROZEN]
    counter.server.put_back(copy)
    counter.restart()
    before = list(counter.server.ledger)

    await counter.until(in_state(counter, signed, _S.DONE))
    for sale in (tried, never):
        await counter.until(partial(is_for_a_person, counter, sale))
    assert counter.server.ledger == before, "nothing was signed again"
    reports = [one for one in counter.server.handed if one.is_from_before_restore]
    assert {one.key for one in reports} == {signed.key, tried.key, never.key}

    fresh = counter.sell()
    await counter.until(in_state(counter, fresh, _S.DONE))
    assert counter.server.handed[-1].epoch == counter.server.epoch

    counter.server.find_out(signed=False)
    await counter.until(lambda: set(counter.states()) == {_S.DONE})
    assert counter.server.ledger == [*before, fresh.key, tried.key, never.key]


async def lost_with_two_waiting(counter: Counter) -> list[Sale]:
    """Put back an older journal, which lacks a receipt, while two sales wait."""
    await done(counter)
    copy = counter.server.copy()
    await done(counter)
    await seen(counter)
    counter.server.running = False
    waiting = [counter.sell(), counter.sell()]
    counter.server.put_back(copy)
    counter.server.running = True
    counter.restart()
    return waiting


async def test_while_the_processor_can_t_be_asked_what_it_remembers_nothing_is_reported(
    counter: Counter,
) -> None:
    """A report that can't be proven would need a person."""
    counter.server.processor_remembers = None
    waiting = await lost_with_two_waiting(counter)
    await counter.until(in_state(counter, waiting[1], _S.DOUBT))
    counter.clock.go_on(20_000)
    await counter.steps(40)
    assert [reason_of(counter, one) for one in waiting] == 2 * [JOURNAL_BEHIND]
    assert not any(one.is_from_before_restore for one in counter.server.handed)
    counter.server.processor_remembers = True
    await counter.until(lambda: set(counter.states()) == {_S.DONE})


async def test_what_is_not_proven_in_time_is_asked_of_a_person(counter: Counter) -> None:
    """The clock of the server's machine jumps, so the quiet time is never complete."""
    counter.server.processor_remembers = True
    waiting = await lost_with_two_waiting(counter)
    await counter.until(lambda: reason_of(counter, waiting[1]) == PROVING)
    assert {one.key for one in waiting} <= counter.outbox.young_doubts
    for kept in counter.server.kept.values():
        kept.proofs = -1_000_000
    counter.clock.go_on(PROVEN_WITHIN)
    for one in waiting:
        await counter.until(partial(is_for_a_person, counter, one))
    assert not counter.outbox.young_doubts


async def test_what_may_have_been_cancelled_since_is_asked_of_a_person(counter: Counter) -> None:
    """The till's file was put back together with the journal: each agrees with the other."""
    counter.server.processor_remembers = True
    await done(counter)
    waits = counter.sell()
    counter.server.find_restored("put_back")
    counter.restart()
    await counter.until(partial(is_for_a_person, counter, waits))
    assert not any(one.is_provable for one in counter.server.handed)


async def test_another_journal_is_found_although_it_has_as_many_rows(counter: Counter) -> None:
    await done(counter, 2)
    copy = counter.server.copy()
    sale = counter.sell()
    counter.server.always[sale.key] = Fault.WAIT
    await counter.until(lambda: len(counter.server.handed) == 3)
    await seen(counter)
    counter.server.running = False
    rows = counter.server.rows
    counter.server.put_back(copy)
    counter.server.grow(rows - counter.server.rows)
    assert counter.server.rows == rows
    counter.server.running = True
    counter.server.always.clear()
    counter.restart()
    await counter.until(lambda: reason_of(counter, sale) == RequestState.NEEDS_HUMAN)
    assert counter.server.restored is not None


async def test_a_restore_that_moves_no_row_is_heard_of_too(counter: Counter) -> None:
    """The server's status reports it; later sales are known to be newer."""
    await done(counter)
    await seen(counter)
    counter.server.find_restored("other_machine")
    counter.clock.go_on(10_000)
    await counter.steps(5)
    assert counter.store.sales.remembered().epoch == counter.server.epoch
    asked = len(counter.server.witnessed)
    await counter.steps(20)
    assert len(counter.server.witnessed) == asked, "not asked again for the same"
    sale = counter.sell()
    await counter.until(lambda: counter.state(sale) in {_S.DONE, _S.DOUBT})
    assert counter.state(sale) is _S.DONE


async def test_a_waiting_sale_whose_number_was_given_out_again_has_waited(counter: Counter) -> None:
    """The till's file alone was put back: the server knows the number under another key."""
    await done(counter)
    waits = counter.sell()
    counter.restart()
    counter.server.witness = agreeing(  # type: ignore[method-assign, assignment]
        counter, last_sequence=waits.sequence, last_key="another"
    )
    await counter.until(in_state(counter, waits, _S.DONE))
    sent = counter.server.handed[-1]
    assert (sent.sequence > waits.sequence, sent.has_waited) == (True, True)
    fresh = counter.sell()
    await counter.until(in_state(counter, fresh, _S.DONE))
    assert not counter.server.handed[-1].has_waited


async def test_what_the_server_did_not_compare_yet_is_asked_again(counter: Counter) -> None:
    """The sale needs no person and is not reported; it is sent only once it is surely absent."""
    counter.server.faults.append(Fault.REQUEST_LOST)
    counter.server.compared = False
    sale = counter.sell()
    await counter.until(lambda: len(counter.server.looked_up) == 20)
    assert reason_of(counter, sale) == "not_compared"
    assert [one.is_from_before_restore for one in counter.server.handed] == [False]
    counter.server.compared = True
    await counter.until(in_state(counter, sale, _S.DONE))
    assert counter.server.ledger == [sale.key]


async def test_what_is_from_before_a_restore_stays_so_while_nothing_is_compared(
    counter: Counter,
) -> None:
    """What follows is not a look-up's answer: a journal that was put back can't deny the sale."""
    await done(counter)
    counter.server.faults.append(Fault.NOT_DELIVERED)
    waits = counter.sell()
    counter.server.find_restored("other_machine")
    counter.server.compared = False
    counter.server.restored = None  # closed before the till could ask
    counter.restart()
    await counter.until(in_state(counter, waits, _S.DOUBT))
    await counter.until(lambda: len(counter.server.looked_up) == 10)
    assert reason_of(counter, waits) == JOURNAL_RESTORED
    counter.server.compared = True
    await counter.until(lambda: reason_of(counter, waits) == RequestState.NEEDS_HUMAN)
    assert waits.key not in counter.server.ledger


async def test_a_drop_waits_until_the_journal_was_compared(counter: Counter) -> None:
    counter.server.running = False
    sale = counter.sell()
    counter.outbox.cancel(sale.key, reason="одустао")
    counter.server.compared = False
    counter.server.running = True
    await counter.until(lambda: reason_of(counter, sale) == NOT_COMPARED)
    proofs = counter.server.proofs
    began = counter.clock.ticks()
    await counter.until(lambda: counter.clock.ticks() - began >= 30_000)
    assert counter.state(sale) is _S.CANCELLING
    assert counter.server.proofs - proofs <= 30_000 / PROOF_LASTS + 1, "it is trusted"
    assert counter.server.handed == []
    counter.server.compared = True
    await counter.until(in_state(counter, sale, _S.CANCELLED))
    assert counter.server.ledger == []


async def test_a_wish_to_drop_outlives_a_restore(counter: Counter) -> None:
    """The server can't deny the sale, asks a person, and learns that there is no receipt."""
    await done(counter)
    counter.server.faults.append(Fault.REQUEST_LOST)
    sale = counter.sell()
    await counter.until(lambda: len(counter.server.handed) == 2)
    counter.store.sales.move(sale.key, _S.FROZEN, at=counter.clock.now())
    counter.outbox.cancel(sale.key, reason="одустао")
    counter.server.find_restored("server_witness")
    counter.server.witness = agreeing(counter)  # type: ignore[method-assign, assignment]
    await counter.until(lambda: reason_of(counter, sale) == "restored")
    for _ in range(2):
        await counter.until(lambda: reason_of(counter, sale) == RequestState.NEEDS_HUMAN)
        counter.restart()
    before = len(counter.server.handed)
    counter.server.find_out(signed=False)
    await counter.until(lambda: counter.state(sale) in {_S.CANCELLED, _S.DONE})
    assert counter.state(sale) is _S.CANCELLED
    assert len(counter.server.handed) == before
    assert sale.key not in counter.server.ledger
    assert counter.server.kept[sale.key].state is RequestState.CANCELLED


def agreeing(
    counter: Counter, **last: Any
) -> Callable[[RememberedJournal], Coroutine[Any, Any, JournalCompared | answers.NoAnswer]]:
    """A till that has not asked again since the restore was found. last: the last sale of the till
    that the journal knows."""

    async def witness(_: RememberedJournal) -> JournalCompared:
        return JournalCompared(counter.server.mark(), agrees=True, **last)

    return witness


async def in_doubt_from_before(counter: Counter, answer: answers.IssueAnswer) -> Sale:
    """A sale that was tried before a restore, whose reports get that answer."""
    await done(counter)
    sale = counter.sell()
    counter.server.find_restored("other_machine")
    counter.restart()
    issue = counter.server.issue

    async def answered(sale: OutgoingSale) -> answers.IssueAnswer:
        counter.server.handed.append(sale)
        return answer if sale.is_from_before_restore else await issue(sale)

    counter.server.issue = answered  # type: ignore[method-assign]
    await counter.until(lambda: len(counter.server.handed) == 2)
    assert counter.server.handed[-1].is_from_before_restore
    return sale


@pytest.mark.parametrize(
    "answer",
    [
        answers.Unclear(
            PendingReason(AnswerClass.UNKNOWN, "50010001", "outcome unknown"), answered=True
        ),
        answers.RefusedByServer(PendingReason(AnswerClass.WAIT, NOT_COMPARED, "later")),
        answers.RefusedByServer(PendingReason(AnswerClass.CURE, "40010002", "no room")),
    ],
)
async def test_a_report_that_the_server_did_not_keep_is_made_again(
    counter: Counter, answer: answers.IssueAnswer
) -> None:
    sale = await in_doubt_from_before(counter, answer)
    proofs, began = counter.server.proofs, counter.clock.ticks()
    await counter.until(lambda: counter.clock.ticks() - began >= 60_000)
    assert len(counter.server.handed) > 10, "again and again"
    assert all(one.is_from_before_restore for one in counter.server.handed[1:])
    assert (counter.state(sale), reason_of(counter, sale)) == (_S.DOUBT, JOURNAL_RESTORED)
    assert counter.server.proofs - proofs <= 60_000 / PROOF_LASTS + 1, "it is trusted"


async def test_a_report_that_the_server_refuses_is_a_person_s_to_correct(counter: Counter) -> None:
    told = PendingReason(AnswerClass.FIX, "40090001", '"items[0].sku" 90 does not exist')
    sale = await in_doubt_from_before(counter, answers.RefusedByServer(told))
    await counter.until(in_state(counter, sale, _S.REFUSED))
    assert counter.store.sales.sale(sale.key).reason == told
    await counter.steps(50)
    assert counter.state(sale) is _S.REFUSED
    assert len(counter.server.handed) == 2
    counter.server.restored = None
    counter.outbox.cancel(sale.key, reason="није било")
    await counter.until(in_state(counter, sale, _S.CANCELLED))
