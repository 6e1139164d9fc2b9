"""Faults at either side: a caller gets no malformed answer and no wrong denial."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from sqlalchemy import delete

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.local_api.relay_channel import RelayAddress, dial
from pos_app.local_api.relay_client import LineClosed
from pos_app.platform_api.database.relay_tables import PRESENCE
from pos_app.platform_api.relay import program
from tests.integration.platform_api.hosted import Place, problem
from tests.integration.platform_api.relayed import TillServer, Worker, posted, sale, shop, worker
from tests.ports import free_port

NO_ROOM = (400, 40010002)


async def test_a_full_disk_denies_only_what_was_never_handed_over(file_database: Place) -> None:
    async with shop(file_database) as (at, till, caller):
        signed, is_open = uuid.uuid4().hex, uuid.uuid4().hex
        long = sale(till.client, note="x" * 100_000)
        await till.signs(posted(caller, long, key=signed))
        await till.signs(posted(caller, long, key=is_open), 500)
        another = await at.another_key()
        full = "PRAGMA max_page_count = 1"
        async with at.database.writing() as connection:
            await connection.exec_driver_sql(full)
        await at.database.written(lambda connection: [connection.execute(full).fetchall()])
        for key in (uuid.uuid4().hex, None):
            for _ in range(2):
                denied = await posted(caller, {**long, "more": 1}, key=key)
                assert (problem(denied)[:2], denied.json()["class"]) == (NO_ROOM, "cure")
        assert (await posted(caller, long, key=signed)).status_code == 200
        await till.signs(posted(caller, long, key=is_open))
        bread = {"name": "Хлеб", "taxRateLabel": "Е", "description": "x" * 60_000}
        assert problem(await caller.post("/products", json=bread))[:2] == NO_ROOM
        async with at.caller(another) as reader:  # the first use of its key can't be written
            assert (await reader.get("/products")).json() == []
            assert problem(await posted(reader, {**long, "more": 2}))[:2] == NO_ROOM
        health = await caller.get(f"{at.address}/health")
        assert health.json()["warnings"] == ["The disk of the platform's database is full."]
        async with at.database.writing() as connection:
            await connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        assert (await caller.post("/products", json=bread)).status_code == 201


async def test_a_connection_that_was_not_told_that_it_was_replaced_ends_soon(
    database: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notification between workers may be lost, and a worker that stood still gets none."""
    monkeypatch.setattr(program, "BEAT_SECONDS", 0.1)
    async with worker(database) as at, TillServer.connected(at) as till:
        async with at.database.writing() as connection:
            await connection.execute(delete(PRESENCE).where(PRESENCE.c.client == till.client))
        await till.ended()
        assert (till.refused.code, len(at.relay.hub)) == ("replaced", 0)


# --- the server's connection ---------------------------------------------------------------------


def address_of(at: Worker) -> RelayAddress:
    return RelayAddress(f"{at.address}/v2", at.key.id, at.key.secret)


async def test_refusals_in_words(file_database: Place, caplog: pytest.LogCaptureFixture) -> None:
    async with worker(file_database) as at:
        unscoped = await at.another_account(KeyScope.CATALOGUE)
        wrong = {
            "credentials": replace(address_of(at), secret="no"),
            "scope": replace(address_of(at), key=unscoped.id, secret=unscoped.secret),
            "address": replace(address_of(at), url=f"{at.address}/elsewhere/v2"),
        }
        for code, address in wrong.items():
            with pytest.raises(LineClosed) as refused:
                async with dial(address):
                    pass
            assert (refused.value.refusal, refused.value.slow) == (code, True)
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]
    for away in (at.address, f"http://127.0.0.1:{free_port()}"):
        with pytest.raises(LineClosed) as closed:
            async with dial(replace(address_of(at), url=f"{away}/v2")):
                pass
        assert not closed.value.slow
