"""The possible sums of lines of one article, compared with trying everything."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.operations import RefundedItem
from pos_app.fiscalization.plans.chain import LineRest
from pos_app.fiscalization.plans.refund import refunded_lines
from pos_app.fiscalization.plans.refund_line_choice import ways_to_take
from tests.unit.fiscalization.plans.book import line

LINES = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 500)), min_size=1, max_size=4)


def rests_of(lines: list[tuple[int, int]]) -> tuple[LineRest, ...]:
    """Lines of article 1: pieces, and the price of all of them in para."""
    sold = [
        line("Хлеб", "Е", str(many), "1.00", sku=1, total=str(Money.of_para(cost)))
        for many, cost in lines
    ]
    return tuple(
        LineRest(place, one, one.quantity.amount, one.total) for place, one in enumerate(sold)
    )


@given(LINES, st.data())
def test_every_sum_of_whole_pieces_is_found_and_no_other(
    lines: list[tuple[int, int]], data: st.DataObject
) -> None:
    rests = rests_of(lines)
    wanted = data.draw(st.integers(1, sum(many for many, _ in lines)))
    tried = product(*(range(many + 1) for many, _ in lines))
    possible = {
        Money.total(rest.part(Decimal(much)) for rest, much in zip(rests, taken, strict=True))
        for taken in tried
        if sum(taken) == wanted
    }
    items = [RefundedItem(Quantity(wanted), sku=1)]
    ways = ways_to_take(rests, items)
    assert set(ways) == possible
    for total, limited in ways.items():
        made = refunded_lines(limited, tuple(items))
        assert Money.total(one.total for one in made) == total
        assert sum(one.quantity.amount for one in made) == wanted


@given(LINES, st.data())
def test_several_items_of_an_article_come_to_the_same_sums(
    lines: list[tuple[int, int]], data: st.DataObject
) -> None:
    rests = rests_of(lines)
    whole = sum(many for many, _ in lines)
    named = data.draw(st.integers(0, len(lines) - 1))
    items = [RefundedItem(Quantity.ONE, line=named)]
    if whole > 1:
        wanted = data.draw(st.integers(1, whole - 1))
        items = [RefundedItem(Quantity.ONE, sku=1)] * wanted + items
    for total, limited in ways_to_take(rests, items).items():
        made = refunded_lines(limited, tuple(items))
        assert Money.total(one.total for one in made) == total
        assert named in [one.origin for one in made]
