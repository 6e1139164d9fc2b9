"""The figures of the look: millimetres into pixels, and the contrast that both themes promise."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pos_app.cashier.ui import tokens
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


THEMES = each("palette", [tokens.LIGHT, tokens.DARK])


def luminance(colour: str) -> float:
    """Relative luminance of `#RRGGBB` (WCAG 2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1…21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXT = [
    ("ink", "surface"), ("ink", "bg"), ("ink", "tint"), ("ink", "sunken"), ("ink", "line"),
    ("ink_2", "surface"), ("ink_2", "bg"), ("ink_2", "tint"), ("ink_2", "sunken"),
    ("ink_3", "surface"), ("ink_3", "bg"), ("ink_3", "tint"), ("ink_3", "sunken"),
    ("accent", "surface"), ("accent", "bg"), ("accent", "tint"), ("on_accent", "accent"),
    ("on_accent", "accent_press"), ("ok", "surface"), ("ok", "bg"), ("info", "info_ground"),
    ("info", "surface"), ("warn", "warn_ground"), ("warn", "surface"), ("danger", "danger_ground"),
    ("danger", "surface"), ("danger", "sunken"), ("on_band", "band"), ("ink", "hit"),
    ("ink", "info_ground"), ("ink", "warn_ground"), ("ink", "danger_ground"),
    ("ink_2", "info_ground"),
]  # fmt: skip
AMOUNTS = [
    ("ink", "surface"), ("ink", "bg"), ("ink", "tint"), ("ink", "sunken"), ("ink", "hit"),
    ("on_accent", "accent"), ("on_accent", "accent_press"), ("ink_2", "surface"),
    ("ink_2", "sunken"), ("ink_2", "tint"), ("danger", "surface"), ("danger", "sunken"),
]  # fmt: skip
CONTROLS = [
    ("line_strong", "surface"), ("line_strong", "bg"), ("focus", "surface"), ("focus", "bg"),
    ("accent", "tint"), ("accent", "surface"), ("danger_edge", "surface"),
]  # fmt: skip


@THEMES
@each(("least", "pairs"), [(4.5, TEXT), (7.0, AMOUNTS), (3.0, CONTROLS)])
def test_what_is_read_stands_out(
    palette: tokens.Palette, least: float, pairs: list[tuple[str, str]]
) -> None:
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    for ink, ground in pairs:
        assert contrast(getattr(palette, ink), getattr(palette, ground)) >= least, (ink, ground)
