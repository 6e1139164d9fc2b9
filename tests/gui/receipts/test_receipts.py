"""Receipts by F7: pressed in a real window, answered by a real server."""

from __future__ import annotations

from pos_app.selling.sale.state import SaleState
from tests.gui.window.real_till import RealTill

BREAD = "8609910700134"


async def test_a_sale_goes_the_whole_way(real: RealTill) -> None:
    async with real.at_work():
        sale = await real.sold(BREAD)
        assert sale.state is SaleState.DONE
