"""Measures each key stroke in the search, from the changed text to the painted rows."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.bench.painted import Paints
from tests.gui.inside import inside

LATIN = ("sir mladi", "mleko", "čokolada", "caj", "sladki", "šun", "kafa 1 kg", "8600", "đev")
CYRILLIC = ("сир млади", "млеко", "чоколада", "чај", "сладки", "шун", "кафа 1 kg", "ћев", "љути")
BACK = 2
"""The number of characters that are deleted one by one before the field is emptied."""
_BREATH = 0.15
"""Seconds between two words, in which the layout of the last one may end."""
_GIVE_UP = 10.0
_TARGET = Target(10, 10)


@dataclass(frozen=True, slots=True)
class Stroke:
    """text: the typed text after it. Milliseconds: to the painted rows; of the window's
    processor."""

    text: str
    painted: float
    cpu: float


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    sale = inside(hands.window).work_area.sale
    if sale.picker.rows.as_list:
        sale.flip_picker()
    while not sale.picker.letters.is_done:  # some 2 s after the start
        await hands.pause(_BREATH)
    paints = {view: Paints(view) for view in (sale.picker.tiles, sale.picker.list)}
    for shape in ("tiles", "list"):
        for script, words in (("latin", LATIN), ("cyrillic", CYRILLIC)):
            strokes = await _strokes(hands, paints[sale.picker.view], words)
            worst = max(strokes, key=lambda one: one.painted)
            yield Figure.of(
                f"search, each key stroke → rows painted, {script}, as {shape}",
                [one.painted for one in strokes],
                _TARGET,
                f'the worst: {worst.painted:.1f} ms for "{worst.text}"',
            )
            yield Figure.of("  its own processor time", [one.cpu for one in strokes])
        sale.flip_picker()
        await hands.quiet.reached()


async def _strokes(hands: Hands, paints: Paints, words: Sequence[str]) -> list[Stroke]:
    strokes: list[Stroke] = []
    for word in list(words) * hands.size.rounds:
        keys = (*word, *["back"] * BACK)
        strokes += [await _stroke(hands, paints, key) for key in keys]
        inside(hands.window).work_area.sale.search.clear()
        await hands.quiet.reached()
        await hands.pause(_BREATH)
    return strokes


async def _stroke(hands: Hands, paints: Paints, key: str) -> Stroke:
    """Press one key. A key that finds or changes nothing counts until the window is quiet."""
    sale = inside(hands.window).work_area.sale
    shown = sale.picker.rows.window
    before = shown.choice
    cpu, began = time.thread_time(), time.perf_counter()
    sale.search.press(key)
    ended = await hands.quiet.reached()
    while shown.at_most(1) and shown.choice != before and paints.ended < began:
        ended = await hands.quiet.reached()
        if ended - began > _GIVE_UP:
            raise AssertionError(f'the hits of "{sale.search.text()}" were never painted')
    ended = paints.ended if paints.ended > began else ended
    spent = time.thread_time() - cpu
    return Stroke(sale.search.text(), (ended - began) * 1000, spent * 1000)
