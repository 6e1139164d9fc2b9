"""Measures the manager's catalogue: until its table is shown, and each key of its search until rows
are painted."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from pos_app.cashier.window.screens import CATALOGUE
from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.fakes.people_here import let_in
from tests.gui.inside import inside

if TYPE_CHECKING:  # the till loads it when it is first opened
    from pos_app.cashier.catalogue.view import CatalogueScreen

_PIN = "2580"
_WORDS = ("sir mladi", "mleko", "чоколада", "ћев", "8600", "a", "m p")
_OPENS = Target(200, 200)
_KEY = Target(16, 16)
_BREATH = 0.15


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    manager = hands.core.database.manager
    if not manager.is_set():
        manager.save_pin(_PIN)
    opened = [await _opened(hands) for _ in range(max(3, hands.size.rounds))]
    yield Figure.of("catalogue of a manager: gate and table stand", opened, _OPENS)
    screen = await _open(hands)
    keys: list[float] = []
    for word in _WORDS * hands.size.rounds:
        keys += [await _typed(hands, screen, word[: end + 1]) for end in range(len(word))]
        keys.append(await _typed(hands, screen, ""))
        await hands.pause(_BREATH)
    yield Figure.of("  its search, each key stroke → rows painted", keys, _KEY)
    inside(hands.window).go_home()
    await hands.quiet.reached()


async def _open(hands: Hands) -> CatalogueScreen:
    hands.window.frame.open(CATALOGUE)
    screen = inside(hands.window).catalogue
    await hands.quiet.reached()
    return screen


async def _opened(hands: Hands) -> float:
    """Milliseconds that the window works for it, without the PIN's hash, which is slow on
    purpose."""
    began = time.perf_counter()
    screen = await _open(hands)
    spent = time.perf_counter() - began
    let_in(screen.model, _PIN)
    began = time.perf_counter()
    spent += await hands.quiet.reached() - began
    inside(hands.window).go_home()
    await hands.quiet.reached()
    await hands.pause(_BREATH)
    return spent * 1000


async def _typed(hands: Hands, screen: CatalogueScreen, text: str) -> float:
    began = time.perf_counter()
    screen.filters.search.set_text(text)
    return (await hands.quiet.reached() - began) * 1000
