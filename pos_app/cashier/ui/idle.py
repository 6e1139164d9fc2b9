"""Work for when the window has nothing more urgent to do: an act after the paint, and letters drawn
ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme

_AFTER_PAINTING = Qt.EventPriority.LowEventPriority.value - 1


class AfterPaint(QObject):
    """An act that is done once after the next paint, however often it is asked for before. A timer
    of 0 ms would fire before the paint, because Qt asks for paints by an event of low priority. An
    event of still lower priority comes after the paint, in the same round of the loop."""

    def __init__(self, act: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._is_waiting = False

    def ask(self) -> None:
        if not self._is_waiting:
            self._is_waiting = True
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), _AFTER_PAINTING)

    def event(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.User:
            return super().event(event)
        self._is_waiting = False
        self._act()
        return True


BEGIN_MS = 1_500
"""Drawing ahead begins this many milliseconds after the start, so as not to delay the start."""
PAUSE_MS = 30
"""The pause between two texts, in milliseconds; a text takes 0.1 to 0.8 ms."""
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
"""The font, the text, and whether the ground is known; letters are drawn differently on an unknown
ground."""


class GlyphWarmup(QObject):
    """Draws the letters of tiles and of the list, in the font of a view, before anybody searches. A
    font draws a letter once for each quarter of a pixel where the letter may begin, and copies it
    from then on. Without this warm-up the first tiles after a start took twice as long."""

    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._lines_left: Iterator[_Line] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_next)
        self.drawn = 0
        QTimer.singleShot(BEGIN_MS, self, self.begin)

    @property
    def is_done(self) -> bool:
        return self.drawn > 0 and not self._timer.isActive()

    def begin(self) -> None:
        """Draw all texts, one after each pause."""
        self._lines_left = self._lines()
        self._timer.start(PAUSE_MS)

    def _lines(self) -> Iterator[_Line]:
        fonts, own = self._theme.fonts, self._view.font()
        for letters in _ALPHABETS:
            yield fonts.text_metrics(own, TypeStep.BASE), letters, False
            yield fonts.text_metrics(own, TypeStep.TITLE, Weight.BOLD), letters, False
            yield fonts.text_metrics(own, TypeStep.NAME), letters, True
        for meter in fonts.ladder(own, TypeStep.STRONG, Weight.BOLD):
            yield meter, _FIGURES, False
        yield fonts.text_metrics(own, TypeStep.STRONG, Weight.BOLD), _FIGURES, True
        yield fonts.text_metrics(own, TypeStep.BASE), _FIGURES, True

    def _draw_next(self) -> None:
        line = next(self._lines_left, None)
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
