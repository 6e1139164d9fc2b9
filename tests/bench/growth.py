"""Measures growth: by articles, by stored receipts, by lines of a sale, by connected tills.

`--only growth` runs all, `--only growth-articles` and so on one of them; each repeats other parts
of the bench with several sizes. `tests.bench.plots` draws the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from tests.bench import journal, local_api, receipts, relay, starts
from tests.bench.figures import Figure
from tests.bench.place import Place, Size, opened, write_lists

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
"""The beginnings of what is drawn of the receipts."""
_FEW_ARTICLES = 10_000
"""Articles of the shop whose receipts grow."""
_IDLE_SECONDS = 10.0


def by_articles(place: Place) -> Iterator[Figure]:
    for articles in place.size.grown_articles:
        with _shop(replace(place.size, articles=articles)) as shop:
            window = shop.figures("idle", "searches")
            parts = (shop.import_list(), starts.measure(shop), window)
            for figure in chain.from_iterable(parts):
                yield replace(figure, size=articles)


def by_receipts(place: Place) -> Iterator[Figure]:
    for stored in place.size.grown_receipts:
        few = min(_FEW_ARTICLES, place.size.articles)
        with _shop(replace(place.size, articles=few, stored=(stored,))) as shop:
            list(shop.import_list())
            parts = (journal.measure(shop), receipts.measure(shop))
            for figure in chain.from_iterable(parts):
                if figure.name.strip().startswith(_RECEIPTS):
                    yield figure


def by_lines(place: Place) -> Iterator[Figure]:
    yield from (one for one in place.figures("in_carts", "of_lines") if one.size is not None)
    yield from local_api.of_lines(place)


def by_tills(place: Place) -> Iterator[Figure]:
    for tills in place.size.grown_tills:
        size = replace(place.size, tills=tills, idle=min(_IDLE_SECONDS, place.size.idle))
        yield from relay.of_tills(replace(place, size=size))


@contextmanager
def _shop(size: Size) -> Iterator[Place]:
    with opened(size) as place:
        write_lists(place, newer=False)
        yield place
