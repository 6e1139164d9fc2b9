"""Measures the platform's lists on both databases: all products at once, to a client that reads
them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx

from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.machine import cpu_seconds, resident_mib
from tests.bench.place import Place
from tests.bench.platform_requests import running
from tests.bench.synchronise import fill
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
        yield from _lists(at, key, program.child.pid, f"{place.size.articles:,}, {database}")


def _lists(address: str, key: tuple[str, str], server: int, what: str) -> Iterator[Figure]:
    for encoding, words in (("identity", what), ("gzip", f"{what}, in gzip")):
        yield from _in_form(address, key, server, words, encoding)


def _in_form(
    address: str, key: tuple[str, str], server: int, what: str, encoding: str
) -> Iterator[Figure]:
    took, memory, tag, size = [], [], "", 0
    headers = {"Accept-Encoding": encoding}
    with httpx.Client(
        auth=key, headers=headers, trust_env=False, verify=NO_TLS, timeout=120
    ) as client:
        before, used = resident_mib(server), cpu_seconds(server)
        for _ in range(_LISTS):
            began = time.perf_counter()
            with client.stream("GET", f"{address}/v2/products") as answer:
                tag = answer.headers["ETag"]
                size = 0
                for piece in answer.iter_raw(_PIECE):
                    size += len(piece)
                    memory.append(resident_mib(server))
            took.append((time.perf_counter() - began) * 1000)
        if not size:
            raise NotMeasured("the platform listed nothing")
        words = f"GET /products of {what}"
        each = (cpu_seconds(server) - used) / _LISTS
        target = Target(_LIST_MILLISECONDS, _LIST_MILLISECONDS)
        yield Figure.of(
            words, took, target, note=f"{size / 1e6:.0f} MB; {each:.2f} s of the worker's processor"
        )
        grown = max(memory) - before
        yield Figure.single(
            "  what its server's memory grows by", grown, "MB", Target(_MOST_MEGABYTES)
        )
        known = []
        for _ in range(20):
            began = time.perf_counter()
            answer = client.get(f"{address}/v2/products", headers={"If-None-Match": tag})
            known.append((time.perf_counter() - began) * 1000)
            if answer.status_code != 304:
                raise NotMeasured(f"a known list was answered {answer.status_code}")
        yield Figure.of("  the same, known already (304)", known)
