"""A receipt of the journal, and its open advances, as the till gets them from the real
server; operations on receipts, and what their answers mean."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.sqlite.receipt_index import advances
from pos_app.documents.blocks import Lines, QrCode, WritingSpace
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptAct, WhyNot
from pos_app.errors import MachineError, OutcomeUnknown, Refused
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.ports import OutgoingSale
from pos_app.wire.strict_json import dumps
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.test_operations import ADVANCE, BUYER, PDF
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running
from tests.integration.till.test_fiscal_http import PARCEL, RECEIPT, http, listening, says
from tests.sweep import each


async def test_a_receipt_with_its_chain_and_its_paper(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        till, receipts = FiscalHttp(api), receipts_at(api)
        await till.prove()
        sold = await till.issue(outgoing(1, Operation.ISSUE, None, SALE))
        assert isinstance(sold, Issued)
        total = sold.receipt.total_amount
        assert total is not None
        shown = await receipts.receipt(sold.receipt.invoice_number.lower())
        assert shown.overview.receipt_id == sold.receipt_id
        assert shown.overview.total == total
        assert shown.overview.why_not(ReceiptAct.REFUND) is None
        assert QrCode(sold.receipt.verification_url or "") in shown.paper.blocks
        words = [line for one in shown.paper.blocks if isinstance(one, Lines) for line in one.text]
        assert any(sold.receipt.invoice_number in line for line in words)
        back = {"payments": {"cash": float(total.amount)}, "buyerId": "10:101234567", **PAPER}
        refund = await till.issue(outgoing(2, Operation.REFUND, sold.receipt_id, back))
        assert isinstance(refund, Issued)
        again = (await receipts.receipt(sold.receipt_id)).overview
        assert again.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
        assert [one.number for one in again.chain[1:]] == [
            refund.receipt.invoice_number,
            refund.further[0][1].invoice_number,
        ]
        copy = await receipts.receipt(refund.further[0][0])
        assert any(isinstance(one, WritingSpace) for one in copy.paper.blocks)


async def test_what_is_not_there_and_what_cannot_be_laid_out(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        till, receipts = FiscalHttp(api), receipts_at(api)
        await till.prove()
        sold = await till.issue(outgoing(1, Operation.ISSUE, None, SALE))
        assert isinstance(sold, Issued)
        for reference in ("none", "ABCD1234-ABCD1234-77", "a b", "%00"):
            with pytest.raises(Refused):
                await receipts.receipt(reference)
        server.pdf.fault = MachineError(what="The catalogue can't be read.")
        shown = await receipts.receipt(sold.receipt_id)
        assert shown.paper is None
        assert shown.overview.number == sold.receipt.invoice_number
        stranger = await server.ask(
            "POST", "/till/receipts/receipt", json={"reference": sold.receipt_id}
        )
        assert stranger.status_code in {401, 403, 404}


@each("body", [b"[]", b"{}", b'{"advances":[{}],"isWhole":true}', b"1"])
async def test_an_answer_without_sense_is_unknown(body: bytes) -> None:
    async with listening(says(http(200, body))) as api:
        for asked in (receipts_at(api).receipt("receipt-1"), receipts_at(api).advances()):
            with pytest.raises(OutcomeUnknown):
                await asyncio.wait_for(asked, 5)


# --- open advances -------------------------------------------------------------------------------


_KEYS = count()


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[tuple[Running, ServerReceipts]]:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        yield server, receipts_at(api)


async def sold(server: Running, body: dict[str, Any]) -> IssuedReceipts:
    return await server.shop.sell(body, key=f"{next(_KEYS):016}")


async def acted(server: Running, operation: str, reference: str, body: dict[str, Any]) -> str:
    issued = await server.shop.act(operation, reference, body, key=f"{next(_KEYS):016}")
    return issued.receipts[-1].receipt.invoice_number


async def test_a_refund_of_a_part_touches_it_and_what_can_t_be_read_keeps_no_other_back(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked(folder) as (server, receipts):
        first = await sold(server, ADVANCE)
        other = await sold(server, ADVANCE)
        body = {"payments": {"card": 1000}, "advanceSpecification": {"Ђ": 1000}, **BUYER, **PDF}
        refund = await acted(server, "refund", first.receipt.invoice_number, body)
        told = (await receipts.advances()).advances
        assert [one.receipt_id for one in told] == [first.receipt_id, other.receipt_id]
        assert (told[0].paid, told[0].remaining) == (Money(5000), Money(13000))
        assert told[0].touched == (await receipts.receipt(refund)).overview.time
        assert told[0].number == first.receipt.invoice_number
        spoilt = await sold(server, ADVANCE)
        monkeypatch.setattr(advances, "AT_ONCE", 0)
        assert not (await receipts.advances()).is_whole
        monkeypatch.undo()
        inner = connection_of(server.shop.journal)
        inner.execute("DROP TRIGGER requests_final")
        inner.execute("UPDATE requests SET planned = x'00' WHERE id = ?", (spoilt.receipt_id,))
        listed = await receipts.advances()
        assert [one.receipt_id for one in listed.advances] == [first.receipt_id, other.receipt_id]
        assert not listed.is_whole
        assert "left out of the open advances" in caplog.text


# --- operations on receipts, and what the answers mean --------------------------------------------

PAPER = {"receiptDelivery": {"pdf": False}}


def outgoing(number: int, operation: Operation, target: str | None, body: Any) -> OutgoingSale:
    return OutgoingSale(
        f"{number:032x}",
        number,
        "Мира",
        json.dumps(body).encode(),
        operation=operation,
        target=target,
    )


# --- warnings beside a signed receipt -------------------------------------------------------------


WARNING = {"code": "glyph", "message": "A sign was drawn as a mark.", "field": "items[0]"}


@each("warnings", [[WARNING], [], None, "none", [5], [WARNING | {"field": 7}], {"a": 1}])
async def test_a_signed_receipt_is_never_doubted_for_its_warnings(warnings: object) -> None:
    body = dumps(RECEIPT | {"warnings": warnings, "copy": 3})
    async with listening(says(http(200, body))) as api:
        assert isinstance(await FiscalHttp(api).issue(PARCEL), Issued)
