"""From the Enter of a scan to its painted row: idle, in long carts, and while others write."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable

from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands

_LINES = 20
_LONG = 120
_BREATH = 0.01
"""Seconds between two scans in which the window does what may come after."""
_TARGET = Target(8, 16)


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    """All figures of scanning."""
    await _some(hands, 20)  # the first ones load what only they need
    painted, done = await _some(hands, hands.size.scans)
    yield Figure.of("scan → row painted, idle", painted, _TARGET, f"carts of {_LINES} lines")
    yield Figure.of("scan → everything it set off has returned, idle", done)
    painted, _ = await _some(hands, _LONG, lines=_LONG)
    yield Figure.of(f"scan → row painted, a cart growing to {_LONG} lines", painted, _TARGET)
    async for figure in _while_written(hands):
        yield figure


async def _while_written(hands: Hands) -> AsyncIterator[Figure]:
    began = time.perf_counter()
    sync = _begin_sync(hands)
    painted, done = await _some(hands, 1_000_000, goes_on=lambda: sync.poll() is None)
    took = time.perf_counter() - began
    note = f"every one of {hands.size.articles:,} articles changes its price, in {took:.1f} s"
    yield Figure.of("scan → row painted, while the catalogue is written", painted, _TARGET, note)
    yield Figure.of("scan → everything has returned, while it is written", done)


def _begin_sync(hands: Hands) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "pos_app", "sync", hands.newer]
    words += ["--data", str(hands.core.settings.data)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


async def _some(
    hands: Hands, count: int, *, lines: int = _LINES, goes_on: Callable[[], bool] = lambda: True
) -> tuple[list[float], list[float]]:
    painted: list[float] = []
    done: list[float] = []
    hands.clear_cart()
    while len(painted) < count and goes_on():
        if len(hands.window.model.basket.cart.active) >= lines:
            hands.clear_cart()
            await hands.quiet.reached()
        hands.at_this_moment()
        ean = hands.next_ean()
        to_paint, to_return = hands.scan(ean)
        _check(hands, ean, to_paint)
        painted.append(to_paint)
        done.append(to_return)
        await hands.pause(_BREATH)
        await hands.quiet.reached()
    hands.clear_cart()
    return painted, done


def _check(hands: Hands, ean: str, to_paint: float) -> None:
    """The scan is the last line of the cart, and was painted after it came in."""
    line = hands.window.model.basket.cart.active[-1]
    if line.article.frozen.gtin != ean or to_paint <= 0:
        raise AssertionError(f"the scan of {ean} was not painted: {line.article.frozen.gtin}")
