"""A backup of a gigabyte while the till scans: how long it takes, and what a scan notices of it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.big_journal import multiply
from tests.bench.figures import Figure
from tests.bench.journal import sold_once
from tests.bench.place import Place

FIRST = 50_000_000
"""Receipts of this part have numbers that those of a full journal never reach."""


def measure(place: Place) -> Iterator[Figure]:
    """The journal gets its receipts first; the window's process does the rest."""
    place.processor()
    sold_once(place)
    multiply(place.data / "journal" / "journal.db", place.size.backed_up, first=FIRST)
    yield from place.figures("backup")
