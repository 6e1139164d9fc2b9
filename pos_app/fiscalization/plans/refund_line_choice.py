"""Chooses the lines of a refund if several lines of the receipt have the same article.

Items take the lines in order. If the sum then differs from the payments, other lines of the same
articles are tried: a discount is often spread over several lines of one article, and the customer
may return the second. Source: platform-contract.md 2.19.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import RefundedItem
from pos_app.fiscalization.plans.chain import LineRest
from pos_app.lazy_dataclass import dataclass

_MOST_STEPS = 10_000
"""The most combinations that are tried, some 25 ms of work. If there are more, only the lines in
their order are taken."""
_MOST_OF_A_LINE = 100
"""The most pieces of a line for which every number of pieces is tried. For a line with more, only
all and the fewest possible are tried."""

Taken = tuple[Decimal, ...]
"""The quantity taken of each line, by its index."""


_Way = tuple["_Way | None", int, Decimal]
"""The steps before, then the index of a line and the quantity taken of it."""
_Reached = dict[tuple[Decimal, Decimal], _Way | None]
"""Quantity still wanted of an article, and the sum -> the first way that led there."""


class _TooMany(Exception):
    """There are more than _MOST_STEPS combinations."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """The quantity wanted of an article, and the indexes of its lines."""

    wanted: Decimal
    lines: tuple[int, ...]


def ways_to_take(
    rests: Sequence[LineRest], items: Sequence[RefundedItem]
) -> dict[Money, tuple[LineRest, ...]]:
    """Map each possible sum of the items to the parts of the lines that yield it. rests: the
    refundable lines, which cover the items. The map is empty if there are too many ways."""
    fixed = [Decimal(0)] * len(rests)
    wanted: dict[int | None, Decimal] = {}
    for item in items:
        if item.line is None:
            wanted[item.sku] = wanted.get(item.sku, Decimal(0)) + item.quantity.amount
            continue
        index = next(index for index, rest in enumerate(rests) if rest.index == item.line)
        fixed[index] += item.quantity.amount
    choices = [
        _Choice(quantity, tuple(index for index, rest in enumerate(rests) if rest.line.sku == sku))
        for sku, quantity in wanted.items()
    ]
    try:
        found = _SumSearch(rests, fixed).run(choices)
    except _TooMany:
        return {}
    return {total: _limited(rests, taken) for total, taken in found.items()}


def _limited(rests: Sequence[LineRest], taken: Taken) -> tuple[LineRest, ...]:
    return tuple(
        LineRest(rest.index, rest.line, quantity, rest.part(quantity))
        for rest, quantity in zip(rests, taken, strict=True)
        if quantity
    )


class _SumSearch:
    """Finds all possible sums, line by line; of two ways to one sum the first counts."""

    def __init__(self, rests: Sequence[LineRest], fixed: Sequence[Decimal]) -> None:
        self._rests = rests
        self._fixed = fixed
        self._steps = 0

    def run(self, choices: Sequence[_Choice]) -> dict[Money, Taken]:
        chosen = {index for choice in choices for index in choice.lines}
        others = (i for i in range(len(self._rests)) if i not in chosen)
        base = sum((self._cost(index, Decimal(0)) for index in others), Decimal(0))
        reached: _Reached = {(Decimal(0), base): None}
        for choice in choices:
            reached = self._article(
                choice, {(choice.wanted, total): way for (_, total), way in reached.items()}
            )
        return {Money(total): self._taken(way) for (_, total), way in reached.items()}

    def _article(self, choice: _Choice, reached: _Reached) -> _Reached:
        later = sum((self._free(index) for index in choice.lines), Decimal(0))
        for index in choice.lines:
            free = self._free(index)
            later -= free
            costs: dict[Decimal, Decimal] = {}
            onward: _Reached = {}
            for (wanted, total), way in reached.items():
                least = max(wanted - later, Decimal(0))
                for quantity in _amounts(most=min(free, wanted), least=least):
                    self._count()
                    if quantity not in costs:
                        costs[quantity] = self._cost(index, quantity)
                    left = wanted - quantity, total + costs[quantity]
                    onward.setdefault(left, (way, index, quantity))
            reached = onward
        return reached

    def _free(self, index: int) -> Decimal:
        return self._rests[index].quantity - self._fixed[index]

    def _cost(self, index: int, quantity: Decimal) -> Decimal:
        return self._rests[index].part(self._fixed[index] + quantity).amount

    def _count(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _TooMany

    def _taken(self, way: _Way | None) -> Taken:
        taken = list(self._fixed)
        while way is not None:
            way, index, quantity = way
            taken[index] += quantity
        return tuple(taken)


def _amounts(*, most: Decimal, least: Decimal) -> Iterator[Decimal]:
    """The quantities of a line to try: the most first, then piece by piece if it has pieces."""
    if least > most:
        return
    yield most
    pieces = most - least
    if pieces and pieces == pieces.to_integral_value() and pieces <= _MOST_OF_A_LINE:
        yield from (most - Decimal(count) for count in range(1, int(pieces)))
    if pieces:
        yield least
