"""The mark of a measured figure, and the chart and words of figures of several sizes."""

from __future__ import annotations

from tests.bench.figures import Figure, Target
from tests.bench.machine import Reference
from tests.bench.plots import Row, series_of
from tests.sweep import each

TIME = Target(1000, 1000)
RATE = Target(60, at_least=True)
PART = "growth by articles"


@each(
    ("value", "unit", "target", "mark"),
    [
        (1000, "ms", TIME, "ok"), (1001, "ms", TIME, "MISSED"), (60, "1/s", RATE, "ok"),
        (59, "1/s", RATE, "MISSED"), (1001, "ms", None, ""),
    ],
)  # fmt: skip
def test_a_figure_is_marked_against_its_target(
    value: float, unit: str, target: Target | None, mark: str
) -> None:
    reference = Reference(cpu_ms=9, fsync_ms=0.2, load=1.0)
    figure = Figure.single("start", value, unit, target).beside(reference)
    assert figure.mark == mark
    assert figure.row()["met"] is (None if target is None else mark == "ok")
    assert Figure.from_json(figure.to_json()) == figure


def row(name: str, size: int, median: float, p99: float = 0.0, unit: str = "ms") -> Row:
    reference = {"cpu_ms": 6.0, "fsync_ms": 0.2, "load": 1.0}
    return {
        "part": PART, "name": name, "target": "≤ 3/4", "unit": unit, "median": median,
        "p99": p99 or median, "met": True, "samples": 5, "reference": reference, "size": size,
    }  # fmt: skip


@each(
    ("last", "words"),
    [
        (0.5, "falls: ×0.5 for ×1,000"),
        (1, "stays: ×1 for ×1,000"),
        (1.9, "hardly grows: ×1.9 for ×1,000"),
        (30, "grows far more slowly: ×30 for ×1,000"),
        (300, "grows more slowly: ×300 for ×1,000"),
        (1000, "grows in proportion: ×1,000 for ×1,000"),
        (1e5, "grows faster: ×100,000 for ×1,000"),
    ],
)
def test_a_slope_is_told_in_words(last: float, words: str) -> None:
    (series,) = series_of([row("scan", 1_000_000, last), row("scan", 1_000, 1)])
    assert series.sizes == [1_000, 1_000_000]
    assert series.words == words
    (longer,) = series_of([*series.rows, row("scan", 2_000_000, 2 * last)])
    assert longer.words.endswith("; at the end ×2 for ×2")
