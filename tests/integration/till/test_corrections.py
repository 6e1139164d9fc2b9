"""A correction from the till's file through the outbox to the real server and processor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.selling.receipts import correction, frozen_pair
from pos_app.selling.receipts.confirm import confirm_copy, confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.state import SaleState
from tests.fakes.inner_connection import connection_of
from tests.integration.till import test_refunds

SELLER = BuyerId.parse("10:990000019")
REFUND, SALE = TransactionType.REFUND, TransactionType.SALE
NORMAL, COPY = InvoiceType.NORMAL, InvoiceType.COPY


def begin(
    at: test_refunds.Counter, shown: ReceiptOverview, delivery: ReceiptDelivery = test_refunds.PAPER
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
    async with test_refunds.counter(folder) as at:
        number = await at.sold()
        shown = (await at.receipts.receipt(number)).overview
        begun = begin(at, shown)
        await at.ended(begun.refund)
        done = await at.ended(begun.new)
        assert done.state is SaleState.DONE
        assert done.receipt is not None
        found = frozen_pair.pair_with(at.database.sales, done)
        assert found is not None
        assert frozen_pair.stage_of(found) is frozen_pair.PairStage.DONE
        gone = (await at.receipts.receipt(number)).overview
        assert gone.why_not(ReceiptAct.REFUND) is WhyNot.REFUNDED
        assert [(one.invoice_type, one.transaction_type) for one in gone.chain] == [
            (NORMAL, SALE),
            (NORMAL, REFUND),
            (COPY, REFUND),
        ]
        assert found.refund.receipt is not None
        refund = (await at.receipts.receipt(found.refund.receipt.fiscal_number)).overview
        assert (refund.buyer, refund.refers_to) == (str(SELLER), number)
        new = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        assert [(one.method, one.amount) for one in new.payments] == [
            (PaymentMethod.WIRE_TRANSFER, shown.total)
        ]
        assert new.lines == shown.lines
        assert (new.buyer, new.additional_text) == (shown.buyer, shown.additional_text)
        assert list(till_contents(connection_of(at.database))) == []


@pytest.mark.parametrize(
    "delivery", [ReceiptDelivery(email="kupac@example.rs"), ReceiptDelivery(pdf=True)]
)
async def test_without_paper_the_refund_and_its_copy_are_kept_as_files(
    folder: Path, delivery: ReceiptDelivery
) -> None:
    async with test_refunds.counter(folder) as at:
        number = await at.sold()
        shown = (await at.receipts.receipt(number)).overview
        begun = begin(at, shown, delivery)
        await at.ended(begun.refund)
        chain = at.server.shop.journal.chain(shown.receipt_id)
        handed = [link.planned.delivery for link in chain.links if link.operation == "refund"]
        assert handed == [ReceiptDelivery(pdf=True)] * 2
        await at.ended(begun.new)


async def test_a_receipt_that_was_refunded_meanwhile_is_not_corrected(folder: Path) -> None:
    async with test_refunds.counter(folder) as at:
        number = await at.sold()
        shown = (await at.receipts.receipt(number)).overview
        first = begin(at, shown)
        await at.ended(first.refund)
        await at.ended(first.new)
        late = begin(at, shown)  # this till has an old picture of it
        refused = await at.ended(late.refund)
        assert refused.state is SaleState.REFUSED
        chain = (await at.receipts.receipt(number)).overview.chain
        at.outbox.cancel(late.refund.key, reason="correction")
        for _ in range(50):
            await at.outbox.step()
        ends = [at.database.sales.sale(one.key).state for one in (late.refund, late.new)]
        assert ends == [SaleState.CANCELLED, SaleState.CANCELLED]
        assert (await at.receipts.receipt(number)).overview.chain == chain
        copy = confirm_copy(
            till=at.till, overview=shown, delivery=test_refunds.PAPER, cashier="Мира"
        )
        assert (await at.ended(copy)).state is SaleState.DONE
        assert list(till_contents(connection_of(at.database))) == []
        assert Money.total(one.amount for one in shown.payments) >= shown.total


async def test_a_wrong_refund_is_undone_by_a_sale_that_refers_to_it(folder: Path) -> None:
    async with test_refunds.counter(folder) as at:
        number = await at.sold()
        shown = (await at.receipts.receipt(number)).overview
        back = confirm_refund(
            till=at.till,
            draft=RefundDraft.whole(shown),
            buyer=test_refunds.BUYER,
            delivery=test_refunds.PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        done = await at.ended(back)
        assert done.receipt is not None
        refund = (await at.receipts.receipt(done.receipt.fiscal_number)).overview
        undoing = correction.confirm_undoing(
            till=at.till,
            overview=refund,
            seller=SELLER,
            delivery=test_refunds.PAPER,
            cashier="Мира",
            in_whole_dinars=True,
        )
        moved = undoing.money_taken.on_receipt.cash + undoing.money_taken.rounding
        assert moved == back.money_taken.on_receipt.cash - back.money_taken.rounding
        undone = await at.ended(undoing)
        assert undone.state is SaleState.DONE, undone.reason
        assert undone.receipt is not None
        told = (await at.receipts.receipt(undone.receipt.fiscal_number)).overview
        assert (told.refers_to, told.buyer) == (refund.number, str(SELLER))
        assert told.why_not(ReceiptAct.REFUND) is WhyNot.IS_REVERSAL
        sold = (await at.receipts.receipt(number)).overview
        assert sold.why_not(ReceiptAct.REFUND) is None
        assert [line.left_quantity for line in sold.lines] == [line.quantity for line in sold.lines]
        again = (await at.receipts.receipt(refund.number)).overview
        assert again.why_not(ReceiptAct.UNDO) is WhyNot.UNDONE
        assert list(till_contents(connection_of(at.database))) == []
