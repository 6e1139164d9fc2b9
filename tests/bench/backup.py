"""Measures a backup of a gigabyte while the till scans: its duration, and the delay of a scan."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.big_journal import multiply
from tests.bench.figures import Figure
from tests.bench.journal import sold_once
from tests.bench.place import Place

FIRST = 50_000_000
"""The first number of receipts of this part; those of a full journal never reach it."""


def measure(place: Place) -> Iterator[Figure]:
    """The journal gets its receipts first; the window's process does the rest."""
    place.processor()
    sold_once(place)
    multiply(place.data / "journal" / "journal.db", place.size.backed_up, first=FIRST)
    yield from place.figures("backup")
