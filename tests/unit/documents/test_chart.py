"""The positions of a chart's strokes."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pos_app.documents import chart
from pos_app.documents.chart import Box, ChartBar, ChartLine, ChartSpace, Word

SPACE = ChartSpace(1000.0, 240.0, 18.0, lambda word: 8.0 * len(word), widest=48.0)
values = st.integers(-(10**9), 10**9).map(Decimal)


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


def test_lying_bars_of_nothing_are_left_out() -> None:
    bars = [ChartBar("хлеб", Decimal(2)), ChartBar("сир", Decimal(0)), ChartBar("вино", Decimal(1))]
    drawn = chart.drawn_chart(bars, SPACE, is_lying=True)
    assert [one.text for one in drawn.shapes if isinstance(one, Word)] == ["хлеб", "2", "вино", "1"]
    assert [bool(area.height) for area in drawn.areas] == [True, False, True]
