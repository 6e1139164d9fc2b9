"""The page of figures is written anew from rows, part by part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.bench import plots

PAGE = """# Figures

<!-- figures: peers -->
| scan → row painted | 9 / 9 ms | 9 / 9 × bare window | ≤ 2.3 | missed |
<!-- end -->

<!-- figures: a day -->
| memory of the till | 142 MiB |  | ≤ 250 | reached |
<!-- end -->

<!-- figures: growth by lines -->
<!-- end -->
"""


def row(name: str, unit: str, median: float, **more: Any) -> dict[str, Any]:
    reference = {"cpu_ms": 7.4, "fsync_ms": 0.1, "load": 0.5}
    usual = {"part": "peers", "p99": 2 * median, "samples": 9, "size": None}
    usual |= {"target": None, "goal": None, "met": None, "reference": reference}
    return {"name": name, "unit": unit, "median": median, **usual, **more}


def written(tmp_path: Path, rows: list[dict[str, Any]]) -> str:
    page, file = tmp_path / "figures.txt", tmp_path / "rows.json"
    page.write_text(PAGE, encoding="utf-8")
    file.write_text(json.dumps({"rows": rows}), encoding="utf-8")
    assert plots.main([str(file), "--page", str(page)]) == 0
    return page.read_text(encoding="utf-8")


def test_what_was_measured_is_written_and_another_part_stays(tmp_path: Path) -> None:
    ratio = row("scan → row painted ÷ bare window", "×", 2.0, target="≤ 2.3", met=True)
    told = written(tmp_path, [ratio, row("ours", "ms", 4.0), row("bare window", "ms", 2.0)])
    assert "| scan → row painted | 4 / 8 ms | 2 / 4 × bare window | ≤ 2.3 | reached |" in told
    assert "Reference 7.4 cpu ms, a durable block 0.1 ms, load 0.5." in told
    assert "| memory of the till | 142 MiB |  | ≤ 250 | reached |" in told
    assert "9 ms" not in told
    assert "ours" not in told


def test_what_grows_is_drawn_and_its_legend_tells_both_ends(tmp_path: Path) -> None:
    sizes = {"part": "growth by lines", "target": "≤ 8/16", "goal": 8}
    told = written(tmp_path, [row("scan", "ms", n / 2, size=n, **sizes) for n in (10, 1, 100)])
    assert "![growth by lines, ms](figures/lines-ms.svg)" in told
    drawn = (tmp_path / "figures/lines-ms.svg").read_text(encoding="utf-8")
    assert ">scan: 0.5 → 50, goal ≤ 8/16<" in drawn
    assert drawn.count("stroke-dasharray") == 1


def test_a_day_tells_its_figures(tmp_path: Path) -> None:
    more = {"part": "a day", "samples": 1, "target": "≤ 5", "met": False}
    told = written(tmp_path, [row("till: memory more than after the first", "%", 5.35, **more)])
    assert "| till: memory more than after the first | 5.35 % |  | ≤ 5 | missed |" in told
    assert "| scan → row painted | 9 / 9 ms |" in told
    assert "142" not in told
