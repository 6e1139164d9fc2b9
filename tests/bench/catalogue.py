"""Measures the catalogue with 100,000 articles: look-ups, each key stroke, first import.

`--only catalogue` runs it alone. Targets: targets.md (Speed).
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pos_app import settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.catalogue import SortOrder
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.bench import assortment
from tests.bench.figures import Figure, Target, timed

ARTICLES = 100_000
KEY_STROKES = (
    "s",
    "si",
    "sir",
    "sir ",
    "sir m",
    "к",
    "ка",
    "каф",
    "8",
    "86",
    "860",
    "1",
    "a",
    "m p",
)


SEARCH, WINDOW = Target(10, 10), Target(5, 5)


def figures(articles: int = ARTICLES) -> Iterator[Figure]:
    """All figures, measured one after the other in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "list.json"
        assortment.write(source, articles)
        yield from _first_import(folder / "shop", source, articles)
        yield from _second_import(folder / "shop", source)
        with SqliteCatalogue(catalogue_file(folder / "shop")) as catalogue:
            yield from _look_ups(catalogue, articles)
            yield from _searches(catalogue)
            yield from _windows(catalogue)


def _first_import(folder: Path, source: Path, articles: int) -> Iterator[Figure]:
    """Import in a process of its own, while this one looks up and a manager changes prices."""
    path = catalogue_file(folder)
    with SqliteCatalogue(path) as catalogue, SqliteCatalogueEditor(path) as desk:
        began = time.perf_counter()
        process = multiprocessing.get_context("spawn").Process(target=_sync, args=(folder, source))
        process.start()
        reads, searches, edits = _meanwhile(process, catalogue, desk, articles)
        process.join()
        took = (time.perf_counter() - began) * 1000
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (used.ru_utime + used.ru_stime) * 1000
    first = Target(10_000, 10_000)
    yield Figure.single(f"first import of {articles:,} articles", took, target=first)
    yield Figure.single("  of which its own processor time", seconds)
    yield Figure.of("  meanwhile: EAN look-up", reads, Target(p99=3.5))
    yield Figure.of("  meanwhile: search 'sir', count and window", searches, SEARCH)
    if edits:
        yield Figure.of("  meanwhile: price change of a manager, durable", edits)


def _meanwhile(
    process: multiprocessing.process.BaseProcess,
    catalogue: SqliteCatalogue,
    desk: SqliteCatalogueEditor,
    articles: int,
) -> tuple[list[float], list[float], list[float]]:
    chance = random.Random(1)
    reads, searches, edits = [], [], []
    while process.is_alive():
        code = ArticleCode(assortment.ean_of(chance.randrange(1, articles)))
        reads.append(timed(partial(catalogue.by_code, code)))
        if len(reads) % 10 == 0:
            searches.append(timed(lambda: (catalogue.count("sir"), catalogue.page("sir"))))
        if len(reads) % 100 == 0 and (found := catalogue.by_code(code)):
            changes = {"price": Money(chance.randrange(10, 5000))}
            ids, at = (found[0].article.product_id, found[0].article.id), datetime.now(UTC)
            new = NewEdit.changing(*ids, changes, by="Мира", at=at)
            edits.append(timed(partial(desk.record, new)))
        time.sleep(0.005)
    return reads, searches, edits


def _second_import(folder: Path, source: Path) -> Iterator[Figure]:
    began = time.perf_counter()
    _sync(folder, source)
    took = (time.perf_counter() - began) * 1000
    yield Figure.single("second import, nothing changed on the platform", took)


def _look_ups(catalogue: SqliteCatalogue, articles: int) -> Iterator[Figure]:
    chance = random.Random(2)
    eans = [ArticleCode(assortment.ean_of(chance.randrange(1, articles))) for _ in range(5000)]
    skus = [ArticleCode(str(chance.randrange(1, articles))) for _ in range(5000)]
    unknown = [ArticleCode(f"999{number:07d}") for number in range(2000)]
    yield Figure.of(
        "EAN look-up", [timed(partial(catalogue.by_code, one)) for one in eans], Target(0.05)
    )
    yield Figure.of(
        "article code look-up", [timed(partial(catalogue.by_code, one)) for one in skus]
    )
    yield Figure.of("unknown code", [timed(partial(catalogue.by_code, one)) for one in unknown])


def _searches(catalogue: SqliteCatalogue) -> Iterator[Figure]:
    category = catalogue.categories()[1].category.id
    for query in KEY_STROKES:
        hits = catalogue.count(query)
        times = [_stroke(catalogue, query, None) for _ in range(50)]
        yield Figure.of(f'search "{query}": count ({hits:,}) and window', times, SEARCH)
    for query in ("s", "sir"):
        hits = catalogue.count(query, category_id=category)
        times = [_stroke(catalogue, query, category) for _ in range(50)]
        yield Figure.of(f'search "{query}" in a category ({hits:,})', times, SEARCH)


def _stroke(catalogue: SqliteCatalogue, query: str, category: str | None) -> float:
    """A key stroke as the screen handles it: the number of hits, and the first page."""
    catalogue.count("another search")  # nothing of this one is remembered
    return timed(
        lambda: (
            catalogue.count(query, category_id=category),
            catalogue.page(query, category_id=category, limit=50),
        )
    )


def _windows(catalogue: SqliteCatalogue) -> Iterator[Figure]:
    rows = catalogue.count()
    places = [rows * part // 20 for part in range(20)]
    category = catalogue.categories()[1]
    for order in SortOrder:
        window = partial(catalogue.page, order=order, limit=50)
        times = [timed(partial(window, offset=at)) for at in places * 5]
        yield Figure.of(f"picker window of 50 anywhere, by {order}", times, WINDOW)
    inside = [category.rows * part // 20 for part in range(20)]
    key = category.category.id
    times = [timed(partial(catalogue.page, category_id=key, offset=at)) for at in inside * 5]
    yield Figure.of(f"window of a category ({category.rows:,})", times, WINDOW)
    times = [timed(partial(catalogue.page, "s", offset=at)) for at in places[:8] * 10]
    yield Figure.of('deep window of the search "s"', times, WINDOW)
    yield Figure.of("favourites", [timed(catalogue.favourites) for _ in range(50)], WINDOW)
    yield Figure.of("categories with counts", [timed(catalogue.categories) for _ in range(20)])


def _sync(folder: Path, source: Path) -> None:
    run_sync(settings=settings.load(folder), source=source, progress=lambda _: None)
