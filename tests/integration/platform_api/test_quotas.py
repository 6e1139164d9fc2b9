"""The quotas of one account or key, tested at a real socket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import psycopg
import pytest
from websockets.exceptions import InvalidStatus

from pos_app.adapters.clock import SystemClock
from pos_app.clock import Clock
from pos_app.platform_api.database.engine import POOLED
from pos_app.platform_api.quotas import Quota, Quotas
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import DatabasePlace, problem
from tests.integration.platform_api.pictures import picture, png_of

TOO_MANY = (429, 42900001)
ISSUE = "/fiscalization/receipts"


class StillClock(SystemClock):
    """A clock whose seconds go on only when a test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.second = 1000.0

    def seconds(self) -> float:
        return self.second


@asynccontextmanager
async def with_quotas(
    place: DatabasePlace, most: Quotas, own: Clock | None = None
) -> AsyncIterator[tuple[relayed.Worker, httpx.AsyncClient]]:
    async with relayed.worker(place, own=own, most=most) as at, at.caller() as caller:
        yield at, caller


async def test_one_key_takes_no_more_connections_than_its_own(file_database: DatabasePlace) -> None:
    async with (
        with_quotas(file_database, Quotas(applications=Quota(3, 2))) as (at, _),
        AsyncExitStack() as lines,
    ):
        another = await at.another_key()
        for key in (at.key, at.key, another):
            await lines.enter_async_context(relayed.line_to(at, key))
        for key in (at.key, another):
            with pytest.raises(InvalidStatus) as refused:
                await lines.enter_async_context(relayed.line_to(at, key))
            assert refused.value.response.status_code == TOO_MANY[0]
            assert refused.value.response.headers["Retry-After"] == "1"
        honest = await at.another_account()
        await lines.enter_async_context(relayed.TillServer.connected(at, key=honest))
        text = await at.metrics()
        assert 'pos_platform_quota_refusals_total{quota="applications"} 2.0' in text


async def test_what_is_under_way_at_once_is_bounded_and_others_are_not_held_up(
    file_database: DatabasePlace,
) -> None:
    async with (
        with_quotas(file_database, Quotas(requests=Quota(of_key=2))) as (at, caller),
        relayed.TillServer.connected(at) as till,
    ):
        asking = [
            relayed.posted(caller, relayed.sale(till.client, note=note), key=None) for note in "ab"
        ]
        commands = [await till.command() for _ in asking]
        assert problem(await caller.get("/units"))[:2] == TOO_MANY
        async with at.caller(await at.another_key()) as other:
            assert (await other.get("/units")).status_code == 200
        for command in commands:
            await till.answer(command)
        assert {(await one).status_code for one in asking} == {200}
        assert (await caller.get("/units")).status_code == 200


async def test_who_asks_too_fast_is_slowed_down_and_only_then_refused(
    file_database: DatabasePlace,
) -> None:
    clock = StillClock()
    async with with_quotas(file_database, Quotas(a_second=Quota(of_key=4)), clock) as (at, caller):

        async def asked(many: int) -> tuple[list[float], list[httpx.Response]]:
            """Return after how many seconds each accepted request was answered, and what was
            refused."""
            began, waits, refused = time.monotonic(), [], []
            for asking in asyncio.as_completed([caller.get("/units") for _ in range(many)]):
                answer = await asking
                if answer.status_code == 200:
                    waits.append(time.monotonic() - began)
                else:
                    refused.append(answer)
            return waits, refused

        waits, refused = await asked(20)  # a burst of 5 seconds
        assert (len(waits), refused) == (20, [])
        waits, refused = await asked(10)
        for wait, least in zip(waits, (0.25, 0.5, 0.75, 1), strict=True):
            assert wait > least - 0.01
        assert {problem(one)[:2] for one in refused} == {TOO_MANY}
        assert {one.headers["Retry-After"] for one in refused} == {"2"}
        clock.second += 0.5
        waits, refused = await asked(5)
        assert (len(waits), len(refused)) == (2, 3)
        async with at.caller(await at.another_account()) as honest:
            assert (await honest.get("/units")).status_code == 200


async def test_who_connects_too_fast_is_slowed_down_and_then_refused(
    file_database: DatabasePlace,
) -> None:
    """Each attempt costs the worker as much as a request, also a refused one."""
    async with with_quotas(file_database, Quotas(a_second=Quota(of_key=4)), StillClock()) as (
        at,
        _,
    ):

        async def connects() -> int:
            try:
                async with relayed.line_to(at):
                    return 101
            except InvalidStatus as refused:
                return refused.response.status_code

        assert {await connects() for _ in range(20)} == {101}  # a burst of 5 seconds
        began = time.monotonic()
        answers = await asyncio.gather(*(connects() for _ in range(10)))
        assert sorted(answers) == [101] * 4 + [429] * 6
        assert time.monotonic() - began > 0.99
        async with relayed.line_to(at, await at.another_account()):
            """Other accounts are not held up."""


async def test_writes_that_wait_for_each_other_take_no_connection_from_others(
    tmp_path: Path, postgresql_address: str
) -> None:
    """All writes are of one account, whose row another program has locked for a while."""
    place = DatabasePlace(postgresql_address, tmp_path)
    async with relayed.worker(place) as at, at.caller() as caller:
        async with await psycopg.AsyncConnection.connect(postgresql_address) as other:
            await other.execute("SELECT id FROM account WHERE id = %s FOR UPDATE", (at.account,))
            waiting = [
                asyncio.create_task(caller.post("/units", json={"name": "ком", "symbol": "ком"}))
                for _ in range(2 * POOLED)
            ]
            done, _ = await asyncio.wait(waiting, timeout=0.5)
            assert not done
            async with at.caller(await at.another_account()) as honest, asyncio.timeout(3):
                made = await honest.post("/units", json={"name": "кг", "symbol": "kg"})
                assert made.status_code == 201
        assert {(await one).status_code for one in waiting} == {201}


async def test_clients_rows_and_bytes_are_bounded(file_database: DatabasePlace) -> None:
    bounds = Quotas(clients=1, rows=3, stored_bytes=20_000)
    async with with_quotas(file_database, bounds) as (at, caller):
        async with relayed.TillServer.connected(at) as till:
            client, install = till.client, till.install
        async with relayed.TillServer.connected(at) as second:
            assert second.refusal == "quota"
        async with relayed.TillServer.connected(at, client=client, install=install) as again:
            assert not again.refusal
        assert (await caller.delete(f"/clients/{client}")).status_code == 200
        async with relayed.TillServer.connected(at) as second:
            assert not second.refusal
        async with relayed.TillServer.connected(at, client=client, install=install) as back:
            assert back.refusal == "quota"
        kind = {"Content-Type": "image/png"}
        assert (await caller.post("/files", content=png_of(9, 9), headers=kind)).status_code == 201
        large = await caller.post("/files", content=picture("PNG", size=(900, 600)), headers=kind)
        assert problem(large)[:2] == TOO_MANY
        for status in (201, 201, 429):
            assert (await caller.post("/units", json={"name": "kg"})).status_code == status
        assert len((await caller.get("/units")).json()) == 2
        async with at.caller(await at.another_account()) as honest:
            assert (await honest.post("/units", json={"name": "kg"})).status_code == 201
