"""Sizes for one screen, touch size and text scale, from millimetres to pixels; weights of type.

Sizes are designed in millimetres to fit a finger; the figures of look.md at 96 dpi are the worked
example in the tests. Text scale enlarges type only; heights follow the type.
Spaces are whole multiples of one unit (1 mm in whole pixels), so that edges line up.
"""

from __future__ import annotations

import math
from enum import IntEnum, StrEnum
from typing import Literal

from pos_app.lazy_dataclass import dataclass

TouchMm = Literal[9, 12, 15]

MM_PER_INCH = 25.4
DESIGN_DPI = 96.0
SMALLEST_MM = (271.0, 203.0)
"""The room that the sale needs without scrolling: 1024 × 768 at 96 dpi."""
SANE_DPI = (60.0, 300.0)
SANE_ASPECT = 1.2
NARROW_PX = 1200
WIDEST_TYPE = 125
"""The largest text scale in percent at which words and amounts stand side by side."""
NARROW_TOUCHES = 22
"""A window with fewer touch sizes side by side is narrow, too."""


class TypeStep(StrEnum):
    """The type steps; CAP and NAME are the two in-between sizes for key caps and cart names."""

    CAP = "cap"
    SMALL = "small"
    BASE = "base"
    NAME = "name"
    STRONG = "strong"
    TITLE = "title"
    AMOUNT = "amount"
    TOTAL = "total"
    CHANGE = "change"


class Weight(IntEnum):
    MEDIUM = 500
    SEMIBOLD = 600
    BOLD = 700


TYPE_AT_96: dict[TypeStep, tuple[int, int]] = {
    TypeStep.CAP: (12, 16),
    TypeStep.SMALL: (13, 18),
    TypeStep.BASE: (15, 20),
    TypeStep.NAME: (16, 21),
    TypeStep.STRONG: (17, 22),
    TypeStep.TITLE: (20, 26),
    TypeStep.AMOUNT: (30, 36),
    TypeStep.TOTAL: (52, 56),
    TypeStep.CHANGE: (68, 78),
}
"""Pixel size and line height at 96 dpi and 100 %."""

NARROW_TOTAL = (44, 50)

LADDER = (
    TypeStep.CHANGE,
    TypeStep.TOTAL,
    TypeStep.AMOUNT,
    TypeStep.TITLE,
    TypeStep.STRONG,
    TypeStep.BASE,
    TypeStep.SMALL,
)
"""The steps by which an amount that does not fit gets smaller."""


@dataclass(frozen=True, slots=True)
class ScreenFacts:
    """The system's facts about a screen, in device-independent pixels and dots per inch."""

    width: int
    height: int
    dpi_x: float
    dpi_y: float
    logical_dpi: float = DESIGN_DPI


def usable_dpi(screen: ScreenFacts, *, override: float | None = None) -> float:
    """Return the dots per inch to design with; `override` (a setting) wins if it is given. TVs and
    virtual machines may report 0, 30 or different values per axis; then the logical value is used.
    A screen too small for the sale at its real density is used as if it were just large enough, so
    that nothing has to scroll."""
    if override is not None:
        return override
    dpi = (screen.dpi_x + screen.dpi_y) / 2
    if not _believable(screen, dpi):
        dpi = min(max(screen.logical_dpi, SANE_DPI[0]), SANE_DPI[1])
    fits_x = screen.width * MM_PER_INCH / SMALLEST_MM[0]
    fits_y = screen.height * MM_PER_INCH / SMALLEST_MM[1]
    return max(min(dpi, fits_x, fits_y), SANE_DPI[0])


def _believable(screen: ScreenFacts, dpi: float) -> bool:
    if not all(math.isfinite(axis) and axis > 0 for axis in (screen.dpi_x, screen.dpi_y)):
        return False
    aspect = max(screen.dpi_x, screen.dpi_y) / min(screen.dpi_x, screen.dpi_y)
    return SANE_DPI[0] <= dpi <= SANE_DPI[1] and aspect <= SANE_ASPECT


@dataclass(frozen=True, slots=True)
class Metrics:
    """All sizes, in whole device-independent pixels; `measure` makes them."""

    dpi: float
    touch_mm: TouchMm
    text_percent: int
    narrow: bool
    """The window is about 1024 px wide: gaps and the total get smaller."""
    s1: int
    s2: int
    """Gap between touch targets."""
    s3: int
    """Edge of a screen; space inside a tile."""
    s4: int
    """Space inside a panel."""
    s6: int
    """Gap between groups."""
    hair: int
    """Width of a line or of a plain edge."""
    edge: int
    """Width of a selected edge."""
    radius_cap: int
    radius_field: int
    radius_button: int
    radius_panel: int
    touch: int
    """T: the height of a button, field, chip or list row."""
    bar: int
    cart_row: int
    cart_row_current: int
    button: int
    """Height of an action button and of the big button."""
    payment_button: int
    tile_width: int
    """The least width: 9.999,99 fits beside the picture. Tiles grow to fill the row."""
    tile_height: int
    status: int
    head: int
    """Height of a table's head."""
    cap: int
    """Height of a key cap."""
    quantity: int
    """Width of the quantity column of the cart."""
    picture: int
    """The side of a tile's picture; two lines of a name have room above the picture."""
    chart: int
    """The least height of a chart; at 1366 × 768 eight rows of a table have room below it, or six
    where days are typed."""
    chart_bar: int
    """The most that a bar of a chart measures across."""

    @property
    def text_scale(self) -> float:
        """The factor from pixels of type at 96 dpi and 100 % to pixels of this screen."""
        return self.dpi / DESIGN_DPI * self.text_percent / 100

    @property
    def tight(self) -> bool:
        """Whether large type leaves a narrow window little room."""
        return self.narrow and self.text_percent > 100

    @property
    def large(self) -> bool:
        """Whether the type leaves words no room beside an amount, or a second column."""
        return self.text_percent > WIDEST_TYPE

    def px(self, at_96: float) -> int:
        """Return a length given in pixels at 96 dpi."""
        return max(1, round(at_96 * self.dpi / DESIGN_DPI))

    def type_px(self, step: TypeStep) -> int:
        return max(1, round(self._type(step)[0] * self.text_scale))

    def line(self, step: TypeStep) -> int:
        return max(1, round(self._type(step)[1] * self.text_scale))

    def icon(self, at_96: int) -> int:
        """Return the size of an icon, which grows with the text."""
        return max(8, round(at_96 * self.text_scale))

    def _type(self, step: TypeStep) -> tuple[int, int]:
        return NARROW_TOTAL if self.narrow and step is TypeStep.TOTAL else TYPE_AT_96[step]


def measure(
    *, dpi: float = DESIGN_DPI, touch_mm: TouchMm = 12, text_percent: int = 100, width: int = 1366
) -> Metrics:
    """Return all sizes. text_percent: limited to 100…150. width: of the window, in pixels."""
    percent = min(max(text_percent, 100), 150)
    unit = max(3, round(dpi / MM_PER_INCH))
    scale = dpi / DESIGN_DPI * percent / 100
    lines = {step: round(line * scale) for step, (_, line) in TYPE_AT_96.items()}
    touch = max(_up_to_even(touch_mm * dpi / MM_PER_INCH), lines[TypeStep.BASE] + 2 * unit)
    base, small, name, strong = (
        lines[s] for s in (TypeStep.BASE, TypeStep.SMALL, TypeStep.NAME, TypeStep.STRONG)
    )
    cap = round(20 * scale)
    cart_row = max(_even(1.25 * touch), name + small + 4 * unit + 1)
    return Metrics(
        dpi=dpi,
        touch_mm=touch_mm,
        text_percent=percent,
        narrow=width < max(NARROW_PX, NARROW_TOUCHES * touch),
        **_spaces(unit, dpi),
        touch=touch,
        bar=max(_even(1.25 * touch_mm * dpi / MM_PER_INCH), touch + 2 * unit, base + small + unit),
        cart_row=cart_row,
        cart_row_current=max(_even(2.5 * touch), cart_row + touch + 2 * unit),
        button=max(
            _even(1.65 * touch), cap + base + 6 * unit, lines[TypeStep.AMOUNT] + base + 2 * unit
        ),
        payment_button=max(_even(1.1 * touch), base + small + 2 * unit),
        tile_width=max(_even(3.4 * touch), 36 * unit),
        tile_height=max(_even(2.35 * touch), 2 * base + small + strong + 5 * unit),
        status=max(_even(0.75 * touch), small + 2 * unit),
        head=max(round(32 * dpi / DESIGN_DPI), small + 2 * unit),
        cap=cap,
        quantity=round(18 * dpi / MM_PER_INCH * percent / 100),
        picture=min(12 * unit, touch + unit // 2),
        chart=round(150 * scale),
        chart_bar=round(48 * dpi / DESIGN_DPI),
    )


def measured_for(metrics: Metrics, width: int) -> Metrics:
    """Return the sizes for a window of another width."""
    return measure(
        dpi=metrics.dpi, touch_mm=metrics.touch_mm, text_percent=metrics.text_percent, width=width
    )


def _spaces(unit: int, dpi: float) -> dict[str, int]:
    hair = max(1, int(dpi / DESIGN_DPI))
    return {
        "s1": unit,
        "s2": 2 * unit,
        "s3": 3 * unit,
        "s4": 4 * unit,
        "s6": 6 * unit,
        "hair": hair,
        "edge": 2 * hair,
        "radius_cap": unit,
        "radius_field": 2 * unit,
        "radius_button": round(2.5 * unit),
        "radius_panel": round(3.5 * unit),
    }


def _even(length: float) -> int:
    """Return the nearest even number, the lower of two, so that centred things stay on whole
    pixels."""
    return 2 * math.ceil(length / 2 - 0.5)


def _up_to_even(length: float) -> int:
    """Return the next even number, so that a touch target is never smaller than promised."""
    return 2 * math.ceil(length / 2 - 0.02)
