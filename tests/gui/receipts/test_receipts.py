"""Receipts by F7: pressed in a real window, answered by a real server."""

from __future__ import annotations

import pytest

from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.parts import in_front, lines_of
from tests.gui.window.real_till import RealTill

BREAD = "8609910700134"


def screen(real: RealTill) -> ReceiptsScreen:
    screen: ReceiptsScreen = in_front(real.hands.window.frame, "receipts.title")
    return screen


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
        await real.until(lambda: not screen(real).opened.acts.main.rests)
        await real.press("Enter")
        copy = await real.ended()
        assert (copy.operation, copy.state) == ("copy", SaleState.DONE)
        await real.until(lambda: screen(real).side.rows.rowCount() == 3)
        await real.until(lambda: len(shown.opened.overview.chain) == 2)


async def opened(real: RealTill, sale: Sale) -> ReceiptsScreen:
    """Press F7 and scan a receipt."""
    assert sale.receipt is not None
    assert sale.receipt.verification_url is not None
    number = sale.receipt.fiscal_number
    await real.press("F7")
    await real.scan(sale.receipt.verification_url)
    shown = screen(real)
    await real.until(
        lambda: shown.model.opened is not None and shown.model.opened.overview.number == number
    )
    return shown


@pytest.mark.long
async def test_while_the_server_is_away_the_tills_own_sales_stand_there(real: RealTill) -> None:
    async with real.at_work():
        sold = await real.sold(BREAD)
        processor, server = (one for one in real.shop.running if one.lines("http"))
        await opened(real, sold)
        await real.press("Esc")
        await real.by_hand(server.kill)
        await real.press("F7")
        shown = screen(real)
        await real.until(lambda: shown.model.own is not None)
        await real.until(lambda: shown.model.own_opened is not None)
        assert sold.receipt is not None
        number = sold.receipt.fiscal_number
        await real.until(lambda: any(number in one for one in lines_of(shown.opened)))
        await real.type("r")
        assert real.hands.window.frame.top_name == "receipts"
        await real.by_hand(real.shop.server)
        await real.until(lambda: shown.model.opened is not None and shown.model.own is None)
        assert shown.model.opened is not None
        assert shown.model.opened.overview.number == number
        assert not processor.is_over


@pytest.mark.long
async def test_a_receipt_that_was_cut_off_is_read_once_the_server_is_back(real: RealTill) -> None:
    """Its list stands, so nothing else asks anew."""
    async with real.at_work():
        sales = [await real.sold(BREAD) for _ in range(2)]
        await real.press("F7")
        model = screen(real).room.model
        await real.until(lambda: model.opened is not None)
        real.shop.running[-1].kill()
        await real.press("Down")
        await real.until(lambda: bool(model.unread))
        assert model.list_fault is None
        real.shop.server()
        assert sales[0].receipt is not None
        number = sales[0].receipt.fiscal_number
        await real.until(
            lambda: model.opened is not None and model.opened.overview.number == number
        )


async def test_a_copy_waits_for_the_processor_and_is_issued_by_itself(real: RealTill) -> None:
    async with real.at_work():
        sold = await real.sold(BREAD)
        processor = next(one for one in real.shop.running if one.lines("http"))
        shown = await opened(real, sold)
        await real.by_hand(processor.kill)
        await real.press("Enter")
        await real.until(lambda: not shown.opened.acts.main.rests)
        await real.press("Enter")
        await real.until(lambda: shown.model.copy_waits)
        await real.until(
            lambda: any("Копија се издаје чим" in one for one in lines_of(shown.opened))
        )
        await real.by_hand(real.shop.processor)
        copy = await real.ended()
        assert (copy.operation, copy.state) == ("copy", SaleState.DONE)
        await real.until(lambda: any("је издата." in one for one in lines_of(shown.opened)))


@pytest.mark.long
async def test_what_was_typed_of_a_number_finds_it(real: RealTill) -> None:
    async with real.at_work():
        numbers = []
        for _ in range(3):
            sold = await real.sold(BREAD)
            assert sold.receipt is not None
            numbers.append(sold.receipt.fiscal_number)
        await real.press("F7")
        shown = screen(real)
        await real.until(lambda: shown.side.rows.rowCount() == 3)
        await real.type(numbers[0].rpartition("-")[2])
        await real.press("Enter")
        await real.until(
            lambda: (
                shown.model.opened is not None and shown.model.opened.overview.number == numbers[0]
            )
        )
        assert shown.model.doing is None
