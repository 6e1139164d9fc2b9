"""Millimetres into pixels: the design's figures at 96 dpi, and screens that report a wrong size."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pos_app.cashier.ui.metrics import ScreenFacts, TouchMm, TypeStep, measure, usable_dpi
from tests.sweep import each


@given(
    dpi=some.floats(min_value=60, max_value=300),
    touch=some.sampled_from([9, 12, 15]),
    percent=some.integers(min_value=100, max_value=150),
)
def test_text_always_fits_into_the_heights(dpi: float, touch: TouchMm, percent: int) -> None:
    sizes = measure(dpi=dpi, touch_mm=touch, text_percent=percent)
    assert sizes.touch >= sizes.line(TypeStep.BASE)
    assert sizes.cart_row >= sizes.line(TypeStep.NAME) + sizes.line(TypeStep.SMALL)
    assert sizes.cart_row_current >= sizes.cart_row + sizes.touch
    assert sizes.button >= sizes.line(TypeStep.AMOUNT) + sizes.line(TypeStep.BASE)
    assert sizes.payment_button >= sizes.line(TypeStep.BASE)
    assert sizes.status >= sizes.line(TypeStep.SMALL)
    assert sizes.tile_height >= 2 * sizes.line(TypeStep.BASE) + sizes.line(TypeStep.STRONG)
    assert min(dataclasses.astuple(sizes)[4:]) >= 1


REAL = ScreenFacts(1920, 1080, 96.0, 96.0)


@each(
    ("screen", "dpi"),
    [
        pytest.param(REAL, 96.0, id="a usual monitor"),
        pytest.param(ScreenFacts(1920, 1080, 141.0, 141.5), 135.1, id="15.6 inch, just fits"),
        pytest.param(ScreenFacts(1366, 768, 100.4, 100.2), 96.1, id="15.6 inch laptop, too flat"),
        pytest.param(ScreenFacts(1024, 768, 85.0, 85.0), 85.0, id="15 inch 4:3"),
        pytest.param(ScreenFacts(1366, 768, 157.0, 157.0), 96.1, id="10 inch tablet, made to fit"),
        pytest.param(ScreenFacts(1920, 1080, 0.0, 0.0), 96.0, id="virtual machine without a size"),
        pytest.param(ScreenFacts(1920, 1080, float("inf"), 96.0), 96.0, id="no height"),
        pytest.param(ScreenFacts(1920, 1080, float("nan"), 96.0), 96.0, id="not a number"),
        pytest.param(ScreenFacts(1920, 1080, 30.0, 30.0), 96.0, id="television"),
        pytest.param(ScreenFacts(1920, 1080, 96.0, 150.0), 96.0, id="wrong aspect"),
        pytest.param(ScreenFacts(3840, 2160, 900.0, 900.0), 96.0, id="absurd"),
        pytest.param(ScreenFacts(3840, 2160, 0.0, 0.0, 144.0), 144.0, id="scaled by the system"),
        pytest.param(ScreenFacts(640, 480, 96.0, 96.0), 60.0, id="never below the least"),
    ],
)
def test_dpi_of_screens_that_tell_the_truth_and_that_lie(screen: ScreenFacts, dpi: float) -> None:
    assert usable_dpi(screen) == pytest.approx(dpi, abs=0.1)
