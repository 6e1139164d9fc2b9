"""A shift's figures for a day with each kind of receipt, compared with the sums of the journal."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_list import ReceiptQuery
from pos_app.selling.sale.state import SaleState
from tests.gui.advances import test_advances as advances
from tests.gui.correction import test_correction as corrections
from tests.gui.exchange import test_exchange as exchanges
from tests.gui.refund import test_refund as refunds
from tests.gui.refund.opened import ID_CARD
from tests.gui.refund.opened import opened as refund_opened
from tests.gui.shift import test_shift
from tests.gui.window.real_till import RealTill


async def corrected(real: RealTill) -> None:
    """Correct a sale: 258 in cash was really paid by card."""
    sale = await real.sold(test_shift.BREAD, test_shift.BREAD, test_shift.MILK)
    screen = await corrections.opened(real, sale)
    await real.press(corrections.CARD)
    await real.press("Enter")
    new = await corrections.corrected(real, screen)
    assert new.state is SaleState.DONE
    await real.until(lambda: not screen.big.rests)
    await real.press("Enter", "Esc")


async def exchanged(real: RealTill) -> None:
    """Exchange bread for milk: the drawer has 59 and then 81."""
    sale = await real.sold(test_shift.BREAD)
    await exchanges.begun(real, sale, test_shift.MILK)
    await real.press("F12")
    await real.press("Enter", "Enter")
    await exchanges.done(real)
    screen = exchanges.screen_of(real)
    await real.until(lambda: not screen.big.rests)
    await real.press("Enter")


async def refunded(real: RealTill) -> None:
    """Refund a sale: 140 come in and go out."""
    sale = await real.sold(test_shift.MILK)
    await refund_opened(real, sale)
    await real.press("Enter")
    await real.type(ID_CARD)
    await real.press("Enter")
    await refunds.issued(real, sale)
    await real.press("Esc", "Esc")


async def closed(real: RealTill) -> None:
    """Close an advance of another program, of 5,000: the rest of 3,900 is paid here."""
    first = advances.issue(real, advances.ADVANCE)
    await real.press("F8")
    await real.scan(first["verificationUrl"])
    await advances.opened(real, first["invoiceNumber"])
    await real.press("Enter", "Enter")
    await advances.until_issued(real)
    await real.press("Esc")


@pytest.mark.long
@pytest.mark.deadline(180)
async def test_the_turnover_is_what_the_journal_has(real: RealTill) -> None:
    """Correction, exchange, refund in cash, closing; receipts of another program are listed
    apart."""
    async with real.at_work():
        await test_shift.opened(real, "1000")
        await real.press("Esc")
        for act in (corrected, exchanged, refunded, closed):
            await act(real)
            if not real.hands.window.frame.is_home:
                real.hands.window.frame.go_home()
        await real.press("Ctrl+D")
        await real.type("x")
        model = test_shift.screen_of(real).model
        await real.until(lambda: not model.asks_server)
        report = model.report
        assert report is not None
        assert report.server is not None
        assert report.drawer is not None
        told = await real.services.receipts.turnover(ReceiptQuery())
        assert told.turnover is not None
        (other,) = report.server.others
        assert other.amount == Money(5000)
        turnover = report.takings.turnover
        assert turnover.amount == told.turnover.net - other.amount.amount
        documents = told.turnover.documents.items()
        fiscal = sum(many for kind, many in documents if kind.invoice_type.is_fiscal)
        assert report.takings.receipts == fiscal - other.many, "a closing has two"
        assert sum((one.total.amount for one in report.server.labels), Decimal(0)) == (
            turnover.amount
        )
        by_method = {one.name: one.amount for one in report.takings.methods}
        assert Money.total(by_method.values()) == turnover
        assert by_method["card"] == Money("257.97")
        assert report.drawer.expected == Money(1000 + 140 + 3900)
        assert (report.takings.corrections.many, report.takings.refunds.many) == (1, 2)
        assert report.server.closed_advances.amount == Money(-5000)
