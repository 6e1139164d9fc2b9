"""Tenants attack each other on one platform: an honest shop goes on selling, with real programs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

import pytest

from tests.e2e.shop import Shop
from tests.e2e.town import Town, town_of
from tests.fakes.postgresql import postgresql

WAYS = ("sockets", "tags", "pictures", "forged")
RECEIPTS, ALONE = 150, 50
MOST_TIMES = 3
"""A receipt beside hostile tenants takes at most so many times as long as alone, in the time that a
busy process gets on this machine."""
AT_MOST_SECONDS = 10.0
BUSY_SECONDS = 0.1


@contextmanager
def tenant(
    town: Town, way: str, credentials: tuple[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """credentials: its own, or None for those of a new account."""
    credentials = credentials or town.another_account(way)
    words = ("-m", "tests.e2e.hostile_tenant", way, town.url(0), *credentials)
    with subprocess.Popen((sys.executable, *words), stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            assert started.stdout.readline() == "begun\n"
            yield started
        finally:
            started.kill()


def ended(tenant: subprocess.Popen[str]) -> dict[str, int]:
    """The number of its answers of each kind."""
    assert tenant.poll() is None, "it was there to the end"
    tenant.terminate()
    told, _ = tenant.communicate(timeout=30)
    answers: dict[str, int] = json.loads(told)
    return answers


@pytest.mark.long
@pytest.mark.alone
def test_an_honest_shop_sells_beside_hostile_tenants(
    shop: Shop, record_property: Callable[[str, object], None]
) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(postgresql())
        town = stack.enter_context(town_of(shop, address, workers=1))
        town.connected()
        alone, _ = waits_for_receipts(town, ALONE)
        tenants = {way: stack.enter_context(tenant(town, way)) for way in WAYS}
        before = len(town.signed)
        took, shares = waits_for_receipts(town, RECEIPTS)
        answers = {way: ended(one) for way, one in tenants.items()}
        assert len(town.signed) == before + RECEIPTS
        assert all("429" in told for way, told in answers.items() if way != "tags"), answers
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
    """The seconds that the honest shop waited for each receipt, and after each the share of a
    processor that a busy process got. The worker is busy beside hostile tenants, so that it has no
    more than this share; alone it mostly waits."""
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
