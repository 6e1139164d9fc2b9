"""A corporate card over HTTP: what is signed where nothing remains to be paid, whose card it is,
and what is given back. Source: fiscal.md 5 and 6.7."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from tests.integration.local_api import wronged
from tests.integration.local_api.wires import Running, running

ADVANCE: dict[str, Any] = (
    {
        "invoiceType": "advance",
        "transactionType": "sale",
        "payments": {"voucher": 100},
        "items": [{"sku": 2, "quantity": 1, "unitPrice": 200}],
    }
    | wronged.BUYER
    | wronged.CARD
    | wronged.DELIVERED
)


async def act(server: Running, number: str, operation: str, **body: Any) -> Any:
    path = f"{wronged.RECEIPTS}/{number}/{operation}"
    answer = await server.ask("POST", path, json=wronged.DELIVERED | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def asked(server: Running) -> list[dict[str, Any]]:
    return [json.loads(entry.request) for entry in server.shop.ledger()]


async def test_a_chain_on_a_card_from_its_first_payment_to_its_refund(folder: Path) -> None:
    async with running(folder) as server:
        first = (await server.issue(ADVANCE)).json()["invoiceNumber"]
        await act(
            server, first, "advance", payments={"voucher": 100}, **wronged.CARD
        )  # the buyer is known
        _, sale = await act(server, first, "close", payments={}, **wronged.CARD)
        assert "Ваучер:                             0,00" in sale["journal"].splitlines()
        back = await act(
            server, sale["invoiceNumber"], "refund", payments={"voucher": 200}, **wronged.BUYER
        )
        assert len(back) == 1  # nothing in cash, so the customer signs nothing
        told = asked(server)
        assert [one.get("buyerId") for one in told] == ["10:123456788"] * 5
        cards = [one.get("buyerCostCenterId") for one in told]
        assert cards == ["50:картица 1", "50:картица 1", None, "50:картица 1", "50:картица 1"]


async def test_receipts_that_an_e_invoice_follows_are_found_in_the_stored_journal(
    folder: Path,
) -> None:
    """They are found by what is stored of every receipt, so those from before the mark are found
    too."""
    sale: dict[str, Any] = {
        "transactionType": "sale",
        "items": [{"sku": 2, "quantity": 1, "unitPrice": 200}],
    } | wronged.DELIVERED
    public = {"buyerId": "12:123456788:12345"}
    async with running(folder) as server:
        numbers = []
        for kind, payments, more in (
            ("normal", {"cash": 200}, {}),
            ("normal", {"cash": 200}, wronged.BUYER),
            ("normal", {"wiretransfer": 200}, public),
            ("advance", {"voucher": 200}, wronged.BUYER | wronged.CARD),
            ("proforma", {"wiretransfer": 200}, public),
        ):
            body = sale | {"invoiceType": kind, "payments": payments} | more
            answer = await server.issue(body)
            assert answer.status_code == 200, answer.text
            numbers.append(answer.json()["invoiceNumber"])
    with closing(SqliteJournal(folder / "journal" / "journal.db")) as journal:
        found = [journal.request_of_number(number) for number in numbers]
        marks = [one is not None and one.document.asks_e_invoice for one in found]
    assert marks == [False, False, True, True, False]
