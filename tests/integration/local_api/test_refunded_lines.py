"""Lines of one article at several prices: the amount of a refund decides which of them it means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.integration.local_api.wires import Running, running

DELIVERY = {"receiptDelivery": {"pdf": False}}
LINES = [("1", 100.0), ("1", 90.0), ("2", 80.0)]
"""Quantity and price of each line of article 1; a line of article 2 for 50 follows."""


async def sold(server: Running, lines: list[tuple[str, float]] = LINES) -> str:
    items = [{"sku": 1, "quantity": float(many), "unitPrice": each} for many, each in lines]
    sale = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 1_000_000},
        "items": [*items, {"sku": 2, "quantity": 1, "unitPrice": 50}],
    }
    answer = await server.issue(sale | DELIVERY)
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["invoiceNumber"]
    return number


async def back(
    server: Running, number: str, items: list[dict[str, Any]] | None, paid: float
) -> httpx.Response:
    body: dict[str, Any] = {"buyerId": "10:123456788", "payments": {"card": paid}} | DELIVERY
    body |= {} if items is None else {"items": items}
    return await server.ask("POST", f"/fiscalization/receipts/{number}/refund", json=body)


MEANT = [
    (1, 100, ["100,00"]),  # in their order
    (1, 90, ["90,00"]),
    (1, 80, ["80,00"]),
    (2, 190, ["100,00", "90,00"]),
    (2, 180, ["100,00", "80,00"]),
    (2, 170, ["90,00", "80,00"]),
    (2, 160, ["80,00"]),
    (3, 250, ["90,00", "80,00"]),
    (3, 260, ["100,00", "80,00"]),
]


async def test_the_lines_whose_sum_is_paid_are_meant(folder: Path) -> None:
    async with running(folder) as server:
        for many, paid, prices in MEANT:
            number = await sold(server)
            answer = await back(server, number, [{"sku": 1, "quantity": many}], paid)
            assert answer.status_code == 200, answer.text
            assert answer.json()[0]["totalAmount"] == paid
            journal = answer.json()[0]["journal"]
            shown = [each for each in ("100,00", "90,00", "80,00") if f" {each}  " in journal]
            assert shown == prices


async def test_what_is_left_is_counted_by_the_line_that_came_back(folder: Path) -> None:
    async with running(folder) as server:
        number = await sold(server)
        one = [{"sku": 1, "quantity": 1}]
        assert (await back(server, number, one, 90)).status_code == 200
        again = await back(server, number, one, 90)
        assert again.status_code == 400
        assert "must be exactly what is refunded: 100.00" in again.json()["message"]
        assert "by other lines of the same articles 80.00" in again.json()["message"]
        assert (await back(server, number, None, 310)).status_code == 200

        number = await sold(server)  # several articles and items are weighed together
        items = [{"sku": 1, "quantity": 1}, {"sku": 2, "quantity": 1}, {"sku": 1, "quantity": 1}]
        answer = await back(server, number, items, 170 + 50)
        assert (answer.status_code, answer.json()[0]["totalAmount"]) == (200, 220)

        number = await sold(server)  # a line that is named stays the one
        answer = await back(server, number, [{"line": 1, "quantity": 1}], 100)
        assert answer.status_code == 400
        mixed = [{"line": 2, "quantity": 1}, {"sku": 1, "quantity": 1}]
        assert (await back(server, number, mixed, 80 + 80)).status_code == 200

        number = await sold(server)  # what no lines make names the sums that they do
        answer = await back(server, number, [{"sku": 1, "quantity": 2}], 185)
        told = answer.json()
        assert answer.status_code == 400
        assert told["validation"]["body"]["keys"] == ["payments"]
        assert told["message"] == (
            '"payments" must be exactly what is refunded: 190.00, or by other lines of the same '
            "articles 160.00, 170.00, 180.00, not 185.00"
        )


async def test_parts_by_weight_and_a_refund_by_issue(folder: Path) -> None:
    async with running(folder) as server:
        number = await sold(server, [("1.234", 100.0), ("0.567", 90.0)])
        whole = await back(server, number, [{"sku": 1, "quantity": 0.567}], 51.03)
        assert whole.status_code == 200
        rest = await back(server, number, [{"sku": 1, "quantity": 0.234}], 23.4)
        assert rest.status_code == 200
        number = await sold(server)
        body = {
            "invoiceType": "normal",
            "transactionType": "refund",
            "buyerId": "10:123456788",
            "referentDocumentNumber": number,
            "payments": {"card": 90},
            "items": [{"sku": 1, "quantity": 1, "unitPrice": 90}],
        }
        answer = await server.issue(body | DELIVERY)
        assert (answer.status_code, answer.json()["totalAmount"]) == (200, 90), answer.text


async def test_a_receipt_of_hundreds_of_prices_answers_at_once(folder: Path) -> None:
    async with running(folder) as server:
        number = await sold(server, [("3", 100 + each / 100) for each in range(400)])
        answer = await back(server, number, [{"sku": 1, "quantity": 200}], 1.0)
        assert answer.status_code == 400
        assert answer.elapsed.total_seconds() < 3
        assert "must be exactly what is refunded: " in answer.json()["message"]
