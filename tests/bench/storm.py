"""Scans at 20 a second while panels, lists and payment open and close; each scan must be in its
sale."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial

from pos_app.cashier.scanner.decoder import KEYPAD_PLUS
from pos_app.cashier.texts.lookup import LANGUAGES
from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.gui.inside import inside
from tests.gui.scanner.wedge import ESCAPE, F9, F12

_GAP_MS = 50
"""From one scan to the next: 20 a second."""
_ACT_EACH, _PAY_EACH = 5, 97
_NONE_LOST = Target(0, 0)
F1_F3_TO_F6, PAGE_UP = (59, 61, 62, 63, 64), 104


@dataclass
class Sold:
    """The codes that were scanned into each cart. turned: scans that waited for an answer."""

    by_cart: dict[int, Counter[str]] = field(default_factory=dict)
    scans: int = 0
    waited: int = 0
    paid: int = 0

    def note(self, cart: int, ean: str, *, waits: bool) -> None:
        self.by_cart.setdefault(cart, Counter())[ean] += 1
        self.scans += 1
        self.waited += waits


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    """Measure as fast as the loop allows, with simulated stamps."""
    dice = random.Random(20261120)
    hands.clear_cart()
    sold = Sold()
    await _scan_all(hands, sold, dice)
    _answer_all(hands)
    stuck = len(inside(hands.window).model.entry.waiting)
    lost, wrong = _compare(hands, sold)
    note = (
        f"{sold.scans:,} scans into {len(sold.by_cart)} carts, {sold.waited} of them waited for"
        f" an answer, {sold.paid} sales ended"
    )
    yield Figure.single("scans lost", lost - stuck, "scans", _NONE_LOST, note)
    yield Figure.single("scans in a wrong sale, or twice", wrong, "scans", _NONE_LOST)
    yield Figure.single(
        "scans that wait although Esc ended each question", stuck, "scans", _NONE_LOST
    )


async def _scan_all(hands: Hands, sold: Sold, dice: random.Random) -> None:
    acts = _acts(hands, dice)
    for number in range(hands.size.storm):
        began_at = hands.keys.now
        _scan(hands, sold, dice)
        hands.keys.now = began_at + _GAP_MS
        if number % _ACT_EACH == 0:
            dice.choice(acts)()
            await asyncio.sleep(0)
        if number % _PAY_EACH == _PAY_EACH - 1:
            await _pay(hands, sold)


def _scan(hands: Hands, sold: Sold, dice: random.Random) -> None:
    """Scan once, and note it with the cart that is open now: a scan that waits goes there too."""
    model = inside(hands.window).model
    waits = model.questions.question is not None and model.questions.question.waits
    ean = dice.choice(hands.codes)
    sold.note(model.cart.ticket.id, ean, waits=waits)
    hands.scan(ean)


async def _pay(hands: Hands, sold: Sold) -> None:
    """Pay exact cash, 0.4 s after the scan before it."""
    _answer_all(hands)
    model = inside(hands.window).model
    before = model.cart.ticket.id
    await hands.until_alive()
    if not model.cart.ticket.cart.is_empty:
        hands.keys.now += _GAP_MS
        hands.keys.tap(KEYPAD_PLUS)
        sold.paid += model.cart.ticket.id != before


def _acts(hands: Hands, dice: random.Random) -> list[Callable[[], object]]:
    """The acts of a cashier between two scans; none of them changes the cart's content."""
    window = hands.window

    def flip() -> None:
        inside(window).work_area.sale.flip_picker()  # a change of language makes a sale of its own

    opening: list[Callable[[], object]] = [
        *(partial(hands.press, place) for place in (*F1_F3_TO_F6, F9, F12, PAGE_UP)),
        lambda: inside(window).open("attention"),
        lambda: inside(window).go_home(),
        lambda: window.change(language=dice.choice(LANGUAGES)),
        lambda: inside(window).work_area.sale.search.press(dice.choice("sмk8")),
        flip,
    ]
    back = partial(hands.press, ESCAPE)
    return opening + [back] * (len(opening) // 2)


def _answer_all(hands: Hands) -> None:
    for _ in range(10):
        hands.press(ESCAPE)


def _compare(hands: Hands, sold: Sold) -> tuple[int, int]:
    """The number of pieces that are in no cart, and of those in another cart than was meant."""
    lost = wrong = 0
    carts = hands.window.services.till.carts
    for cart_id, wanted in sold.by_cart.items():
        found: Counter[str] = Counter()
        for line in carts.cart_of(cart_id).cart.active:
            found[line.article.frozen.gtin or ""] += int(line.quantity.amount)
        lost += (wanted - found).total()
        wrong += (found - wanted).total()
    return lost, wrong
