"""What ends while nobody sees the screen of the exchange, or long after anybody waited there: it
changes no cart and opens no drawer."""

from __future__ import annotations

import pytest

from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.ticket import NOTHING_ADDED
from tests.fakes.fiscal_server import Fault
from tests.fakes.people_here import CASHIERS_PIN, sign_in
from tests.gui.attention.cases import RETURNED
from tests.gui.parts import is_in_front
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import MILK, Shop
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
