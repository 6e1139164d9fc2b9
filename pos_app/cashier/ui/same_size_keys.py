"""Keys of one row whose labels all have one size: the largest in which each of them fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import TYPE_AT_96, Step
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedButton


class SameSizeKey(ThemedButton):
    """A key of such a row. Subclasses tell their `labels`, and write them in `label_font`."""

    label_weight: ClassVar[int] = Weight.MEDIUM

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._pixels = 0
        self._side = 0

    def labels(self) -> tuple[str, ...]:
        """What is to be read without being cut, line by line."""
        raise NotImplementedError

    def label_font(self) -> QFont:
        """The font of the labels."""
        return self._font_of(self._pixels or self.theme.metrics.type_px(Step.BASE))

    def least_width(self, pixels: int, side: int) -> int:
        """How wide it must be for labels of that size, with so much free on each side of them."""
        font = self._font_of(pixels)
        labels = max((width_of(font, label) for label in self.labels()), default=0)
        return max(self.theme.metrics.touch, labels + 2 * side)

    def take_size(self, pixels: int, side: int) -> None:
        """Write in this size, and be no narrower than that needs; without a side, than a finger."""
        if (pixels, side) != (self._pixels, self._side):
            self._pixels, self._side = pixels, side
            self.updateGeometry()
            self.update()

    def minimumSizeHint(self) -> QSize:
        metrics, side = self.theme.metrics, self._side
        return QSize(self.least_width(self._pixels, side) if side else metrics.touch, metrics.key)

    def _font_of(self, pixels: int) -> QFont:
        font = QFont(self.theme.fonts.resized(self.font(), Step.BASE, self.label_weight))
        font.setPixelSize(pixels)
        return font


def share_size(theme: Theme, keys: Sequence[SameSizeKey], room: int) -> None:
    """Give all keys the largest size in which their labels fit side by side into `room`.

    Before they become smaller than small type they have less air. None is smaller than small type
    at 100 %, however little room there is.
    """
    metrics = theme.metrics
    smallest, small = metrics.px(TYPE_AT_96[Step.SMALL][0]), metrics.type_px(Step.SMALL)
    largest = max(smallest, metrics.type_px(Step.BASE))
    sizes = [(pixels, metrics.s1) for pixels in range(largest, small - 1, -1)]
    sizes += [(pixels, metrics.edge) for pixels in range(small, smallest - 1, -1)]
    fitting = (one for one in sizes if sum(key.least_width(*one) for key in keys) <= room)
    pixels, side = next(fitting, (smallest, 0))
    for key in keys:
        key.take_size(pixels, side)
