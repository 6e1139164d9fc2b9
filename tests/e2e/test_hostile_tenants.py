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
RECEIPTS = 300
AT_MOST_SECONDS = 1.0


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
        tenants = {way: stack.enter_context(tenant(town, way)) for way in WAYS}
        before, took = len(town.signed), []
        for _ in range(RECEIPTS):
            began = time.monotonic()
            answer = town.post(uuid.uuid4().hex)
            took.append(time.monotonic() - began)
            assert answer.status_code == 200, answer.text
        answers = {way: ended(one) for way, one in tenants.items()}
        took.sort()
        record_property("seconds", f"median {median(took):.3f}, longest {took[-1]:.3f}")
        record_property("answers", json.dumps(answers))
        assert len(town.signed) == before + RECEIPTS
        assert all("429" in told for way, told in answers.items() if way != "tags"), answers
        assert took[-1] <= AT_MOST_SECONDS, (median(took), took[-10:], answers)
