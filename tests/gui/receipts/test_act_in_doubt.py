"""A receipt on which an act is under way or in doubt lets no other one begin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from pos_app.cashier.acts.pair_in_front import PairStep
from pos_app.cashier.refund.room import RefundRoom
from pos_app.cashier.window.screens import (
    CORRECTION,
    RECEIPTS,
    REFUND,
    CorrectionPlace,
    RefundPlace,
)
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.correction.test_correction import screen_of as correcting
from tests.gui.correction.test_correction import seller
from tests.gui.exchange.test_exchange import begun
from tests.gui.parts import lines_of
from tests.gui.receipts.test_receipts import opened
from tests.gui.refund import opened as refunding
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"


async def in_doubt(real: RealTill, sold: Sale) -> Sale:
    """Kill the processor before it answers, and wait for the doubt of the refund."""
    follow = real.core.database.sales.under_way_on
    receipt = sold.receipt_id
    assert receipt is not None
    await real.until(lambda: any(one.state is SaleState.SENDING for one in follow([receipt])))
    await asyncio.sleep(0.5)  # it is at the processor
    real.shop.running[0].kill()
    await real.until(lambda: any(one.state is SaleState.DOUBT for one in follow([receipt])))
    (refund,) = (one for one in follow([receipt]) if one.operation is Operation.REFUND)
    return refund


async def nothing_else_can_begin(real: RealTill, sold: Sale, what: str) -> None:
    """F7 and the scan show the act; R and I begin no other one, nor do their pages."""
    frame, newest = real.hands.window.frame, real.last().key
    await real.by_hand(frame.go_home)
    top = await opened(real, sold)
    await real.until(lambda: f"У току је: {what}" in " ".join(lines_of(top)))
    for key in ("r", "i", "R"):
        await real.type(key)
        assert frame.top_name == RECEIPTS, key
    assert not top.opened.acts.buttons["R"].isEnabled()
    assert not top.opened.acts.buttons["I"].isEnabled()
    assert sold.receipt is not None
    number = sold.receipt.fiscal_number
    if what != "Исправка":
        await real.by_hand(frame.open, CORRECTION, CorrectionPlace(number))
        model = correcting(real).model
        await real.until(lambda: model.overview is not None)
        assert not model.can_type
        assert model.next_enter is PairStep.BACK
    await real.by_hand(frame.go_home)
    assert real.last().key == newest, "nothing else was confirmed"


async def the_same_once_the_till_begins_anew(real: RealTill, sold: Sale) -> None:
    """A page that was opened anew knows of the act what the till's file does."""
    frame = real.hands.window.frame
    assert sold.receipt is not None
    room = frame.room(REFUND)
    assert isinstance(room, RefundRoom)
    room.model.act.sale, room.model.reference = None, ""
    await real.by_hand(frame.open, REFUND, RefundPlace(sold.receipt.fiscal_number))
    screen = refunding.screen_of(real)
    await real.until(lambda: screen.model.draft is not None)
    assert not screen.model.can_type
    await real.press("F12")


async def a_refund_of_a_part(real: RealTill) -> None:
    """What is left of the receipt is not refunded beside a refund that may be issued."""
    sold = await real.sold(BREAD, MILK)
    await refunding.opened(real, sold)
    await real.press("Space")
    await real.press("Enter")
    await real.type(refunding.ID_CARD)
    real.shop.fault("late_answer", seconds=5)
    await real.press("Enter", "Enter")
    refund = await in_doubt(real, sold)
    assert refund.total < sold.total
    await nothing_else_can_begin(real, sold, "Рефундација")
    await the_same_once_the_till_begins_anew(real, sold)
    real.shop.processor()
    sales = real.core.database.sales
    await real.until(lambda: sales.sale(refund.key).state is SaleState.DONE)
    shown = refunding.screen_of(real)
    await real.until(lambda: shown.model.why_not is None)  # the page follows by itself
    top = await opened(real, sold)
    await real.until(top.opened.acts.buttons["R"].isEnabled)


async def a_correction(real: RealTill) -> None:
    sold = await real.sold(BREAD)
    await real.until(lambda: bool(seller(real)))
    await opened(real, sold)
    await real.type("i")
    frame = real.hands.window.frame
    await real.until(lambda: frame.top_name == CORRECTION and correcting(real).model.can_type)
    await real.press("Alt+2")
    real.shop.fault("late_answer", seconds=5)
    await real.press("Enter", "Enter")
    await in_doubt(real, sold)
    assert correcting(real).model.stage is PairStage.IN_DOUBT
    await nothing_else_can_begin(real, sold, "Исправка")


async def an_exchange(real: RealTill) -> None:
    sold = await real.sold(BREAD)
    await begun(real, sold, MILK)
    await real.press("F12")
    real.shop.fault("late_answer", seconds=5)
    await real.press("Enter", "Enter")
    await in_doubt(real, sold)
    await nothing_else_can_begin(real, sold, "Замена")


@pytest.mark.deadline(120)
@pytest.mark.parametrize(
    "walk", [a_refund_of_a_part, a_correction, an_exchange], ids=lambda walk: walk.__name__
)
async def test_a_receipt_whose_act_is_in_doubt(
    real: RealTill, walk: Callable[[RealTill], Awaitable[None]]
) -> None:
    await real.walk(walk)
