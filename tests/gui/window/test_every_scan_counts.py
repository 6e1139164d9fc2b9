"""Scans at 20 a second while panels open and close: none is lost, none is in a wrong sale."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.parts import notices_in
from tests.gui.pictures import settle
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA, BANANA_WEIGHED, run
from tests.sweep import each

EANS = ("8609910700134", "8609951100139", "8609912100130")
SCANS, FEW = 5_000, 100
"""The number of scans in `make faults`, and in `make test`."""
GAP_MS = 50
"""Milliseconds between the first keys of two scans: 20 scans a second."""

pytestmark = pytest.mark.usefixtures("resting_loop")


@pytest.fixture
def resting_loop() -> Iterator[None]:
    """Let the window's requests to the server stand still: these tests turn Qt's events
    themselves."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    asyncio.set_event_loop(None)
    loop.close()


def _pieces(hands: Hands) -> Counter[str]:
    """The pieces in the open cart, in suspended carts and in confirmed sales, by article name."""
    shop = hands.shop
    carts = [hands.ticket.cart, *(one.cart for one in shop.till.carts.suspended())]
    sold = shop.database.sales.last(100_000)
    carts += [shop.till.carts.cart_of(sale.cart_id).cart for sale in sold]
    found: Counter[str] = Counter()
    for cart in carts:
        for line in cart.active:
            pieces = 1 if line.article.by_weight else int(line.quantity.amount)
            found[line.article.frozen.name] += pieces
    return found


def _meanwhile(hands: Hands, dice: random.Random) -> list[Callable[[], object]]:
    """A cashier's acts between two scans; each keeps the cart's pieces."""
    window = hands.window
    opening = [partial(hands.press, key) for key in ("F1", "F4", "F5", "F6", "F9", "F12", "PgUp")]
    return [
        *opening,
        *(partial(hands.press, "Esc") for _ in opening),
        lambda: hands.model.entry.enter_code(BANANA),
        lambda: inside(window).open("attention"),
        lambda: inside(window).go_home(),
        lambda: window.change(language=dice.choice(LANGUAGES)),
        hands.area.sale.flip_picker,
    ]


@pytest.mark.faults
def test_many_scans_while_panels_open_and_close(hands: Hands, times: int) -> None:
    dice = random.Random(20261120)
    acts = _meanwhile(hands, dice)
    scanned: Counter[str] = Counter()
    names = {ean: hands.shop.name(ean) for ean in EANS}
    hands.keys.window = hands.window.windowHandle()
    for number in range(FEW if times <= 50 else SCANS):
        ean = dice.choice(EANS)
        hands.keys.scan(ean, gap=1)
        scanned[names[ean]] += 1
        hands.keys.now += GAP_MS - len(ean) - 1
        if number % 5 == 0:
            dice.choice(acts)()
        if number % 97 == 0:
            _pay(hands)
        QApplication.processEvents()
    _answer_all(hands)
    assert hands.model.entry.waiting == ()
    assert _pieces(hands) == scanned


def _answer_all(hands: Hands) -> None:
    for _ in range(10):
        hands.press("Esc")


def _pay(hands: Hands) -> None:
    _answer_all(hands)
    if hands.ticket.cart.is_empty:
        return
    hands.shop.pause()
    before = hands.ticket.id
    hands.pad("+")
    assert hands.ticket.id != before
    assert hands.sold().state is SaleState.FROZEN
    run(hands.shop.serve())


def a_scan_after_confirm_belongs_to_the_next_sale(hands: Hands) -> None:
    hands.scan(EANS[0])
    hands.press("F12")
    hands.scan(EANS[1])
    hands.press("Enter")
    hands.press("Enter")
    hands.scan(EANS[2])
    sold = hands.shop.till.carts.cart_of(hands.sold().cart_id).cart
    assert [line.article.frozen.gtin for line in sold.active] == list(EANS[:2])
    assert hands.gtins() == [EANS[2]]


def scans_wait_visibly_while_a_question_is_open(hands: Hands) -> None:
    hands.model.entry.enter_code(BANANA)
    hands.type("1,2")
    hands.scan(EANS[0])
    hands.scan(EANS[1])
    assert hands.rows() == []
    assert tuple(code.text for code in hands.model.entry.waiting) == EANS[:2]
    settle()
    assert hands.area.panel is not None
    assert notices_in(hands.area.panel)[-1] == "2 скена чекају Биће додато чим одговорите"
    hands.press("Enter")
    assert [row.split(" ")[0] for row in hands.rows()] == ["1,200", "1", "1"]


def a_scan_is_never_typed_into_a_field(hands: Hands) -> None:
    hands.type("sir")
    hands.scan(EANS[0])
    assert hands.area.sale.search.text() == "sir"
    hands.press("Esc")
    hands.press("F12")
    hands.type("500")
    hands.scan(BANANA_WEIGHED)
    assert (str(hands.payment.due), str(hands.payment.tender.payments.cash)) == ("355.37", "500.00")
    assert hands.area.is_paying


@each(
    "act",
    [
        a_scan_after_confirm_belongs_to_the_next_sale,
        scans_wait_visibly_while_a_question_is_open,
        a_scan_is_never_typed_into_a_field,
    ],
)
def test_where_a_scan_goes(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
