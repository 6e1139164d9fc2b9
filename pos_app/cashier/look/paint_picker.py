"""Tiles and rows of the article picker."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPixmap

from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.painting import (
    CENTRE,
    ELLIPSIS,
    LEFT,
    RIGHT,
    box,
    fitted,
    put,
    ring,
    ring_inside,
    rule,
    small_chip,
    width_of,
    wrapped,
)  # fmt: skip
from pos_app.cashier.look.rows import ListRow, RowState, Tile
from pos_app.cashier.look.tokens import Token

USUAL = RowState()
RING_PX = 3


def paint_tile(
    painter: QPainter, rect: QRect, look: Look, tile: Tile, *,
    picture: QPixmap | None = None, state: RowState = USUAL,
) -> None:  # fmt: skip
    """One tile into `rect`; the ring of the focus needs 4 px around it (half of the gap)."""
    metrics = look.metrics
    held = state.pressed or state.current
    ground: Token = "sunken" if tile.refusal else "tint" if held else "surface"
    edge: Token = "accent" if held and not tile.refusal else "line"
    box(
        painter, rect, radius=metrics.radius_button, fill=look.colour(ground),
        edge=look.colour(edge), width=metrics.edge if edge == "accent" else metrics.hair,
    )  # fmt: skip
    if state.focus:
        ring(painter, rect, look, radius=metrics.radius_button, gap=1, width=RING_PX)
    inside = rect.adjusted(metrics.s3, metrics.s2 + 2, -metrics.s2 - 1, -metrics.s2 - 1)
    _paint_tile_name(painter, inside, look, tile)
    room = inside.width()
    if not tile.refusal:
        place = QRect(0, 0, metrics.picture, metrics.picture)
        place.moveBottomRight(inside.bottomRight())
        _paint_picture(painter, place, look, tile, picture)
        _paint_badge(painter, place, look, tile.badge, ground)
        room -= metrics.picture + metrics.s1
    _paint_tile_price(painter, inside, look, tile, room)


def _paint_tile_name(painter: QPainter, inside: QRect, look: Look, tile: Tile) -> None:
    own = painter.font()
    font = look.fonts.resized(own, Step.BASE)
    ink = look.colour("ink_2" if tile.refusal else "ink")
    line = look.metrics.line(Step.BASE) - 2
    width = inside.width() - look.metrics.s1 // 2
    for number, words in enumerate(wrapped(font, tile.name, width)):
        place = QRect(inside.left(), inside.top() + number * line, width, line)
        put(painter, place, words, ink, font, align=LEFT)


def _paint_tile_price(painter: QPainter, inside: QRect, look: Look, tile: Tile, room: int) -> None:
    own = painter.font()
    metrics = look.metrics
    small = look.fonts.resized(own, Step.SMALL, Weight.SEMIBOLD if tile.refusal else 500)
    line = metrics.line(Step.STRONG) - metrics.s1
    place = QRect(inside.left(), inside.bottom() - line - 1, room, line)
    if tile.refusal:
        put(painter, place, tile.refusal, look.colour("ink_2"), small, align=LEFT, elide=True)
    else:
        font = fitted(look, own, tile.price, step=Step.STRONG, weight=Weight.BOLD, room=room)
        put(painter, place, tile.price, look.colour("ink"), font, align=LEFT)
    if tile.per_unit and not tile.refusal:
        above = place.translated(0, -line)
        put(painter, above, tile.per_unit, look.colour("ink_3"), small, align=LEFT)


def _paint_picture(
    painter: QPainter, place: QRect, look: Look, tile: Tile, picture: QPixmap | None
) -> None:
    radius = look.metrics.radius_field
    ground, letters = look.initials(tile.tone)
    if picture is None or picture.isNull():
        own = painter.font()
        box(painter, place, radius=radius, fill=ground)
        room = place.width() - look.metrics.s2
        font = fitted(look, own, tile.initials, step=Step.TITLE, weight=Weight.BOLD, room=room)
        put(painter, place, tile.initials, letters, font, align=CENTRE)
        return
    painter.save()
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
    )
    shape = QPainterPath()
    shape.addRoundedRect(place, radius, radius)
    painter.setClipPath(shape)
    painter.drawPixmap(place, picture, _cropped(picture))
    painter.restore()


def _cropped(picture: QPixmap) -> QRect:
    """The largest square in the middle of a picture, in its own pixels."""
    side = min(picture.width(), picture.height())
    return QRect((picture.width() - side) // 2, (picture.height() - side) // 2, side, side)


def _paint_badge(painter: QPainter, picture: QRect, look: Look, count: str, ground: Token) -> None:
    if not count:
        return
    own = painter.font()
    font = look.fonts.resized(own, Step.SMALL, Weight.BOLD)
    tall = max(look.metrics.s6, look.metrics.line(Step.SMALL) + 2)
    wide = max(tall, width_of(font, count) + 2 * look.metrics.s1 + look.metrics.s2)
    place = QRect(0, 0, wide, tall)
    place.moveCenter(picture.topRight() + QPoint(-7, 5))
    place.moveRight(picture.right() + look.metrics.s1 + 1)
    around = place.adjusted(-2, -2, 2, 2)
    box(painter, around, radius=around.height() // 2, fill=look.colour(ground))
    box(painter, place, radius=tall // 2, fill=look.colour("accent"))
    put(painter, place, count, look.colour("on_accent"), font, align=CENTRE)


class ListColumns:
    """Where the columns of the list lie in a row; its head uses the same.

    `digits`: how many figures the longest article code of the shop has.
    """

    def __init__(self, rect: QRect, look: Look, *, digits: int = 5) -> None:
        metrics = look.metrics
        font = QFontMetrics(look.font(Step.BASE))
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
    painter: QPainter, rect: QRect, look: Look, row: ListRow, *,
    state: RowState = USUAL, digits: int = 5,
) -> None:  # fmt: skip
    """One row: code, name with the letters found marked, price, unit."""
    metrics = look.metrics
    if state.current or state.pressed:
        painter.fillRect(rect, look.colour("line" if state.pressed else "tint"))
    rule(painter, rect, look)
    if state.current:
        painter.fillRect(
            QRect(rect.left(), rect.top(), metrics.s1, rect.height()), look.colour("accent")
        )
    own = painter.font()
    places = ListColumns(rect, look, digits=digits)
    base = look.fonts.resized(own, Step.BASE)
    quiet = look.colour("ink_2")
    put(painter, places.code, row.code, quiet, base, align=LEFT, elide=True)
    put(painter, places.unit, row.unit, quiet, base, align=LEFT, elide=True)
    if row.refusal:
        small = look.fonts.resized(own, Step.SMALL, Weight.SEMIBOLD)
        put(painter, places.price, row.refusal, quiet, small, align=RIGHT)
    else:
        bold = fitted(
            look, own, row.price, step=Step.STRONG, weight=Weight.BOLD, room=places.price.width()
        )
        put(painter, places.price, row.price, look.colour("ink"), bold, align=RIGHT)
    _paint_list_name(painter, places.name, look, row)
    if state.focus:
        ring_inside(painter, rect, look)


def _paint_list_name(painter: QPainter, place: QRect, look: Look, row: ListRow) -> None:
    own = painter.font()
    metrics = look.metrics
    font = look.fonts.resized(own, Step.NAME)
    room = place.width()
    if row.variants:
        chip = width_of(look.fonts.resized(own, Step.SMALL, 600), row.variants)
        room -= chip + 3 * metrics.s1 + metrics.s2
    shown = QFontMetrics(font).elidedText(row.name, Qt.TextElideMode.ElideRight, room)
    painter.setFont(font)
    _mark_hits(painter, place, look, shown, row.hits)
    painter.setFont(own)
    put(painter, place, shown, look.colour("ink"), font, align=LEFT)
    if row.variants:
        took = width_of(font, shown)
        start = QPoint(place.left() + took + metrics.s2, place.center().y() + 1)
        small_chip(painter, start, look, row.variants, ground="sunken", ink="ink_2")


def _mark_hits(
    painter: QPainter, place: QRect, look: Look, shown: str, hits: tuple[tuple[int, int], ...]
) -> None:
    metrics = QFontMetrics(painter.font())
    whole = len(shown) - (1 if shown.endswith(ELLIPSIS) else 0)
    tall = look.metrics.line(Step.BASE) - 1
    top = place.center().y() - tall // 2
    for start, end in hits:
        if start >= whole:
            continue
        left = metrics.horizontalAdvance(shown[:start])
        right = metrics.horizontalAdvance(shown[: min(end, whole)])
        mark = QRect(place.left() + left, top, right - left, tall)
        box(painter, mark, radius=look.metrics.s1 // 2, fill=look.colour("hit"))
