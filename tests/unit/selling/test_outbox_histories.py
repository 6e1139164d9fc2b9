"""Random histories of faults, restarts and a person's acts against the outbox's promises."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import NotAllowed
from pos_app.selling.sale.state import SaleState
from tests.fakes.counter import Counter
from tests.fakes.fiscal_server import Fault, KilledHere
from tests.sweep import examples

_S = SaleState

SELL, STEPS = st.just(("sell", None)), st.tuples(st.just("step"), st.integers(1, 12))
ACTS = st.one_of(
    SELL,
    SELL,
    STEPS,
    STEPS,
    st.tuples(st.just("fault"), st.sampled_from(Fault)),
    st.just(("restart", None)),
    st.tuples(st.just("find_out"), st.booleans()),
    st.just(("found_after_all", None)),
    st.tuples(st.just("drop"), st.integers(1, 6)),
    st.tuples(st.just("try_again"), st.integers(1, 6)),
    st.tuples(st.just("kill"), st.sampled_from(["before", "after"])),
    st.tuples(st.just("running"), st.booleans()),
    st.tuples(st.just("damaged"), st.booleans()),
    st.tuples(st.just("stranger"), st.sampled_from(["", "foreign"])),
    st.tuples(st.just("processor"), st.sampled_from(ProcessorState)),
)


async def act(counter: Counter, what: str, value: object) -> None:
    """Let one event happen at the counter or around it."""
    server = counter.server
    match what, value:
        case "sell", _:
            counter.sell()
        case "fault", Fault() as fault:
            server.faults.append(fault)
        case "step", int(count):
            await steps(counter, count)
        case "restart", _:
            counter.restart()
        case "find_out", bool(signed):
            server.find_out(signed=signed)
        case "found_after_all", _:
            server.find_after_all()
        case (("drop" | "try_again"), int(sequence)):
            try_to(counter, what, sequence)
        case _:
            setattr(server, what, value)


async def steps(counter: Counter, count: int) -> None:
    """Let the outbox do some steps; if the till is killed it is started again."""
    try:
        await counter.steps(count)
    except KilledHere:
        counter.restart()


def try_to(counter: Counter, what: str, sequence: int) -> None:
    """Let a person act on a sale, if there is one in a state that allows it."""
    for sale in counter.store.sales.waiting():
        if sale.sequence == sequence:
            try:
                if what == "drop":
                    counter.outbox.cancel(sale.key, reason="одустао")
                else:
                    counter.outbox.try_again(sale.key)
            except NotAllowed:
                assert sale.state is not _S.REFUSED
            else:
                assert sale.state in {_S.FROZEN, _S.REFUSED}


def check(counter: Counter) -> None:
    """Check what holds after every step."""
    ledger = counter.server.ledger
    assert len(ledger) == len(set(ledger)), "one key was signed twice"
    parcels = counter.server.handed
    assert len({parcel.key for parcel in parcels}) == len({one.sequence for one in parcels})
    bodies = {(parcel.key, parcel.body) for parcel in parcels}
    assert len(bodies) == len({parcel.key for parcel in parcels}), "a body changed"
    assert counter.server.blind == [], "sent again without a look-up"
    for sale in counter.store.sales.last(1_000):
        if sale.state is _S.DONE:
            assert sale.key in ledger
        if sale.state is _S.CANCELLED:
            assert sale.key not in ledger
            assert counter.server.kept[sale.key].state is RequestState.CANCELLED
        if sale.state is _S.REFUSED:
            assert sale.key not in ledger


@given(st.lists(ACTS, min_size=12, max_size=60))
@settings(max_examples=examples(400, share=8))
def test_every_history_ends_with_each_sale_once(acts: list[tuple[str, object]]) -> None:
    asyncio.run(_live_through(acts))


async def _live_through(acts: list[tuple[str, object]]) -> None:
    counter = Counter()
    for what, value in acts:
        await act(counter, what, value)
        check(counter)

    counter.server.faults.clear()
    counter.server.kill = ""
    counter.server.running, counter.server.stranger = True, ""
    counter.server.processor = ProcessorState.READY
    counter.server.find_out(signed=True)
    ended = {_S.DONE, _S.REFUSED, _S.CANCELLED}
    await counter.until(lambda: set(counter.states()) <= ended)
    check(counter)
    signed = {sale.key for sale in counter.store.sales.last(1_000) if sale.state is _S.DONE}
    assert signed == set(counter.server.ledger)
