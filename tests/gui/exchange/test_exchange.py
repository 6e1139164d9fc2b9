"""What keeps an exchange from being begun, or ends it, in a real window with a real server."""

from __future__ import annotations

import pytest

from pos_app.cashier.exchange.view import ExchangeScreen
from pos_app.domain.money.money import Money
from pos_app.selling.receipts.frozen_pair import FrozenPair, PairStage
from pos_app.selling.sale.sale import PAID_OUT, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.shift import Span
from pos_app.selling.shift.telling import read_facts
from tests.fakes.inner_connection import connection_of
from tests.gui.inside import Inside, inside
from tests.gui.parts import in_front
from tests.gui.receipts.test_receipts import decisions
from tests.gui.refund.opened import ID_CARD, opened
from tests.gui.refund.test_refund import refunded_elsewhere
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"


def screen_of(real: RealTill) -> ExchangeScreen:
    screen: ExchangeScreen = in_front(real.hands.window.frame, "exch.title")
    return screen


async def begun(real: RealTill, sale: Sale, *new: str) -> None:
    """Begin an exchange by F7, scan, R, the identity card, X: the cart has the goods back."""
    await opened(real, sale)
    await real.scan(ID_CARD)
    await real.type("x")
    assert real.hands.window.frame.is_home
    for code in new:
        await real.scan(code)


async def done(real: RealTill) -> FrozenPair:
    screen = screen_of(real)
    await real.until(lambda: screen.model.stage is PairStage.DONE)
    assert screen.model.pair is not None
    return screen.model.pair


def home(real: RealTill) -> Inside:
    return inside(real.hands.window)


def notices_of_sale(real: RealTill) -> str:
    texts = real.hands.window.frame.ui.texts
    screen = home(real)
    faces = [one.words(texts) for one in screen.model.context.notices]
    return " / ".join(f"{one.happened} {one.safe} {one.press}" for one in faces)


async def an_empty_cart_is_no_exchange_and_lines_that_leave_it_are_a_plain_sale(
    real: RealTill,
) -> None:
    sale = await real.sold(MILK)
    await begun(real, sale)
    assert not home(real).cart.large.isVisible(), "the change of before, beside another sum"
    await real.press("F12")
    assert not home(real).work_area.is_paying
    assert "без тога је то рефундација" in notices_of_sale(real)
    assert real.last().key == sale.key
    await real.scan(BREAD)
    screen = home(real)
    await real.tap(screen.cart.added.leave)
    assert "обична продаја" in notices_of_sale(real)
    assert not screen.cart.added.isVisible()
    plain = await real.sold()
    assert (plain.is_exchange, plain.total) == (False, Money("58.99"))


async def another_till_was_first_and_the_cart_is_back_with_the_reason(real: RealTill) -> None:
    sale = await real.sold(BREAD, BREAD, BREAD)
    await begun(real, sale, MILK)
    assert sale.receipt is not None
    await refunded_elsewhere(real, sale.receipt.fiscal_number, 2, "117.98")
    await real.press("F12", "Enter")
    screen_of(real)
    await real.until(lambda: real.hands.window.frame.is_home)
    cart = home(real).model.cart
    assert cart.ticket.exchanged is not None
    assert [line.article.frozen.name for line in cart.ticket.cart.active] != []
    await real.until(lambda: "58,99" in notices_of_sale(real))
    states = {one.state for one in real.core.database.sales.last(2)}
    assert states == {SaleState.CANCELLED}
    again = await opened(real, sale)  # the remaining lines are chosen again, for the same cart
    before = cart.ticket.id
    await real.until(lambda: not again.model.is_asking)
    await real.type("x")
    assert cart.ticket.id == before
    assert again.model.draft is not None
    await real.press("F12")
    await real.press("Enter", "Enter")
    pair = await done(real)
    assert (pair.refund.total, pair.new.total) == (Money("58.99"), Money("139.99"))


def refuse_the_sale_of_an_exchange(real: RealTill) -> None:
    """Let the processor sign the refund and its copy, and refuse the sale."""
    real.shop.fault("late_answer", seconds=0.01, count=2)
    real.shop.fault("refuse", code="2310")


async def half_of(real: RealTill, *new: str, cash: str = "") -> FrozenPair:
    """An exchange whose refund and copy are signed, while the processor refuses the sale for now.
    cash: what the customer gives, "" for the exact amount."""
    sale = await real.sold(BREAD)
    await begun(real, sale, *new)
    refuse_the_sale_of_an_exchange(real)
    await real.press("F12")
    await real.type(cash)
    await real.press("Enter", "Enter")
    screen = screen_of(real)
    await real.until(lambda: screen.model.stage is PairStage.HALF)
    assert screen.model.pair is not None
    return screen.model.pair


async def attention_at(real: RealTill, key: str) -> None:
    await real.by_hand(real.hands.window.frame.open_waiting)
    top = in_front(real.hands.window.frame, "att.title")

    def is_there() -> bool:
        current = top.model.current
        return current is not None and current.id == key

    await real.until(is_there)


REFUSES_PAID_OUT = f"""
CREATE TEMP TRIGGER refuses_paid_out BEFORE INSERT ON main.sale_events
WHEN NEW.code = '{PAID_OUT}' BEGIN SELECT RAISE(ABORT, 'life: not now'); END
"""


async def a_manager_says_that_the_credit_was_paid_out(real: RealTill) -> None:
    pair = await half_of(real, MILK)
    await attention_at(real, pair.new.key)
    await real.tap_words("Исправи")
    cart = home(real).model.cart
    await real.until(lambda: cart.ticket.exchanged is not None)
    await real.by_hand(cart.void, "купац одлази")
    await attention_at(real, pair.refund.key)
    connection = connection_of(real.core.database)
    connection.execute(REFUSES_PAID_OUT)
    await real.tap_words("Исплаћено је")
    await real.tap_words("Забележи као исплаћено")
    assert real.services.sales.credits_owed()
    assert decisions(real) == 0, "what is not kept has no row"
    connection.execute("DROP TRIGGER refuses_paid_out")
    await real.tap_words("Забележи као исплаћено")
    await real.until(lambda: real.services.sales.credits_owed() == [])
    assert decisions(real) == 1
    told = [one.code for one in real.services.sales.history(pair.refund.key)]
    assert told.count(PAID_OUT) == 1
    shifts = real.core.database.shifts
    shift = shifts.open_shift()
    assert shift is not None
    facts = read_facts(shifts, real.core.database.carts, Span(shift))
    assert facts.drawer.expected == Money(0)  # 59 came in, 59 went out; the receipt has 58.99


@pytest.mark.long
@pytest.mark.deadline(180)
async def test_what_keeps_an_exchange_from_being_begun_or_ends_it(real: RealTill) -> None:
    await real.walk(
        a_manager_says_that_the_credit_was_paid_out,
        an_empty_cart_is_no_exchange_and_lines_that_leave_it_are_a_plain_sale,
        another_till_was_first_and_the_cart_is_back_with_the_reason,
    )
