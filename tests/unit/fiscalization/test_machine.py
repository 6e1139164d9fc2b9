"""Every promise of exactly-once.md is kept at every step of random histories.

The real journal, lane and use cases run in virtual time against a simulated processor. A breach is
shown as the smallest history that still causes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.states import RequestState
from tests.fakes.simulated_processor import Fate
from tests.fakes.virtual_time import VirtualLoop
from tests.proofs import Proof
from tests.sweep import pairs, sampled
from tests.unit.fiscalization import machine_histories
from tests.unit.fiscalization.machine import History, Step
from tests.unit.fiscalization.machine_histories import LOST, UNHEARD, history
from tests.unit.fiscalization.machine_mutants import MUTANTS
from tests.unit.fiscalization.machine_promises import VeryLatePromises
from tests.unit.fiscalization.machine_run import REAL, run, smallest
from tests.unit.fiscalization.machine_sales import body
from tests.unit.fiscalization.machine_world import Shop

PARTS = 4
FEW = 15
"""Histories of each part in `make test`; each of `--times` adds five for each part."""

Numbered = Callable[[int], tuple[Shop, list[Step]]]


def check(folder: Path, make: Numbered, numbers: range, proof: Proof) -> None:
    for number in numbers:
        proof.tried += 1
        shop, steps = make(number)
        if run(folder, shop, steps) is not None:
            show(folder, number, shop, steps)


def show(folder: Path, number: int, shop: Shop, steps: list[Step]) -> None:
    small = smallest(lambda some: run(folder, shop, some) is not None, steps)
    told = "\n".join(f"    {step}," for step in small)
    pytest.fail(f"history {number}, {shop}:\n{told}\n{run(folder, shop, small)}")


def numbers(part: int, times: int) -> range:
    many = FEW if times <= 50 else 5 * times
    return range(part * many, (part + 1) * many)


@pytest.mark.faults
@pytest.mark.parametrize("part", sampled(range(PARTS)))
def test_random_histories_keep_every_promise(
    folder: Path, times: int, part: int, proof: Proof
) -> None:
    check(folder, machine_histories.history, numbers(part, times), proof)


@pytest.mark.faults
def test_what_is_executed_long_after_w_is_taken_or_told(
    folder: Path, times: int, proof: Proof
) -> None:
    check(folder, machine_histories.very_late_history, numbers(0, times), proof)


SHOP = Shop()
FORGETFUL = Shop(remembers="last")
KNOWN: dict[str, tuple[Shop, list[Step]]] = {
    "a release that the disk refused is committed later": (SHOP,
     [("call", 1), ("full", 1), ("wait", 5.0)]),
    "a SENDING that the disk refused is released": (SHOP,
     [("call", 1), ("wait", 0.04), ("full", 1), ("wait", 5.0)]),
    "a person's word during a look-up stands, and the lane goes on": (SHOP, [("fate",
     machine_histories.UNHEARD), ("call", 1), ("wait", 0.31), ("found", 1), ("wait", 1.0)]),
    "each attempt has a doubt of its own": (SHOP, [("fate", machine_histories.LOST), ("call", 1),
     ("wait", 19.0), ("absent", 1), ("fate", machine_histories.SOON), ("call", 1), ("wait", 5.0),
     ("look_up", 1), ("wait", 5.0)]),
    "without the counter absence is not proven": (FORGETFUL, [("fate", machine_histories.UNHEARD),
     ("call", 1), ("wait", 0.3), ("foreign",), ("code", "1300"), ("wait", 70.0)]),
    "another element's counter proves nothing": (SHOP, [("fate",
     Fate(told="refusal", code="2220")), ("call", 4), ("wait", 0.2), ("replace", "BBBB2222"),
     ("wait", 0.3)]),
    "a number that is given twice stops only its own sale": (SHOP,
     [("call", 1), ("wait", 1.0), ("recount",), ("call", 2), ("wait", 5.0)]),
    "what was signed long after W is not sent again": (Shop(promises=VeryLatePromises),
     [("fate", Fate(executed=25.0, told="nothing")), ("call", 1), ("wait", 40.0), ("call", 1)]),
    "a receipt that slipped in before ours is told of": (Shop(promises=VeryLatePromises),
     [("fate", Fate(executed=60.05, told="nothing")), ("call", 1), ("wait", 45.0), ("call", 2)]),
}  # fmt: skip


@pytest.mark.parametrize("counted", [True, False], ids=["counted", "uncounted"])
@pytest.mark.parametrize(
    "steps", machine_histories.WRONG_WORDS, ids=["there", "on its way", "lane went on"]
)
def test_a_persons_wrong_word_makes_no_duplicate(
    folder: Path, steps: tuple[Step, ...], counted: bool
) -> None:
    shop = Shop(counted=counted, promises=VeryLatePromises)
    assert run(folder, shop, steps) is None


@pytest.mark.parametrize("name", KNOWN)
def test_what_once_went_wrong(folder: Path, name: str) -> None:
    shop, steps = KNOWN[name]
    assert run(folder, shop, steps) is None


# --- a processor that was away for more than ten minutes -----------------------------------------

FIRST, NEXT = body(1, 0).key, body(2, 0).key
ELEVEN_MINUTES = 660.0
AWAY: list[Step] = [("call", 1), ("wait", 0.22), ("away", True), ("wait", ELEVEN_MINUTES)]

BACK: list[Step] = [("wait", 1.5), ("call", 2), ("wait", 15.0)]


@pytest.mark.faults
@pytest.mark.parametrize(
    ("fate", "counted", "killed"), pairs([UNHEARD, LOST], [False, True], [False, True])
)
def test_eleven_minutes(
    folder: Path, fate: object, counted: bool, killed: bool, proof: Proof
) -> None:
    SqliteJournal(folder / "journal.db").close()

    async def live() -> None:
        history = History(folder / "journal.db", Shop(counted=counted), REAL)
        try:
            await history.step(("fate", fate))
            for step in AWAY:
                await history.step(step)
            assert history.promises.state(FIRST) is RequestState.NEEDS_HUMAN
            if killed:
                await history.step(("kill",))
            history.processor.is_away = False
            for step in BACK:
                await history.step(step)
            entries = [entry.request_id for entry in history.processor.ledger]
            is_there = fate is UNHEARD
            assert len(entries) == len(set(entries)) == 1 + is_there
            ended = RequestState.SIGNED if is_there else RequestState.NEEDS_HUMAN
            assert history.promises.state(FIRST) is ended
            assert history.promises.state(NEXT) is RequestState.SIGNED
            proof.count(signed=len(entries) - is_there)
        finally:
            history.server.kill()
            await history.server.gone()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(live())


# --- the machine finds every wrong server --------------------------------------------------------

MOST = 2_000
"""Histories within which a mutant must be found; the slowest needs a few hundred."""


def breach(histories: Iterable[str | None]) -> str:
    """The first promise that was broken; a mutant that only crashes is no wrong server."""
    found = next((broken for broken in histories if broken), "")
    assert not any(crash in found for crash in ("TypeError(", "AttributeError(", "NameError("))
    return found


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_wrong_server_breaks_a_promise(folder: Path, name: str) -> None:
    histories = (run(folder, *history(number), parts=MUTANTS[name]) for number in range(MOST))
    assert breach(histories)
