"""Acts on receipts while the server's journal may lack what was done with them: a refund that was
signed after the copy was made would be signed once more. A person is asked first, at the till and
by the doors of other programs (exactly-once.md, "Restores, replacements, damage")."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.states import RestoreFound
from pos_app.fiscalization.service import new_key
from pos_app.selling.receipts.confirm import confirm_copy, confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running
from tests.integration.till import test_refunds

MANAGER = "Власник"
PAPER = {"receiptDelivery": {"pdf": False}}
BUYER = PAPER | {"buyerId": "10:101234567"}
ADVANCE = SALE | {"invoiceType": "advance", "payments": {"cash": 10}}
REFUND = BUYER | {"payments": {"cash": 117.98}}
PAYMENT = PAPER | {"payments": {"cash": 5}}
CLOSING = BUYER | {"payments": {"cash": 107.98}}
BY_NUMBER = {
    "invoiceType": "normal",
    "transactionType": "refund",
    "payments": {"cash": 117.98},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "buyerId": "10:101234567",
    "receiptDelivery": {"pdf": False},
}


@asynccontextmanager
async def put_back(folder: Path, *, marked: bool = True) -> AsyncIterator[Running]:
    """Serve the shop from the copy of its journal in `copy`."""
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder / "copy", folder / "journal")
    async with running(folder) as server:
        if marked:
            now = server.shop.service.clock.now()
            server.shop.journal.restores.mark_restored(RestoreFound.PUT_BACK, now=now)
        yield server


async def sold_then_copied(folder: Path, body: dict[str, Any]) -> str:
    """Issue a receipt; then make the copy of the journal. Return the receipt's number."""
    async with running(folder) as server:
        answer = await server.issue(body, headers={"Idempotency-Key": new_key()})
    shutil.copytree(folder / "journal", folder / "copy")
    number: str = answer.json()["invoiceNumber"]
    return number


async def act(
    server: Running, number: str, operation: Operation, body: dict[str, Any], key: str | None = None
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    if operation is Operation.ISSUE:
        return await server.issue(body | {"referentDocumentNumber": number}, headers=headers)
    path = f"/fiscalization/receipts/{number}/{operation}"
    return await server.ask("POST", path, json=body, headers=headers)


async def vouch(server: Running, receipt_id: str) -> httpx.Response:
    path = f"/till/doubts/{receipt_id}/absent"
    return await server.ask("POST", path, json={"by": MANAGER}, headers=server.till)


ACTS = [
    pytest.param(SALE, Operation.REFUND, REFUND, id="refund"),
    pytest.param(SALE, Operation.COPY, PAPER, id="copy"),
    pytest.param(SALE, Operation.ISSUE, BY_NUMBER, id="refund by number"),
    pytest.param(ADVANCE, Operation.ADVANCE, PAYMENT, id="further payment"),
    pytest.param(ADVANCE, Operation.CLOSE, CLOSING, id="closing"),
]


@pytest.mark.parametrize(("sold", "operation", "body"), ACTS)
@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("marked", [True, False])
async def test_an_act_that_was_done_after_the_copy_is_asked_of_a_person(
    folder: Path,
    sold: dict[str, Any],
    operation: Operation,
    body: dict[str, Any],
    *,
    keyed: bool,
    marked: bool,
) -> None:
    """Where nothing but the processor's counter tells that the journal is older, too."""
    number = await sold_then_copied(folder, sold)
    async with running(folder) as server:
        first = await act(server, number, operation, body, new_key())
        assert first.status_code == 200, first.text
    async with put_back(folder, marked=marked) as server:
        signed = len(server.shop.ledger())
        key = new_key() if keyed else None
        asked = await act(server, number, operation, body, key)
        assert (asked.status_code, len(server.shop.ledger())) == (500, signed), asked.text
        assert "a manager has to say" in asked.json()["message"]
        receipt_id = asked.json()["receiptId"]
        looked = await server.ask("GET", f"/fiscalization/receipts/{receipt_id}")
        assert (looked.status_code, looked.json()["state"]) == (202, "needs_human")
        again = await act(server, number, operation, body, key)
        assert (again.status_code, len(server.shop.ledger())) == (500, signed)
        assert (await vouch(server, receipt_id)).status_code == 200
        assert len(server.shop.ledger()) == signed, "a word alone sends nothing"
        done = await act(server, number, operation, body, key)
        assert done.status_code == 200, done.text
        assert len(server.shop.ledger()) > signed


async def test_a_word_is_kept_with_who_and_when(folder: Path) -> None:
    number = await sold_then_copied(folder, SALE)
    async with put_back(folder) as server:
        asked = await act(server, number, Operation.REFUND, REFUND, new_key())
        await vouch(server, asked.json()["receiptId"])
    with closing(apsw.Connection(str(folder / "journal" / "journal.db"))) as journal:
        notes = list(
            journal.execute("SELECT at, request_id, words FROM notes WHERE what = ?", ("vouched",))
        )
    assert [(row[1], row[2]) for row in notes][:1] == [(asked.json()["receiptId"], MANAGER)]
    assert notes[0][0] > 0


async def test_a_word_for_one_act_is_none_for_the_next(folder: Path) -> None:
    number = await sold_then_copied(folder, SALE)
    async with put_back(folder) as server:
        key = new_key()
        asked = await act(server, number, Operation.COPY, PAPER, key)
        await vouch(server, asked.json()["receiptId"])
        assert (await act(server, number, Operation.COPY, PAPER, key)).status_code == 200
        signed = len(server.shop.ledger())
        other = await act(server, number, Operation.COPY, PAPER, new_key())
        assert (other.status_code, len(server.shop.ledger())) == (500, signed)


async def test_a_receipt_from_after_the_restore_is_asked_of_nobody(folder: Path) -> None:
    await sold_then_copied(folder, SALE)
    async with put_back(folder) as server:
        restored = server.shop.journal.restores.restored()
        assert restored is not None
        newer = {"Idempotency-Key": new_key(), "X-Journal-Epoch": restored.epoch}
        issued = await server.issue(SALE, headers=newer | server.till)
        number = issued.json()["invoiceNumber"]
        key = newer | server.till | {"Idempotency-Key": new_key()}
        path = f"/fiscalization/receipts/{number}/refund"
        refund = await server.ask("POST", path, json=REFUND, headers=key)
        assert refund.status_code == 200, refund.text


async def test_after_a_manager_closed_the_mark_nobody_is_asked(folder: Path) -> None:
    number = await sold_then_copied(folder, SALE)
    async with put_back(folder) as server:
        closed = await server.ask(
            "POST", "/till/restored/close", json={"by": MANAGER}, headers=server.till
        )
        assert closed.status_code == 200
        done = await act(server, number, Operation.REFUND, REFUND, new_key())
        assert done.status_code == 200, done.text


@pytest.mark.parametrize("operation", [Operation.REFUND, Operation.COPY])
async def test_the_till_asks_a_person_too(folder: Path, operation: Operation) -> None:
    async with test_refunds.counter(folder) as at:
        number = await at.sold()
    shutil.copytree(folder / "journal", folder / "copy")
    async with test_refunds.counter(folder) as at:
        done = await at.ended(await confirmed(at, number, operation))
        assert done.state is SaleState.DONE
    shutil.rmtree(folder / "journal")
    shutil.copytree(folder / "copy", folder / "journal")
    async with test_refunds.counter(folder) as at:
        signed = len(at.server.shop.ledger())
        again = await confirmed(at, number, operation)
        doubt = await until(at, again, SaleState.DOUBT)
        assert len(at.server.shop.ledger()) == signed
        assert doubt.receipt_id is not None
        listed = await at.decisions.doubts()
        assert {(asked.key, asked.code) for asked in listed} == {(again.key, "act_unknown")}
        await at.decisions.declare_absent(doubt.receipt_id, by=MANAGER)
        if operation is Operation.REFUND:  # it goes on by the cashier's word alone
            await until(at, again, SaleState.REFUSED)
            assert len(at.server.shop.ledger()) == signed
            at.outbox.try_again(again.key)
        assert (await until(at, again, SaleState.DONE)).receipt is not None


async def confirmed(at: test_refunds.Counter, number: str, operation: Operation) -> Sale:
    return confirmed_of(at, (await at.receipts.receipt(number)).overview, operation)


def confirmed_of(at: test_refunds.Counter, overview: ReceiptOverview, operation: Operation) -> Sale:
    if operation is Operation.COPY:
        return confirm_copy(
            till=at.till, overview=overview, delivery=test_refunds.PAPER, cashier="Мира"
        )
    return confirm_refund(
        till=at.till,
        draft=RefundDraft.whole(overview),
        buyer=test_refunds.BUYER,
        delivery=test_refunds.PAPER,
        cashier="Мира",
        in_whole_dinars=True,
    )


async def until(at: test_refunds.Counter, sale: Sale, state: SaleState) -> Sale:
    async with asyncio.timeout(20):
        while True:
            await at.outbox.step()
            now = at.database.sales.sale(sale.key)
            if now.state is state:
                return now
            await asyncio.sleep(0.02)
