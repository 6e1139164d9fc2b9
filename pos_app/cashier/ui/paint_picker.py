"""The article picker's rows and tiles.

A letter typed into the search shows up to three dozen new tiles at once. So a tile is painted in
two parts: its frame, which many tiles share and which is drawn once and kept, and the article's own
words and picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from PySide6.QtCore import QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPixmap

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import Metrics, TypeStep, Weight
from pos_app.cashier.ui.rows import ListRow, RowState, Tile
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

USUAL = RowState()
_LEAST_NAME_EMS = 7
"""The least room for a name in a list, in sizes of the font; a name has two lines or three."""


class ListColumns:
    """The columns of a list's row, and of the list's head. Where they leave too little room for a
    name, the unit goes first, then the room for long prices, then the code; a column that is gone
    is empty. digits: the length of the shop's longest article code."""

    def __init__(self, rect: QRect, theme: Theme, *, digits: int = 5) -> None:
        metrics = theme.metrics
        font = QFontMetrics(theme.font(TypeStep.BASE))
        base = metrics.type_px(TypeStep.BASE)
        left, right = rect.left() + metrics.s4, rect.right() + 1 - metrics.s3
        unit = 3 * base - metrics.s2
        price, code = map(font.horizontalAdvance, ("9.999.999,99", "0" * digits))
        usual = unit + metrics.s3, price, code + metrics.s2
        no_unit, short = (0, *usual[1:]), font.horizontalAdvance("99.999,99")
        for widths in (usual, no_unit, (0, short, usual[2]), (0, short, 0)):
            if right - left - sum(widths) >= _LEAST_NAME_EMS * base:
                break
        unit, price, code = widths

        def column(start: int, wide: int) -> QRect:
            return QRect(start, rect.top(), wide, rect.height())

        self.code = column(left, max(0, code - metrics.s2))
        self.unit = column(right - max(0, unit - metrics.s3), max(0, unit - metrics.s3))
        self.price = column(right - unit - price, price)
        self.name = column(left + code, right - unit - price - left - code)


def paint_list_row(
    painter: QPainter,
    rect: QRect,
    theme: Theme,
    row: ListRow,
    *,
    state: RowState = USUAL,
    columns: ListColumns | None = None,
) -> None:
    """Paint one row: code, name with the found letters marked, price, unit. columns: those of
    `rect`, if the caller knows them."""
    metrics = theme.metrics
    if state.current or state.pressed:
        painter.fillRect(rect, theme.colour("line" if state.pressed else "tint"))
    painting.rule(painter, rect, theme)
    if state.current:
        painter.fillRect(
            QRect(rect.left(), rect.top(), metrics.s1, rect.height()), theme.colour("accent")
        )
    own = painter.font()
    columns = columns or ListColumns(rect, theme)
    base = theme.fonts.text_metrics(own, TypeStep.BASE)
    quiet = theme.colour("ink_2")
    for area, words in ((columns.code, row.code), (columns.unit, row.unit)):
        if area.isEmpty():
            continue
        painting.put_line(painter, area, base.elided(words, area.width()), base, ink=quiet)
    painter.setFont(own)
    if row.refusal:
        small = theme.fonts.resized(own, TypeStep.SMALL, Weight.SEMIBOLD)
        painting.put(painter, columns.price, row.refusal, quiet, small, align=painting.RIGHT)
    else:
        step, weight, room = TypeStep.STRONG, Weight.BOLD, columns.price.width()
        bold = painting.fitting(theme, own, row.price, step=step, weight=weight, free_width=room)
        painting.put(
            painter, columns.price, row.price, theme.colour("ink"), bold.font, align=painting.RIGHT
        )
    _paint_list_name(painter, columns.name, theme, row)
    if state.focus:
        painting.ring_inside(painter, rect, theme)


def _paint_list_name(painter: QPainter, rect: QRect, theme: Theme, row: ListRow) -> None:
    own = painter.font()
    metrics = theme.metrics
    meter = theme.fonts.text_metrics(own, TypeStep.NAME)
    room = rect.width()
    if row.variants:
        chip = painting.width_of(theme.fonts.resized(own, TypeStep.SMALL, 600), row.variants)
        room -= chip + 3 * metrics.s1 + metrics.s2
    text_lines = [row.name]
    if not meter.fits(row.name, room):
        meter, text_lines = _two_lines(theme, own, row.name, QSize(room, rect.height()))
    high = rect.height() // len(text_lines) if len(text_lines) == 1 else _line_height(meter)
    top = rect.top() + (rect.height() - len(text_lines) * high) // 2
    painter.setFont(meter.font)
    at = 0
    for number, shown in enumerate(text_lines):
        line = QRect(rect.left(), top + number * high, rect.width(), high)
        hits = tuple((max(0, start - at), end - at) for start, end in row.hits if end > at)
        _mark_hits(painter, line, theme, shown, hits)
        painting.put_line(painter, line, shown, meter, ink=theme.colour("ink"))
        at += len(shown) + 1
    painter.setFont(own)
    if row.variants:
        took = max(map(meter.width, text_lines))
        start = QPoint(rect.left() + took + metrics.s2, rect.center().y() + 1)
        painting.small_chip(painter, start, theme, row.variants, ground="sunken", ink="ink_2")


def _two_lines(theme: Theme, own: QFont, name: str, size: QSize) -> tuple[Meter, list[str]]:
    """Return the meter and the lines of a name that one line does not hold: two lines, in smaller
    letters if the row has no room for them otherwise, three if the row is high enough, and one
    where it is too low."""
    small = TypeStep.SMALL
    forms = (TypeStep.NAME, 2), (TypeStep.BASE, 2), (small, 1), (small, 2), (small, 3)
    best = theme.fonts.text_metrics(own, TypeStep.NAME), [name]
    for step, lines in forms:
        meter = theme.fonts.text_metrics(own, step)
        if lines * _line_height(meter) < size.height():
            best = meter, meter.wrapped(name, size.width(), lines=lines)
            if not any(painting.ELLIPSIS in one for one in best[1]):
                break
    return best


def _line_height(meter: Meter) -> int:
    """Return the height of lines that stand as close as letters allow."""
    return QFontMetrics(meter.font).ascent() + QFontMetrics(meter.font).descent() // 2


def _mark_hits(
    painter: QPainter, rect: QRect, theme: Theme, shown_name: str, hits: tuple[tuple[int, int], ...]
) -> None:
    metrics = QFontMetrics(painter.font())
    whole = len(shown_name) - (1 if shown_name.endswith(painting.ELLIPSIS) else 0)
    tall = min(theme.metrics.line(TypeStep.BASE) - 1, rect.height())
    top = rect.center().y() - tall // 2
    for start, end in hits:
        if start >= whole:
            continue
        left = metrics.horizontalAdvance(shown_name[:start]) if start else 0
        right = metrics.horizontalAdvance(shown_name[: min(end, whole)])
        mark = QRect(rect.left() + left, top, right - left, tall)
        painting.box(painter, mark, radius=theme.metrics.s1 // 2, fill=theme.colour("hit"))


RING_PX = 3
PICTURE_SHARE = 0.36
"""The picture's share of a tile's width, so that a price fits beside it."""
PICTURE_GROWS = 2


@dataclass(frozen=True, slots=True)
class TileFrame:
    """The part of a tile below its words. tone: of the initials' square, or None without
    initials."""

    state: RowState
    is_refused: bool
    tone: int | None

    @property
    def ground(self) -> Token:
        if self.is_refused:
            return "sunken"
        return "tint" if self.state.pressed or self.state.current else "surface"


def frame_of(tile: Tile, *, picture: QPixmap | None, state: RowState = USUAL) -> TileFrame:
    """Return the frame of a tile, with the initials' square if there is no picture."""
    is_refused = bool(tile.refusal)
    has_picture = picture is not None and not picture.isNull()
    return TileFrame(state, is_refused, None if is_refused or has_picture else tile.tone)


@dataclass(frozen=True, slots=True)
class _Writing:
    """The fonts of tiles. own: the widget's font."""

    own: QFont
    name: Meter
    price: Meter
    small: Meter
    initials: Meter


@dataclass(frozen=True, slots=True)
class _TileRects:
    """The rectangles of a tile's parts; all tiles of a view have the same. picture: empty in a tile
    too low for one. price: the price's row. beside: the room of the price if there is no badge.
    name: the left end and the middle of its first line."""

    rect: QRect
    inside: QRect
    picture: QRect
    price: QRect
    beside: QRect
    name: QPointF

    @classmethod
    def of(cls, rect: QRect, theme: Theme) -> Self:
        inside = _inside(rect, theme)
        picture, price = _picture_rect(inside, theme), _price_line(inside, theme)
        middle = QPointF(inside.left(), inside.top() + _name_line(theme.metrics) / 2)
        return cls(QRect(rect), inside, picture, price, _beside(price, picture, theme), middle)


class TilePainter:
    """Paints tiles into rectangles. The focus ring needs 4 px around a tile (half of the gap)."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._writing: _Writing | None = None
        self._rects: _TileRects | None = None

    def paint_frame(self, painter: QPainter, rect: QRect, frame: TileFrame) -> None:
        """Paint box, focus ring and the ground of the initials."""
        theme, metrics, state = self._theme, self._theme.metrics, frame.state
        held = (state.pressed or state.current) and not frame.is_refused
        painting.box(
            painter,
            rect,
            radius=metrics.radius_button,
            fill=theme.colour(frame.ground),
            edge=theme.colour("accent" if held else "line_strong"),
            width=metrics.edge if held else metrics.hair,
        )
        if state.focus:
            painting.ring(painter, rect, theme, radius=metrics.radius_button, gap=1, width=RING_PX)
        square = self._lie_in(rect).picture
        if frame.tone is not None and not square.isEmpty():
            painting.box(
                painter, square, radius=metrics.radius_field, fill=theme.initials(frame.tone)[0]
            )

    def paint_on(
        self, painter: QPainter, rect: QRect, frame: TileFrame, tile: Tile, picture: QPixmap | None
    ) -> None:
        """Paint name, picture, badge and price on the frame of this tile. A low tile loses its
        picture, then the second line of its name, because the price is never cut."""
        theme, rects = self._theme, self._lie_in(rect)
        writing = self._written_with(painter.font())
        square, badge, beside = rects.picture, QRect(), rects.beside
        if tile.badge:
            badge = _badge_rect(rects.inside, square, theme, writing.own, tile.badge)
            beside = _beside(rects.price, badge if square.isEmpty() else square, theme)
        price, above = _priced(tile, writing.price, beside.width())
        room = rects.inside.height() - (2 if above else 1) * rects.price.height()
        has_room = not square.isEmpty() or room >= 2 * _name_line(theme.metrics)
        if has_room:
            high = rects.inside.height() - rects.price.height()
            is_free = not above and high >= 3 * _name_line(theme.metrics)
            third = min(square.left(), badge.left() if tile.badge else square.left())
            names = self._name_lines(rects, tile, writing, third if is_free else 0)
        else:
            names = writing.name.wrapped(tile.name, self._name_room(rects), lines=1)
        self._paint_name(painter, rects, names, tile, writing)
        if tile.refusal:
            self._paint_refusal(painter, rects.price, tile, writing.own)
        else:
            if not square.isEmpty():
                if picture is None or frame.tone is not None:
                    self._paint_initials(painter, square, tile, writing)
                else:
                    paint_picture(painter, square, picture, theme)
            _paint_badge(painter, badge, theme, writing.own, tile.badge, ground=frame.ground)
            self._paint_price(painter, beside, writing, price, above)
        painter.setFont(writing.own)

    def _lie_in(self, rect: QRect) -> _TileRects:
        if self._rects is None or self._rects.rect != rect:
            self._rects = _TileRects.of(rect, self._theme)
        return self._rects

    def _written_with(self, own: QFont) -> _Writing:
        if self._writing is None or self._writing.own != own:
            meter = self._theme.fonts.text_metrics
            self._writing = _Writing(
                own,
                name=meter(own, TypeStep.BASE),
                price=meter(own, TypeStep.STRONG, Weight.BOLD),
                small=meter(own, TypeStep.SMALL),
                initials=meter(own, TypeStep.TITLE, Weight.BOLD),
            )
        return self._writing

    def _name_room(self, rects: _TileRects) -> int:
        return rects.inside.width() - self._theme.metrics.s1 // 2

    def _name_lines(
        self, rects: _TileRects, tile: Tile, writing: _Writing, right: int
    ) -> list[str]:
        """Return the lines of the name. right: up to where a third line has room, beside the
        picture; it is used only if the whole name then has room."""
        room = self._name_room(rects)
        two = writing.name.wrapped(tile.name, room)
        if right and two and painting.ELLIPSIS in two[-1]:
            three = writing.name.wrapped(tile.name, room, lines=3)
            beside = right - self._theme.metrics.s1 - rects.inside.left()
            is_whole = not any(painting.ELLIPSIS in one for one in three)
            if is_whole and writing.name.fits(three[-1], beside):
                return three
        return two

    def _paint_name(
        self,
        painter: QPainter,
        rects: _TileRects,
        names: Sequence[str],
        tile: Tile,
        writing: _Writing,
    ) -> None:
        theme, meter = self._theme, writing.name
        left, base = rects.name.x(), rects.name.y() + meter.drop
        painter.setFont(meter.font)
        painter.setPen(theme.colour("ink_2" if tile.refusal else "ink"))
        for words in names:
            painter.drawText(QPointF(left, base), words)
            base += _name_line(theme.metrics)

    def _paint_price(
        self, painter: QPainter, rect: QRect, writing: _Writing, price: str, words_above: str
    ) -> None:
        theme, own, meter, room = self._theme, writing.own, writing.price, rect.width()
        if not meter.fits(price, room):
            step, weight = TypeStep.STRONG, Weight.BOLD
            meter = painting.fitting(theme, own, price, step=step, weight=weight, free_width=room)
        painting.put_line(painter, rect, price, meter, ink=theme.colour("ink"))
        if words_above:
            above = rect.translated(0, -rect.height())
            painting.put_line(painter, above, words_above, writing.small, ink=theme.colour("ink_3"))

    def _paint_refusal(self, painter: QPainter, rect: QRect, tile: Tile, own: QFont) -> None:
        theme = self._theme
        font = theme.fonts.resized(own, TypeStep.SMALL, Weight.SEMIBOLD)
        painting.put(
            painter,
            rect,
            tile.refusal,
            theme.colour("ink_2"),
            font,
            align=painting.LEFT,
            elide=True,
        )

    def _paint_initials(
        self, painter: QPainter, rect: QRect, tile: Tile, writing: _Writing
    ) -> None:
        theme, own, meter = self._theme, writing.own, writing.initials
        room = rect.width() - theme.metrics.s2
        if not meter.fits(tile.initials, room):
            step, weight = TypeStep.TITLE, Weight.BOLD
            meter = painting.fitting(
                theme, own, tile.initials, step=step, weight=weight, free_width=room
            )
        painting.put_middle(painter, rect, tile.initials, meter, ink=theme.initials(tile.tone)[1])


def _inside(rect: QRect, theme: Theme) -> QRect:
    metrics = theme.metrics
    return rect.adjusted(metrics.s3, metrics.s2 + 2, -metrics.s2 - 1, -metrics.s2 - 1)


def lowest_tile(metrics: Metrics) -> int:
    """Return a tile's least height, for one line of the name, the unit, and the price."""
    return _name_line(metrics) + 2 * _price_height(metrics) + 2 * metrics.s2 + 3


def _name_line(metrics: Metrics) -> int:
    return metrics.line(TypeStep.BASE) - 2


def _price_height(metrics: Metrics) -> int:
    return metrics.line(TypeStep.STRONG) - metrics.s1


def _priced(tile: Tile, meter: Meter, free_width: int) -> tuple[str, str]:
    """Return the price and the words above it ("за 1 kg"), which "од" joins if it has no room
    beside the price."""
    if meter.fits(tile.price, free_width):
        return tile.price, tile.per_unit
    lead, _, price = tile.price.rpartition(" ")
    return price, f"{tile.per_unit} {lead}".strip()


def _picture_rect(inside: QRect, theme: Theme) -> QRect:
    """Return the square in the lower right corner, as large as name and price allow; empty in a
    tile too low for a picture."""
    usual, name = theme.metrics.picture, 2 * _name_line(theme.metrics)
    beside_price = max(usual, min(round(PICTURE_SHARE * inside.width()), PICTURE_GROWS * usual))
    below_name = inside.height() - name
    if below_name < 2 * _price_height(theme.metrics):
        return QRect()
    side = min(below_name, beside_price)
    rect = QRect(0, 0, side, side)
    rect.moveBottomRight(inside.bottomRight())
    return rect


def _price_line(inside: QRect, theme: Theme) -> QRect:
    tall = _price_height(theme.metrics)
    return QRect(inside.left(), inside.bottom() - tall - 1, inside.width(), tall)


def _beside(price: QRect, taken: QRect, theme: Theme) -> QRect:
    """Return the price's rectangle up to the picture or badge at its end."""
    left = QRect(price)
    if not taken.isEmpty():
        left.setRight(taken.left() - theme.metrics.s1 - 1)
    return left


def paint_picture(painter: QPainter, rect: QRect, picture: QPixmap, theme: Theme) -> None:
    """Paint the middle of a picture in a square, in the theme's brightness."""
    radius, light = theme.metrics.radius_field, theme.palette.picture_light
    painter.save()
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
    )
    shape = QPainterPath()
    shape.addRoundedRect(rect, radius, radius)
    painter.setClipPath(shape)
    painter.drawPixmap(rect, picture, _cropped(picture))
    if light < 1:
        painter.fillRect(rect, QColor.fromRgbF(0, 0, 0, 1 - light))
    painter.restore()


def _cropped(picture: QPixmap) -> QRect:
    """Return the largest square in the middle of a picture, in its own pixels."""
    side = min(picture.width(), picture.height())
    return QRect((picture.width() - side) // 2, (picture.height() - side) // 2, side, side)


def _badge_rect(inside: QRect, picture: QRect, theme: Theme, own: QFont, count: str) -> QRect:
    """Return the badge's rectangle: on the picture's corner, or at the end of the price's row."""
    if not count:
        return QRect()
    metrics = theme.metrics
    font = theme.fonts.resized(own, TypeStep.SMALL, Weight.BOLD)
    tall = max(metrics.s6, metrics.line(TypeStep.SMALL) + 2)
    wide = max(tall, painting.width_of(font, count) + 2 * metrics.s1 + metrics.s2)
    rect = QRect(0, 0, wide, tall)
    if picture.isEmpty():
        rect.moveCenter(_price_line(inside, theme).center())
        rect.moveRight(inside.right())
    else:
        rect.moveCenter(picture.topRight() + QPoint(-7, 5))
        rect.moveRight(picture.right() + metrics.s1 + 1)
    return rect


def _paint_badge(
    painter: QPainter, rect: QRect, theme: Theme, own: QFont, count: str, *, ground: Token
) -> None:
    if not count:
        return
    font = theme.fonts.resized(own, TypeStep.SMALL, Weight.BOLD)
    around = rect.adjusted(-2, -2, 2, 2)
    painting.box(painter, around, radius=around.height() // 2, fill=theme.colour(ground))
    painting.box(painter, rect, radius=rect.height() // 2, fill=theme.colour("accent"))
    painting.put(painter, rect, count, theme.colour("on_accent"), font, align=painting.CENTRE)
