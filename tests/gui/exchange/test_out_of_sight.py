"""What ends while nobody sees the screen of the exchange, or long after anybody waited there: it
changes no cart and opens no drawer."""

from __future__ import annotations

import pytest

from pos_app.domain.money.money import Money
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import NOTHING_ADDED
from tests.fakes.fiscal_server import Fault
from tests.fakes.people_here import CASHIERS_PIN, sign_in
from tests.gui.attention.cases import RETURNED
from tests.gui.parts import in_front, is_in_front, notices_in
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.gui.window.test_drawer import WIRED, SlowPapers, wired


@pytest.fixture
def papers() -> SlowPapers:
    made = SlowPapers()
    made.free.set()
    return made


@pytest.fixture
def hands(shop: Shop, sell_in: SellIn, papers: SlowPapers) -> Hands:
    """A cashier who signed in, at a till with a drawer."""
    sign_in(shop.services)
    return sell_in(wired(shop, papers, WIRED))


def confirmed(hands: Hands) -> FrozenPair:
    """An exchange for whose dearer goods the customer gives 1000, of 137 to be paid."""
    hands.model.cart.begin_exchange(RETURNED, NOTHING_ADDED)
    for _ in range(7):
        hands.scan(MILK)
    hands.shop.pause()
    hands.press("F12", "#1000", "Enter", "Enter")
    assert is_in_front(hands.window.frame, "exch.title")
    return FrozenPair(*reversed(hands.shop.database.sales.last(2)))


async def served(hands: Hands, steps: int = 60) -> None:
    await hands.shop.serve(steps)
    await seen()


async def given_up(hands: Hands) -> FrozenPair:
    """It was not sent, and goes back to the cart as soon as the server is there again."""
    pair = confirmed(hands)
    hands.shop.server.running = False
    await served(hands)
    hands.tap_words("Врати у корпу")
    return pair


def state_of(hands: Hands, pair: FrozenPair) -> SaleState:
    return hands.shop.database.sales.sale(pair.new.key).state


async def test_one_that_was_given_up_leaves_the_next_customers_payment_alone(
    hands: Hands, shop: Shop, sell_in: SellIn
) -> None:
    """Its lines wait in Attention, for which the bell rings, also once the till is opened anew."""
    pair = await given_up(hands)
    hands.press("Esc")
    hands.scan(BREAD, MILK)
    hands.shop.pause()
    hands.press("F12", "#2000")
    hands.shop.server.running = True
    await served(hands)
    assert state_of(hands, pair) is SaleState.CANCELLED
    assert hands.area.is_paying
    assert hands.payment.tender.payments.cash == Money(2000)
    await until(hands.top.bell.isVisible)
    assert "Пажња" in hands.bottom_line()
    hands.press("Enter", "Enter")
    assert not hands.sold().is_exchange
    again = sell_in(shop)
    assert again.top.bell.isVisible()
    again.window.frame.open_waiting()
    await seen()
    again.tap_words("Врати ставке у корпу")
    assert again.ticket.exchanged is not None


async def test_one_that_was_given_up_is_in_the_cart_once_the_till_is_unlocked(hands: Hands) -> None:
    pair = await given_up(hands)
    hands.press("F11")
    hands.shop.server.running = True
    await served(hands)
    assert state_of(hands, pair) is SaleState.CANCELLED
    assert hands.ticket.exchanged is None, "the cart changed under the lock"
    hands.type(CASHIERS_PIN)
    await until(lambda: hands.window.frame.is_home)
    assert hands.ticket.exchanged is not None


async def test_a_refusal_under_the_lock_waits_for_a_person(hands: Hands) -> None:
    confirmed(hands)
    hands.press("F11")
    hands.shop.server.faults.append(Fault.FIX)
    await served(hands)
    assert hands.ticket.exchanged is None, "the cart changed under the lock"
    hands.type(CASHIERS_PIN)
    await until(lambda: is_in_front(hands.window.frame, "exch.title"))
    hands.tap_words("Врати у корпу")
    await served(hands)
    assert hands.window.frame.is_home
    assert hands.ticket.exchanged is not None


async def test_the_drawer_stays_shut_under_the_lock(hands: Hands, papers: SlowPapers) -> None:
    """The screen then says what to give, and that is all: nothing opens the drawer later."""
    pair = confirmed(hands)
    hands.press("F11")
    await served(hands)
    assert state_of(hands, pair) is SaleState.DONE
    hands.type(CASHIERS_PIN)
    await until(lambda: is_in_front(hands.window.frame, "exch.title"))
    told = " ".join(notices_in(in_front(hands.window.frame, "exch.title")))
    assert "863,00" in told
    assert "фиока је отворена" not in told.lower()
    assert papers.opened == []


async def test_a_doubt_that_ends_later_opens_no_drawer(hands: Hands, papers: SlowPapers) -> None:
    pair = confirmed(hands)
    hands.shop.server.faults.append(Fault.IN_DOUBT)
    await served(hands)
    assert any("Пажњ" in one for one in notices_in(hands.window))
    hands.shop.server.find_out(signed=True)
    await served(hands)
    assert state_of(hands, pair) is SaleState.DONE
    assert papers.opened == []


async def test_the_drawer_opens_for_who_waits(hands: Hands, papers: SlowPapers) -> None:
    confirmed(hands)
    await served(hands)
    assert len(papers.opened) == 1
    assert "фиока је отворена" in " ".join(notices_in(hands.window))
