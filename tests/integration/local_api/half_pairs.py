"""Pairs whose second receipt the processor refused, and a manager's decisions on them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.integration.local_api.test_pairs import (
    ADVANCE,
    BACK,
    KEYED,
    REST,
    SALE,
    act,
    begun,
    half_done,
    second_suffers,
)
from tests.integration.local_api.wires import Running

WHO = {"by": "Милан"}


async def refused_closing(server: Running, *, headers: dict[str, str] | None = KEYED) -> str:
    number = await begun(server, ADVANCE)
    return await refused(server, "close", number, REST, headers=headers)


async def refused_refund(server: Running, *, headers: dict[str, str] | None = KEYED) -> str:
    """Return the id of a cash refund whose copy was refused."""
    number = await begun(server, SALE)
    return await refused(server, "refund", number, BACK, headers=headers)


async def refused(
    server: Running,
    operation: str,
    number: str,
    body: dict[str, Any],
    *,
    headers: dict[str, str] | None = KEYED,
) -> str:
    """Carry out the operation with its first receipt signed and its second refused for good; return
    its id."""
    second_suffers(server, "refuse", code="2805")
    answer = await act(server, operation, number, body, headers=headers)
    receipt_id: str = half_done(answer, server)["receiptId"]
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
