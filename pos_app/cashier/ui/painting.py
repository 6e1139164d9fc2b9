"""The elements that everything is painted with: boxes, text, caps and small chips.

All rectangles are in device-independent pixels; a border is inside its rectangle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPen

from pos_app.cashier.ui.fonts import MOST_WORDS, Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter
NO_SHORTCUT = Qt.TextFlag.TextSingleLine
MINUS = "\u2212"
ELLIPSIS = "…"
SMALLEST_PX = 6
"""An amount does not shrink below this size."""


def amount_ink(amount: str, usual: Token = "ink") -> Token:
    """Return the colour of an amount: a negative one is red wherever it stands."""
    return "danger_amount" if amount.startswith(MINUS) else usual


def box(
    painter: QPainter,
    rect: QRect,
    *,
    radius: int,
    fill: QColor | None = None,
    edge: QColor | None = None,
    width: int = 1,
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    inset = 0.0
    if edge is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        inset = width / 2
        painter.setPen(QPen(edge, width))
    corner = max(0.0, radius - inset)
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def write(
    painter: QPainter,
    rect: QRect,
    words: str,
    colour: QColor,
    font: QFont,
    *,
    align: Qt.AlignmentFlag = LEFT,
    elide: bool = False,
    strikethrough: bool = False,
) -> int:
    """Paint as `put` does; return the width of the text."""
    if elide:
        words = elided(font, words, rect.width())
    put(painter, rect, words, colour, font, align=align, strikethrough=strikethrough)
    return width_of(font, words)


def put(
    painter: QPainter,
    rect: QRect,
    words: str,
    colour: QColor,
    font: QFont,
    *,
    align: Qt.AlignmentFlag = LEFT,
    elide: bool = False,
    strikethrough: bool = False,
) -> None:
    """Paint one line of plain text. Only names may be cut (`elide`). The painter keeps its own
    font."""
    own = painter.font()
    if elide:
        words = elided(font, words, rect.width())
    if strikethrough:
        font = QFont(font)
        font.setStrikeOut(True)
    painter.setFont(font)
    painter.setPen(colour)
    if align == LEFT:  # as Qt does, but without its layout of a paragraph
        metrics = QFontMetricsF(font)
        base = rect.y() + (rect.height() - metrics.height()) / 2 + metrics.ascent()
        painter.drawText(QPointF(rect.x(), base), words)
    else:
        painter.drawText(rect, int(align) | int(NO_SHORTCUT) | int(Qt.TextFlag.TextDontClip), words)
    painter.setFont(own)


def put_line(painter: QPainter, rect: QRect, words: str, meter: Meter, *, ink: QColor) -> None:
    """Paint at the left as `put` does, but without measuring. The painter has the meter's font
    afterwards."""
    painter.setFont(meter.font)
    painter.setPen(ink)
    base = rect.y() + rect.height() / 2 + meter.drop
    painter.drawText(QPointF(rect.x(), base), words)


def put_lines(
    painter: QPainter, rect: QRect, text_lines: Sequence[str], meter: Meter, *, ink: QColor
) -> int:
    """Paint lines from the top of `rect`, each as high as `rect`, as `put_line` does; return the
    height of all."""
    for number, words in enumerate(text_lines):
        put_line(painter, rect.translated(0, number * rect.height()), words, meter, ink=ink)
    return len(text_lines) * rect.height()


def put_middle(painter: QPainter, rect: QRect, words: str, meter: Meter, *, ink: QColor) -> None:
    """Paint in the middle as `put_line` does, with a width that the meter remembers."""
    painter.setFont(meter.font)
    painter.setPen(ink)
    left = rect.x() + (rect.width() - meter.length(words)) / 2
    painter.drawText(QPointF(left, rect.y() + rect.height() / 2 + meter.drop), words)


def elided(font: QFont, words: str, width: int) -> str:
    """Return a line of text, cut with … where it does not fit the width."""
    if width_of(font, words) <= width:
        return words
    return QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, width)


def elided_at_start(font: QFont, number: str, width: int) -> str:
    """Return a receipt's number, without its start where it does not fit the width: its end tells
    it apart, and people call it by that."""
    if width_of(font, number) <= width:
        return number
    return QFontMetrics(font).elidedText(number, Qt.TextElideMode.ElideLeft, width)


@lru_cache(MOST_WORDS)
def width_of(font: QFont, words: str) -> int:
    """Return the width of a line of text, in whole pixels that surely hold it. The latest widths
    are remembered: a scan asks some fifty times, mostly for the same texts."""
    return math.ceil(QFontMetricsF(font).horizontalAdvance(words))


def fitted(
    theme: Theme, own: QFont, words: str, *, step: TypeStep, weight: int, free_width: int
) -> QFont:
    """Return the largest font, from `step` down by half steps, in which an amount fits into
    `free_width`. Below the last step the font shrinks pixel by pixel, because an amount is never
    cut."""
    return QFont(fitting(theme, own, words, step=step, weight=weight, free_width=free_width).font)


def fitting(
    theme: Theme, own: QFont, words: str, *, step: TypeStep, weight: int, free_width: int
) -> Meter:
    """Return the meter of that font, which is not copied."""
    meters = theme.fonts.ladder(own, step, weight)
    for meter in meters:
        if meter.fits(words, free_width):
            return meter
    font = QFont(meters[-1].font)
    while font.pixelSize() > SMALLEST_PX and width_of(font, words) > free_width:
        font.setPixelSize(font.pixelSize() - 1)
    return Meter(font)


def fitted_words(
    theme: Theme, own: QFont, words: str, *, step: TypeStep, weight: int, free_width: int
) -> QFont:
    """Return the font of `fitting_words`."""
    meter = fitting_words(theme, own, words, step=step, weight=weight, free_width=free_width)
    return QFont(meter.font)


def fitting_words(
    theme: Theme, own: QFont, words: str, *, step: TypeStep, weight: int, free_width: int
) -> Meter:
    """Return the meter in which words fit into `free_width`, from `step` down to the smallest step
    of words, in which they may still be too wide."""
    meters = theme.fonts.ladder(own, step, weight)
    return next((meter for meter in meters if meter.fits(words, free_width)), meters[-1])


def broken(
    theme: Theme,
    own: QFont,
    words: str,
    width: int,
    *,
    step: TypeStep,
    weight: int = Weight.MEDIUM,
    lines: int,
) -> tuple[Meter, list[str]]:
    """Return the meter and the lines of words that are broken into at most `lines` lines, in
    letters that are smaller where a word is wider than a line or the lines are not enough. The
    lines stay as high as those of `step`."""
    fitting = theme.fonts.whole(own, step, weight, words, width, lines=lines)
    meter = theme.fonts.text_metrics(own, fitting, weight)
    return meter, meter.broken(words, width, lines=lines)


def cap_width(theme: Theme, own: QFont, key: str) -> int:
    return max(theme.metrics.s6, width_of(_cap_font(theme, own), key) + 3 * theme.metrics.s1)


def _cap_font(theme: Theme, own: QFont) -> QFont:
    font = theme.fonts.resized(own, TypeStep.CAP, Weight.SEMIBOLD)
    font.setFeature(QFont.Tag("tnum"), 0)  # the name of a key is no amount
    return font


def paint_key_cap(
    painter: QPainter, rect: QRect, theme: Theme, key: str, *, ink: Token, edge: Token
) -> None:
    """Paint a key cap filling `rect`: 1 px edge, the name of the key, no fill."""
    metrics = theme.metrics
    box(painter, rect, radius=metrics.radius_cap, edge=theme.colour(edge), width=metrics.hair)
    font = _cap_font(theme, painter.font())
    put(painter, rect, key, theme.colour(ink), font, align=CENTRE)


def small_chip(
    painter: QPainter, start: QPoint, theme: Theme, words: str, *, ground: Token, ink: Token
) -> int:
    """Paint a chip within a line of text, such as −20 % or "3 врсте"; return its width. start: the
    middle of its left edge."""
    metrics = theme.metrics
    font = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.SEMIBOLD)
    width = width_of(font, words) + 3 * metrics.s1
    height = metrics.cap
    rect = QRect(start.x(), start.y() - height // 2, width, height)
    box(painter, rect, radius=metrics.radius_cap + metrics.s1 // 2, fill=theme.colour(ground))
    put(painter, rect, words, theme.colour(ink), font, align=CENTRE)
    return width


def ring(
    painter: QPainter, rect: QRect, theme: Theme, *, radius: int, gap: int, width: int
) -> None:
    """Paint the focus ring: `width` pixels thick, `gap` pixels outside of `rect`."""
    outer = rect.adjusted(-gap - width, -gap - width, gap + width, gap + width)
    edge = theme.colour("focus")
    box(painter, outer, radius=radius + gap + width, edge=edge, width=width)


def ring_inside(painter: QPainter, rect: QRect, theme: Theme) -> None:
    """Paint the focus ring inside a row."""
    inner = rect.adjusted(2, 2, -2, -2)
    box(painter, inner, radius=theme.metrics.radius_cap, edge=theme.colour("focus"), width=3)


def rule(painter: QPainter, rect: QRect, theme: Theme) -> None:
    """Paint the rule under a row, inside its rectangle."""
    hair = theme.metrics.hair
    painter.fillRect(
        QRect(rect.left(), rect.bottom() - hair + 1, rect.width(), hair), theme.colour("line")
    )


def paint_head(painter: QPainter, whole: QRect, theme: Theme) -> None:
    """Paint the ground of a table's head, with the upper corners of the table's panel."""
    radius = theme.metrics.radius_panel - theme.metrics.hair
    painter.setClipRect(whole)
    upper = whole.adjusted(0, 0, 0, radius)
    box(painter, upper, radius=radius, fill=theme.colour("sunken"))
    rule(painter, whole, theme)
