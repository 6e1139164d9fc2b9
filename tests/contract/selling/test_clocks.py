"""The contract of every clock."""

from __future__ import annotations

import asyncio

import pytest

from pos_app.adapters.clock import SystemClock
from pos_app.clock import Clock
from tests.fakes.till_clock import StandingClock


@pytest.fixture(params=[SystemClock, StandingClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    made: Clock = request.param()
    return made


async def test_a_pause_is_never_over_early(clock: Clock) -> None:
    before = clock.ticks()
    await clock.pause(20, until=asyncio.Event())
    assert clock.ticks() - before >= 20


async def test_a_pause_ends_when_it_is_called_off(clock: Clock) -> None:
    """It takes no time where it was called off before."""
    called_off = asyncio.Event()
    asyncio.get_running_loop().call_soon(called_off.set)
    for _ in range(2):
        before = clock.ticks()
        await asyncio.wait_for(clock.pause(60_000, until=called_off), timeout=30)
        assert clock.ticks() - before < 60_000


@pytest.mark.parametrize("turns", range(5))
async def test_who_is_cancelled_while_a_pause_is_called_off_ends(clock: Clock, turns: int) -> None:
    """It may come at any turn of the loop; if it were lost, a closed till would never end."""
    called_off = asyncio.Event()

    async def rounds() -> None:
        while True:
            await clock.pause(60_000, until=called_off)
            called_off.clear()

    working = asyncio.create_task(rounds())
    await asyncio.sleep(0)
    called_off.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    working.cancel()
    ended, _ = await asyncio.wait({working}, timeout=2)
    working.cancel()
    assert ended
