"""Half-done pairs of receipts, and unfinished corrections and exchanges: one case each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.screens import CORRECTION
from pos_app.domain.receipt import states
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage, unfinished_pairs
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.parts import in_front, visible_parts
from tests.gui.payment.shop import Shop
from tests.sweep import each

Begin = Callable[[Shop], Awaitable[FrozenPair]]
CORRECTIONS: tuple[tuple[Begin, bool], ...] = (
    (cases.correction_half_done, True),
    (cases.correction_not_begun, False),
)
EXCHANGES: tuple[Begin, ...] = (cases.exchange_half_done, cases.exchange_not_begun)


async def a_correction_is_one_case_that_leads_to_its_screen(care: Caring) -> None:
    """While it is issued nothing calls for anybody."""
    cases.correcting(care.shop)
    care.frame.count()
    assert care.frame.waiting.to_decide == 0
    await cases.settle(care.shop)
    assert care.waiting() == 0
    assert unfinished_pairs(care.shop.store.sales) == []
    for begin, is_half in CORRECTIONS:
        await care.anew()
        begun = await begin(care.shop)
        await care.opened()
        assert care.waiting() == 1
        assert care.screen.model.current.id == (begun.new if is_half else begun.refund).key
        care.press("Enter")
        assert care.frame.top_name == CORRECTION
        assert in_front(care.frame, "corr.title").model.reference == begun.refund.target


async def a_correction_is_given_up_with_both_parts(care: Caring) -> None:
    begun = await cases.correction_not_begun(care.shop)
    await care.opened()
    care.steps.buttons["end"].click()
    await care.until(lambda: care.state(begun.new) is SaleState.CANCELLED)
    assert care.state(begun.refund) is SaleState.CANCELLED
    assert care.waiting() == 0


async def what_the_server_refuses_of_a_correction_becomes_a_cart(care: Caring) -> None:
    begun = await cases.correction_half_done(care.shop, Fault.FIX)
    await care.opened()
    care.steps.buttons["correct"].click()
    await care.until(lambda: bool(care.taken))
    assert [one.key for one in care.taken] == [begun.new.key]
    lines = care.shop.till.carts.cart_of(begun.new.cart_id).cart.lines
    assert [(one.article.frozen.name, str(one.total)) for one in lines] == [("Хлеб", "842.50")]


async def an_exchange_is_one_case_that_leads_to_its_screen(care: Caring) -> None:
    for begin in EXCHANGES:
        await care.anew()
        begun = await begin(care.shop)
        await care.opened()
        assert care.waiting() == 1
        care.press("Enter")
        top = in_front(care.frame, "exch.title")
        assert top.model.pair is not None
        assert top.model.pair.new.key == begun.new.key


async def an_exchange_becomes_a_cart_and_what_was_credited_is_told(care: Caring) -> None:
    for begin, is_half in (
        (partial(cases.exchange_half_done, fault=Fault.FIX), True),
        (cases.exchange_half_done, True),
        (cases.exchange_not_begun, False),
    ):
        await care.anew()
        begun = await begin(care.shop)
        await care.opened()
        told = " ".join(one.text() for one in visible_parts(care.steps, Label))
        assert ("842,50" in told) is is_half
        care.steps.buttons["correct" if is_half else "to_cart"].click()
        await care.until(lambda: bool(care.taken))
        assert [one.key for one in care.taken] == [begun.new.key]


async def the_screen_waits_no_longer_for_a_cart_once_the_refund_is_found_signed(
    care: Caring,
) -> None:
    begun = await cases.exchange_not_begun(care.shop)
    await care.opened()
    care.press("Enter")
    top = in_front(care.frame, "exch.title")
    care.shop.server.kept[begun.refund.key].state = states.RequestState.SIGNED
    top.room.to_cart()
    assert top.model.goes_to_cart
    await care.until(lambda: care.state(begun.refund) is SaleState.DOUBT)
    assert top.model.stage is PairStage.IN_DOUBT
    assert not top.model.goes_to_cart


@each("step", [
    a_correction_is_one_case_that_leads_to_its_screen, a_correction_is_given_up_with_both_parts,
    what_the_server_refuses_of_a_correction_becomes_a_cart,
    an_exchange_is_one_case_that_leads_to_its_screen,
    an_exchange_becomes_a_cart_and_what_was_credited_is_told,
    the_screen_waits_no_longer_for_a_cart_once_the_refund_is_found_signed,
])  # fmt: skip
async def test_a_correction_or_exchange_that_is_not_finished(
    care: Caring, step: Callable[[Caring], Awaitable[None]]
) -> None:
    await care.anew()
    await step(care)
