"""Acts on receipts from the till's file through the outbox to the real server and processor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp, WireCodec
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.sqlite.till.till import TillDatabase
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.errors import Invalid
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.service import new_key
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.receipts import correction, frozen_pair
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_by_hand import HandDraft, HandPart, confirm_refund_by_hand
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.ready_tables import open_ready
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running

BUYER = BuyerId.parse("10:101234567")
PAPER = request.ReceiptDelivery(pdf=False)
BY_HAND = HandDraft(
    number="ABCD1234-ABCD1234-77",
    day="20.11.2025.",
    time="11:42",
    goods="Роба",
    amounts={TaxLabel.DJ: "120,00"},
)


@dataclass
class Counter:
    server: Running
    database: TillDatabase
    till: Till
    outbox: Outbox
    receipts: ServerReceipts
    decisions: DoubtHttp
    api: LocalApi

    async def sold(self) -> str:
        issued = await self.server.issue(SALE, headers={"Idempotency-Key": new_key()})
        number: str = issued.json()["invoiceNumber"]
        return number

    async def overview(self, reference: str) -> ReceiptOverview:
        return (await self.receipts.receipt(reference)).overview

    def refund(self, draft: RefundDraft) -> Sale:
        return confirm_refund(
            till=self.till,
            draft=draft,
            buyer=BUYER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )

    def by_hand(self, draft: HandDraft) -> Sale:
        return confirm_refund_by_hand(
            till=self.till,
            draft=draft,
            buyer=BUYER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )

    async def issued(self, sale: Sale) -> ReceiptOverview:
        done = await self.ended(sale)
        assert done.receipt is not None, done.reason
        return await self.overview(done.receipt.fiscal_number)

    async def ended(self, sale: Sale) -> Sale:
        self.outbox.wake()
        async with asyncio.timeout(20):
            while True:
                now = self.database.sales.sale(sale.key)
                if now.state in {SaleState.DONE, SaleState.REFUSED}:
                    return now
                await self.outbox.step()
                await asyncio.sleep(0.005)


@asynccontextmanager
async def counter(
    folder: Path, *, place: str = "pos", store: StoreRules | None = None
) -> AsyncIterator[Counter]:
    """Serve the shop and open its till. place: of the till's file. store: as in `running`."""
    (folder / place).mkdir(exist_ok=True)
    async with running(folder, store=store) as server, LocalApi(server.url, server.install) as api:
        database = open_ready(folder / place, till_id=server.install.till_id)
        till = Till(database.carts, SystemClock(), WireCodec(), new_key)
        outbox = Outbox(sales=database.sales, server=FiscalHttp(api), clock=till.clock)
        outbox.recover()
        yield Counter(server, database, till, outbox, receipts_at(api), DoubtHttp(api), api)
        database.close()


@pytest.mark.parametrize(
    ("changed", "place", "kind"),
    [
        ({"number": "77"}, HandPart.NUMBER, "form"),
        ({"day": ""}, HandPart.TIME, "date"),
        ({"day": "1.1.2099."}, HandPart.TIME, "future"),
        ({"time": ""}, HandPart.TIME, "time"),
        ({"goods": " "}, HandPart.GOODS, "empty"),
        ({"amounts": {}}, HandPart.AMOUNTS, "nothing"),
        ({"amounts": {TaxLabel.DJ: "1.234"}}, HandPart.AMOUNTS, "number"),
        ({"most": Money("119.99")}, HandPart.AMOUNTS, "above_total"),
    ],
)
def test_what_keeps_a_refund_by_hand(changed: dict[str, Any], place: str, kind: str) -> None:
    now = SystemClock().now()
    assert BY_HAND.fault(now) is None
    found = replace(BY_HAND, **changed).fault(now)
    assert (found.part, found.kind) == (place, kind)


def test_a_copy_is_not_refunded_by_hand() -> None:
    kind = request.ReceiptKind(request.InvoiceType.COPY, request.TransactionType.SALE)
    copy = ForeignReceipt(BY_HAND.number, "1/2", Money(100), SystemClock().now(), kind)
    with pytest.raises(Invalid):
        HandDraft.of(BY_HAND.number, copy, goods="Роба")


# --- corrections ----------------------------------------------------------------------------------
SELLER = BuyerId.parse("10:990000019")


def begin(
    at: Counter, shown: ReceiptOverview, delivery: ReceiptDelivery = PAPER
) -> frozen_pair.FrozenPair:
    right = correction.paid_by(shown, PaymentMethod.WIRE_TRANSFER, in_whole_dinars=True)
    draft = replace(correction.CorrectionDraft.of(shown, in_whole_dinars=True), tendered=right)
    return correction.confirm_correction(
        till=at.till,
        sales=at.database.sales,
        draft=draft,
        seller=SELLER,
        delivery=delivery,
        cashier="Мира",
        in_whole_dinars=True,
    )
