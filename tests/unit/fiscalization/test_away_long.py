"""A processor that was away for more than ten minutes: receipts that became a person's question
meanwhile are looked up before anything else is sent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.states import RequestState
from tests.fakes.virtual_time import VirtualLoop
from tests.proofs import Proof
from tests.sweep import pairs
from tests.unit.fiscalization.machine import History, Step
from tests.unit.fiscalization.machine_histories import LOST, UNHEARD
from tests.unit.fiscalization.machine_run import REAL
from tests.unit.fiscalization.machine_sales import body
from tests.unit.fiscalization.machine_world import Shop

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
