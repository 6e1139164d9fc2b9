"""Contrast by the WCAG 2 formula: the figures that the colours of both themes promise."""

from __future__ import annotations

import pytest

from pos_app.cashier.ui import tokens
from tests.sweep import each

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
