"""Numbers as other programs write them: PHP's 17 digits, JavaScript's 0.1 + 0.2, C#'s decimals."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.test_snippets import needs
from tests.integration.local_api.wires import Running, running

TABLE = {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"}


async def post(server: Running, text: str, path: str = "") -> httpx.Response:
    """Send a body with its digits unchanged."""
    headers = {"Content-Type": "application/json"}
    path = f"/fiscalization/receipts{path}"
    return await server.ask("POST", path, content=text.encode(), headers=headers)


def sale(quantity: str, price: str, payments: str, more: str = "") -> str:
    return (
        '{"invoiceType": "normal", "transactionType": "sale", "receiptDelivery": {"pdf": false}, '
        f'"payments": {{{payments}}}, '
        f'"items": [{{"sku": 1, "quantity": {quantity}, "unitPrice": {price}{more}}}]}}'
    )


def body(answer: httpx.Response) -> dict[str, Any]:
    found: dict[str, Any] = answer.json()
    assert answer.status_code == 200, found
    return found


# --- a price as it was sent ----------------------------------------------------------------------


AS_SENT = [
    ("12", "8.333333333333334", 100),  # 100 / 12 in each of the three languages
    ("12", "8.3333333333333339", 100),  # the same with PHP's 17 digits
    ("7", "14.285714285714286", 100),
    ("0.333", "300.3003003003003", 100),
    ("3", "0.0033333333333333335", 0.01),
    ("1", "58.989999999999995", 58.99),
    ("1", "8.333333333333333333333333333", 8.33),  # a decimal of C#
    ("1000", "0.00001", 0.01),
    ("12", "8.33", 99.96),
]


async def test_a_line_costs_what_its_price_as_sent_makes(folder: Path) -> None:
    async with running(folder) as server:
        for quantity, price, total in AS_SENT:
            sent = sale(quantity, price, f'"card": {total}', f', "totalAmount": {total}')
            for text in (sent, sale(quantity, price, f'"card": {total}')):
                assert body(await post(server, text))["totalAmount"] == total, (quantity, price)


async def test_only_the_printed_price_has_two_decimals(folder: Path) -> None:
    async with running(folder) as server:
        found = body(await post(server, sale("12", "8.333333333333334", '"cash": 100')))
        assert found["totalAmount"] == 100
        (line,) = [one for one in found["journal"].splitlines() if one.endswith("100,00")][:1]
        assert line.split() == ["8,33", "12", "100,00"]


async def test_a_closing_is_priced_as_a_sale_is(folder: Path) -> None:
    advance = SALE | {
        "invoiceType": "advance",
        "unknownAmountAdvance": True,
        "payments": {"cash": 40},
        "items": [{"quantity": 1, "unitPrice": 100, "article": TABLE}],
    }
    async with running(folder) as server:
        number = (await server.issue(advance)).json()["invoiceNumber"]
        rest = {
            "payments": {"card": 60},
            "items": [{"quantity": 12, "unitPrice": 100 / 12, "article": TABLE}],
            "receiptDelivery": {"pdf": False},
        }
        answer = await post(server, json.dumps(rest), f"/{number}/close")
        assert [one["totalAmount"] for one in body(answer)] == [40, 100]  # type: ignore[index]


# --- as the languages write them -----------------------------------------------------------------

PHP = """echo json_encode(["invoiceType" => "normal", "transactionType" => "sale",
  "payments" => ["cash" => 0.1 + 0.2, "card" => 100.0, "voucher" => 0.0],
  "discount" => 0.0,
  "items" => [["sku" => 1, "quantity" => 12, "unitPrice" => 100 / 12],
              ["sku" => 1, "quantity" => 0.1 + 0.2, "unitPrice" => 1.0]],
  "receiptDelivery" => ["pdf" => false]]);"""
SCRIPT = """console.log(JSON.stringify({invoiceType: "normal", transactionType: "sale",
  payments: {cash: 0.1 + 0.2, card: 100.0, voucher: 0.0},
  discount: 0,
  items: [{sku: 1, quantity: 12, unitPrice: 100 / 12},
          {sku: 1, quantity: 0.1 + 0.2, unitPrice: 1.0}],
  receiptDelivery: {pdf: false}}));"""


@pytest.mark.parametrize(
    "command",
    [
        ["php", "-d", "serialize_precision=17", "-r", PHP],
        ["php", "-d", "serialize_precision=-1", "-r", PHP],
        ["node", "-e", SCRIPT],
    ],
    ids=["php-17", "php", "node"],
)
async def test_what_a_language_makes_of_its_floats_is_understood(
    folder: Path, command: list[str]
) -> None:
    needs(command[0])
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: ASYNC221
    assert "000" in text.replace("100", "")  # it does print its noise
    async with running(folder) as server:
        found = body(await post(server, text))
        assert found["totalAmount"] == 100.3
        assert "warnings" not in found


# --- noise ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payments",
    [
        '"cash": 117.97999999999999, "card": 0.30000000000000004, "other": -0.0',
        '"cash": 118.280000000000001136868377216160297393',
        '"card": 0.29999999999999999, "cash": 117.98',
        '"card": 117.97990, "cash": 0.3',
    ],
)
async def test_noise_in_a_payment_is_the_para_that_it_means(folder: Path, payments: str) -> None:
    async with running(folder) as server:
        assert body(await post(server, sale("2", "58.99", payments)))["totalAmount"] == 117.98


@pytest.mark.parametrize(
    "quantity", ["0.30000000000000004", "0.29999999999999999", "0.30001", "0.29999"]
)
async def test_noise_in_a_quantity_is_the_gram_that_it_means(folder: Path, quantity: str) -> None:
    async with running(folder) as server:
        found = body(await post(server, sale(quantity, "100", '"cash": 30')))
        assert found["totalAmount"] == 30
        assert "0,300" in found["journal"]


async def test_noise_in_totals_and_specifications_is_the_para_that_it_means(folder: Path) -> None:
    async with running(folder) as server:
        text = sale("1", "100", '"cash": 100', ', "totalAmount": 99.989999999999995')
        text = text.replace('{"invoice', '{"totalAmount": 99.990000000000009, "invoice')
        assert body(await post(server, text))["totalAmount"] == 99.99
        advance = SALE | {
            "invoiceType": "advance",
            "unknownAmountAdvance": True,
            "payments": {"cash": 0.3},
            "items": [
                {"quantity": 1, "unitPrice": 1, "article": TABLE | {"taxRateLabel": label}}
                for label in "ЂЕ"
            ],
            "advanceSpecification": {"Ђ": 0.1, "Е": 0.20000000000000001},
        }
        text = json.dumps(advance).replace('"Ђ": 0.1', '"Ђ": 0.10000000000000001')
        assert body(await post(server, text))["totalAmount"] == 0.3


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (sale("1", "100", '"cash": 100.0002'), "payments.cash"),
        (sale("1", "100", '"cash": 100, "card": 0.005'), "payments.card"),
        (sale("0.30002", "100", '"cash": 30'), "items[0].quantity"),
        (sale("0.000001", "100", '"cash": 30'), "items[0].quantity"),
        (sale("1", "1", '"cash": 1', ', "totalAmount": 1.005'), "items[0].totalAmount"),
        (sale("1", "1000000000000.5", '"cash": 1'), "items[0].unitPrice"),
        (sale("1", "-0.0000001", '"cash": 1'), "items[0].unitPrice"),
        (sale("1", "1e39", '"cash": 1'), "items[0].unitPrice"),
        (sale("1", "1", '"cash": 1e39'), "payments.cash"),
        (sale("1e39", "1", '"cash": 1'), "items[0].quantity"),
        (sale("1", "1", '"cash": -0.01'), "payments.cash"),
    ],
)
async def test_what_is_coarser_or_out_of_range_is_refused_by_its_name(
    folder: Path, text: str, field: str
) -> None:
    async with running(folder) as server:
        answer = await post(server, text)
        assert answer.status_code == 400
        assert answer.json()["validation"]["body"]["keys"] == [field]
        assert server.shop.ledger() == []


# --- a discount of none --------------------------------------------------------------------------


@pytest.mark.parametrize("none", ["0", "0.0", "-0.0", "0e0", "1e-17"])
async def test_a_discount_of_zero_is_none(folder: Path, none: str) -> None:
    async with running(folder) as server:
        text = sale("2", "58.99", '"cash": 200').replace('{"inv', f'{{"discount": {none}, "inv')
        found = body(await post(server, text))
        assert found["totalAmount"] == 117.98


async def test_noise_in_a_discount_is_the_percentage_that_it_means(folder: Path) -> None:
    async with running(folder) as server:
        text = sale("1", "100", '"cash": 70').replace(
            '{"inv', '{"discount": 30.000000000000004, "inv'
        )
        assert body(await post(server, text))["totalAmount"] == 70
