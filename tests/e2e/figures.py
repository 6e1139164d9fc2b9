"""The kills of the tests and their results; they are shown at the end of every run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.e2e import audit
from tests.e2e.shop import Program, Shop

PROPERTY = "kills"
_HEAD = ("killed", "kills", "in flight", "sales", "lost", "double", "recovered p50", "p99")


@dataclass
class Figures:
    """The figures of one test. recovered: for each kill, seconds beyond W until all was well
    again."""

    what: str
    in_flight: list[bool] = field(default_factory=list)
    recovered: list[float] = field(default_factory=list)
    sales: int = 0
    lost: int = 0
    double: int = 0

    def count(self, shop: Shop) -> None:
        """Count sales, lost and double ones by the till's database and the processor's ledger."""
        sales, entries = audit.frozen_sales(shop.data), audit.ledger(shop)
        signed = [sum(one.request_id == sale.request_id for one in entries) for sale in sales]
        self.sales = len(sales)
        self.lost = signed.count(0)
        self.double = sum(times > 1 for times in signed)

    def row(self) -> tuple[str, ...]:
        """The figures as shown: numbers, the share in flight, and seconds."""
        kills, met = len(self.in_flight), sum(self.in_flight)
        share = f"{100 * met / kills:.0f} %" if kills else ""
        seconds = [
            f"{at(self.recovered, part):.2f} s" if self.recovered else "" for part in (50, 99)
        ]
        return (self.what, *map(str, (kills, share, self.sales, self.lost, self.double)), *seconds)


def at(values: Sequence[float], percent: int) -> float:
    """The smallest value that `percent` per cent of the values do not exceed."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


def is_in_flight(robot: Program) -> bool:
    """Tell whether the robot last reported a sale as handed over or in doubt."""
    last = {words[1]: words[0] for words in robot.lines() if words[0] != "server"}
    return not {"sending", "doubt"}.isdisjoint(last.values())


def proof(members: dict[str, Any]) -> dict[str, Any]:
    """The same figures as a row of `tests.proofs`, under the test's name without its parameters."""
    one = Figures(**members)
    name = one.what.partition("[")[0]
    kills = {"tried": len(one.in_flight), "lost": one.lost, "doubled": one.double}
    return {"name": name, "stuck": 0, **kills}


def table_of_figures(all_members: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A table of the figures of all tests, and one row for everything."""
    every = [Figures(**members) for members in all_members]
    if not every:
        return
    total = Figures(
        "everything",
        [met for one in every for met in one.in_flight],
        [seconds for one in every for seconds in one.recovered],
        sum(one.sales for one in every),
        sum(one.lost for one in every),
        sum(one.double for one in every),
    )
    rows = [_HEAD, *(one.row() for one in sorted(every, key=lambda one: one.what)), total.row()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row[1:], widths[1:], strict=True)
        yield f"{row[0]:<{widths[0]}}  " + "  ".join(f"{cell:>{width}}" for cell, width in cells)
