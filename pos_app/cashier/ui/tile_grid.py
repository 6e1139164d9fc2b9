"""How tiles share a view: whole rows, and larger ones where a few have all the room."""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.cashier.ui.metrics import Metrics, Step

GROWS = 1.65
"""How much wider and higher than usual a tile becomes at most, so that it still looks like one."""


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Cells of a view; a cell is the tile with half of the gap around it."""

    columns: int
    rows: int
    """How many are seen at once."""
    cell_width: int
    cell_height: int


def tile_grid(width: int, height: int, metrics: Metrics, *, few: int = 0) -> TileGrid:
    """The grid of a view of that size.

    few: how many tiles there are, where they may grow because there are no more; 0 where there
    may be any number of them.
    """
    wide, tall = metrics.tile_width + metrics.s2, metrics.tile_height + metrics.s2
    widest, highest = round(GROWS * wide), round(GROWS * tall)
    least = least_tile(metrics) + metrics.s2
    columns, rows = max(1, width // wide), max(1, height // least)
    if 0 < few <= columns * rows:
        narrowest = max(1, -(-width // widest))
        enough = (count for count in range(narrowest, columns) if -(-few // count) <= rows)
        columns = next(enough, columns)
        rows = -(-few // columns)
    return TileGrid(columns, rows, width // columns, max(least, min(height // rows, highest)))


def least_tile(metrics: Metrics) -> int:
    """How low a tile may become so that one row more is seen: its words all have room."""
    base, strong = metrics.line(Step.BASE), metrics.line(Step.STRONG)
    words = 2 * base + 2 * (strong - metrics.s1)
    return max(words + 2 * metrics.s2, metrics.tile_height - metrics.s3)
