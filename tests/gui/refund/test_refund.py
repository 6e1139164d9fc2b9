"""Refunds pressed in a real window and issued by a real server and processor."""

from __future__ import annotations

from dataclasses import dataclass, field

from pos_app.domain.money import Money
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.refund.opened import notices, opened
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"
ID_CARD = "008412357"


@dataclass
class Counted:
    """Presses of keys, but for the digits of the buyer's document."""

    real: RealTill
    presses: list[str] = field(default_factory=list)

    def press(self, key: str) -> None:
        self.presses.append(key)
        self.real.hands.press(key)

    def type(self, text: str) -> None:
        self.presses.append(text)
        self.real.hands.type(text)


async def refunded(real: RealTill, before: Sale) -> Sale:
    """The refund that is confirmed after a sale, once it has ended."""
    await real.until(lambda: real.last().key != before.key)
    return await real.ended()


async def test_a_whole_receipt_goes_back_by_two_keys_and_a_buyer(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD, BREAD, MILK)
        screen, counted = await opened(real, sale), Counted(real)
        counted.press("Enter")
        real.hands.type(ID_CARD)
        counted.press("Enter")
        refund = await refunded(real, sale)
        assert len(counted.presses) == 2  # F7 and R stand before them
        assert (refund.state, refund.total) == (SaleState.DONE, sale.total)
        await real.until(lambda: "Рефундација је издата" in notices(screen))
        receipt = await real.services.receipts.receipt(
            str(refund.receipt and refund.receipt.receipt_id)
        )
        assert receipt.overview.buyer == f"20:{ID_CARD}"
        assert Money.total(one.amount for one in receipt.overview.payments) == sale.total
        real.hands.press("Enter")
        assert real.hands.window.frame.is_home
