"""Rows of the article picker's list."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetrics, QPainter

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import (
    ELLIPSIS,
    RIGHT,
    box,
    fitting,
    put,
    put_line,
    ring_inside,
    rule,
    small_chip,
    width_of,
)  # fmt: skip
from pos_app.cashier.ui.rows import ListRow, RowState
from pos_app.cashier.ui.theme import Theme

USUAL = RowState()


class ListColumns:
    """Where the columns of the list lie in a row; its head uses the same.

    `digits`: how many figures the longest article code of the shop has.
    """

    def __init__(self, rect: QRect, theme: Theme, *, digits: int = 5) -> None:
        metrics = theme.metrics
        font = QFontMetrics(theme.font(Step.BASE))
        unit = 3 * metrics.type_px(Step.BASE) - metrics.s2
        code = font.horizontalAdvance("0" * digits)
        left = rect.left() + metrics.s4
        right = rect.right() + 1 - metrics.s3
        self.code = QRect(left, rect.top(), code, rect.height())
        self.unit = QRect(right - unit, rect.top(), unit, rect.height())
        price = self.unit.left() - metrics.s3
        wide = font.horizontalAdvance("9.999.999,99")
        self.price = QRect(price - wide, rect.top(), wide, rect.height())
        start = self.code.right() + 1 + metrics.s2
        self.name = QRect(start, rect.top(), self.price.left() - start, rect.height())


def paint_list_row(
    painter: QPainter, rect: QRect, theme: Theme, row: ListRow, *,
    state: RowState = USUAL, places: ListColumns | None = None,
) -> None:  # fmt: skip
    """One row: code, name with the letters found marked, price, unit.

    places: the columns of `rect`, where they are known.
    """
    metrics = theme.metrics
    if state.current or state.pressed:
        painter.fillRect(rect, theme.colour("line" if state.pressed else "tint"))
    rule(painter, rect, theme)
    if state.current:
        painter.fillRect(
            QRect(rect.left(), rect.top(), metrics.s1, rect.height()), theme.colour("accent")
        )
    own = painter.font()
    places = places or ListColumns(rect, theme)
    base = theme.fonts.meter(own, Step.BASE)
    quiet = theme.colour("ink_2")
    for place, words in ((places.code, row.code), (places.unit, row.unit)):
        put_line(painter, place, base.elided(words, place.width()), base, ink=quiet)
    painter.setFont(own)
    if row.refusal:
        small = theme.fonts.resized(own, Step.SMALL, Weight.SEMIBOLD)
        put(painter, places.price, row.refusal, quiet, small, align=RIGHT)
    else:
        step, weight, room = Step.STRONG, Weight.BOLD, places.price.width()
        bold = fitting(theme, own, row.price, step=step, weight=weight, room=room)
        put(painter, places.price, row.price, theme.colour("ink"), bold.font, align=RIGHT)
    _paint_list_name(painter, places.name, theme, row)
    if state.focus:
        ring_inside(painter, rect, theme)


def _paint_list_name(painter: QPainter, place: QRect, theme: Theme, row: ListRow) -> None:
    own = painter.font()
    metrics = theme.metrics
    meter = theme.fonts.meter(own, Step.NAME)
    room = place.width()
    if row.variants:
        chip = width_of(theme.fonts.resized(own, Step.SMALL, 600), row.variants)
        room -= chip + 3 * metrics.s1 + metrics.s2
    shown = meter.elided(row.name, room)
    painter.setFont(meter.font)
    _mark_hits(painter, place, theme, shown, row.hits)
    put_line(painter, place, shown, meter, ink=theme.colour("ink"))
    painter.setFont(own)
    if row.variants:
        took = meter.width(shown)
        start = QPoint(place.left() + took + metrics.s2, place.center().y() + 1)
        small_chip(painter, start, theme, row.variants, ground="sunken", ink="ink_2")


def _mark_hits(
    painter: QPainter, place: QRect, theme: Theme, shown: str, hits: tuple[tuple[int, int], ...]
) -> None:
    metrics = QFontMetrics(painter.font())
    whole = len(shown) - (1 if shown.endswith(ELLIPSIS) else 0)
    tall = theme.metrics.line(Step.BASE) - 1
    top = place.center().y() - tall // 2
    for start, end in hits:
        if start >= whole:
            continue
        left = metrics.horizontalAdvance(shown[:start]) if start else 0
        right = metrics.horizontalAdvance(shown[: min(end, whole)])
        mark = QRect(place.left() + left, top, right - left, tall)
        box(painter, mark, radius=theme.metrics.s1 // 2, fill=theme.colour("hit"))
