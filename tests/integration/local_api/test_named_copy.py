"""A cash refund by issue signs two receipts, and its answer is one, which names the other."""

from __future__ import annotations

from pathlib import Path

from tests.integration.local_api.test_receipts import KEY, KEYED
from tests.integration.local_api.wires import running


async def test_a_cash_refund_by_issue_names_its_copy(folder: Path) -> None:
    async with running(folder) as server:
        body = {
            "invoiceType": "normal",
            "transactionType": "refund",
            "buyerId": "10:123456788",
            "referentDocumentNumber": "ABCD1234-ABCD1234-17",
            "referentDocumentDT": "2026-03-01T10:00:00",
            "items": [{"sku": 1, "quantity": 1, "unitPrice": 58.99}],
            "receiptDelivery": {"pdf": False},
        }
        answer = await server.issue(body | {"payments": {"cash": 58.99}}, headers=KEYED)
        refund, copy = server.shop.ledger()
        told = answer.json()
        assert told["invoiceNumber"] == refund.number
        assert told["copy"]["invoiceNumber"] == copy.number
        for reference in (told["copy"]["id"], copy.number):
            found = await server.ask("GET", f"/fiscalization/receipts/{reference}")
            assert found.json()["invoiceNumber"] == copy.number
            assert found.json()["invoiceCounterExtension"] == "КР"
        again = await server.issue(body | {"payments": {"cash": 58.99}}, headers=KEYED)
        by_id = await server.ask("GET", f"/fiscalization/receipts/{told['id']}")
        by_number = await server.ask("GET", f"/fiscalization/receipts/{refund.number}")
        by_key = await server.ask("GET", f"/fiscalization/receipts/key:{KEY}")
        assert answer.content == again.content == by_id.content
        assert by_id.content == by_number.content == by_key.content
        alone = await server.issue(body | {"payments": {"card": 58.99}})
        assert "copy" not in alone.json()
