"""The till's two families: Inter for words and amounts, JetBrains Mono for numbers of papers.

Inter's figures are proportional by default, so amounts would dance; `tnum` makes them equally
wide. The mono's ligatures (`calt`) would melt `==` and `--` of a journal; they are off.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase

from pos_app import log
from pos_app.cashier.look.metrics import Metrics, Step

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
        self._resized: dict[tuple[QFont, Step, int], QFont] = {}

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
        key = (own, step, weight)
        if key not in self._resized:
            font = QFont(own)
            font.setPixelSize(self._metrics.type_px(step))
            font.setWeight(QFont.Weight(int(weight)))
            self._tighten(font, step)
            self._resized[QFont(own), step, weight] = font  # the key is nobody's to change
        return QFont(self._resized[key])

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
