"""Receipts by F7: pressed in a real window, answered by a real server."""

from __future__ import annotations

import os

from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.selling.sale.state import SaleState
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609910700134"


def screen(real: RealTill) -> ReceiptsScreen:
    top = real.hands.window.frame.top
    assert isinstance(top, ReceiptsScreen)
    return top


async def test_the_copy_of_a_receipt_takes_three_presses_and_its_scan(real: RealTill) -> None:
    async with real.at_work():
        sold = await real.sold(BREAD)
        assert sold.receipt is not None
        url = sold.receipt.verification_url
        assert url is not None
        await real.sold(BREAD, BREAD)
        await real.press("F7")
        await real.until(lambda: screen(real).side.rows.rowCount() == 2)
        await real.scan(url)
        shown = screen(real).model
        await real.until(
            lambda: (
                shown.opened is not None
                and shown.opened.overview.number == sold.receipt.fiscal_number
            )
        )
        await real.press("Enter")
        await real.until(screen(real).opened.doing.isVisible)
        if folder := os.environ.get("PICTURES"):
            real.hands.window.grab().save(f"{folder}/doing.png")
        await real.until(lambda: not screen(real).opened.acts.main.rests)
        await real.press("Enter")
        copy = await real.ended()
        assert (copy.operation, copy.state) == ("copy", SaleState.DONE)
        await real.until(lambda: screen(real).side.rows.rowCount() == 3)
        await real.until(lambda: len(shown.opened.overview.chain) == 2)
        if folder := os.environ.get("PICTURES"):
            real.hands.window.grab().save(f"{folder}/copied.png")
