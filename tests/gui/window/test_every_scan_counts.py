"""Scans at 20 a second while panels open and close: none is lost, none is in a wrong sale."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale.questions import WeightQuestion
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.selling.sale.state import SaleState
from tests.gui.inside import inside
from tests.gui.parts import notices_in
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA_WEIGHED, run

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
    carts = [
        inside(hands.window).model.cart.ticket.cart,
        *(one.cart for one in shop.till.carts.suspended()),
    ]
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
    return [
        lambda: inside(window).model.entry.enter_code("16"),
        lambda: hands.press("F9"),
        lambda: hands.press("Esc"),
        lambda: hands.press("F1"),
        lambda: hands.press("Esc"),
        lambda: hands.press("F4"),
        lambda: hands.press("Esc"),
        lambda: hands.press("F12"),
        lambda: hands.press("Esc"),
        lambda: hands.press("F6"),
        lambda: hands.press("Esc"),
        lambda: hands.press("F5"),
        lambda: hands.press("Esc"),
        lambda: inside(window).open("attention"),
        lambda: inside(window).go_home(),
        lambda: window.change(language=dice.choice(LANGUAGES)),
        lambda: hands.press("PgUp"),
        inside(window).work_area.sale.flip_picker,
    ]


class Painted(QObject):
    """Notes when the rows of the cart were painted last."""

    def __init__(self, hands: Hands) -> None:
        super().__init__(hands.window)
        self.at = self.spent = 0
        inside(hands.window).cart.list.viewport().installEventFilter(self)
        inside(hands.window).cart.total.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.at, self.spent = time.perf_counter_ns(), time.thread_time_ns()
        return False


@pytest.mark.faults
def test_many_scans_while_panels_open_and_close(
    hands: Hands, capsys: pytest.CaptureFixture[str], times: int
) -> None:
    dice = random.Random(20261120)
    acts = _meanwhile(hands, dice)
    scanned: Counter[str] = Counter()
    names = {ean: hands.shop.name(ean) for ean in EANS}
    waits: list[int] = []
    costs: list[int] = []
    painted = Painted(hands)
    hands.keys.window = hands.window.windowHandle()
    for number in range(FEW if times <= 50 else SCANS):
        ean = dice.choice(EANS)
        began, spent = time.perf_counter_ns(), time.thread_time_ns()
        hands.keys.scan(ean, gap=1)
        if painted.at > began:
            waits.append(painted.at - began)
            costs.append(painted.spent - spent)
        scanned[names[ean]] += 1
        hands.keys.now += GAP_MS - len(ean) - 1
        if number % 5 == 0:
            dice.choice(acts)()
        if number % 97 == 0:
            _pay(hands)
        QApplication.processEvents()
    _answer_all(hands)
    assert inside(hands.window).model.entry.waiting == ()
    assert _pieces(hands) == scanned
    with capsys.disabled():
        told = f"{_shares(waits)}; own time {_shares(costs)}"
        sys.stdout.write(f"\nscan of 14 keys to paint: {told}\n")


def _shares(times: list[int]) -> str:
    p50, p99 = (sorted(times)[round(len(times) * share)] / 1e6 for share in (0.5, 0.99))
    return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"


def _answer_all(hands: Hands) -> None:
    for _ in range(10):
        hands.press("Esc")


def _pay(hands: Hands) -> None:
    _answer_all(hands)
    if inside(hands.window).model.cart.ticket.cart.is_empty:
        return
    hands.shop.pause()
    before = inside(hands.window).model.cart.ticket.id
    hands.pad("+")
    assert inside(hands.window).model.cart.ticket.id != before
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.confirmation.last.state is SaleState.FROZEN
    run(hands.shop.serve())


def test_a_scan_after_confirm_belongs_to_the_next_sale(hands: Hands) -> None:
    hands.scan(EANS[0])
    hands.press("F12")
    hands.scan(EANS[1])
    hands.press("Enter")
    hands.press("Enter")
    hands.scan(EANS[2])
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    sold = hands.shop.till.carts.cart_of(last.cart_id).cart
    assert [line.article.frozen.gtin for line in sold.active] == list(EANS[:2])
    assert [
        line.article.frozen.gtin for line in inside(hands.window).model.cart.ticket.cart.active
    ] == [EANS[2]]


def test_scans_wait_visibly_while_a_question_is_open(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code("16")
    assert isinstance(inside(hands.window).model.questions.question, WeightQuestion)
    hands.scan(EANS[0])
    hands.scan(EANS[1])
    assert hands.rows() == []
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    assert tuple(code.text for code in inside(hands.window).model.entry.waiting) == EANS[:2]
    settle()
    assert notices_in(panel)[-1] == "2 скена чекају Биће додато чим одговорите"
    hands.type("1,2")
    hands.press("Enter")
    assert [row.split(",")[0] for row in hands.rows()] == [
        "1",
        "1 × Хлеб бели Сава 500 g",
        "1 × Млеко свеже 2",
    ]
    assert hands.rows()[0].startswith("1,200 × Банана")


def test_a_scan_is_never_typed_into_a_field(hands: Hands) -> None:
    hands.type("sir")
    hands.scan(EANS[0])
    assert inside(hands.window).work_area.sale.search.text() == "sir"
    hands.press("Esc")
    inside(hands.window).model.entry.enter_code("16")
    hands.type("2")
    hands.scan(EANS[0])
    assert inside(hands.window).work_area.panel is not None
    hands.press("Enter")
    assert [row.split(" ×")[0] for row in hands.rows()] == ["2", "2"]


def test_a_scan_in_payment_keeps_what_was_typed(hands: Hands) -> None:
    hands.scan(EANS[0])
    hands.press("F12")
    hands.type("500")
    hands.scan(BANANA_WEIGHED)
    model = inside(hands.window).work_area.payment.model
    assert model is not None
    assert str(model.due) == "355.37"
    assert str(model.tender.payments.cash) == "500.00"
    assert inside(hands.window).work_area.is_paying


def test_a_scan_in_attention_goes_on_selling(hands: Hands) -> None:
    hands.scan(EANS[0])
    inside(hands.window).open("attention")
    hands.scan(EANS[1])
    assert not inside(hands.window).is_in("attention")
    assert len(hands.rows()) == 2
