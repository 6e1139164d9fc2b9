"""Measures the Enter of a scan to its painted row: idle, in long carts, and while others write."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPaintEvent

from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.gs1 import read_gs1
from pos_app.cashier.customer_display.display import CustomerDisplay
from pos_app.cashier.customer_display.view import DisplayView
from pos_app.cashier.services.display_setup import DisplaySetup
from pos_app.domain.article.barcodes import CodeRules, classify
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import ScaleRules
from pos_app.selling.file_work import FileDone
from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.bench.place import CHANGED_SHARE
from tests.bench.screen import BUYERS, SIZE
from tests.gui.inside import inside

LINES = 20
_LAST = 10
"""The last scans of a cart, which count for its length."""
_NO_END = 1_000_000
_BREATH = 0.01
"""Seconds between two scans, for the work that a scan leaves behind."""
_TARGET = Target(8, 16)
_DISPLAY = Target(16, 30)
_READ = Target(0.2)
_MESSAGE = "019860012345014731030014123922001250\x1d17301231\x1d10LOT7\x1d21SER9"
_BACKED_UP = Target(p99=50)
_GIGABYTE = 1_000_000_000
_TURN = 100
"""The number of scans with the customer display, and then without it."""


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    async for figure in idle(hands):
        yield figure
    yield _message_read(hands.size.scans)
    async for figure in _with_display(hands):
        yield figure
    yield await _while_written(hands)


def _message_read(many: int) -> Figure:
    """Measure how long a label of six elements takes to read, once the tables are loaded."""
    rules, took = CodeRules(ScaleRules(), read_gs1), list[float]()
    for _ in range(many + 1):
        began = time.perf_counter()
        meant = classify(_MESSAGE, rules)
        took.append(1000 * (time.perf_counter() - began))
        if not isinstance(meant, Gs1Message):
            raise AssertionError(f"it was read as {meant}")
    return Figure.of("a GS1 message of six elements read", took[1:], _READ)


async def idle(hands: Hands) -> AsyncIterator[Figure]:
    await _some(hands, 20)  # the first ones load what only they need
    scans = await _some(hands, hands.size.scans)
    note = f"carts of {LINES} lines"
    yield Figure.of("scan → row painted, idle", scans, _TARGET, note)


async def in_carts(hands: Hands) -> AsyncIterator[Figure]:
    for lines in hands.size.lines:
        scans: list[float] = []
        for _ in range(hands.size.carts):
            scans += (await _some(hands, lines, lines=lines))[-_LAST:]
        name = "scan → row painted, a cart of so many lines"
        yield replace(Figure.of(name, scans, _TARGET), size=lines)


async def _with_display(hands: Hands) -> AsyncIterator[Figure]:
    """Measure with the customer display and without it, a hundred scans of each in turns, so that
    both meet the same machine."""
    display = hands.window.services.display_here
    assert isinstance(display.control, CustomerDisplay)
    control, seen, plain, shown = display.control, list[float](), list[float](), list[float]()
    turn = min(_TURN, hands.size.scans)
    for _ in range(hands.size.scans // turn):
        for monitor, mine in ((BUYERS, shown), ("", plain)):
            display.saved = DisplaySetup(monitor)
            control.follow_setup()
            paints = DisplayPaints(control.view) if control.view is not None else None
            if (paints is not None) is not bool(monitor):
                raise AssertionError(f"the customer display is not as it was set up: {monitor}")
            mine.extend(await _some(hands, turn, paints=paints, seen=seen))
    yield Figure.of("scan → row painted, with a customer display", shown, _TARGET)
    yield Figure.of("  the same without it, in turns", plain)
    yield Figure.of("scan → the customer display painted", seen, _DISPLAY, f"{SIZE[0]}×{SIZE[1]}")


async def while_backed_up(hands: Hands) -> AsyncIterator[Figure]:
    data = hands.core.settings.data
    await _some(hands, 20)
    began, work = time.perf_counter(), hands.core.backups.begin()
    beside = await _some(hands, _NO_END, goes_on=lambda: work.result() is None)
    took = time.perf_counter() - began
    if not isinstance(result := work.result(), FileDone):
        raise AssertionError(f"no backup was made: {result}")
    size = found_sets(data, "")[0].size
    limit = Target(60, 60) if size > _GIGABYTE * 0.9 else None
    yield Figure.single(f"a backup of {size / _GIGABYTE:.2f} GB beside scans", took, "s", limit)
    yield Figure.of("scan → row painted, while a backup is made", beside, _BACKED_UP)
    yield Figure.of("  the longest of them", [max(beside)], _BACKED_UP)


async def _while_written(hands: Hands) -> Figure:
    began = time.perf_counter()
    sync = _begin_sync(hands, [hands.newer])
    scans = await _some(hands, _NO_END, goes_on=lambda: sync.poll() is None)
    took = time.perf_counter() - began
    note = f"the prices of {CHANGED_SHARE:.0%} of the articles change, in {took:.1f} s"
    name = "scan → row painted, while the catalogue is written"
    return Figure.of(name, scans, _TARGET, note)


def _begin_sync(hands: Hands, source: list[str]) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "pos_app", "sync", *source]
    words += ["--data", str(hands.core.settings.data)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


async def _some(
    hands: Hands,
    count: int,
    *,
    lines: int = LINES,
    goes_on: Callable[[], bool] = lambda: True,
    paints: DisplayPaints | None = None,
    seen: list[float] | None = None,
) -> list[float]:
    """seen gets the milliseconds until the customer display has painted each scan."""
    scans: list[float] = []
    hands.clear_cart()
    await hands.quiet.reached()
    while len(scans) < count and goes_on():
        if len(inside(hands.window).model.cart.ticket.cart.active) >= lines:
            hands.clear_cart()
            await hands.quiet.reached()
        hands.at_this_moment()
        ean, began = hands.next_ean(), time.perf_counter()
        scans.append(hands.scan(ean))
        _check(hands, ean, scans[-1])
        await hands.pause(_BREATH)
        await hands.quiet.reached()
        if paints is not None and seen is not None:
            if paints.ended < began:
                raise AssertionError(f"the customer display did not show {ean}")
            seen.append((paints.ended - began) * 1000)
    hands.clear_cart()
    return scans


class DisplayPaints(QObject):
    """The moment when the customer display last painted: `ended` is the end of that paint."""

    def __init__(self, view: DisplayView) -> None:
        super().__init__(view)
        self.ended = 0.0
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QPaintEvent):
            return False
        self._view.paintEvent(event)
        self.ended = time.perf_counter()
        return True


def _check(hands: Hands, ean: str, to_paint: float) -> None:
    """Check that the scan is the last line of the cart, and was painted after it came in."""
    line = inside(hands.window).model.cart.ticket.cart.active[-1]
    if line.article.frozen.gtin != ean or to_paint <= 0:
        raise AssertionError(f"the scan of {ean} was not painted: {line.article.frozen.gtin}")
