"""Measures growth: by articles, by stored receipts, by lines of a sale, by connected tills.

`--only growth` runs all, `--only growth-articles` and so on one of them; each repeats other parts
of the bench with several sizes. `tests.bench.plots` draws the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from tests.bench import journal, local_api, machine, receipts, relay, starts
from tests.bench.figures import Figure
from tests.bench.place import Place, Size, opened, write_lists

_ARTICLES = (
    "first synchronisation",
    "second synchronisation",
    "process start → first scan",
    "scan → row painted",
    "search, each key stroke",
    "memory of the till",
)
_RECEIPTS = (
    "start of the server",
    "receipts a second, without",
    "POST receipts, own time",
    "processor time of the server",
    "GET receipt by its number",
    "size of journal.db",
    "first page of",
    "each further page",
    "search as it is typed: words",
    "turnover of a day",
)
_TILLS = (": receipts/s", "own time at", "SQLite: connect", "workers: connect", "that do nothing")
_COUNTED = re.compile(r"(?:,| of)? [\d,]+ (?:articles|tills|receipts)|^[\d,]+ stored:")
_OWN = "its own processor time"
"""The processor time of the figure before it, which other programs hardly change."""
_FEW_ARTICLES = 10_000
"""Articles of the shop whose receipts grow."""
_IDLE_SECONDS = 10.0


def by_articles(place: Place) -> Iterator[Figure]:
    for articles in place.size.grown_articles:
        with _shop(replace(place.size, articles=articles)) as shop:
            window = shop.figures("idle", "searches")
            parts = (shop.import_list(), starts.measure(shop), window)
            told = _picked(shop, chain.from_iterable(parts), _ARTICLES)
            yield from (replace(figure, size=articles) for figure in told)


def by_receipts(place: Place) -> Iterator[Figure]:
    for stored in place.size.grown_receipts:
        few = min(_FEW_ARTICLES, place.size.articles)
        with _shop(replace(place.size, articles=few, stored=(stored,))) as shop:
            parts = (shop.import_list(), journal.measure(shop), receipts.measure(shop))
            told = _picked(shop, chain.from_iterable(parts), _RECEIPTS)
            yield from (replace(figure, size=stored) for figure in told)


def by_lines(place: Place) -> Iterator[Figure]:
    yield from (one for one in place.figures("in_carts", "of_lines") if one.size is not None)
    yield from local_api.of_lines(place)


def by_tills(place: Place) -> Iterator[Figure]:
    for tills in place.size.grown_tills:
        size = replace(place.size, tills=tills, idle=min(_IDLE_SECONDS, place.size.idle))
        shop = replace(place, size=size)
        told = _picked(shop, relay.of_tills(shop), _TILLS)
        yield from (replace(figure, size=tills) for figure in told)


@contextmanager
def _shop(size: Size) -> Iterator[Place]:
    with opened(size) as place:
        write_lists(place, newer=False)
        yield place


def _picked(place: Place, figures: Iterator[Figure], names: tuple[str, ...]) -> Iterator[Figure]:
    """The figures of these names, under one name for all sizes, each with the machine as it is
    then."""
    of = ""
    for figure in figures:
        name = _COUNTED.sub("", figure.name).strip()
        if name.startswith(_OWN):
            name = f"{of}: {_OWN}"
        elif not figure.name.startswith(" "):
            of = name
        if any(one in name for one in names):
            reference = figure.reference or machine.measure(place.folder)
            yield replace(figure, name=name, reference=reference)
