"""A measured figure beside its target: a value, a line of JSON, a line of the table.

Where targets.md has a second goal, the figure is marked against that one, and the first goal stands
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
"""first: the first goal alone is reached, not the second one."""

TOLD = "figure "
"""How the line of a measuring process begins that tells a figure."""
_WIDTH = 64
_HEAD = (
    f"{'figure':<{_WIDTH}} {'median':>8} {'p99':>8} {'unit':<5} {'of':>6}  {'target':<11}"
    f" {'first':<9} {'':<6}  {'cpu ms':>6} {'fsync':>6} {'load':>5}"
)
_REFERENCE_MS = 6.0
"""The cpu ms at which a second goal counts as it is written."""
_POWERS = {"ms": 1, "s": 1, "1/s": -1, "/s": -1}
"""With which power of the reference a goal in this unit grows; any other is the same everywhere."""


@dataclass(frozen=True, slots=True)
class Target:
    """What median and p99 are to reach; None: nothing is asked of it.

    at_least: the figure should be large (receipts a second), else small.
    second: the second goal, at the reference; a target without a number has only that one.
    """

    median: float | None = None
    p99: float | None = None
    at_least: bool = False
    second: Target | None = None

    @classmethod
    def only_second(cls, median: float | None = None, p99: float | None = None) -> Self:
        """There is no first goal of it."""
        return cls(second=Target(median, p99))

    @property
    def is_empty(self) -> bool:
        """Whether it has no number itself."""
        return self.median is None and self.p99 is None

    def scaled(self, factor: float) -> Target:
        """For a machine on which this factor is asked."""
        median, p99 = (
            None if limit is None else limit * factor for limit in (self.median, self.p99)
        )
        return Target(median, p99, self.at_least)

    def is_reached(self, median: float, p99: float) -> bool:
        """Whether both are within."""
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
    """One measured thing. note: what a reader must know of it, in a line under it.

    count: how many times it was measured. size: of how many articles, receipts, lines or tills it
    tells, where it is measured with several numbers of them.
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
        cls,
        name: str,
        value: float,
        unit: str = "ms",
        target: Target | None = None,
        note: str = "",
    ) -> Self:
        """A figure that was taken once."""
        return cls(name, value, value, unit, target, note)

    @property
    def asked(self) -> Target | None:
        """What it is marked against: the second goal as this machine is asked, else the first."""
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
        """Whether the target is reached; empty without one."""
        if self.asked is None:
            return ""
        if self.asked.is_reached(self.median, self.p99):
            return "ok"
        is_first = self.first is not None and self.first.is_reached(self.median, self.p99)
        return "first" if is_first else "MISSED"

    def beside(self, reference: Reference) -> Self:
        """The same figure with the machine's own beside it."""
        return replace(self, reference=reference)

    def row(self) -> dict[str, Any]:
        """What `build/bench.json` has of it.

        target: what it is marked against, met: whether that is reached, None without one; first and
        met_first: the same of the first goal, where the target is the second one; samples: how many
        times it was measured; reference: the machine's own figures.
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
        """Without the word before it, the line that a measuring process tells."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Self:
        """What `to_json` wrote."""
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
    """A part could not be carried out, so that there is no figure. The text says why."""


def head() -> str:
    """The head of the table."""
    return f"{_HEAD}\n{'-' * len(_HEAD)}"


def quantile(samples: Sequence[float], share: float) -> float:
    """The sample below which `share` of them lie. Raises ValueError when there are none."""
    if not samples:
        raise ValueError("nothing was measured")
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _limit(value: float | None) -> str:
    """To three digits, since a scaled goal has many."""
    return "–" if value is None else f"{float(f'{value:.3g}'):g}"


def _number(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:,.1f}"
