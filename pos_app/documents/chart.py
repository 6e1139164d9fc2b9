"""The chart of a report: bars beside the bars of the period before, or lines if there are too many
bars. Bars of days and hours stand; bars of anything else lie, each behind its name and before its
figure, as many as have room. This module computes the position of each stroke and word, in the
caller's unit; the window and the PDF draw the same.

Source: till.md ("Reports").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Literal

from pos_app.domain.money.number_text import grouped_text
from pos_app.lazy_dataclass import dataclass

Role = Literal["bar", "before", "grid", "axis", "frame", "curve", "curve_before"]
Align = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class ChartBar:
    """word: the word below the bar; short: the word to use if there is no room for `word`. value:
    may be negative. before: the value of the period before, or None if nothing is compared. label:
    the value in words, "6 радњи", where it is no amount; lying bars have it."""

    word: str
    value: Decimal
    before: Decimal | None = None
    short: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle from its left top corner."""

    left_edge: float
    top: float
    width: float
    height: float
    role: Role


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line through these points."""

    points: tuple[tuple[float, float], ...]
    role: Role


@dataclass(frozen=True, slots=True)
class Word:
    """x: the position that `align` refers to; top: the upper edge of its line. strong: a figure, or
    the chosen word."""

    x: float
    top: float
    text: str
    align: Align = "middle"
    strong: bool = False
    free_width: float = 0.0
    """The width to which longer words are cut; 0 for none."""


Shape = Box | ChartLine | Word


@dataclass(frozen=True, slots=True)
class ChartSpace:
    """line: the height of a line of words; width_of: measures a word. widest: the most that a bar
    measures across. unit_word: the word for the unit of the figures, if the chart says it itself:
    "хиљ."."""

    width: float
    height: float
    line: float
    width_of: Callable[[str], float]
    widest: float
    unit_word: str = ""


@dataclass(frozen=True, slots=True)
class ChartScale:
    """unit: the unit of the figures, 1, 1,000 or 1,000,000. step: the distance between two lines of
    the grid. lowest, highest: the limits of all values. step, lowest and highest are in the unit of
    the values."""

    unit: int
    step: Decimal
    lowest: Decimal
    highest: Decimal


@dataclass(frozen=True, slots=True)
class DrawnChart:
    """areas: the area of each bar, for clicks; without a height if the bar has no room."""

    shapes: tuple[Shape, ...]
    areas: tuple[Box, ...]


MOST_BARS = 62
"""More bars are drawn as a line."""
_GRID = 3
"""The most lines of the grid."""
_STEPS = (1, 2, 4, 5, 10)
_THOUSAND = 1_000


def scale_of(bars: Sequence[ChartBar]) -> ChartScale:
    """The scale of these bars; its step is a round number.

    | largest   | unit  | step    |
    | 551000    | 1000  | 200000  |
    | 98        | 1     | 40      |
    | 0         | 1     | 1       |
    """
    values = [value for bar in bars for value in (bar.value, bar.before) if value is not None]
    highest = max([*values, Decimal(0)])
    lowest = min([*values, Decimal(0)])
    span = highest - lowest
    largest = max(highest, -lowest)
    unit = _THOUSAND**2 if largest >= 10 * _THOUSAND**2 else _THOUSAND
    unit = unit if largest >= 10 * _THOUSAND else 1
    power = Decimal(1)
    while span / _GRID > 10 * power:
        power *= 10
    step = next((one * power for one in _STEPS if one * power * _GRID >= span), 10 * power)
    return ChartScale(unit, step, lowest, highest)


def drawn_chart(
    bars: Sequence[ChartBar],
    space: ChartSpace,
    *,
    chosen: int = -1,
    is_line: bool = False,
    is_lying: bool = False,
) -> DrawnChart:
    """The chart of these bars, the first one at the left, or on top if they lie. chosen: the index
    of the framed bar."""
    if not bars:
        return DrawnChart((), ())
    if is_lying:
        return _LyingBars(bars, space, chosen).drawn()
    return _Drawing(bars, space, chosen, is_line or len(bars) > MOST_BARS).drawn()


def most_height(bars: Sequence[ChartBar], line: float) -> float:
    """The height in which lying bars stand with the most room. line: the height of a line."""
    return sum(1 for bar in bars if bar.value or bar.before) * _MOST_ROW * line


class _Drawing:
    def __init__(
        self, bars: Sequence[ChartBar], space: ChartSpace, chosen: int, is_line: bool
    ) -> None:
        self._bars, self._space, self._chosen, self._is_line = bars, space, chosen, is_line
        self._scale = scale_of(bars)
        self._figures = [figure(bar.value, self._scale.unit) for bar in bars]
        ticks = [figure(tick, self._scale.unit) for tick in self._ticks()]
        self._unit_word = space.unit_word if self._scale.unit > 1 else ""
        gap = space.line / 2
        self._plot_left = max(map(space.width_of, [*ticks, self._unit_word])) + gap
        self._top, self._bottom = 1.6 * space.line, space.height - 1.8 * space.line
        self._each = min((space.width - self._plot_left) / len(bars), _SPREAD * space.widest)
        self._has_before = any(bar.before is not None for bar in bars)
        fits = max(space.width_of(bar.word) for bar in bars) * _AIR <= self._each
        self._names = [bar.word if fits else bar.short or bar.word for bar in bars]

    def drawn(self) -> DrawnChart:
        shapes = [*self._grid(), *(self._lines() if self._is_line else self._boxes())]
        shapes += [*self._words(), *self._frame()]
        return DrawnChart(tuple(shapes), tuple(map(self._area, range(len(self._bars)))))

    def _area(self, index: int) -> Box:
        return Box(self._begin(index), 0.0, self._each, self._space.height, "frame")

    def _ticks(self) -> Iterator[Decimal]:
        """The values at the lines of the grid, without the axis."""
        scale = self._scale
        for sign in (1, -1):
            tick = sign * scale.step
            while scale.lowest <= tick <= scale.highest:
                yield tick
                tick += sign * scale.step

    def _begin(self, index: int) -> float:
        return self._plot_left + index * self._each

    def _y(self, value: Decimal) -> float:
        scale = self._scale
        span = scale.highest - scale.lowest or Decimal(1)
        share = float((value - scale.lowest) / span)
        return self._bottom - share * (self._bottom - self._top)

    def _grid(self) -> Iterator[Shape]:
        width, line = self._space.width, self._space.line
        for tick in self._ticks():
            y = self._y(tick)
            yield ChartLine(((0.0, y), (width, y)), "grid")
            yield Word(0.0, y - line, figure(tick, self._scale.unit), align="left")
        axis = self._y(Decimal(0))
        yield ChartLine(((0.0, axis), (width, axis)), "axis")
        if self._unit_word:
            yield Word(0.0, self._space.height - 1.4 * line, self._unit_word, align="left")

    def _boxes(self) -> Iterator[Shape]:
        """The boxes of the bars. The box of the period before is narrower and stands left of the
        bar, so that the two don't overlap."""
        inside = self._inside
        for index, bar in enumerate(self._bars):
            left = self._begin(index) + (self._each - inside) / 2
            if bar.before:
                yield self._box(left, 0.36 * inside, bar.before, "before")
            if bar.value:
                own = _OWN * inside if self._has_before else inside
                yield self._box(left + inside - own, own, bar.value, "bar")

    @property
    def _inside(self) -> float:
        """The width of a bar together with the box of the period before beside it."""
        widest = self._space.widest / _OWN if self._has_before else self._space.widest
        return min(0.72 * self._each, widest)

    def _box(self, left_edge: float, width: float, value: Decimal, role: Role) -> Box:
        zero, end = self._y(Decimal(0)), self._y(value)
        return Box(left_edge, min(zero, end), width, abs(end - zero), role)

    def _lines(self) -> Iterator[Shape]:
        if self._has_before:
            yield ChartLine(tuple(self._points([bar.before for bar in self._bars])), "curve_before")
        yield ChartLine(tuple(self._points([bar.value for bar in self._bars])), "curve")

    def _points(self, values: Sequence[Decimal | None]) -> Iterator[tuple[float, float]]:
        for index, value in enumerate(values):
            if value is not None:
                yield self._begin(index) + self._each / 2, self._y(value)

    def _words(self) -> Iterator[Shape]:
        """The words that have room side by side; the chosen bar's word is always among them. A
        value of 0 has no figure."""
        for index, bar in enumerate(self._bars):
            is_chosen, middle = index == self._chosen, self._begin(index) + self._each / 2
            if bar.value and self._is_shown(index, self._figures):
                top = min(self._y(bar.value), self._y(Decimal(0))) - 1.2 * self._space.line
                if self._is_line:
                    yield from self._figure_of_point(index, middle)
                else:
                    beside = 0.2 * self._inside if self._has_before else 0.0
                    yield Word(middle + beside, top, self._figures[index], strong=True)
            if self._is_shown(index, self._names, cut=True):
                top = self._space.height - 1.4 * self._space.line
                room = self._every(self._names, cut=True) * self._each * 0.95
                yield Word(middle, top, self._names[index], strong=is_chosen, free_width=room)

    def _figure_of_point(self, index: int, x: float) -> Iterator[Shape]:
        """The figure above a point of a line, beside the side to which the line rises; it has no
        place where the line rises to both."""
        value, bars = self._bars[index].value, self._bars
        rises = [
            0 <= beside < len(bars) and bars[beside].value > value
            for beside in (index - 1, index + 1)
        ]
        align: Align = "left" if rises[0] else "right" if rises[1] else "middle"
        if not all(rises):
            top = min(self._y(value), self._y(Decimal(0))) - 1.2 * self._space.line
            yield Word(x, top, self._figures[index], align, strong=True)

    def _is_shown(self, index: int, words: Sequence[str], *, cut: bool = False) -> bool:
        every = self._every(words, cut=cut)
        if index == self._chosen:
            return True
        near = self._chosen >= 0 and abs(index - self._chosen) < every
        return (len(words) - 1 - index) % every == 0 and not (near and every > 1)

    def _every(self, words: Sequence[str], *, cut: bool) -> int:
        """The distance between two shown words. The last word is shown; others are left out."""
        widest = max(map(self._space.width_of, words))
        if cut and not self._is_line and len(words) <= _FEW:
            return 1
        return max(1, -int(-_AIR * widest // self._each))

    def _frame(self) -> Iterator[Shape]:
        if 0 <= self._chosen < len(self._bars):
            yield self._area(self._chosen)


def _label(bar: ChartBar) -> str:
    return bar.label or figure(bar.value, 1)


class _LyingBars:
    """Bars from the left, below one another, without those of nothing. The bar of the period before
    lies behind, higher than the bar itself; the figure is at the end of the longer one. Where not
    all bars have room, those around the chosen one are drawn."""

    def __init__(self, bars: Sequence[ChartBar], space: ChartSpace, chosen: int) -> None:
        self._bars, self._space, self._chosen = bars, space, chosen
        some = [at for at, bar in enumerate(bars) if bar.value or bar.before or at == chosen]
        most = max(1, min(len(some), int(space.height // (_ROW * space.line))))
        place = some.index(chosen) if chosen in some else 0
        begin = min(max(place - most + 1, 0), max(len(some) - most, 0))
        self._indexes = some[begin : begin + most]
        self._row = min(space.height / most, _MOST_ROW * space.line)
        self._gap = gap = space.line / 2
        self._name = min(max(space.width_of(bar.word) for bar in bars), _MOST_NAME * space.width)
        figures = max(space.width_of(_label(bar)) for bar in bars)
        ends = [Decimal(0)]
        ends += [one for bar in bars for one in (bar.value, bar.before) if one is not None]
        self._lowest, self._span = min(ends), max(ends) - min(ends) or Decimal(1)
        self._begin = self._name + 2 * gap
        self._length = max(space.width - self._begin - figures - 2 * gap, 0.0)

    def drawn(self) -> DrawnChart:
        shapes = [shape for index in self._indexes for shape in self._shapes_of(index)]
        if self._chosen in self._indexes:
            shapes.append(self._area(self._chosen))
        return DrawnChart(tuple(shapes), tuple(map(self._area, range(len(self._bars)))))

    def _area(self, index: int) -> Box:
        if index not in self._indexes:
            return Box(0.0, 0.0, 0.0, 0.0, "frame")
        top = self._indexes.index(index) * self._row
        return Box(0.0, top, self._space.width, self._row, "frame")

    def _x(self, value: Decimal) -> float:
        return self._begin + float((value - self._lowest) / self._span) * self._length

    def _shapes_of(self, index: int) -> Iterator[Shape]:
        bar, area = self._bars[index], self._area(index)
        top = area.top + (self._row - self._space.line) / 2
        strong = index == self._chosen
        yield Word(self._gap, top, bar.word, "left", strong=strong, free_width=self._name)
        ends = [self._x(Decimal(0)), self._x(bar.value)]
        if bar.before:
            ends.append(self._x(bar.before))
            yield self._bar(area, bar.before, 0.8, "before")
        if bar.value:
            yield self._bar(area, bar.value, 0.44 if bar.before is not None else 0.64, "bar")
        if bar.value:
            yield Word(max(ends) + self._gap, top, _label(bar), "left", strong=True)

    def _bar(self, area: Box, value: Decimal, share: float, role: Role) -> Box:
        zero, end = self._x(Decimal(0)), self._x(value)
        high = min(share * self._row, share * self._space.widest)
        top = area.top + (self._row - high) / 2
        return Box(min(zero, end), top, abs(end - zero), high, role)


_ROW = 1.2
"""The least height of a lying bar with its words, in lines."""
_MOST_ROW = 2.0
"""The most height of a lying bar, in lines."""
_MOST_NAME = 0.3
"""The most of the width that the names before lying bars take."""
_OWN = 0.6
"""The share of a standing bar in its width together with the box of the period before."""
_SPREAD = 3
"""Few bars stand no further apart than so many times the width of the widest."""
_AIR = 1.1
"""A word beside others needs its own width times this factor."""
_FEW = 12
"""Up to so many words are cut rather than left out."""


def figure(value: Decimal, unit: int) -> str:
    """A value in thousands or millions, without decimals: 551.382,10 -> "551"."""
    return grouped_text(round(value / unit))
