"""The positions of a chart's strokes."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.documents import chart
from pos_app.documents.chart import Box, ChartBar, ChartLine, ChartSpace, Word
from tests.sweep import each

SPACE = ChartSpace(1000.0, 240.0, 18.0, lambda word: 8.0 * len(word), widest=48.0)
values = st.integers(-(10**9), 10**9).map(Decimal)


@each(("largest", "unit", "step"), [("551000", 1000, "200000"), ("98", 1, "40"), ("0", 1, "1")])
def test_the_table_of_scales(largest: str, unit: int, step: str) -> None:
    scale = chart.scale_of([ChartBar("", Decimal(largest))])
    assert (scale.unit, scale.step) == (unit, Decimal(step))
    figures = [("551382.10", 1000, "551"), ("-1500", 1, "\u22121.500"), ("-0.4", 1, "0")]
    for value, of_unit, words in figures:
        assert chart.figure(Decimal(value), of_unit) == words


@given(st.lists(st.tuples(values, st.none() | values), min_size=1, max_size=80), st.data())
def test_all_of_it_is_inside(
    told: list[tuple[Decimal, Decimal | None]], data: st.DataObject
) -> None:
    bars = [ChartBar(f"дан {place}", *one) for place, one in enumerate(told)]
    chosen, is_lying = data.draw(st.integers(-1, len(bars) - 1)), data.draw(st.booleans())
    drawn = chart.drawn_chart(bars, SPACE, chosen=chosen, is_lying=is_lying)
    assert len(drawn.areas) == len(bars)
    for shape in drawn.shapes:
        match shape:
            case Box():
                assert shape.left_edge >= -0.1
                assert shape.left_edge + shape.width <= SPACE.width + 0.1
                assert shape.top >= -0.1
                assert shape.top + shape.height <= SPACE.height + 0.1
            case ChartLine():
                assert all(
                    0 <= x <= SPACE.width and 0 <= y <= SPACE.height for x, y in shape.points
                )
            case Word():
                assert 0 <= shape.x <= SPACE.width
    assert sum(isinstance(one, Box) and one.role == "frame" for one in drawn.shapes) == (
        chosen >= 0
    )


def test_a_bar_is_as_high_as_its_value() -> None:
    drawn = chart.drawn_chart([ChartBar("а", Decimal(50)), ChartBar("б", Decimal(100))], SPACE)
    first, second = (one for one in drawn.shapes if isinstance(one, Box))
    assert (first.role, second.role) == ("bar", "bar")
    assert second.height == pytest.approx(2 * first.height)


def test_lying_bars_without_room_give_way_to_the_chosen_one() -> None:
    """The figure stands behind the longer of the two bars."""
    bars = [ChartBar(f"а{n}", Decimal(n), Decimal(2 * n)) for n in range(1, 41)]
    drawn = chart.drawn_chart(bars, SPACE, chosen=30, is_lying=True)
    words = [one for one in drawn.shapes if isinstance(one, Word)]
    named = [one.text for one in words if one.text.startswith("а")]
    assert named == [f"а{n}" for n in range(21, 32)]
    before = [one for one in drawn.shapes if isinstance(one, Box) and one.role == "before"]
    figures = [one for one in words if not one.text.startswith("а")]
    assert all(
        word.x >= box.left_edge + box.width for word, box in zip(figures, before, strict=True)
    )


def test_lying_bars_of_nothing_are_left_out() -> None:
    bars = [ChartBar("хлеб", Decimal(2)), ChartBar("сир", Decimal(0)), ChartBar("вино", Decimal(1))]
    drawn = chart.drawn_chart(bars, SPACE, is_lying=True)
    assert [one.text for one in drawn.shapes if isinstance(one, Word)] == ["хлеб", "2", "вино", "1"]
    assert [bool(area.height) for area in drawn.areas] == [True, False, True]


def test_no_line_goes_through_a_figure() -> None:
    """A figure stands beside the side to which the line rises, and nowhere in a valley."""
    heights = (1, 9, 2, 8)
    drawn = chart.drawn_chart([ChartBar("", Decimal(one)) for one in heights], SPACE, is_line=True)
    figures = {one.text: one.align for one in drawn.shapes if isinstance(one, Word) and one.strong}
    assert figures == {"1": "right", "9": "middle", "8": "middle"}


def test_many_bars_are_a_line() -> None:
    drawn = chart.drawn_chart([ChartBar("", Decimal(one)) for one in range(70)], SPACE)
    curves = [one for one in drawn.shapes if isinstance(one, ChartLine) and one.role == "curve"]
    assert [len(one.points) for one in curves] == [70]
    assert not any(isinstance(one, Box) for one in drawn.shapes)
