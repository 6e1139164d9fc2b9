"""A measured figure beside its target: a value, a line of JSON, a row of the table."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from tests.bench.machine import Reference

Mark = Literal["ok", "MISSED", ""]

TOLD = "figure "
"""The beginning of an output line by which a measuring process reports a figure."""
_WIDTH = 64
_HEAD = (
    f"{'figure':<{_WIDTH}} {'median':>8} {'p99':>8} {'unit':<5} {'of':>6}  {'target':<11}"
    f" {'':<6}  {'cpu ms':>6} {'fsync':>6} {'load':>5}"
)


@dataclass(frozen=True, slots=True)
class Target:
    """The goals of median and p99; a goal is None for a figure that has none.

    at_least: the figure should be large (receipts a second), else small.
    """

    median: float | None = None
    p99: float | None = None
    at_least: bool = False

    def is_reached(self, median: float, p99: float) -> bool:
        pairs = ((self.median, median), (self.p99, p99))
        return all(
            limit is None or (value >= limit if self.at_least else value <= limit)
            for limit, value in pairs
        )

    @property
    def goal(self) -> float | None:
        return self.p99 if self.median is None else self.median

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        if self.median == self.p99:
            return f"{sign} {_limit(self.median)}"
        return f"{sign} {_limit(self.median)}" + (
            "" if self.p99 is None else f"/{_limit(self.p99)}"
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing. note: a remark for readers, printed in a line under it.

    count: how many times it was measured. size: the number of articles, receipts, lines or tills
    that it was measured with, where there are several sizes.
    """

    name: str
    median: float
    p99: float
    unit: str = "ms"
    target: Target | None = None
    note: str = ""
    count: int = 1
    reference: Reference | None = None
    size: int | None = None

    @classmethod
    def of(
        cls, name: str, samples: Sequence[float], target: Target | None = None, note: str = ""
    ) -> Self:
        """Median and p99 of samples in milliseconds. Raises ValueError when there are none."""
        median, p99 = statistics.median(samples), quantile(samples, 0.99)
        return cls(name, median, p99, target=target, note=note, count=len(samples))

    @classmethod
    def single(
        cls, name: str, value: float, unit: str = "ms", target: Target | None = None, note: str = ""
    ) -> Self:
        return cls(name, value, value, unit, target, note)

    @property
    def mark(self) -> Mark:
        if self.target is None:
            return ""
        return "ok" if self.target.is_reached(self.median, self.p99) else "MISSED"

    def beside(self, reference: Reference) -> Self:
        return replace(self, reference=reference)

    def row(self) -> dict[str, Any]:
        """Its row in `build/bench.json`.

        goal: of the median, else of the p99. met: whether the target is reached, or None without
        one. samples: how many times it was measured. reference: the machine's own figures.
        """
        return {
            "name": self.name.strip(),
            "target": None if self.target is None else str(self.target),
            "goal": None if self.target is None else self.target.goal,
            "unit": self.unit,
            "median": self.median,
            "p99": self.p99,
            "met": None if self.target is None else self.mark == "ok",
            "samples": self.count,
            "reference": None if self.reference is None else asdict(self.reference),
            "size": self.size,
        }

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Self:
        members = json.loads(line)
        target, reference = members.pop("target"), members.pop("reference")
        return cls(
            **members,
            target=Target(**target) if target else None,
            reference=Reference(**reference) if reference else None,
        )

    def __str__(self) -> str:
        target = str(self.target or "")
        p99 = "" if self.count == 1 else _number(self.p99)
        name = self.name if self.size is None else f"{self.name}: {self.size:,}"
        line = (
            f"{name:<{_WIDTH}} {_number(self.median):>8} {p99:>8} {self.unit:<5}"
            f" {self.count:>6,}  {target:<11} {self.mark:<6}"
        )
        if self.reference is not None:
            line += f"  {self.reference}"
        return line.rstrip() + (f"\n    {self.note}" if self.note else "")


class NotMeasured(Exception):
    """A part could not be carried out and gave no figure. The text says why."""


def head() -> str:
    return f"{_HEAD}\n{'-' * len(_HEAD)}"


def timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def quantile(samples: Sequence[float], share: float) -> float:
    """The sample below which `share` of them lie. Raises ValueError when there are none."""
    if not samples:
        raise ValueError("nothing was measured")
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _limit(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _number(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:,.1f}"
