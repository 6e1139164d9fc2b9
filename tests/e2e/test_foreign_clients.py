"""Programs in other languages issue receipts in public mode, as at the shop's own server.

The same program runs twice; its address and key are all that changes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pos_app.platform_api.receipt_routes import NOBODY
from tests.e2e.shop import Shop
from tests.e2e.town import Town, town_of
from tests.integration.platform_api.test_catalogue_snippets import command

OPERATIONS = ["sale", "again", "copy", "refund", "refund", "advance", "payment", "close", "close"]
LATE = 7.0
"""Seconds; the programs wait for 5."""


def ran(words: list[str], town: Town, address: str, seconds: int = 60) -> tuple[int, str, str]:
    words = [*words, address, town.client, *town.credentials, str(seconds)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.deadline(240)
@pytest.mark.parametrize("name", ["operations.mjs", "operations.php", "Operations.cs"])
def test_all_operations_at_the_shop_and_through_the_platform(
    name: str, shop: Shop, tmp_path: Path
) -> None:
    words = command(name, tmp_path)
    with town_of(shop) as town:
        town.connected()
        for address in (shop.url, town.url(0)):
            before = len(town.signed)
            shop.fault("late_answer", seconds=LATE)
            status, printed, errors = ran(words, town, address)
            assert (status, errors) == (0, "looked up\n"), (address, printed, errors)
            told = [line.split() for line in printed.splitlines()]
            assert [operation for operation, _ in told] == OPERATIONS
            numbers = [number for operation, number in told if operation != "again"]
            assert town.signed[before:] == numbers
        town.server.kill()
        until_nobody_is_there(town)
        status, printed, errors = ran(words, town, town.url(0), seconds=2)
        assert (status, printed, errors) == (2, "", f"40080001 wait: {NOBODY}\n")


def until_nobody_is_there(town: Town) -> None:
    town.workers[0].until(lambda: town.post(None).json()["code"] == 40080001)
