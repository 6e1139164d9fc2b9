"""A refund that should not have been is undone from its receipt, in a real window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.window.screens import RECEIPTS, ReceiptPlace
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.parts import in_front, lines_of
from tests.gui.receipts.test_again import BREAD, receipt
from tests.gui.window.real_till import RealTill


async def refunded(real: RealTill, told: ReceiptOverview) -> Sale:
    sale = confirm_refund(
        till=real.services.till,
        draft=RefundDraft.whole(told),
        delivery=ReceiptDelivery(),
        buyer=BuyerId.parse("10:101234567"),
        cashier="Мира",
        in_whole_dinars=True,
    )
    real.core.outbox.wake()
    await real.until(lambda: real.last().key == sale.key)
    return await real.ended()


async def opened(real: RealTill) -> tuple[ReceiptOverview, Sale, ReceiptsScreen]:
    """A sale, its refund that should not have been, and the screen with the refund."""
    told = await receipt(real, await real.sold(BREAD))
    refund = await refunded(real, told)
    assert refund.receipt is not None
    number, frame = refund.receipt.fiscal_number, real.hands.window.frame
    await real.until(lambda: bool(status(real)))
    frame.open(RECEIPTS, ReceiptPlace(number))
    top: ReceiptsScreen = in_front(frame, "receipts.title")
    await real.until(
        lambda: top.model.opened is not None and top.model.opened.overview.number == number
    )
    return told, refund, top


async def undone(real: RealTill, told: ReceiptOverview, refund: Sale, top: ReceiptsScreen) -> None:
    """Press R, which says first what it does, then Enter."""
    await real.type("r")
    assert (real.last().key, decisions(real)) == (refund.key, 0)
    await real.until(lambda: not top.opened.acts.main.rests)
    await real.press("Enter")
    await real.until(lambda: real.last().key != refund.key)
    assert decisions(real) == 1
    undone = await real.ended()
    assert undone.state is SaleState.DONE
    sold = (await real.services.receipts.receipt(told.number)).overview
    assert sold.why_not(ReceiptAct.REFUND) is None
    assert refund.receipt is not None
    again = (await real.services.receipts.receipt(refund.receipt.fiscal_number)).overview
    assert again.why_not(ReceiptAct.UNDO) is WhyNot.UNDONE


async def test_it_is_undone_by_two_keys(real: RealTill) -> None:
    async with real.at_work():
        await undone(real, *await opened(real))


@pytest.mark.long
async def test_it_is_undone_once_a_processor_signs(real: RealTill) -> None:
    """While none signs nothing is issued, and there is no row of a decision."""
    async with real.at_work():
        told, refund, top = await opened(real)
        real.shop.change(unreachable=["status", "invoices", "lookup"])
        await real.until(lambda: real.services.server.signs_nothing)
        await real.type("r")
        await real.until(lambda: not top.opened.acts.main.rests)
        await real.press("Enter")
        assert "Ово се издаје само док раде" in " ".join(lines_of(top))
        assert (real.last().key, decisions(real)) == (refund.key, 0)
        real.shop.change(unreachable=[])
        await real.until(lambda: not real.services.server.signs_nothing)
        await undone(real, told, refund, top)


def decisions(real: RealTill) -> int:
    since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    rows = real.services.acts.acts(since=since, until=until)
    return sum(one.done is NotedAct.DECISION for one in rows)


def status(real: RealTill) -> str:
    told = real.services.server.status
    return told.seller_pib if told is not None else ""
