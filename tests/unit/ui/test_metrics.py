"""Millimetres into pixels: the design's figures at 96 dpi, and screens that report a wrong size."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pos_app.cashier.ui.metrics import ScreenFacts, TouchMm, TypeStep, measure, usable_dpi
from tests.sweep import each


@each(
    ("name", "pixels"),
    [
        ("s1", 4), ("s2", 8), ("s3", 12), ("s4", 16), ("s6", 24), ("hair", 1), ("edge", 2),
        ("radius_cap", 4), ("radius_field", 8), ("radius_button", 10), ("radius_panel", 14),
        ("touch", 46), ("bar", 56), ("cart_row", 58), ("cart_row_current", 114), ("button", 76),
        ("payment_button", 50), ("tile_width", 156), ("tile_height", 108), ("status", 34),
        ("head", 32), ("cap", 20), ("quantity", 68), ("picture", 48),
    ],
)  # fmt: skip
def test_sizes_at_96_dpi_and_12_mm(name: str, pixels: int) -> None:
    assert getattr(measure(), name) == pixels


def test_type_at_96_dpi() -> None:
    """Pixels of the letters and of their line."""
    metrics = measure()
    assert {step: (metrics.type_px(step), metrics.line(step)) for step in TypeStep} == {
        TypeStep.CAP: (12, 16), TypeStep.SMALL: (13, 18), TypeStep.BASE: (15, 20),
        TypeStep.NAME: (16, 21), TypeStep.STRONG: (17, 22), TypeStep.TITLE: (20, 26),
        TypeStep.AMOUNT: (30, 36), TypeStep.TOTAL: (52, 56), TypeStep.CHANGE: (68, 78),
    }  # fmt: skip


def test_what_changes_the_sizes() -> None:
    narrow, fine = measure(width=1024), measure(dpi=192)
    assert (narrow.type_px(TypeStep.TOTAL), narrow.type_px(TypeStep.CHANGE)) == (44, 68)
    assert (fine.px(16), fine.touch, fine.s2, fine.hair) == (32, 92, 16, 2)
    for asked, used in ((80, 100), (130, 130), (400, 150)):
        assert measure(text_percent=asked).text_percent == used
    assert usable_dpi(ScreenFacts(1366, 768, 30.0, 30.0), override=120.0) == 120.0
    targets: dict[TouchMm, int] = {9: 34, 12: 46, 15: 58}
    for promised, pixels in targets.items():
        assert measure(touch_mm=promised).touch == pixels
        assert pixels / 96 * 25.4 >= promised - 0.01


def test_text_scale_enlarges_type_and_heights_but_no_spaces() -> None:
    usual, large = measure(), measure(text_percent=150)
    assert large.type_px(TypeStep.SMALL) == 20
    assert large.icon(20) == 30
    told = (large.s2, large.radius_button, large.touch)
    assert told == (usual.s2, usual.radius_button, usual.touch)
    for name in ("cart_row", "cart_row_current", "button", "payment_button", "tile_height", "bar"):
        assert getattr(large, name) > getattr(usual, name)


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
