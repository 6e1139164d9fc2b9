"""Measures `pos-app sync` with a platform of ours: the first run, and a hundred changes.

Targets: targets.md (Speed). The platform answers in a process of its own; each run is the program
with its start.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial

import httpx

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.domain.article.barcodes import ArticleCode
from tests.bench import assortment
from tests.bench.figures import Figure, Target, timed
from tests.bench.place import Place, opened
from tests.bench.platform_requests import fill, running
from tests.fakes.no_tls import NO_TLS

CHANGES = 100
FIRST, SCANS = Target(10_000, 10_000), Target(p99=16)
CHANGED = Target(1_000, 1_000)


def measure(place: Place) -> Iterator[Figure]:
    with opened(place.size) as shop:
        folder = shop.folder / "platform"
        key = fill(folder, shop.size.articles)
        with running(shop, folder) as (address, _):
            shop.shop.join(f"{address}/v2", *key, join="read")
            with httpx.Client(
                base_url=f"{address}/v2", auth=key, trust_env=False, verify=NO_TLS, timeout=60
            ) as platform:
                _change(platform, 1)  # the last write is one that the platform remembers
                yield from _first(shop)
                _change(platform, CHANGES)
            took = shop.synchronised()
            yield Figure.single(f"  {CHANGES} changes over there", took, target=CHANGED)


def _first(shop: Place) -> Iterator[Figure]:
    """Measure the first run, while this process looks articles up as scans do."""
    chance, times = random.Random(1), []
    with SqliteCatalogue(catalogue_file(shop.data)) as catalogue:
        began = time.perf_counter()
        program = shop.synchronise()
        while not program.is_over:
            code = ArticleCode(assortment.ean_of(chance.randrange(1, shop.size.articles)))
            times.append(timed(partial(catalogue.by_code, code)))
            time.sleep(0.005)
        took = (time.perf_counter() - began) * 1000
        assert catalogue.count() > shop.size.articles * 0.9, "the run failed"
    yield Figure.single("first run, all articles from a platform", took, target=FIRST)
    yield Figure.of("  meanwhile: EAN look-up", times, SCANS)


def _change(platform: httpx.Client, count: int) -> None:
    listed = platform.get("/products").raise_for_status().json()
    priced = [one for one in listed if not one["variants"]]
    for number, product in enumerate(priced[:count], 1):
        answer = platform.patch(f"/products/{product['id']}", json={"price": number + 0.5})
        answer.raise_for_status()
