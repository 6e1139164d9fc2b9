"""Each key stroke in the search: from the changed text to the painted rows."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands, Paints

_LATIN = ("sir mladi", "mleko", "čokolada", "caj", "sladki", "šun", "kafa 1 kg", "8600", "đev")
_CYRILLIC = ("сир млади", "млеко", "чоколада", "чај", "сладки", "шун", "кафа 1 kg", "ћев", "љути")
_BACK = 2
"""How many of the characters are taken back one by one before the field is emptied."""
_TARGET = Target(10, 10)


@dataclass(frozen=True, slots=True)
class Stroke:
    """text: what is typed after it. Milliseconds: to the painted rows; the window's processor."""

    text: str
    painted: float
    cpu: float


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    """Both scripts, as tiles and as a list."""
    sale = hands.window.stage.sale
    if sale.picker.rows.as_list:
        sale.flip_picker()
    paints = {view: Paints(view) for view in (sale.picker.tiles, sale.picker.list)}
    for shape in ("tiles", "list"):
        for script, words in (("latin", _LATIN), ("cyrillic", _CYRILLIC)):
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
    search = hands.window.stage.sale.search
    strokes = []
    for word in list(words) * hands.size.rounds:
        for key in (*word, *["back"] * _BACK):
            cpu, began = time.thread_time(), time.perf_counter()
            search.press(key)
            quiet = await hands.quiet.reached()
            # Where nothing was found no rows are painted: all that was painted counts.
            ended = paints.ended if paints.ended > began else quiet
            spent = time.thread_time() - cpu
            strokes.append(Stroke(search.text(), (ended - began) * 1000, spent * 1000))
        search.clear()
        await hands.quiet.reached()
    return strokes
