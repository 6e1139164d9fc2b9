"""Draws how figures grow, and writes the figures of docs/performance.md anew.

    python -m tests.bench.plots build/growth.json … [--page docs/performance.md]

It takes the rows that `tests.bench` wrote. In the page each part has a place between `<!-- figures:
PART -->` and `<!-- end -->`; one without rows stays as it is. The ratios and the figures of a day
are tables; what grows is drawn, in a folder beside the page that is called as it is: a
drawing for each part and unit, both axes logarithmic, a point at each median, from there a line
up to its p99, the goals dashed. Its legend tells each figure at the smallest and the largest size.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

Row = dict[str, Any]

_PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
_BLOCK = re.compile(r"(<!-- figures: ([^>]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _LINE = 840, 300, 64, 40, 24, 18
_APART = 3
"""Pixels between the lines of several figures at one size."""
_COLOURS = (
    "#3b82c4", "#d97b29", "#3f9b5f", "#b0559f", "#c0504d", "#8b7a3a", "#3c9aa3", "#7c74c9",
    "#9a6b4f", "#6b8e23",
)  # fmt: skip
_GREY = "#808080"
_MET = {True: "reached", False: "missed", None: ""}


@dataclass
class Series:
    """One figure at several sizes, the smallest first."""

    name: str
    unit: str
    rows: list[Row] = field(default_factory=list)

    @property
    def sizes(self) -> list[int]:
        return [row["size"] for row in self.rows]

    @property
    def ends(self) -> str:
        """Its median at the first and the last size, and its last goal."""
        goal = self.rows[-1]["target"]
        told = " → ".join(_short(row["median"]) for row in (self.rows[0], self.rows[-1]))
        return f"{told}, goal {goal}" if goal else told


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.plots", description=__doc__)
    parser.add_argument("rows", type=Path, nargs="+", metavar="JSON")
    parser.add_argument("--page", type=Path, default=_PAGE)
    given = parser.parse_args(arguments)
    rows = [row for path in given.rows for row in json.loads(path.read_text("utf-8"))["rows"]]
    folder = given.page.with_suffix("")
    folder.mkdir(exist_ok=True)

    def block(found: re.Match[str]) -> str:
        part = found[2]
        of_it = [row for row in rows if row["part"] == part]
        if not of_it:
            return found[0]
        lines = grown(part, of_it, folder) if part.startswith("growth") else table(of_it)
        return f"{found[1]}{machine(of_it)}\n\n" + "\n".join(lines) + f"\n{found[3]}"

    page = given.page.read_text("utf-8")
    given.page.write_text(_BLOCK.sub(block, page), encoding="utf-8")
    return 0


def machine(rows: Iterable[Row]) -> str:
    references = [row["reference"] for row in rows]
    spans = []
    for name in ("cpu_ms", "fsync_ms", "load"):
        values = [reference[name] for reference in references]
        spans.append(" to ".join(dict.fromkeys(_short(one(values), 2) for one in (min, max))))
    return f"Reference {spans[0]} cpu ms, a durable block {spans[1]} ms, load {spans[2]}."


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A row for each ratio, which its two figures follow, and for each figure of a day."""
    yield "| figure | median / p99 | beside | goal | |"
    yield "|---|---|---|---|---|"
    for place, row in enumerate(rows):
        name, _, peer = row["name"].partition(" ÷ ")
        if peer or row["part"] != "peers":
            ours = rows[place + 1] if peer else row
            ratio = f"{_cell(row)} × {peer}" if peer else ""
            cells = (f"{_cell(ours)} {ours['unit']}", ratio, row["target"] or "", _MET[row["met"]])
            yield f"| {name} | {' | '.join(cells)} |"


def grown(part: str, rows: list[Row], folder: Path) -> Iterator[str]:
    every = series_of(rows)
    for unit in dict.fromkeys(one.unit for one in every):
        same = [one for one in every if one.unit == unit]
        letters = re.sub(r"[^a-z]+", "", unit.lower()) or "percent"
        name = f"{part.rsplit(maxsplit=1)[-1]}-{letters}.svg"
        (folder / name).write_text(drawn(same, part, unit), encoding="utf-8")
        yield f"![{part}, {unit}]({folder.name}/{name})"


def series_of(rows: Iterable[Row]) -> list[Series]:
    """The rows by name, in the order in which they came."""
    found: dict[str, Series] = {}
    for row in rows:
        found.setdefault(row["name"], Series(row["name"], row["unit"])).rows.append(row)
    for one in found.values():
        one.rows.sort(key=lambda row: row["size"])
    return list(found.values())


def drawn(every: Sequence[Series], part: str, unit: str) -> str:
    values = [v for one in every for row in one.rows for v in _heights(row)]
    axes = Axes.around([size for one in every for size in one.sizes], values)
    height = _HEIGHT + 50 + _LINE * len(every)
    of = escape(part.removeprefix("growth by "))
    size = f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="{_GREY}" role="img">',
        f"<title>{escape(part)}, {escape(unit)}</title>",
        f'<text x="{_LEFT}" y="14">{escape(unit)}</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT + 22}" text-anchor="end">{of}</text>',
        *axes.lines(),
    ]
    for place, one in enumerate(every):
        colour = _COLOURS[place % len(_COLOURS)]
        lines += _curve(one, axes, colour, _APART * place)
        y = _HEIGHT + 46 + _LINE * place
        lines.append(f'<rect x="{_LEFT}" y="{y - 9}" width="16" height="9" fill="{colour}"/>')
        label = escape(f"{one.name}: {one.ends}")
        lines.append(f'<text x="{_LEFT + 24}" y="{y}">{label}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True)
class Axes:
    """The exponents of both axes, in whole decades."""

    left: int
    right: int
    low: int
    high: int

    @classmethod
    def around(cls, sizes: Sequence[int], values: Sequence[float]) -> Axes:
        """Axes that hold all sizes and values."""
        left, right = math.floor(math.log10(min(sizes))), math.ceil(math.log10(max(sizes)))
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return cls(left, max(right, left + 1), low, max(high, low + 1))

    def x(self, size: float) -> float:
        width = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + width * (math.log10(size) - self.left) / (self.right - self.left), 1)

    def y(self, value: float) -> float:
        height = _HEIGHT - _TOP - 12
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(_HEIGHT - 12 - height * share, 1)

    def lines(self) -> Iterator[str]:
        """A line and a number for each decade."""
        rule = f'stroke="{_GREY}" stroke-opacity="0.3"'
        top, bottom = self.y(10**self.high), self.y(10**self.low)
        for power in range(self.left, self.right + 1):
            x = self.x(10**power)
            yield f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" {rule}/>'
            yield f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{10**power:,}</text>'
        for power in range(self.low, self.high + 1):
            y = self.y(10**power)
            yield f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDTH - _RIGHT}" y2="{y}" {rule}/>'
            told = f"{10**power:,}" if power >= 0 else f"{10**power:g}"
            yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{told}</text>'


def _curve(one: Series, axes: Axes, colour: str, aside: int) -> Iterator[str]:
    points, goals = [], []
    for row in one.rows:
        x, heights = round(axes.x(row["size"]) + aside, 1), _heights(row)
        points.append(f"{x},{axes.y(heights[0])}")
        yield f'<circle cx="{x}" cy="{axes.y(heights[0])}" r="3" fill="{colour}"/>'
        if row["samples"] > 1:
            yield (
                f'<line x1="{x}" y1="{axes.y(heights[0])}" x2="{x}" y2="{axes.y(heights[1])}"'
                f' stroke="{colour}" stroke-opacity="0.6"/>'
            )
        if len(heights) > 2:
            goals.append(f"{x},{axes.y(heights[2])}")
    for places, more in ((points, ""), (goals, ' stroke-dasharray="5 4" stroke-opacity="0.7"')):
        if places:
            yield f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}"{more}/>'


def _heights(row: Row) -> list[float]:
    """Median, p99, and the goal where there is one."""
    goal = [] if row["goal"] is None else [row["goal"]]
    return [max(value, 1e-3) for value in (row["median"], row["p99"], *goal)]


def _cell(row: Row) -> str:
    p99 = "" if row["samples"] == 1 else f" / {_short(row['p99'])}"
    return _short(row["median"]) + p99


def _short(value: float, digits: int = 3) -> str:
    """The value to `digits` digits, or with all digits before its point."""
    is_long = abs(value) >= 10 ** (digits - 1)
    return f"{value:,.0f}" if is_long else f"{value:.{digits}g}"


if __name__ == "__main__":
    sys.exit(main())
