"""A receipt of the journal as the till gets it from the real server, with its paper."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.documents.blocks import Lines, QrCode, WritingSpace
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptAct, WhyNot
from pos_app.errors import MachineError, OutcomeUnknown, Refused
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.server.answers import Issued
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import running
from tests.integration.till.test_fiscal_http import http, listening, says
from tests.integration.till.test_operations_at_the_till import PAPER, outgoing


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
        assert shown.paper is not None
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
        assert copy.paper is not None
        assert any(isinstance(one, WritingSpace) for one in copy.paper.blocks)


async def test_what_was_weighed_goes_back_whole_by_one_scan(folder: Path) -> None:
    """Two kilograms are not two pieces, although the quantity is a whole number."""
    cheese = {"name": "Сир", "taxRateLabel": "Ђ", "unit": "kg", "gtin": "8600000000018"}
    bread = {"name": "Хлеб", "taxRateLabel": "Е", "unit": "ком", "gtin": "8600000000025"}
    items = [{"article": one, "quantity": 2, "unitPrice": 100} for one in (cheese, bread)]
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        till, receipts = FiscalHttp(api), receipts_at(api)
        sale = SALE | {"items": items, "payments": {"cash": 400}}
        sold = await till.issue(outgoing(1, Operation.ISSUE, None, sale))
        assert isinstance(sold, Issued)
        shown = (await receipts.receipt(sold.receipt_id)).overview
        assert [one.by_weight for one in shown.lines] == [True, False]
        draft = RefundDraft.whole(shown).scanned(gtin="8600000000018", sku=None)
        draft = draft.scanned(gtin="8600000000025", sku=None)
        assert draft.taken == {0: 2, 1: 1}


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


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"result":{"overview":{},"paper":null}}', b"1"])
async def test_an_answer_without_sense_is_unknown(body: bytes) -> None:
    async with listening(says(http(200, body))) as api:
        with pytest.raises(OutcomeUnknown):
            await asyncio.wait_for(receipts_at(api).receipt("receipt-1"), 5)
