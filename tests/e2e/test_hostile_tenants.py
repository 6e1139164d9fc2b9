"""Tenants attack each other on one platform: an honest shop goes on selling, with real programs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

import httpx
import pytest
from sqlalchemy import insert, select, update

from pos_app.adapters.clock import SystemClock
from pos_app.bootstrap.platform.accounts import FOLDER
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import ACCOUNT, API_KEY, CATEGORY, PRODUCT
from pos_app.wire.strict_json import dumps
from tests.e2e.hostile_tenant import large_product
from tests.e2e.shop import Shop
from tests.e2e.town import Town, town_of
from tests.fakes.postgresql import postgresql

WAYS = ("sockets", "tags", "pictures", "forged")
RECEIPTS, ALONE = 150, 50
LARGE_PRODUCTS, SMALL_PRODUCTS, CATEGORIES = 11, 30_000, 1_500
"""Those of the account that asks for the largest lists."""
MOST_TIMES = 3
"""A receipt takes at most so many times as long as alone, in the time a process gets."""
AT_MOST_SECONDS = 10.0
BUSY_SECONDS = 0.1


@contextmanager
def tenant(town: Town, way: str, credentials: tuple[str, str]) -> Iterator[subprocess.Popen[str]]:
    words = ("-m", "tests.e2e.hostile_tenant", way, town.url(0), *credentials)
    with subprocess.Popen((sys.executable, *words), stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout.readline() == "begun\n"
            yield started
        finally:
            started.kill()


def ended(tenant: subprocess.Popen[str]) -> dict[str, int]:
    assert tenant.poll() is None, "it was there to the end"
    tenant.terminate()
    told, _ = tenant.communicate(timeout=30)
    answers: dict[str, int] = json.loads(told)
    return answers


async def fill(town: Town, credentials: tuple[str, str]) -> None:
    """Give an account lists of 20 MB each, and one that an answer from memory just holds."""
    database = await Database.open(town.database, folder=town.folder / FOLDER)
    now = SystemClock().now()
    try:
        async with database.writing() as connection:
            owner = select(API_KEY.c.account_id).where(API_KEY.c.id == credentials[0])
            account = (await connection.execute(owner)).scalar_one()
            for table, count in ((PRODUCT, SMALL_PRODUCTS), (CATEGORY, CATEGORIES)):
                rows = [
                    {
                        "id": str(uuid.uuid4()),
                        "account_id": account,
                        "number": number,
                        "revision": 0,
                        "created_at": now,
                        "updated_at": now,
                        "document": dumps({"id": str(number), "name": "Артикал " * 32}).decode(),
                    }
                    for number in range(1, count + 1)
                ]
                await connection.execute(insert(table), rows)
            counted = update(ACCOUNT).where(ACCOUNT.c.id == account)
            await connection.execute(counted.values(revision=SMALL_PRODUCTS, written_at=now))
    finally:
        await database.close()


def add_large_products(town: Town, credentials: tuple[str, str]) -> None:
    headers = {"Content-Type": "application/json"}
    with httpx.Client(auth=credentials, trust_env=False, timeout=60) as caller:
        for _ in range(LARGE_PRODUCTS):
            url = f"{town.url(0)}/products"
            made = caller.post(url, content=large_product(), headers=headers)
            assert made.status_code == 201, made.text


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("ways", [WAYS, ("lists",)], ids=["all at once", "the largest lists"])
def test_an_honest_shop_sells_beside_hostile_tenants(
    shop: Shop, ways: tuple[str, ...], record_property: Callable[[str, object], None]
) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(postgresql())
        town = stack.enter_context(town_of(shop, address, workers=1))
        town.connected()
        accounts = {way: town.another_account(way) for way in ways}
        if "lists" in ways:
            asyncio.run(fill(town, accounts["lists"]))
            add_large_products(town, accounts["lists"])
        alone, _ = waits_for_receipts(town, ALONE)
        tenants = {
            way: stack.enter_context(tenant(town, way, account))
            for way, account in accounts.items()
        }
        before = len(town.signed)
        took, shares = waits_for_receipts(town, RECEIPTS)
        answers = {way: ended(one) for way, one in tenants.items()}
        assert len(town.signed) == before + RECEIPTS
        assert all("429" in answers[way] for way in ways if way not in ("tags", "lists")), answers
        assert ways != ("lists",) or answers["lists"]["kilobytes"] > 50, "it gets its lists"
        share, times = median(shares), median(took) / median(alone)
        told = {
            "alone": f"median {median(alone):.3f}, longest {max(alone):.3f}",
            "beside": f"median {median(took):.3f}, longest {max(took):.3f}",
            "times": f"{times:.1f}, with {share:.2f} of a processor {times * share:.1f}",
        }
        for name, words in told.items():
            record_property(name, words)
        assert times * share <= MOST_TIMES, (told, answers)
        assert max(took) <= AT_MOST_SECONDS, (told, answers)


def waits_for_receipts(town: Town, count: int) -> tuple[list[float], list[float]]:
    """Seconds for each receipt, and after each the share of a processor that a busy process got."""
    took, shares = [], []
    for _ in range(count):
        began = time.monotonic()
        answer = town.post(uuid.uuid4().hex)
        took.append(time.monotonic() - began)
        assert answer.status_code == 200, answer.text
        since, worked = time.monotonic(), time.process_time()
        while (passed := time.monotonic() - since) < BUSY_SECONDS:
            pass
        shares.append((time.process_time() - worked) / passed)
    return took, shares
