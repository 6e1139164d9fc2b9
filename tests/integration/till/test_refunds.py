"""A refund and a copy from the till's file through the outbox to the real server and processor."""

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
from pos_app.domain.receipt.receipt_overview import ReceiptAct, WhyNot
from pos_app.errors import Invalid
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.service import new_key
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.receipts.confirm import confirm_copy, confirm_refund
from pos_app.selling.receipts.refund_by_hand import HandDraft, HandPart, confirm_refund_by_hand
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import open_ready
from tests.integration.local_api.test_pairs import second_suffers
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running

BUYER = BuyerId.parse("10:101234567")
PAPER = request.ReceiptDelivery(pdf=False)


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
        """Sell from another program; return the receipt's number."""
        issued = await self.server.issue(SALE, headers={"Idempotency-Key": new_key()})
        number: str = issued.json()["invoiceNumber"]
        return number

    async def ended(self, sale: Sale) -> Sale:
        """Let the outbox bring it to its end; return the sale as it is then."""
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
    """Serve the shop and open its till. place: the folder of the till's file in the shop's. store:
    the ways that the shop offers, as `running`."""
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
        shown = (await at.receipts.receipt(number)).overview
        draft = RefundDraft(shown).with_quantity(0, Quantity(1))
        first = confirm_refund(
            till=at.till,
            draft=draft,
            buyer=BUYER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        assert first.money_taken.rounding == draft.total - draft.hand_gives(in_whole_dinars=True)
        done = await at.ended(first)
        assert done.state is SaleState.DONE
        assert done.receipt is not None
        refund = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        assert (refund.total, refund.buyer, refund.cashier) == (draft.total, str(BUYER), "Мира")
        assert refund.refers_to == number
        # A till with an old picture of the receipt requests more than is left.
        stale = confirm_refund(
            till=at.till,
            draft=RefundDraft.whole(shown),
            buyer=BUYER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        refused = await at.ended(stale)
        assert refused.state is SaleState.REFUSED
        now = (await at.receipts.receipt(number)).overview
        rest = RefundDraft.whole(now)
        assert rest.total + draft.total == shown.total
        last = await at.ended(
            confirm_refund(
                till=at.till,
                draft=rest,
                buyer=BUYER,
                delivery=PAPER,
                cashier="Мира",
                in_whole_dinars=False,
            )
        )
        assert last.state is SaleState.DONE
        gone = (await at.receipts.receipt(number)).overview
        assert gone.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
        assert Money.total(one.total for one in gone.chain if one.operation == "refund") == (
            shown.total + shown.total  # each refund has a copy to sign
        )


async def test_a_copy_says_what_the_receipt_says(folder: Path) -> None:
    async with counter(folder) as at:
        shown = (await at.receipts.receipt(await at.sold())).overview
        copy = confirm_copy(till=at.till, overview=shown, delivery=PAPER, cashier="Мира")
        done = await at.ended(copy)
        assert done.receipt is not None
        told = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        assert (told.invoice_type, told.total) == ("copy", shown.total)
        assert [one.name for one in told.lines] == [one.name for one in shown.lines]


async def test_a_refund_that_was_undone_ends_and_is_begun_anew(folder: Path) -> None:
    async with counter(folder) as at:
        number = await at.sold()
        shown = (await at.receipts.receipt(number)).overview

        def refund() -> Sale:
            return confirm_refund(
                till=at.till,
                draft=RefundDraft.whole(shown),
                buyer=BUYER,
                delivery=PAPER,
                cashier="Мира",
                in_whole_dinars=True,
            )

        second_suffers(at.server, "refuse", code="2805")
        act = refund()
        while (half := at.database.sales.sale(act.key)).receipt_id is None:
            at.outbox.wake()
            await at.outbox.step()
        assert half.state is SaleState.DOUBT
        assert await at.decisions.reverse_pair(half.receipt_id, by="Власник") == "reversed"
        undone = await at.ended(act)
        assert undone.state is SaleState.REFUSED
        assert undone.reason is not None
        assert undone.reason.code == "reversed"
        at.outbox.try_again(act.key)  # a further try gets the same answer
        again = await at.ended(act)
        assert (again.state, again.reason) == (undone.state, undone.reason)
        done = await at.ended(refund())
        assert done.state is SaleState.DONE
        at.outbox.cancel(act.key, reason="seen")
        while at.database.sales.sale(act.key).state is not SaleState.CANCELLED:
            await at.outbox.step()


async def test_a_refund_whose_copy_waits_for_the_processor_is_told_so_and_ends(
    folder: Path,
) -> None:
    async with counter(folder) as at:
        shown = (await at.receipts.receipt(await at.sold())).overview
        second_suffers(at.server, "refuse", code="1500", count=None)
        act = confirm_refund(
            till=at.till,
            draft=RefundDraft.whole(shown),
            buyer=BUYER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        async with asyncio.timeout(20):
            while not at.database.sales.sale(act.key).is_half_done:
                await at.outbox.step()
                await asyncio.sleep(0.005)
        at.server.shop.processor.faults.clear()
        assert (await at.ended(act)).state is SaleState.DONE


async def test_a_receipt_of_another_system_is_refunded_by_hand(folder: Path) -> None:
    """The person gives its number, its time and the amounts by label; a copy is signed with it."""
    async with counter(folder) as at:
        draft = HandDraft(
            number="abcd1234-abcd1234-77",
            day="20.11.2025.",
            time="11:42",
            goods="Враћена роба",
            amounts={TaxLabel.DJ: "120,00", TaxLabel.E: "58,99", TaxLabel.A: ""},
        )
        assert draft.fault(at.till.clock.now()) is None
        sale = confirm_refund_by_hand(
            till=at.till,
            draft=draft,
            buyer=BUYER,
            delivery=PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        assert (sale.total, sale.is_kept_in_front, sale.target) == (Money("178.99"), True, None)
        done = await at.ended(sale)
        assert done.receipt is not None, done.reason
        refund = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        assert (refund.invoice_type, refund.transaction_type) == ("normal", "refund")
        assert (refund.refers_to, refund.total) == ("ABCD1234-ABCD1234-77", Money("178.99"))
        assert [(one.label, one.total) for one in refund.lines] == [
            (TaxLabel.DJ, Money("120.00")),
            (TaxLabel.E, Money("58.99")),
        ]
        assert [one.invoice_type for one in refund.chain] == ["normal", "copy"]
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
    usual = HandDraft(
        number="ABCD1234-ABCD1234-77",
        day="20.11.2025.",
        time="11:42",
        goods="Роба",
        amounts={TaxLabel.DJ: "120,00"},
    )
    now = SystemClock().now()
    assert usual.fault(now) is None
    found = replace(usual, **changed).fault(now)
    assert found is not None
    assert (found.part, found.kind) == (place, kind)


@pytest.mark.parametrize(
    ("kind", "transaction"),
    [
        (request.InvoiceType.PROFORMA, request.TransactionType.SALE),
        (request.InvoiceType.TRAINING, request.TransactionType.SALE),
        (request.InvoiceType.COPY, request.TransactionType.SALE),
        (request.InvoiceType.NORMAL, request.TransactionType.REFUND),
    ],
)
def test_what_is_no_turnover_never_becomes_a_sale_by_hand(
    kind: request.InvoiceType, transaction: request.TransactionType
) -> None:
    foreign = ForeignReceipt(
        "ABCD1234-ABCD1234-79",
        "1/79",
        Money("500"),
        SystemClock().now(),
        request.ReceiptKind(kind, transaction),
    )
    with pytest.raises(Invalid):
        HandDraft.of(foreign.number, foreign, goods="Роба")


async def test_an_advance_of_another_system_is_refunded_by_hand(folder: Path) -> None:
    async with counter(folder) as at:
        draft = HandDraft(
            number="ABCD1234-ABCD1234-78",
            day="20.11.2025.",
            time="11:42",
            goods="-",
            kind=request.InvoiceType.ADVANCE,
            amounts={TaxLabel.E: "500,00"},
            method=PaymentMethod.WIRE_TRANSFER,
        )
        done = await at.ended(
            confirm_refund_by_hand(
                till=at.till,
                draft=draft,
                buyer=BUYER,
                delivery=PAPER,
                cashier="Мира",
                in_whole_dinars=True,
            )
        )
        assert done.receipt is not None, done.reason
        refund = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        assert (refund.invoice_type, refund.lines[0].name) == ("advance", "11: Аванс")
        assert list(till_contents(connection_of(at.database))) == []
