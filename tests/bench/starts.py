"""Measures the start of the till's process to its first scan in the cart."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace

from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.place import Place

_TARGET = Target(1000, 1000)


def measure(place: Place) -> Iterator[Figure]:
    place.processor()
    till_start(place)
    figure = Figure.of(
        "process start → first scan in the cart, so many articles",
        [till_start(place) for _ in range(place.size.starts)],
        _TARGET,
    )
    yield replace(figure, size=place.size.articles)


def till_start(place: Place) -> float:
    return milliseconds_to_scan(place, "tests.bench.till_start", place.data)


def milliseconds_to_scan(place: Place, module: str, folder: object) -> float:
    """Start a program that scans once and prints the moment of that."""
    code = json.loads(place.codes.read_text())[0][0]
    began = time.monotonic()
    words = ("-m", module, "--data", str(folder), "--code", code)
    program = place.shop.run(*words, name="start")
    scanned = program.lines("scanned") if program.wait() == 0 else []
    if not scanned:
        raise NotMeasured(f"{module} did not scan: {program.errors()}")
    return 1000 * (float(scanned[0][1]) - began)
