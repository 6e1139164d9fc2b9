"""Measures the platform's lists on both databases: all products at once, to a client that reads
them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import httpx

from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.machine import cpu_seconds, resident_mib
from tests.bench.place import Place
from tests.bench.platform_requests import fill, running
from tests.fakes.no_tls import NO_TLS
from tests.fakes.postgresql import postgresql_cluster

_LISTS = 5
_LIST_MILLISECONDS = 2000.0
_MOST_MEGABYTES = 32.0
_PIECE = 1 << 20


def measure(place: Place) -> Iterator[Figure]:
    yield from _platform(place, "SQLite", "")
    with postgresql_cluster(is_durable=True) as cluster:
        yield from _platform(place, "PostgreSQL", cluster.address)


def _platform(place: Place, database: str, address: str) -> Iterator[Figure]:
    folder = place.folder / f"platform-lists-{database}"
    key = fill(folder, place.size.articles, address)
    with running(place, folder, address) as (at, program):
        client = httpx.Client(auth=key, trust_env=False, verify=NO_TLS, timeout=120)
        for encoding in ("identity", "gzip"):
            client.headers["Accept-Encoding"] = encoding
            for figure in _lists(client, at, program.child.pid, f"{database}, {encoding}"):
                yield replace(figure, size=place.size.articles)
        client.close()


def _lists(client: httpx.Client, address: str, server: int, what: str) -> Iterator[Figure]:
    took, memory, size = [], [], 0
    before, used = resident_mib(server), cpu_seconds(server)
    for _ in range(_LISTS):
        began, size = time.perf_counter(), 0
        with client.stream("GET", f"{address}/v2/products") as answer:
            for piece in answer.iter_raw(_PIECE):
                size += len(piece)
                memory.append(resident_mib(server))
        took.append((time.perf_counter() - began) * 1000)
    if not size:
        raise NotMeasured("the platform listed nothing")
    each = (cpu_seconds(server) - used) / _LISTS
    target = Target(_LIST_MILLISECONDS, _LIST_MILLISECONDS)
    note = f"{size / 1e6:.0f} MB; {each:.2f} s of the worker's processor"
    yield Figure.of(f"GET /products, all of them, {what}", took, target, note)
    grown = max(memory) - before
    yield Figure.single("  what its server's memory grows by", grown, "MB", Target(_MOST_MEGABYTES))
