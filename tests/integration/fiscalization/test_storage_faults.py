"""A journal that can't be read for a moment ends neither the lane nor the watch over it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.errors import DatabaseBusy, DatabaseDamaged
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.keep_running import keep_running
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.late_shop import LateShop, late_shop

KEY = "k" * 16


def broken(shop: LateShop, what: str) -> Callable[[], None]:
    """Let the journal's statements with these words fail; return the function that ends it."""

    def refuse(cursor: apsw.Cursor, sql: str, values: Any) -> bool:
        if what in sql:
            raise apsw.BusyError("locked")
        return True

    connection_of(shop.journal).exec_trace = refuse

    def mend() -> None:
        connection_of(shop.journal).exec_trace = None

    return mend


async def test_an_unreadable_way_is_released(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one that a bug ended before it was sent."""

    def bug(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async with late_shop(folder) as shop:
        await shop.sell(key="f" * 16)
        mend = broken(shop, "FROM lanes")
        with pytest.raises(DatabaseBusy):
            shop.journal.lane(shop.journal.element())
        with pytest.raises(NotSigned):
            await shop.sell(key=KEY)
        mend()
        assert shop.state(KEY) == "released"
        with monkeypatch.context() as patched:
            patched.setattr(shop.journal, "send", bug)
            with pytest.raises(NotSigned):
                await shop.sell(key=KEY)
        assert shop.state(KEY) == "released"
        await shop.sell(key=KEY)


async def test_the_watch_survives_a_journal_that_can_not_be_read(folder: Path) -> None:
    async with late_shop(folder) as shop:
        shop.processor.keeps_back = True
        with pytest.raises(OutcomeNotKnown):
            await shop.sell(key=KEY)
        failed = asyncio.Event()
        real = shop.journal.in_lane

        def refuse(lane: str) -> Any:
            failed.set()
            shop.journal.in_lane = real  # type: ignore[method-assign]
            raise DatabaseDamaged(what="locked")

        shop.journal.in_lane = refuse  # type: ignore[method-assign]
        shop.lane.look_now()
        async with asyncio.timeout(5):
            await failed.wait()
        await shop.until(KEY, "released")


async def test_work_that_a_bug_ended_is_started_again() -> None:
    starts, again = [0], asyncio.Event()

    async def work() -> None:
        starts[0] += 1
        if starts[0] == 1:
            raise ZeroDivisionError
        again.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(keep_running(work, "the test", restart_seconds=0.0))
    async with asyncio.timeout(5):
        await again.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert starts == [2]
