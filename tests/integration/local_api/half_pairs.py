"""Pairs whose second receipt the processor refused, and a manager's decisions on them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.integration.local_api import test_pairs
from tests.integration.local_api.wires import Running

WHO = {"by": "Милан"}


async def refused_closing(
    server: Running, *, headers: dict[str, str] | None = test_pairs.KEYED
) -> str:
    number = await test_pairs.begun(server, test_pairs.ADVANCE)
    return await refused(server, "close", number, test_pairs.REST, headers=headers)


async def refused_refund(
    server: Running, *, headers: dict[str, str] | None = test_pairs.KEYED
) -> str:
    """Return the id of a cash refund whose copy was refused."""
    number = await test_pairs.begun(server, test_pairs.SALE)
    return await refused(server, "refund", number, test_pairs.BACK, headers=headers)


async def refused(
    server: Running,
    operation: str,
    number: str,
    body: dict[str, Any],
    *,
    headers: dict[str, str] | None = test_pairs.KEYED,
) -> str:
    """Carry out the operation with its first receipt signed and its second refused for good; return
    its id."""
    test_pairs.second_suffers(server, "refuse", code="2805")
    answer = await test_pairs.act(server, operation, number, body, headers=headers)
    receipt_id: str = test_pairs.half_done(answer, server)["receiptId"]
    return receipt_id


async def said(
    server: Running, receipt_id: str, way: str, body: dict[str, Any], **headers: str
) -> httpx.Response:
    """Send a person's decision on a doubt. headers: further ones, with _ for -."""
    path = f"/till/doubts/{receipt_id}/{way}"
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return await server.ask("POST", path, json=body, headers=server.till | more, within=25.0)


async def corrected(
    server: Running, receipt_id: str, body: dict[str, Any], **headers: str
) -> httpx.Response:
    return await said(server, receipt_id, "correct", WHO | {"request": body}, **headers)


async def doubts(server: Running) -> list[dict[str, Any]]:
    answer = await server.ask("GET", "/till/doubts", headers=server.till)
    listed: list[dict[str, Any]] = answer.json()
    return listed


def kinds(answer: httpx.Response) -> list[str]:
    """Return the counter extension of each receipt in an answer."""
    assert answer.status_code == 200, answer.text
    return [one["invoiceCounterExtension"] for one in answer.json()]
