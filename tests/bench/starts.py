"""Measures the start of the till's process to its first scan in the cart, and its parts."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import pairwise

from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.place import Place

_TARGET = Target(1000, 1000)
_PARTS = {
    "python": "the interpreter",
    "settings": "command line, settings",
    "imported": "loading the till's modules (Qt, apsw, ours)",
    "application": "QApplication, fonts, loop",
    "databases": "install, till.db, catalogue.db",
    "window": "look, window, show",
    "painted": "first paint",
    "scanned": "first scan",
}


def measure(place: Place) -> Iterator[Figure]:
    place.processor()
    code = json.loads(place.codes.read_text())[0][0]
    start(place, code)
    runs = [start(place, code) for _ in range(place.size.starts)]
    whole = [run["scanned"] - run["began"] for run in runs]
    articles = f"{place.size.articles:,} articles"
    yield Figure.of(f"process start → first scan in the cart, {articles}", whole, _TARGET)
    yield Figure.of("  its own processor time", [run["processor"] for run in runs])
    for before, after in pairwise(("began", *_PARTS)):
        spent = [run[after] - run[before] for run in runs]
        yield Figure.of(f"  of which {_PARTS[after]}", spent)


def start(place: Place, code: str) -> dict[str, float]:
    """The moments of one start in milliseconds, and its processor time."""
    words = ["-m", "tests.bench.till_start", "--data", str(place.data), "--code", code]
    began = time.monotonic()
    program = place.shop.run(*words, name="start")
    if program.wait() != 0:
        raise NotMeasured(f"the till did not start: {program.errors()}")
    told = json.loads(" ".join(program.lines("moments")[0][1:]))
    return {name: 1000 * at for name, at in {"began": began, **told}.items()}
