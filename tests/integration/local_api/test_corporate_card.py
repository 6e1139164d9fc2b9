"""A corporate card over HTTP: what is signed where nothing remains, whose card it is, what comes
back. Source: fiscal.md 5 and 6.7.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, CARD, DELIVERED, RECEIPTS

ADVANCE: dict[str, Any] = (
    {
        "invoiceType": "advance",
        "transactionType": "sale",
        "payments": {"voucher": 100},
        "items": [{"sku": 2, "quantity": 1, "unitPrice": 200}],
    }
    | BUYER
    | CARD
    | DELIVERED
)


async def act(server: Running, number: str, operation: str, **body: Any) -> Any:
    path = f"{RECEIPTS}/{number}/{operation}"
    answer = await server.ask("POST", path, json=DELIVERED | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def asked(server: Running) -> list[dict[str, Any]]:
    """What the processor was sent, receipt by receipt."""
    return [json.loads(entry.request) for entry in server.shop.ledger()]


async def test_a_chain_on_a_card_from_its_first_payment_to_its_refund(folder: Path) -> None:
    async with running(folder) as server:
        first = (await server.issue(ADVANCE)).json()["invoiceNumber"]
        await act(server, first, "advance", payments={"voucher": 100}, **CARD)  # the buyer is known
        _, sale = await act(server, first, "close", payments={}, **CARD)
        assert "Ваучер:                             0,00" in sale["journal"].splitlines()
        back = await act(
            server, sale["invoiceNumber"], "refund", payments={"voucher": 200}, **BUYER
        )
        assert len(back) == 1  # nothing in cash, so nothing to be signed by the customer
        told = asked(server)
        assert [one.get("buyerId") for one in told] == ["10:123456788"] * 5
        cards = [one.get("buyerCostCenterId") for one in told]
        assert cards == ["50:картица 1", "50:картица 1", None, "50:картица 1", "50:картица 1"]
