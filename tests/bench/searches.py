"""Each key stroke in the search: from the changed text to the painted rows."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence

from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands, Paints

_LATIN = ("sir mladi", "mleko", "čokolada", "caj", "sladki", "šun", "kafa 1 kg", "8600", "đev")
_CYRILLIC = ("сир млади", "млеко", "чоколада", "чај", "сладки", "шун", "кафа 1 kg", "ћев", "љути")
_BACK = 2
"""How many of the characters are taken back one by one before the field is emptied."""
_TARGET = Target(10, 10)


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    """Both scripts, as tiles and as a list."""
    sale = hands.window.stage.sale
    if sale.picker.rows.as_list:
        sale.flip_picker()
    paints = {view: Paints(view) for view in (sale.picker.tiles, sale.picker.list)}
    for shape in ("tiles", "list"):
        for script, words in (("latin", _LATIN), ("cyrillic", _CYRILLIC)):
            strokes = await _strokes(hands, paints[sale.picker.view], words)
            worst = max(strokes, key=lambda one: one[1])
            yield Figure.of(
                f"search, each key stroke → rows painted, {script}, as {shape}",
                [took for _, took in strokes],
                _TARGET,
                f'the worst: {worst[1]:.1f} ms for "{worst[0]}"',
            )
        sale.flip_picker()
        await hands.quiet.reached()


async def _strokes(hands: Hands, paints: Paints, words: Sequence[str]) -> list[tuple[str, float]]:
    search = hands.window.stage.sale.search
    strokes = []
    for word in list(words) * hands.size.rounds:
        for key in (*word, *["back"] * _BACK):
            began = time.perf_counter()
            search.press(key)
            quiet = await hands.quiet.reached()
            # Where nothing was found no rows are painted: all that was painted counts.
            ended = paints.ended if paints.ended > began else quiet
            strokes.append((search.text(), (ended - began) * 1000))
        search.clear()
        await hands.quiet.reached()
    return strokes
