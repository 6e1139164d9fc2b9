"""A journal that lacks rows which belong together, as one put together of two moments does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.integration.local_api.test_damaged_rows import damage
from tests.integration.local_api.test_pairs import ADVANCE, REST, act
from tests.integration.local_api.test_receipts import keyed
from tests.integration.local_api.wires import Running, running

KEY = "0123456789abcdef"
LOST = {
    "answers": ("answers_stay", "row IN (SELECT answer FROM receipts WHERE request_id = '{0}')"),
    "receipts": ("receipts_stay", "request_id = '{0}'"),
    "requests": ("requests_stay", "id = '{0}'"),
}


def lose(folder: Path, table: str, request_id: str) -> None:
    trigger, where = LOST[table]
    rows = f"DELETE FROM {table} WHERE {where.format(request_id)}"
    damage(folder, f"DROP TRIGGER IF EXISTS {trigger}", "PRAGMA foreign_keys=OFF", rows)


async def closed(server: Running) -> list[dict[str, Any]]:
    advance = (await server.issue(ADVANCE)).json()
    answer = await act(server, "close", advance["id"], REST, headers=keyed(KEY))
    assert answer.status_code == 200, answer.text
    receipts: list[dict[str, Any]] = answer.json()
    return [*receipts, advance]


@pytest.mark.parametrize("child", [0, 1])
@pytest.mark.parametrize("table", LOST)
async def test_a_pair_is_told_whole_or_not_at_all(folder: Path, table: str, child: int) -> None:
    async with running(folder) as server:
        *receipts, advance = await closed(server)
        lose(folder, table, receipts[child]["id"])
        looked = await server.ask("GET", f"/fiscalization/receipts/key:{KEY}")
        assert (looked.status_code, looked.json()["class"]) == (500, "unknown")
        again = await act(server, "close", advance["id"], REST, headers=keyed(KEY))
        assert (again.status_code, again.json()["class"]) == (500, "unknown")
        assert len(server.shop.ledger()) == 3


@pytest.mark.parametrize("table", LOST)
async def test_a_sale_is_told_as_not_known(folder: Path, table: str) -> None:
    async with running(folder) as server:
        sold = (await server.issue(ADVANCE, headers=keyed(KEY))).json()
        lose(folder, table, sold["id"])
        looked = await server.ask("GET", f"/fiscalization/receipts/key:{KEY}")
        assert (looked.status_code, looked.json()["class"]) == (500, "unknown")
        again = await server.issue(ADVANCE, headers=keyed(KEY))
        assert (again.status_code, again.json()["class"]) == (500, "unknown")
        assert len(server.shop.ledger()) == 1
