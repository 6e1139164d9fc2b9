"""The Z of a shift the whole way: pressed in the window, a job of the server, dots on paper."""

from __future__ import annotations

import pytest
from PIL import Image

from pos_app.cashier.shift.model import Page
from pos_app.domain.money import Money
from tests.gui.receipts.test_handed_over import CUT, Handing, handing
from tests.gui.shift.test_shift import BREAD, opened, rested, screen_of
from tests.integration.paper.escpos_printer import Printer

__all__ = ["handing"]


def papers(handing: Handing) -> list[Image.Image]:
    """What lies in front of the printer."""
    printed = b"".join(handing.printer.printed)
    jobs = [one + CUT for one in printed.split(CUT)[:-1]]
    return [Printer(576).feed_job(one).picture for one in jobs]


@pytest.mark.deadline(120)
async def test_a_z_comes_out_of_the_printer(handing: Handing) -> None:
    """A drop, a sale, the count and the close: three papers, the Z the longest of them."""
    async with handing.at_work() as real:
        screen = await opened(real, "60000")
        await real.type("s")
        await real.type("50000")
        await real.press("Enter")
        await real.until(lambda: handing.papers() == 1)
        await real.press("Esc")
        sale = await real.sold(BREAD)
        await real.until(lambda: handing.papers() == 2)
        await real.press("Ctrl+D", "Enter", "Enter")
        await real.type("2")
        await real.press("F12")
        screen = screen_of(real)
        assert screen.model.page is Page.DIFFERENCE
        assert screen.model.found.rows[0].amount == -sale.money_taken.tendered.cash
        await real.until(lambda: not screen.model.asks_server)
        await rested(real)
        page = screen.page
        await real.tap(page.chips["cash", "change"])
        await real.type("4000")
        await real.press("Enter")
        assert screen.model.page is Page.DONE
        await real.until(lambda: handing.papers() == 3)
        closed = real.core.database.shifts.last_closed()
        assert closed is not None
        assert closed.stays == Money(4000)
        assert closed.taken == Money(6000)
        slip, _, z = papers(handing)
        assert z.height > 2 * slip.height
