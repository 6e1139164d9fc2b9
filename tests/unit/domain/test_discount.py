"""Percentages in every spelling of their number."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pos_app.domain.money.discount import Percent
from pos_app.errors import Invalid


@pytest.mark.parametrize("value", [20, "20", Decimal(20), Decimal("20.0"), Decimal("2e1")])
def test_a_whole_percentage_is_one_however_it_is_written(value: Decimal | int | str) -> None:
    assert Percent(value) == Percent(Decimal("20.0000"))
    assert f"{Percent(value).value:f}" == "20.0000"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (0, "range"),
        (-5, "range"),
        ("100.0001", "range"),
        ("0.00001", "decimals"),
        ("99.99999", "decimals"),
        ("NaN", "number"),
        ("Infinity", "number"),
        ("a fifth", "number"),
    ],
)
def test_a_wrong_percentage_can_not_be_built(value: Decimal | int | str, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        Percent(value)
    assert refusal.value.kind == kind


def test_a_float_is_a_bug_not_a_percentage() -> None:
    with pytest.raises(TypeError):
        Percent(12.5)  # type: ignore[arg-type]
