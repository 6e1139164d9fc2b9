"""Measures each key stroke in the search, from the changed text to the painted rows."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence

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
            name = f"search, each key stroke → rows painted, {script}, as {shape}"
            yield Figure.of(name, strokes, _TARGET)
        sale.flip_picker()
        await hands.quiet.reached()


async def _strokes(hands: Hands, paints: Paints, words: Sequence[str]) -> list[float]:
    strokes: list[float] = []
    for word in list(words) * hands.size.rounds:
        keys = (*word, *["back"] * BACK)
        strokes += [await _stroke(hands, paints, key) for key in keys]
        inside(hands.window).work_area.sale.search.clear()
        await hands.quiet.reached()
        await hands.pause(_BREATH)
    return strokes


async def _stroke(hands: Hands, paints: Paints, key: str) -> float:
    """Milliseconds from a pressed key to the painted rows; to the rest of the window where it finds
    or changes nothing."""
    sale = inside(hands.window).work_area.sale
    shown = sale.picker.rows.window
    before = shown.choice
    began = time.perf_counter()
    sale.search.press(key)
    ended = await hands.quiet.reached()
    while shown.at_most(1) and shown.choice != before and paints.ended < began:
        ended = await hands.quiet.reached()
        if ended - began > _GIVE_UP:
            raise AssertionError(f'the hits of "{sale.search.text()}" were never painted')
    ended = paints.ended if paints.ended > began else ended
    return (ended - began) * 1000
