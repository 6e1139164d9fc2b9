"""An unfinished correction or exchange: one case, which leads to its screen."""

from __future__ import annotations

import pytest

from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import CORRECTION
from pos_app.domain.receipt.states import RequestState
from pos_app.selling.receipts.frozen_pair import PairStage, unfinished_pairs
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.parts import in_front, visible_parts
from tests.sweep import sampled


async def test_while_it_is_issued_nothing_calls_for_anybody(care: Caring) -> None:
    cases.correcting(care.shop)
    care.frame.count()
    assert care.frame.waiting.to_decide == 0
    await cases.settle(care.shop)
    assert care.waiting() == 0
    assert unfinished_pairs(care.shop.store.sales) == []


@pytest.mark.parametrize("is_half", sampled([True, False]))
async def test_it_is_one_case_that_leads_to_its_screen(care: Caring, is_half: bool) -> None:
    begin = cases.correction_half_done if is_half else cases.correction_not_begun
    begun = await begin(care.shop)
    await care.opened()
    assert care.waiting() == 1
    assert care.screen.model.current is not None
    assert care.screen.model.current.id == (begun.new if is_half else begun.refund).key
    care.press("Enter")
    assert care.frame.top_name == CORRECTION
    top = in_front(care.frame, "corr.title")
    assert top.model.reference == begun.refund.target


async def test_it_is_given_up_with_both_parts(care: Caring) -> None:
    begun = await cases.correction_not_begun(care.shop)
    await care.opened()
    care.steps.buttons["end"].click()
    sales = care.shop.store.sales
    await care.until(lambda: sales.sale(begun.new.key).state is SaleState.CANCELLED)
    assert sales.sale(begun.refund.key).state is SaleState.CANCELLED
    assert care.waiting() == 0


async def test_what_the_server_refuses_becomes_a_cart(care: Caring) -> None:
    begun = await cases.correction_half_done(care.shop, Fault.FIX)
    await care.opened()
    care.steps.buttons["correct"].click()
    await care.until(lambda: bool(care.taken))
    assert [one.key for one in care.taken] == [begun.new.key]
    lines = care.shop.till.carts.cart_of(begun.new.cart_id).cart.lines
    assert [(one.article.frozen.name, str(one.total)) for one in lines] == [("Хлеб", "842.50")]


@pytest.mark.parametrize("is_half", sampled([True, False]))
async def test_an_exchange_is_one_case_that_leads_to_its_screen(
    care: Caring, is_half: bool
) -> None:
    begin = cases.exchange_half_done if is_half else cases.exchange_not_begun
    begun = await begin(care.shop)
    await care.opened()
    assert care.waiting() == 1
    care.press("Enter")
    top = in_front(care.frame, "exch.title")
    assert top.model.pair is not None
    assert top.model.pair.new.key == begun.new.key


@pytest.mark.parametrize(
    ("is_half", "fault"),
    sampled([(True, Fault.FIX), (True, Fault.WAIT), (False, Fault.WAIT)], few=2),
)
async def test_an_exchange_becomes_a_cart_and_what_was_credited_is_told(
    care: Caring, is_half: bool, fault: Fault
) -> None:
    if is_half:
        begun = await cases.exchange_half_done(care.shop, fault)
    else:
        begun = await cases.exchange_not_begun(care.shop)
    await care.opened()
    told = " ".join(one.text() for one in visible_parts(care.steps, Label))
    assert ("842,50" in told) is is_half
    care.steps.buttons["correct" if is_half else "to_cart"].click()
    await care.until(lambda: bool(care.taken))
    assert [one.key for one in care.taken] == [begun.new.key]


async def test_the_screen_waits_no_longer_for_a_cart_once_the_refund_is_found_signed(
    care: Caring,
) -> None:
    begun = await cases.exchange_not_begun(care.shop)
    await care.opened()
    care.press("Enter")
    top = in_front(care.frame, "exch.title")
    care.shop.server.kept[begun.refund.key].state = RequestState.SIGNED
    top.room.to_cart()
    assert top.model.goes_to_cart
    sales = care.shop.store.sales
    await care.until(lambda: sales.sale(begun.refund.key).state is SaleState.DOUBT)
    assert top.model.stage is PairStage.IN_DOUBT
    assert not top.model.goes_to_cart
