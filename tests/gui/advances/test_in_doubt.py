"""An advance on which an act is under way or in doubt asks for no money and begins no other act."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pos_app.cashier.ui import views
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.window.screens import ADVANCES, ATTENTION
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.gui.advances.test_advances import (
    ADVANCE,
    at_advance,
    issue,
    opened,
    paying,
    screen,
    state_of,
    told,
)
from tests.gui.parts import lines_of, visible_parts
from tests.gui.refund.opened import ID_CARD
from tests.gui.refund.opened import screen_of as refunding
from tests.gui.window.real_till import RealTill

_CAKE = {"name": "Торта чоколадна", "taxRateLabel": "Ђ", "unit": "ком"}
GOODS = {"quantity": 1, "unitPrice": 1259.91, "article": _CAKE}
BEGUN: dict[str, Any] = ADVANCE | {"payments": {"cash": 500}, "items": [GOODS]}
NO_SUMS = ("Преостаје за плаћање", "Купац плаћа сада", "759,91")
"""What nobody may read while it is not known whether the rest was paid."""


def fail_behind_first(real: RealTill) -> None:
    """Let the processor sign one receipt, and drop the connection of all that follow."""
    real.shop.fault("late_answer", seconds=0.1)
    real.shop.fault("drop", count=None)


async def in_doubt(real: RealTill) -> Sale:
    """Kill the processor before it answers, and wait for the doubt."""
    await real.until(lambda: real.last().state is SaleState.SENDING)
    await asyncio.sleep(0.5)  # it is at the processor
    real.shop.running[0].kill()
    await real.until(lambda: real.last().state is SaleState.DOUBT)
    return real.last()


def words(real: RealTill) -> str:
    return " ".join(lines_of(screen(real)))


def caps(real: RealTill) -> set[str]:
    """The keys that the screen offers."""
    offered = (one for one in visible_parts(screen(real), Button) if one.isEnabled())
    return {one.spec.key for one in offered} - {"", "Esc"}


async def nothing_else_can_begin(real: RealTill, sale: Sale) -> None:
    """The page tells the act with what was given, and its keys begin no other one."""
    frame = real.hands.window.frame
    is_refund = sale.operation is Operation.REFUND
    warned = "Не рефундирајте поново" if is_refund else "Не наплаћујте поново"
    await real.until(lambda: "500,00" in words(real) and warned in words(real))
    (row,) = screen(real).model.matches
    assert row.numbers[0] == screen(real).model.chosen
    spoken = screen(real).list.list.rows.index(0).data(views.ROW).spoken
    said = " ".join((spoken, *lines_of(screen(real).opened.view)))
    assert not [one for one in NO_SUMS if one in said], said
    assert not caps(real) & {"+", "R", "O"}
    assert not screen(real).opened.close_button.isVisible()
    for key in ("+", "r", "o", "R", "O"):
        await real.type(key)
        assert frame.top_name == ADVANCES, key
        assert not screen(real).is_busy, key
    await real.press("Enter", "Enter")
    assert frame.top_name in (ADVANCES, ATTENTION)  # where the doubt is decided
    if frame.top_name == ATTENTION:
        await real.by_hand(frame.open, ADVANCES)
    assert not screen(real).is_busy
    assert real.last().key == sale.key, "nothing else was confirmed"


async def left_and_opened(real: RealTill) -> None:
    await real.by_hand(real.hands.window.frame.go_home)
    await real.press("F8")
    await real.until(lambda: screen(real).model.opened is not None)


async def the_closing_of_which_one_receipt_is_signed(real: RealTill) -> None:
    first = issue(real, BEGUN)
    await at_advance(real, first)
    await real.press("Enter")
    fail_behind_first(real)
    await real.press("Enter", "Enter")
    sale = real.last()
    assert sale.operation is Operation.CLOSE
    await nothing_else_can_begin(real, sale)
    await real.until(lambda: real.last().state is SaleState.DOUBT)
    await nothing_else_can_begin(real, sale)
    await left_and_opened(real)
    await nothing_else_can_begin(real, sale)
    await real.scan(first["verificationUrl"])
    await opened(real, first["invoiceNumber"])
    await nothing_else_can_begin(real, sale)
    assert told(real).paid == Money(500)
    real.shop.running[-1].kill()
    await left_and_opened(real)
    await nothing_else_can_begin(real, sale)
    real.shop.server()
    await real.until(lambda: screen(real).model.error is None)
    await nothing_else_can_begin(real, sale)
    real.shop.control("DELETE", "/faults")
    await real.until(lambda: state_of(real, sale) is SaleState.DONE)
    await real.until(lambda: screen(real).model.opened is not None and told(real).is_closed)
    await real.until(lambda: screen(real).model.listed.advances == ())


async def the_further_payment_of_which_nothing_is_known(real: RealTill) -> None:
    first = issue(real, BEGUN)
    await paying(real, first)
    await real.type("200")
    real.shop.fault("late_answer", seconds=5)
    await real.press("Enter", "Enter")
    sale = await in_doubt(real)
    assert (sale.operation, sale.total) == (Operation.ADVANCE, Money(200))
    await nothing_else_can_begin(real, sale)
    await left_and_opened(real)
    await nothing_else_can_begin(real, sale)
    real.shop.processor()
    await real.until(lambda: state_of(real, sale) is SaleState.DONE)
    await real.until(lambda: told(real).paid == Money(700) and not screen(real).room.is_under_way)


async def the_refund_of_which_nothing_is_known(real: RealTill) -> None:
    first = issue(real, BEGUN)
    await at_advance(real, first)
    await real.type("r")
    refund = refunding(real)
    await real.until(lambda: refund.model.draft is not None)
    await real.press("Enter")
    await real.type(ID_CARD)
    real.shop.fault("late_answer", seconds=5)
    await real.press("Enter", "Enter")
    sale = await in_doubt(real)
    assert sale.operation is Operation.REFUND
    await real.press("Esc")
    await real.until(lambda: real.hands.window.frame.top_name == ADVANCES)
    await real.until(lambda: screen(real).model.opened is not None)
    await nothing_else_can_begin(real, sale)
    real.shop.processor()
    await real.until(lambda: state_of(real, sale) is SaleState.DONE)
    await real.until(lambda: screen(real).model.listed.advances == ())
    await real.until(lambda: "Рефундација: издато" in words(real))
    assert "Дајте купцу" in words(real)


@pytest.mark.deadline(180)
@pytest.mark.parametrize(
    "walk",
    [
        the_closing_of_which_one_receipt_is_signed,
        the_further_payment_of_which_nothing_is_known,
        the_refund_of_which_nothing_is_known,
    ],
    ids=lambda walk: walk.__name__,
)
async def test_an_advance_whose_act_is_in_doubt(real: RealTill, walk: Any) -> None:
    await real.walk(walk)
