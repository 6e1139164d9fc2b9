"""Workers on machines whose clocks differ."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import httpx
import pytest

from pos_app.adapters.clock import SystemClock
from pos_app.platform_api.database.clock import DatabaseClock
from tests.integration.platform_api.hosted import DatabasePlace
from tests.integration.platform_api.relayed import TillServer, sale, worker


class WrongClock(SystemClock):
    """The clock of a machine that is a minute off."""

    def __init__(self, by: timedelta) -> None:
        super().__init__()
        self._by = by

    def now(self) -> datetime:
        return super().now() + self._by


@pytest.mark.parametrize("seconds", [-60, 60])
async def test_a_worker_whose_clock_is_wrong_finds_the_tills_of_the_others(
    shared: DatabasePlace, seconds: int, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = WrongClock(timedelta(seconds=seconds))
    async with (
        worker(shared) as right,
        worker(shared, of=right, own=wrong) as off,
        TillServer.connected(right) as till,
        TillServer.connected(off) as other,
    ):
        for asked, answering in ((off, till), (right, other)):
            async with asked.caller() as caller:
                posting = asyncio.create_task(
                    caller.post("/fiscalization/receipts", json=sale(answering.client))
                )
                await answering.answer(await answering.command(), totalAmount=7)
                assert (await posting).json()["totalAmount"] == 7
        async with httpx.AsyncClient(trust_env=False) as monitor:
            told = [(await monitor.get(f"{one.address}/health")).json() for one in (right, off)]
    assert told[0]["warnings"] == []
    way = "ahead of" if seconds > 0 else "behind"
    words = f"The clock of this machine is 60 s {way} the database's: set it right."
    assert told[1]["warnings"] == [words]
    assert words in caplog.messages


async def test_on_a_file_the_machine_s_own_clock_counts(file_database: DatabasePlace) -> None:
    database, own = await file_database.open(), WrongClock(timedelta(hours=1))
    try:
        clock = DatabaseClock(own, database)
        await clock.compare()
        assert abs(clock.now() - own.now()) < timedelta(seconds=1)
        assert clock.warning == ""
    finally:
        await database.close()
