"""The manager's PIN in front of a refund, and its reason, where the shop's settings say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.ui.labels import Label
from pos_app.selling.sale.sale import REFUND_REASON, Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes.people_here import quick
from tests.gui.correction import test_correction as corrections
from tests.gui.exchange import test_exchange as exchanges
from tests.gui.parts import is_in_front, visible_parts
from tests.gui.refund import test_closed_by_hand as closings
from tests.gui.refund.opened import (
    ID_CARD,
    is_refused,
    opened,
    refund_after,
    screen_of,
    seen_issued,
)
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.real_till import opened as opened_till

BREAD, MILK, PIN = "8609910700134", "8609951100139", "4711"


@pytest.fixture
def asked(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    """A shop that asks for the reason of a refund."""
    told = '[till]\nrefund_reasons = ["Погрешно откуцано", "Неисправна роба"]\n'
    with opened_till(tmp_path, template, sell_in, told=told) as made:
        yield made


@pytest.fixture
def strict(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    """A shop in which only a manager refunds."""
    told = "[till]\nrefund_needs_manager = true\n"
    with opened_till(tmp_path, template, sell_in, told=told) as made:
        yield made


def reasons_of(real: RealTill, sale: Sale) -> list[str]:
    """The reasons in the till's file, as reports find them."""
    events = real.services.sales.history(sale.key)
    return [event.text for event in events if event.code == REFUND_REASON]


async def with_document(real: RealTill, *codes: str) -> tuple[Sale, RefundScreen]:
    """Open the refund of a new sale, and type the document of its buyer."""
    sale = await real.sold(*codes)
    screen = await opened(real, sale)
    await real.press("Enter")
    await real.type(ID_CARD)
    return sale, screen


async def an_exchange_has_a_reason_too_and_leads_on_to_the_sale(real: RealTill) -> None:
    sale = await real.sold(MILK)
    screen = await opened(real, sale)
    await real.scan(ID_CARD)
    await real.type("x")
    await real.until(screen.right_side.reason.hasFocus)
    await real.type("2")
    assert real.hands.window.frame.is_home
    await real.scan(BREAD)
    await real.press("F12", "Enter")
    pair = await exchanges.done(real)
    assert reasons_of(real, pair.refund) == ["Неисправна роба"]


async def the_way_that_was_chosen_last_counts(real: RealTill) -> None:
    """Exchange on the page of the reason is one, with a reason that is typed or not; the button
    names what Enter does, and Esc leads back to the choice."""
    sale, screen = await with_document(real, BREAD)
    reason, main = screen.right_side.reason, screen.right_side.main
    await real.press("Enter")
    await real.until(reason.hasFocus)
    await real.press("Alt+0")
    assert screen.right_side.others.exchange.isHidden()
    assert reason.own.error() == "Изаберите разлог, или га упишите"
    await real.press("Esc", "Enter")
    await real.type("abc")
    assert main.accessibleName().startswith("Рефундирај")
    await real.press("Alt+0")
    assert real.hands.window.frame.is_home
    assert real.last().key == sale.key, "a refund was issued"


async def no_reason_is_asked_of_a_closing(real: RealTill) -> None:
    """Nothing goes back, whoever's document it is."""
    before = real.last()
    await closings.at_the_form(real)
    assert screen_of(real).model.document.value == "106543219"
    await closings.closed(real, before)


async def test_an_exchange_that_is_chosen_while_the_reason_is_asked_is_no_refund(
    asked: RealTill,
) -> None:
    await asked.walk(the_way_that_was_chosen_last_counts)


@pytest.mark.long
async def test_an_exchange_has_a_reason_and_a_closing_has_none(asked: RealTill) -> None:
    await asked.walk(
        an_exchange_has_a_reason_too_and_leads_on_to_the_sale, no_reason_is_asked_of_a_closing
    )


async def test_where_only_a_manager_refunds_the_pin_is_asked_first(strict: RealTill) -> None:
    """The next visit asks again; a scan meanwhile is not lost."""
    real = strict
    async with real.at_work():
        real.services.manager.save_pin(quick(PIN))
        sale = await real.sold(BREAD, MILK)
        assert sale.receipt is not None
        assert sale.receipt.verification_url is not None
        await real.press("F7")
        await real.scan(sale.receipt.verification_url)
        top: Any = real.hands.window.frame
        await real.until(lambda: is_in_front(top, "receipts.title") and top.top.model.can_act)
        await real.type("r")
        await real.until(lambda: top.top_name == "refund")
        screen = screen_of(real)
        await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
        assert screen.gate is not None
        told = [one.text() for one in visible_parts(screen.gate, Label)]
        assert "У овој радњи рефундацију допушта ко на њу има право." in told
        await real.scan(MILK)
        await real.type("0000")
        await real.press("Enter")
        await real.until(lambda: is_refused(screen))
        assert screen.model.is_locked
        await real.type(PIN)
        await real.press("Enter")
        await real.until(lambda: screen.gate is None)
        assert screen.model.draft is not None
        assert screen.model.draft.taken == {1: 1}
        await real.press("Enter")
        await real.type(ID_CARD)
        await real.press("Enter")
        assert (await refund_after(real, sale)).state is SaleState.DONE
        await seen_issued(real, screen)
        await real.press("Esc")
        await real.until(lambda: is_in_front(top, "receipts.title") and top.top.model.can_act)
        await real.type("r")
        await real.until(lambda: top.top_name == "refund")
        await real.until(lambda: screen_of(real).gate is not None)


@pytest.mark.long
async def test_a_correction_asks_for_the_pin_too(strict: RealTill) -> None:
    """Otherwise the cashier could keep the cash of a sale that is corrected to card."""
    strict.services.manager.save_pin(quick(PIN))
    await strict.walk(a_correction_asks)


async def a_correction_asks(real: RealTill) -> None:
    sale = await real.sold(BREAD)
    await real.until(lambda: bool(corrections.seller(real)))
    screen = await corrections.opened(real, sale)
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.press(corrections.CARD, "Enter")
    assert screen.model.is_locked
    assert real.last().key == sale.key
    await real.press("Esc")
    screen = await corrections.opened(real, sale)
    await real.until(lambda: screen.gate is not None and screen.gate.isVisible())
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: screen.gate is None)
    await real.press(corrections.CARD)
    await real.press("Enter")
    assert (await corrections.corrected(real, screen)).state is SaleState.DONE
    await real.by_hand(real.hands.window.frame.go_home)
    assert not screen.model.lock.is_open
