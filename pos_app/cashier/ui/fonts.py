"""The till's two families: Inter for words and amounts, JetBrains Mono for numbers of papers.

Inter's figures are proportional by default, so amounts would dance; `tnum` makes them equally
wide. The mono's ligatures (`calt`) would melt `==` and `--` of a journal; they are off.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase

from pos_app import log
from pos_app.cashier.ui.meter import Meter
from pos_app.cashier.ui.metrics import LADDER, Metrics, Step

_log = log.get(__name__)

FAMILIES = ("Inter", "Segoe UI", "DejaVu Sans")
MONO_FAMILIES = ("JetBrains Mono", "Consolas", "DejaVu Sans Mono")

TIGHTER = {Step.AMOUNT: -0.01, Step.TOTAL: -0.02, Step.CHANGE: -0.015}
"""Letter spacing of the large steps, in shares of their size."""


class Weight(IntEnum):
    """The three weights that ship."""

    MEDIUM = 500
    SEMIBOLD = 600
    BOLD = 700


def load_fonts(folder: Path) -> tuple[str, ...]:
    """Load the font files of a folder into this program; the families found, may be empty.

    Without the files the families of the system are used, so a missing folder is no error.
    """
    families: list[str] = []
    files = sorted(folder.rglob("*.[ot]tf")) if folder.is_dir() else []
    for file in files:
        number = QFontDatabase.addApplicationFont(str(file))
        if number < 0:
            _log.warning("font not loaded", extra={"fields": {"file": file.name}})
            continue
        families.extend(QFontDatabase.applicationFontFamilies(number))
    return tuple(dict.fromkeys(families))


class Fonts:
    """Fonts of one set of metrics. They are copied out: a caller may change what it gets."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._made: dict[tuple[Step, int, bool], QFont] = {}
        self._resized: dict[tuple[QFont, Step, int], Meter] = {}
        self._ladders: dict[tuple[QFont, Step, int], tuple[Meter, ...]] = {}

    def font(
        self, step: Step = Step.BASE, weight: int = Weight.MEDIUM, *, mono: bool = False
    ) -> QFont:
        """A font of a type step in pixels of this screen."""
        key = (step, int(weight), mono)
        if key not in self._made:
            self._made[key] = self._make(step, weight, mono=mono)
        return QFont(self._made[key])

    def resized(self, own: QFont, step: Step, weight: int = Weight.MEDIUM) -> QFont:
        """A widget's own font in another step: what a delegate paints with."""
        return QFont(self.meter(own, step, weight).font)

    def meter(self, own: QFont, step: Step, weight: int = Weight.MEDIUM) -> Meter:
        """The same font, not copied, with what is known of widths in it."""
        key = (own, step, weight)
        meter = self._resized.get(key)
        if meter is None:
            font = QFont(own)
            font.setPixelSize(self._metrics.type_px(step))
            font.setWeight(QFont.Weight(int(weight)))
            self._tighten(font, step)
            key = (QFont(own), step, weight)  # nobody's to change
            meter = self._resized[key] = Meter(font)
        return meter

    def ladder(self, own: QFont, step: Step, weight: int) -> tuple[Meter, ...]:
        """This step and the way down from it by half steps, for an amount that does not fit."""
        key = (own, step, weight)
        meters = self._ladders.get(key)
        if meters is None:
            meters = tuple(self._down(own, step, weight))
            self._ladders[QFont(own), step, weight] = meters
        return meters

    def _down(self, own: QFont, step: Step, weight: int) -> Iterator[Meter]:
        meter = self.meter(own, step, weight)
        yield meter
        for lower in LADDER[LADDER.index(step) + 1 :] if step in LADDER else (Step.SMALL,):
            larger, meter = meter.font.pixelSize(), self.meter(own, lower, weight)
            between = QFont(meter.font)
            between.setPixelSize((larger + between.pixelSize()) // 2)
            yield Meter(between)
            yield meter

    def _tighten(self, font: QFont, step: Step) -> None:
        spacing = TIGHTER.get(step, 0.0) * font.pixelSize()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, spacing)

    def _make(self, step: Step, weight: int, *, mono: bool) -> QFont:
        font = QFont()
        font.setFamilies(list(MONO_FAMILIES if mono else FAMILIES))
        font.setPixelSize(self._metrics.type_px(step))
        font.setWeight(QFont.Weight(int(weight)))
        self._tighten(font, step)
        font.setFeature(QFont.Tag("tnum"), 1)
        if mono:
            font.setFeature(QFont.Tag("calt"), 0)
            font.setStyleHint(QFont.StyleHint.Monospace)
        return font
