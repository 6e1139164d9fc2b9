"""The mark of a measured figure, and the chart and words of figures of several sizes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.bench.figures import Figure, Target
from tests.bench.machine import Reference
from tests.bench.plots import Row, main, series_of

TIME = Target(1000, 1000)
RATE = Target(60, at_least=True)
PART = "growth by articles"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("value", "unit", "target", "mark"),
    [
        (1000, "ms", TIME, "ok"),
        (1001, "ms", TIME, "MISSED"),
        (60, "1/s", RATE, "ok"),
        (59, "1/s", RATE, "MISSED"),
        (1001, "ms", None, ""),
    ],
)
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
        "part": PART,
        "name": name,
        "target": "≤ 3/4",
        "unit": unit,
        "median": median,
        "p99": p99 or median,
        "met": True,
        "samples": 5,
        "reference": reference,
        "size": size,
    }


@pytest.mark.parametrize(
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


def test_rows_become_drawings_and_tables_of_the_page(tmp_path: Path) -> None:
    rows = [
        row("scan", 1_000, 2, 3),
        row("scan", 100_000, 2.5, 9),
        row("start", 1_000, 1, unit="s"),
        row("start", 100_000, 2, unit="s"),
        row("memory", 1_000, 150, unit="MiB"),
        row("memory", 100_000, 160, unit="MiB"),
    ]
    written, page = tmp_path / "rows.json", tmp_path / "performance.md"
    written.write_text(json.dumps({"rows": rows}))
    before = "before <!-- figures: peers -->\nkept\n<!-- end --> between"
    page.write_text(f"{before}\n<!-- figures: {PART} -->\nold\n<!-- end -->\nafter\n")
    main([str(written), "--page", str(page)])
    told = page.read_text()
    assert told.startswith(before)
    assert told.endswith("<!-- end -->\nafter\n")
    assert "old" not in told
    assert "| scan (ms) | 2 / 3 | 2.5 / 9 | ≤ 3/4 | hardly grows: ×1.2 for ×100 |" in told
    for unit, lines in (("ms", 2), ("mib", 1)):
        name = f"performance/articles-{unit}.svg"
        assert f"({name})" in told
        drawing = ElementTree.fromstring((tmp_path / name).read_text("utf-8"))
        curves = [one.get("points", "").split() for one in drawing.iter(f"{SVG}polyline")]
        solid = curves[::2]
        assert len(solid) == lines
        places = [[tuple(map(float, point.split(","))) for point in curve] for curve in solid]
        assert all(first[0] < last[0] and first[1] > last[1] for first, last in places)
    main([str(written), "--page", str(page)])
    assert page.read_text() == told


def test_ratios_are_a_table(tmp_path: Path) -> None:
    written, page = tmp_path / "rows.json", tmp_path / "performance.md"
    ratio = row("memory ÷ bare window", 0, 2.9, unit="×") | {"size": None, "part": "peers"}
    ratio |= {"target": "≤ 2", "met": False, "samples": 1}
    both = [
        row(name, 0, value, unit="MiB") | {"part": "peers", "size": None, "samples": 1}
        for name, value in (("ours", 199), ("bare window", 68.5))
    ]
    written.write_text(json.dumps({"rows": [ratio, *both]}))
    page.write_text("<!-- figures: peers -->\n<!-- end -->\n")
    main([str(written), "--page", str(page)])
    told = "| memory ÷ bare window | 2.9 | ≤ 2 | missed | 199 MiB | 68.5 MiB |"
    assert told in page.read_text()


def test_what_has_no_sizes_is_a_table(tmp_path: Path) -> None:
    written, page = tmp_path / "rows.json", tmp_path / "performance.md"
    files = row("open files", 100, 33, unit="") | {"part": "a day", "samples": 1, "target": None}
    more = files | {"name": "open files more", "median": 0, "size": None, "target": "≤ 0"}
    written.write_text(json.dumps({"rows": [files | {"met": None}, more]}))
    page.write_text("<!-- figures: a day -->\n<!-- end -->\n")
    main([str(written), "--page", str(page)])
    assert "| open files (100) | 33 |  |  |  |\n" in page.read_text()
    assert "| open files more | 0 |  | ≤ 0 | reached |\n" in page.read_text()
