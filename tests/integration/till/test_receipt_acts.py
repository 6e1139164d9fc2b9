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
from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.adapters.sqlite.till.till import TillDatabase
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import PaidBy, ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.errors import Invalid
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.service import new_key
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.receipts import correction, frozen_pair
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_by_hand import HandDraft, HandPart, confirm_refund_by_hand
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.inner_connection import connection_of
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


async def test_a_part_then_the_rest_then_nothing_is_left(folder: Path) -> None:
    async with counter(folder) as at:
        number = await at.sold()
        shown = await at.overview(number)
        draft = RefundDraft(shown).with_quantity(0, Quantity(1))
        first = at.refund(draft)
        assert first.money_taken.rounding == draft.total - draft.hand_gives(in_whole_dinars=True)
        refund = await at.issued(first)
        assert (refund.total, refund.buyer, refund.cashier) == (draft.total, str(BUYER), "Мира")
        assert refund.refers_to == number
        # A till with an old picture of the receipt requests more than is left.
        stale = await at.ended(at.refund(RefundDraft.whole(shown)))
        assert stale.state is SaleState.REFUSED
        rest = RefundDraft.whole(await at.overview(number))
        assert rest.total + draft.total == shown.total
        await at.issued(at.refund(rest))
        gone = await at.overview(number)
        assert gone.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
        assert Money.total(one.total for one in gone.chain if one.operation == "refund") == (
            shown.total + shown.total  # each refund has a copy to sign
        )


async def test_a_receipt_of_another_system_is_refunded_by_hand(folder: Path) -> None:
    async with counter(folder) as at:
        amounts = {TaxLabel.DJ: "120,00", TaxLabel.E: "58,99", TaxLabel.A: ""}
        draft = replace(BY_HAND, number="abcd1234-abcd1234-77", amounts=amounts)
        assert draft.fault(at.till.clock.now()) is None
        sale = at.by_hand(draft)
        assert (sale.total, sale.is_kept_in_front, sale.target) == (Money("178.99"), True, None)
        refund = await at.issued(sale)
        assert (refund.invoice_type, refund.transaction_type) == ("normal", "refund")
        assert (refund.refers_to, refund.total) == ("ABCD1234-ABCD1234-77", Money("178.99"))
        expected = [(TaxLabel.DJ, Money("120.00")), (TaxLabel.E, Money("58.99"))]
        assert [(one.label, one.total) for one in refund.lines] == expected
        assert [one.invoice_type for one in refund.chain] == ["normal", "copy"]
        advance = replace(
            BY_HAND,
            number="ABCD1234-ABCD1234-78",
            goods="-",
            kind=request.InvoiceType.ADVANCE,
            amounts={TaxLabel.E: "500,00"},
            method=PaymentMethod.WIRE_TRANSFER,
        )
        refund = await at.issued(at.by_hand(advance))
        assert (refund.invoice_type, refund.lines[0].name) == ("advance", "11: Аванс")
        assert list(till_contents(connection_of(at.database))) == []


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


def test_a_receipt_of_another_till_fills_in_what_was_paid_by_each_method() -> None:
    card, cash = PaymentMethod.CARD, PaymentMethod.CASH
    kind = request.ReceiptKind(request.InvoiceType.NORMAL, request.TransactionType.SALE)
    sale = ForeignReceipt(BY_HAND.number, "1/2", Money(100), SystemClock().now(), kind)
    both = PaidBy(card, Money(70)), PaidBy(cash, Money(30))
    for paid, method, amounts in (
        (both[:1], card, {}),
        ((both[0], PaidBy(cash, Money(0))), card, {}),
        (both, None, {card: "70,00", cash: "30,00"}),
    ):
        draft = HandDraft.of(BY_HAND.number, replace(sale, payments=paid), goods="Роба")
        assert (draft.method, draft.paid) == (method, amounts)


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


async def test_three_receipts_and_the_turnover_once(folder: Path) -> None:
    async with counter(folder) as at:
        number = await at.sold()
        shown = await at.overview(number)
        begun = begin(at, shown)
        await at.ended(begun.refund)
        done = await at.ended(begun.new)
        assert done.state is SaleState.DONE
        found = frozen_pair.pair_with(at.database.sales, done)
        assert found is not None
        assert frozen_pair.stage_of(found) is frozen_pair.PairStage.DONE
        gone = await at.overview(number)
        assert gone.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
        expected = [("normal", "sale"), ("normal", "refund"), ("copy", "refund")]
        assert [(one.invoice_type, one.transaction_type) for one in gone.chain] == expected
        refund = await at.overview(found.refund.receipt.fiscal_number)
        assert (refund.buyer, refund.refers_to) == (str(SELLER), number)
        new = await at.overview(done.receipt.fiscal_number)
        assert [(one.method, one.amount) for one in new.payments] == [
            (PaymentMethod.WIRE_TRANSFER, shown.total)
        ]
        assert new.lines == shown.lines
        assert (new.buyer, new.additional_text) == (shown.buyer, shown.additional_text)
        assert list(till_contents(connection_of(at.database))) == []


async def test_without_paper_the_refund_and_its_copy_are_kept_as_files(folder: Path) -> None:
    delivery = ReceiptDelivery(email="kupac@example.rs")
    async with counter(folder) as at:
        shown = await at.overview(await at.sold())
        begun = begin(at, shown, delivery)
        await at.ended(begun.refund)
        chain = at.server.shop.journal.chain(shown.receipt_id)
        handed = [link.planned.delivery for link in chain.links if link.operation == "refund"]
        assert handed == [ReceiptDelivery(pdf=True)] * 2
        await at.ended(begun.new)


async def test_a_wrong_refund_is_undone_by_a_sale_that_refers_to_it(folder: Path) -> None:
    async with counter(folder) as at:
        number = await at.sold()
        shown = await at.overview(number)
        back = at.refund(RefundDraft.whole(shown))
        refund = await at.issued(back)
        undoing = correction.confirm_undoing(
            till=at.till,
            overview=refund,
            seller=SELLER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        moved = undoing.money_taken.on_receipt.cash + undoing.money_taken.rounding
        assert moved == back.money_taken.on_receipt.cash - back.money_taken.rounding
        told = await at.issued(undoing)
        assert (told.refers_to, told.buyer) == (refund.number, str(SELLER))
        assert told.why_not(ReceiptAct.REFUND) is WhyNot.IS_REVERSAL
        sold = await at.overview(number)
        assert sold.why_not(ReceiptAct.REFUND) is None
        assert [line.left_quantity for line in sold.lines] == [line.quantity for line in sold.lines]
        again = await at.overview(refund.number)
        assert again.why_not(ReceiptAct.UNDO) is WhyNot.UNDONE
        assert list(till_contents(connection_of(at.database))) == []


# --- payments on advances, and closings -----------------------------------------------------------
DETAILS = ReceiptDetails(delivery=PAPER)
