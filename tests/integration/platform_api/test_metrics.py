"""GET /metrics: what it counts, and who may read it; test_platform_program.py counts what several
workers were asked."""

from __future__ import annotations

import asyncio
import re
import shutil
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

from pos_app.platform_api.database.engine import Database
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import DatabasePlace, hosted, problem
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

TOKEN = "a-token-of-the-tests"


def number(text: str, name: str, **labels: str) -> float:
    told = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    line = f"{name}{{{told}}}" if told else name
    found = re.search(rf"^{re.escape(line)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_what_was_asked_is_counted_by_pattern_never_by_name(
    file_database: DatabasePlace,
) -> None:
    async with hosted(file_database, metrics_token=TOKEN) as platform:
        await platform.client.post("/stores", json={"name": "Тајна продавница"})
        for id_ in ("secret-one", "secret-two"):
            assert (await platform.client.delete(f"/stores/{id_}")).status_code == 404
        await platform.client.request("BREW", "/nowhere-secret")
        platform.context.metrics.connected(7)
        async with httpx.AsyncClient(
            transport=platform.transport, base_url="http://platform.example"
        ) as reader:
            for wrong in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}"):
                answer = await reader.get("/metrics", headers={"Authorization": wrong})
                assert problem(answer)[:2] == (401, 40100001)
            answer = await reader.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    text = answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    counted = "pos_platform_requests_total"
    assert number(text, counted, method="POST", route="/v2/stores", status="201") == 1
    assert number(text, counted, method="DELETE", route="/v2/stores/{id}", status="404") == 2
    assert number(text, counted, method="other", route="other", status="404") == 1
    assert number(text, "pos_platform_errors_total", code="40400001") == 3
    assert number(text, "pos_platform_errors_total", code="40100001") == 4
    seconds = "pos_platform_request_seconds_count"
    assert number(text, seconds, method="DELETE", route="/v2/stores/{id}") == 2
    assert number(text, "pos_platform_connected_applications") == 7
    of_account = {"account": platform.account}
    assert number(text, "pos_platform_account_requests_total", **of_account) == 3
    assert number(text, "pos_platform_account_receipts_total", **of_account) == 0
    assert "secret" not in text


async def test_without_a_token_there_is_none(file_database: DatabasePlace) -> None:
    async with hosted(file_database) as platform:
        for token in ("", "Bearer "):
            answer = await platform.client.get(
                "http://platform.example/metrics", headers={"Authorization": token}
            )
            assert problem(answer) == (404, 40400001, "Not found", [])


async def test_connected_applications_are_counted(file_database: DatabasePlace) -> None:
    async with relayed.worker(file_database) as at:

        async def connected() -> float:
            async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
                token = {"Authorization": f"Bearer {relayed.METRICS_TOKEN}"}
                text = (await client.get(f"{at.address}/metrics", headers=token)).text
            return number(text, "pos_platform_connected_applications")

        assert await connected() == 0
        async with relayed.TillServer.connected(at), relayed.TillServer.connected(at):
            assert await connected() == 2
        async with asyncio.timeout(10):
            while await connected():
                continue


async def test_receipts_are_counted_by_account(file_database: DatabasePlace) -> None:
    async with (
        relayed.worker(file_database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        for status in (200, 400, 200):
            path = "/fiscalization/receipts"
            asked = asyncio.create_task(caller.post(path, json=relayed.sale(till.client)))
            await till.answer(await till.command(), status)
            assert (await asked).status_code == status
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
            token = {"Authorization": f"Bearer {relayed.METRICS_TOKEN}"}
            text, counted = "", 0.0
            for _ in range(100):  # an answer is counted after it is sent
                text = (await client.get(f"{at.address}/metrics", headers=token)).text
                counted = number(text, "pos_platform_account_requests_total", account=at.account)
                if counted >= 3:
                    break
    assert counted == 3
    assert number(text, "pos_platform_account_receipts_total", account=at.account) == 2


def test_a_worker_measures_its_loop_its_connections_and_its_disk(folder: Path) -> None:
    key_of_new_account(folder)
    with serving_quietly(folder, POS_APP_PLATFORM_SERVER__METRICS_TOKEN=TOKEN) as address:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        text = ""
        for _ in range(2_000):
            text = httpx.get(
                f"{address}/metrics", headers=headers, trust_env=False, verify=NO_TLS
            ).text
            if number(text, "pos_platform_loop_lag_seconds_count"):
                break
        assert number(text, "pos_platform_loop_lag_seconds_count") >= 1
        assert number(text, "pos_platform_database_connections_most") == 17
        assert number(text, "pos_platform_database_connections_used") == 0
        assert number(text, "pos_platform_database_waiting") == 0
        free = number(text, "pos_platform_disk_free_bytes")
        assert 0 < free <= shutil.disk_usage(folder).total


async def test_who_waits_for_the_database_is_counted(database: DatabasePlace) -> None:
    opened = await database.open()
    try:
        async with AsyncExitStack() as held:
            most = opened.connections.most
            writers = 0 if opened.is_shared else 1
            for _ in range(most - writers):
                await held.enter_async_context(opened.reading())
            assert (opened.connections.used, opened.connections.waiting) == (most - writers, 0)
            more = [asyncio.create_task(_read(opened)) for _ in range(3)]
            for _ in range(3):  # each of them begins and waits
                await asyncio.sleep(0)
            assert opened.connections.waiting == 3
        await asyncio.gather(*more)
        assert (opened.connections.used, opened.connections.waiting) == (0, 0)
    finally:
        await opened.close()


async def _read(database: Database) -> None:
    async with database.reading():
        """A request that reads."""
