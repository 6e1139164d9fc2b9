"""A refund that should not have been is undone from its receipt, in a real window."""

from __future__ import annotations

from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.screens import RECEIPTS, ReceiptPlace
from pos_app.domain.buyer import BuyerId
from pos_app.domain.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.request import ReceiptDelivery
from pos_app.selling.receipts.confirm import confirm_refund
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.receipts.test_again import BREAD, receipt
from tests.gui.window.real_till import RealTill


async def refunded(real: RealTill, told: ReceiptOverview) -> Sale:
    """All of a receipt went back."""
    sale = confirm_refund(
        till=real.services.till, draft=RefundDraft.whole(told), delivery=ReceiptDelivery(),
        buyer=BuyerId.parse("10:101234567"), cashier="Мира", in_whole_dinars=True,
    )  # fmt: skip
    real.core.outbox.wake()
    await real.until(lambda: real.last().key == sale.key)
    return await real.ended()


async def test_it_says_first_what_it_will_do_and_is_undone_by_two_keys(real: RealTill) -> None:
    async with real.at_work():
        told = await receipt(real, await real.sold(BREAD))
        refund = await refunded(real, told)
        assert refund.receipt is not None
        number, frame = refund.receipt.fiscal_number, real.hands.window.frame
        await real.until(lambda: bool(status(real)))
        frame.open(RECEIPTS, ReceiptPlace(number))
        top = frame.top
        assert isinstance(top, ReceiptsScreen)
        await real.until(
            lambda: top.model.opened is not None and top.model.opened.overview.number == number
        )
        await real.type("r")
        assert real.last().key == refund.key
        await real.until(lambda: not top.opened.acts.main.rests)
        await real.press("Enter")
        await real.until(lambda: real.last().key != refund.key)
        undone = await real.ended()
        assert undone.state is SaleState.DONE
        sold = (await real.services.receipts.receipt(told.number)).overview
        assert sold.why_not(ReceiptAct.REFUND) is None
        again = (await real.services.receipts.receipt(number)).overview
        assert again.why_not(ReceiptAct.UNDO) is WhyNot.UNDONE


def status(real: RealTill) -> str:
    told = real.services.server.status
    return told.seller_pib if told is not None else ""
