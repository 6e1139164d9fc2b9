"""A measured figure beside its target: a value, a line of JSON, a row of the table.

A figure that has a second goal in targets.md is marked against that one, and the first goal stands
beside it. A second goal that is a time or a rate counts at a reference of 6 cpu ms and scales with
the machine's own.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from tests.bench.machine import Reference

Mark = Literal["ok", "first", "MISSED", ""]
"""first: the figure reaches the first goal and misses the second one."""

TOLD = "figure "
"""The beginning of an output line by which a measuring process reports a figure."""
_WIDTH = 64
_HEAD = (
    f"{'figure':<{_WIDTH}} {'median':>8} {'p99':>8} {'unit':<5} {'of':>6}  {'target':<11}"
    f" {'first':<9} {'':<6}  {'cpu ms':>6} {'fsync':>6} {'load':>5}"
)
_REFERENCE_MS = 6.0
"""The cpu ms at which a second goal counts as it is written."""
_POWERS = {"ms": 1, "s": 1, "1/s": -1, "/s": -1}
"""The power of the reference with which a goal in this unit grows; any other unit is the same on
every machine."""


@dataclass(frozen=True, slots=True)
class Target:
    """The goals of median and p99; a goal is None for a figure that has none.

    at_least: the figure should be large (receipts a second), else small. second: the second goal,
    at the reference; a target without a number has only that one.
    """

    median: float | None = None
    p99: float | None = None
    at_least: bool = False
    second: Target | None = None

    @classmethod
    def only_second(cls, median: float | None = None, p99: float | None = None) -> Self:
        """A target without a first goal."""
        return cls(second=Target(median, p99))

    @property
    def is_empty(self) -> bool:
        """Tell whether it has no number itself."""
        return self.median is None and self.p99 is None

    def scaled(self, factor: float) -> Target:
        """The target for a machine that is slower by `factor`."""
        median, p99 = (
            None if limit is None else limit * factor for limit in (self.median, self.p99)
        )
        return Target(median, p99, self.at_least)

    def is_reached(self, median: float, p99: float) -> bool:
        pairs = ((self.median, median), (self.p99, p99))
        return all(
            limit is None or (value >= limit if self.at_least else value <= limit)
            for limit, value in pairs
        )

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
    def one(
        cls, name: str, value: float, unit: str = "ms", target: Target | None = None, note: str = ""
    ) -> Self:
        return cls(name, value, value, unit, target, note)

    @property
    def asked(self) -> Target | None:
        """The goal that it is marked against: the second one scaled to this machine, else the
        first."""
        if self.target is None or self.target.second is None:
            return self.target
        cpu_ms = _REFERENCE_MS if self.reference is None else self.reference.cpu_ms
        return self.target.second.scaled((cpu_ms / _REFERENCE_MS) ** _POWERS.get(self.unit, 0))

    @property
    def first(self) -> Target | None:
        """The first goal, where `asked` is the second one."""
        if self.target is None or self.target.second is None or self.target.is_empty:
            return None
        return self.target

    @property
    def mark(self) -> Mark:
        """The verdict on the target; it is empty for a figure without one."""
        if self.asked is None:
            return ""
        if self.asked.is_reached(self.median, self.p99):
            return "ok"
        is_first = self.first is not None and self.first.is_reached(self.median, self.p99)
        return "first" if is_first else "MISSED"

    def beside(self, reference: Reference) -> Self:
        """The same figure with the machine's own figures."""
        return replace(self, reference=reference)

    def row(self) -> dict[str, Any]:
        """Its row in `build/bench.json`.

        target: the goal that it is marked against. met: whether that is reached, or None without a
        goal. first, met_first: the same for the first goal, where the target is the second one.
        samples: how many times it was measured. reference: the machine's own figures.
        """
        first = self.first
        return {
            "name": self.name.strip(),
            "target": None if self.asked is None else str(self.asked),
            "first": None if first is None else str(first),
            "unit": self.unit,
            "median": self.median,
            "p99": self.p99,
            "met": None if self.asked is None else self.mark == "ok",
            "met_first": None if first is None else first.is_reached(self.median, self.p99),
            "samples": self.count,
            "reference": None if self.reference is None else asdict(self.reference),
            "size": self.size,
        }

    def to_json(self) -> str:
        """The output line of a measuring process, without `TOLD` before it."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Self:
        """Read what `to_json` wrote."""
        members = json.loads(line)
        target, reference = members.pop("target"), members.pop("reference")
        return cls(
            **members,
            target=_target(target),
            reference=Reference(**reference) if reference else None,
        )

    def __str__(self) -> str:
        target, first = (str(one) if one else "" for one in (self.asked, self.first))
        p99 = "" if self.count == 1 else _number(self.p99)
        line = (
            f"{self.name:<{_WIDTH}} {_number(self.median):>8} {p99:>8} {self.unit:<5}"
            f" {self.count:>6,}  {target:<11} {first:<9} {self.mark:<6}"
        )
        if self.reference is not None:
            line += f"  {self.reference}"
        return line.rstrip() + (f"\n    {self.note}" if self.note else "")


def _target(members: dict[str, Any] | None) -> Target | None:
    return None if members is None else Target(**members | {"second": _target(members["second"])})


class NotMeasured(Exception):
    """A part could not be carried out and gave no figure. The text says why."""


def head() -> str:
    return f"{_HEAD}\n{'-' * len(_HEAD)}"


def quantile(samples: Sequence[float], share: float) -> float:
    """The sample below which `share` of them lie. Raises ValueError when there are none."""
    if not samples:
        raise ValueError("nothing was measured")
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _limit(value: float | None) -> str:
    """A limit to three digits, since a scaled goal has many."""
    return "–" if value is None else f"{float(f'{value:.3g}'):g}"


def _number(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:,.1f}"
