"""Letters drawn before anybody searches: the first tiles after a start took twice as long.

A font draws each of its letters once, in each quarter of a pixel where one may begin, and copies
it from then on. That is done here, a line at a time, while the window has nothing else to do.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.meter import Meter
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.theme import Theme

BEGIN_MS = 1_500
"""After the start, which it shall not hold up."""
PAUSE_MS = 30
"""Between two lines, of which each takes 0.1 to 0.8 ms."""
_QUARTERS = (0.0, 0.25, 0.5, 0.75)
_FIGURES = "0123456789.,%-()…"
_ALPHABETS = (
    "абвгдђежзијклљмнњопрстћуфхцчџш",
    "АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ",
    "abcčćdđefghijklmnoprsštuvzžwxyq",
    "ABCČĆDĐEFGHIJKLMNOPRSŠTUVZŽWXYQ",
    _FIGURES,
)
_Line = tuple[Meter, str, bool]
"""What to draw, and whether on a known ground: letters are drawn otherwise where there is none."""


class GlyphWarmup(QObject):
    """The letters of tiles and of the list, in the font of a view; anew for another look."""

    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._left: Iterator[_Line] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_next)
        self.drawn = 0
        """Lines so far."""
        theme.changed.connect(self.begin)
        QTimer.singleShot(BEGIN_MS, self, self.begin)

    @property
    def is_done(self) -> bool:
        """Whether none is left."""
        return self.drawn > 0 and not self._timer.isActive()

    def begin(self) -> None:
        """Draw all of them, from the next pause on."""
        self._left = self._lines()
        self._timer.start(PAUSE_MS)

    def _lines(self) -> Iterator[_Line]:
        fonts, own = self._theme.fonts, self._view.font()
        for letters in _ALPHABETS:
            yield fonts.meter(own, Step.BASE), letters, False
            yield fonts.meter(own, Step.TITLE, Weight.BOLD), letters, False
            yield fonts.meter(own, Step.NAME), letters, True
        for meter in fonts.ladder(own, Step.STRONG, Weight.BOLD):
            yield meter, _FIGURES, False
        yield fonts.meter(own, Step.STRONG, Weight.BOLD), _FIGURES, True
        yield fonts.meter(own, Step.BASE), _FIGURES, True

    def _draw_next(self) -> None:
        line = next(self._left, None)
        if line is None:
            self._timer.stop()
            return
        meter, letters, has_ground = line
        self.drawn += 1
        ratio = self._view.devicePixelRatioF()
        height = 2 * meter.font.pixelSize()
        picture = QPixmap(round(ratio * meter.width(letters)), round(ratio * height))
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.colour("surface") if has_ground else Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setFont(meter.font)
        for quarter in _QUARTERS:
            painter.drawText(QPointF(quarter, height / 2), letters)
        painter.end()
